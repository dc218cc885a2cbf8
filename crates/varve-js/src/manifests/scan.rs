//! Find out whether an expression makes file names from tables, and from which keys.

use std::collections::{HashMap, HashSet};

use oxc_ast::ast::{
    ComputedMemberExpression, Expression, ObjectExpression, ObjectPropertyKind, Statement,
};
use oxc_syntax::operator::BinaryOperator;

/// Most keys of one table that are tried.
const MAX_KEYS: usize = 10_000;

/// The values of an object by their keys.
pub(super) type Table<'e, 'a> = HashMap<String, &'e Expression<'a>>;

/// An expression that makes file names: `"js/" + {1: "a"}[id] + ".js"`.
pub(super) struct Scan<'e, 'a> {
    /// Tables by where they stand.
    pub(super) tables: HashMap<u32, Table<'e, 'a>>,
    /// Whatever a table has or the name is compared with.
    pub(super) keys: Vec<String>,
    seen: HashSet<String>,
    /// The name by which keys are looked up.
    pub(super) name: Option<&'e str>,
    /// Other names in it.
    others: Vec<&'e str>,
}

/// What a function returns, and on which condition.
pub(super) struct Branch<'e, 'a> {
    pub(super) test: Option<&'e Expression<'a>>,
    pub(super) value: &'e Expression<'a>,
}

impl<'e, 'a> Scan<'e, 'a> {
    /// Looks at what is returned; `None` if it is not made of names and tables. `name` is the
    /// parameter where it is known, else it is whatever tables are asked for.
    pub(super) fn of(branches: &[Branch<'e, 'a>], name: Option<&'e str>) -> Option<Scan<'e, 'a>> {
        let mut scan = Scan {
            tables: HashMap::new(),
            keys: Vec::new(),
            seen: HashSet::new(),
            name,
            others: Vec::new(),
        };
        for branch in branches {
            let tested = branch.test.is_none_or(|test| scan.test(test));
            if !tested || !scan.look(branch.value, true) {
                return None;
            }
        }
        let name = scan.name?;
        scan.others
            .iter()
            .all(|other| *other == name)
            .then_some(scan)
    }

    /// `first`: nothing stands before it.
    fn look(&mut self, expression: &'e Expression<'a>, first: bool) -> bool {
        match expression {
            Expression::StringLiteral(_) | Expression::NumericLiteral(_) => true,
            Expression::UnaryExpression(_) => true,
            // `undefined` is what is returned for chunks without a file.
            Expression::Identifier(it) if it.name == "undefined" => true,
            Expression::Identifier(it) if !first || self.name == Some(it.name.as_str()) => {
                self.others.push(it.name.as_str());
                true
            }
            Expression::TemplateLiteral(template) => {
                let bare = |index: usize| {
                    index == 0
                        && template
                            .quasis
                            .first()
                            .is_none_or(|it| it.value.raw.is_empty())
                };
                let mut parts = template.expressions.iter().enumerate();
                parts.all(|(index, part)| self.look(part, first && bare(index)))
            }
            Expression::BinaryExpression(it) if it.operator == BinaryOperator::Addition => {
                self.look(&it.left, first) && self.look(&it.right, false)
            }
            Expression::LogicalExpression(it) => {
                self.look(&it.left, false) && self.look(&it.right, false)
            }
            Expression::ConditionalExpression(it) => {
                self.test(&it.test)
                    && self.look(&it.consequent, first)
                    && self.look(&it.alternate, first)
            }
            Expression::ComputedMemberExpression(it) => match &it.object {
                Expression::ObjectExpression(object) => self.table(it, object),
                _ => first,
            },
            // The public path.
            _ => first,
        }
    }

    /// `673 === id`
    fn test(&mut self, test: &'e Expression<'a>) -> bool {
        let Some((name, key)) = compared(test) else {
            return false;
        };
        self.others.push(name);
        self.key(key);
        true
    }

    fn table(
        &mut self,
        member: &'e ComputedMemberExpression<'a>,
        object: &'e ObjectExpression<'a>,
    ) -> bool {
        let Expression::Identifier(name) = &member.expression else {
            return false;
        };
        self.others.push(name.name.as_str());
        self.name.get_or_insert(name.name.as_str());
        let mut table = Table::new();
        for property in object.properties.iter().take(MAX_KEYS) {
            if let ObjectPropertyKind::ObjectProperty(property) = property
                && let Some(key) = property.key.static_name()
            {
                self.key(key.to_string());
                table.insert(key.into_owned(), &property.value);
            }
        }
        self.tables.insert(object.span.start, table);
        true
    }

    fn key(&mut self, key: String) {
        if self.keys.len() < MAX_KEYS && self.seen.insert(key.clone()) {
            self.keys.push(key);
        }
    }
}

/// The name and the literal of a comparison.
pub(super) fn compared<'e>(test: &'e Expression<'_>) -> Option<(&'e str, String)> {
    let Expression::BinaryExpression(it) = test else {
        return None;
    };
    if !matches!(
        it.operator,
        BinaryOperator::Equality | BinaryOperator::StrictEquality
    ) {
        return None;
    }
    match (&it.left, &it.right) {
        (Expression::Identifier(name), literal) | (literal, Expression::Identifier(name)) => {
            Some((name.name.as_str(), literal_key(literal)?))
        }
        _ => None,
    }
}

/// A string or number as the key that it is.
pub(super) fn literal_key(literal: &Expression<'_>) -> Option<String> {
    match literal {
        Expression::StringLiteral(string) => Some(string.value.to_string()),
        Expression::NumericLiteral(number) => Some(number.value.to_string()),
        _ => None,
    }
}

/// What the statements of a function return, if they do nothing else.
pub(super) fn branches<'e, 'a>(statements: &'e [Statement<'a>]) -> Option<Vec<Branch<'e, 'a>>> {
    let mut branches = Vec::new();
    for statement in statements {
        match statement {
            Statement::ReturnStatement(it) => {
                let value = it.argument.as_ref()?;
                branches.push(Branch { test: None, value });
                return Some(branches);
            }
            Statement::IfStatement(it) if it.alternate.is_none() => {
                let value = returned(&it.consequent)?;
                let test = Some(&it.test);
                branches.push(Branch { test, value });
            }
            _ => return None,
        }
    }
    Some(branches)
}

fn returned<'e, 'a>(statement: &'e Statement<'a>) -> Option<&'e Expression<'a>> {
    match statement {
        Statement::ReturnStatement(it) => it.argument.as_ref(),
        Statement::BlockStatement(block) => match block.body.as_slice() {
            [Statement::ReturnStatement(it)] => it.argument.as_ref(),
            _ => None,
        },
        _ => None,
    }
}
