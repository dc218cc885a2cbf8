//! Work out the file names that an expression makes, one for each key.

use oxc_ast::ast::Expression;
use oxc_syntax::operator::{BinaryOperator, LogicalOperator};

use super::scan::{Branch, Scan, compared};

/// Stands for the public path at the beginning of a name.
pub(super) const ROOT: char = '\u{1}';

/// Stands for a key that no table has.
pub(super) const ANY: char = '\u{2}';

/// How many parts of expressions are worked out for one source.
pub(super) const MAX_STEPS: usize = 4_000_000;

/// Longest name that is worked out.
const MAX_NAME: usize = 4_096;

/// What webpack puts for the hash of a file that is empty, and so does not exist.
const EMPTY_HASH: &str = "31d6cfe0";

/// The names for all keys; and the name for any other key, with [`ANY`] in place of it.
pub(super) struct FileNames {
    pub(super) names: Vec<String>,
    pub(super) any: Option<String>,
}

/// Works out all names. `steps` are left for this source.
pub(super) fn file_names(
    branches: &[Branch<'_, '_>],
    scan: &Scan<'_, '_>,
    steps: &mut usize,
) -> FileNames {
    let mut names = Vec::new();
    for key in &scan.keys {
        let mut worker = Worker { scan, key, steps };
        names.extend(worker.returned(branches));
    }
    let any = ANY.to_string();
    let mut worker = Worker {
        scan,
        key: &any,
        steps,
    };
    FileNames {
        names,
        any: worker.returned(branches).filter(|name| name.contains(ANY)),
    }
}

struct Worker<'w, 'e, 'a> {
    scan: &'w Scan<'e, 'a>,
    key: &'w str,
    steps: &'w mut usize,
}

impl Worker<'_, '_, '_> {
    fn returned(&mut self, branches: &[Branch<'_, '_>]) -> Option<String> {
        for branch in branches {
            if branch.test.is_none_or(|test| self.holds(test)) {
                let name = self.text(branch.value, true)?;
                return (!name.contains(EMPTY_HASH)).then_some(name);
            }
        }
        None
    }

    fn text(&mut self, expression: &Expression<'_>, first: bool) -> Option<String> {
        *self.steps = self.steps.checked_sub(1)?;
        match expression {
            Expression::StringLiteral(string) => Some(string.value.to_string()),
            Expression::NumericLiteral(number) => Some(number.value.to_string()),
            Expression::UnaryExpression(_) => None,
            Expression::Identifier(it) if it.name == "undefined" => None,
            Expression::Identifier(it) if Some(it.name.as_str()) == self.scan.name => {
                Some(self.key.to_owned())
            }
            Expression::TemplateLiteral(template) => {
                let mut text = String::new();
                for (index, quasi) in template.quasis.iter().enumerate() {
                    text.push_str(quasi.value.cooked.as_ref()?);
                    if let Some(part) = template.expressions.get(index) {
                        text.push_str(&self.text(part, first && text.is_empty())?);
                    }
                }
                short(text)
            }
            Expression::BinaryExpression(it) if it.operator == BinaryOperator::Addition => {
                let mut text = self.text(&it.left, first)?;
                text.push_str(&self.text(&it.right, false)?);
                short(text)
            }
            Expression::LogicalExpression(it) => {
                let left = self.text(&it.left, false).filter(|text| !text.is_empty());
                match (it.operator == LogicalOperator::And, left) {
                    (true, Some(_)) | (false, None) => self.text(&it.right, false),
                    (_, left) => left,
                }
            }
            Expression::ConditionalExpression(it) if self.holds(&it.test) => {
                self.text(&it.consequent, first)
            }
            Expression::ConditionalExpression(it) => self.text(&it.alternate, first),
            Expression::ComputedMemberExpression(it) => match &it.object {
                Expression::ObjectExpression(object) => {
                    let table = self.scan.tables.get(&object.span.start)?;
                    self.text(table.get(self.key)?, false)
                }
                _ => first.then(|| ROOT.to_string()),
            },
            _ => first.then(|| ROOT.to_string()),
        }
    }

    fn holds(&self, test: &Expression<'_>) -> bool {
        compared(test).is_some_and(|(_, key)| key == self.key)
    }
}

fn short(text: String) -> Option<String> {
    (text.len() <= MAX_NAME).then_some(text)
}
