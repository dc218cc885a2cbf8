//! Which of the patterns that all visits bear out become templates: those that explain most with
//! the fewest inputs, and with each the others that explain the same at the same cost.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::expand::Template;
use super::pieces::{Pattern, Piece};
use super::support::Supported;

/// Most templates that are kept.
const MAX_TEMPLATES: usize = 128;
/// Most patterns of one template.
pub(super) const MAX_PATTERNS: usize = 4;

/// Chooses patterns until nothing more is explained by another one.
pub(super) fn choose(supported: &[Supported]) -> Vec<Template> {
    let mut chosen = Vec::new();
    let mut explained: BTreeSet<(usize, usize)> = BTreeSet::new();
    while chosen.len() < MAX_TEMPLATES {
        let more = |found: &Supported| found.explained.difference(&explained).count();
        // Of equals the first is kept.
        let best = supported
            .iter()
            .map(|found| (found, more(found)))
            .filter(|(_, more)| *more > 0)
            .min_by_key(|(found, more)| (Reverse(*more), cost(&found.pattern)));
        let Some((best, _)) = best else {
            break;
        };
        explained.extend(&best.explained);
        chosen.push(Template::new(with_equals(best, supported), best.visits));
    }
    chosen
}

/// The pattern, and those that nothing speaks against either.
fn with_equals(best: &Supported, supported: &[Supported]) -> Vec<Pattern> {
    let effort = |found: &Supported| {
        let (volatile, holes, changes, _) = cost(&found.pattern);
        (volatile, holes, changes)
    };
    let equals = supported.iter().filter(|found| {
        found.pattern != best.pattern
            && found.explained == best.explained
            && effort(found) == effort(best)
    });
    let mut patterns = vec![best.pattern.clone()];
    patterns.extend(
        equals
            .map(|found| found.pattern.clone())
            .take(MAX_PATTERNS - 1),
    );
    patterns
}

/// Fewer volatile parts and holes are better, then less that is done with values, and then less
/// that is literal: the page explains more.
fn cost(pattern: &Pattern) -> (usize, usize, usize, usize) {
    let literals = pattern.pieces().iter().map(|piece| match piece {
        Piece::Literal(text) => text.len(),
        _ => 0,
    });
    let first = pattern.holes().filter_map(<[_]>::first);
    let changes = first.chain(pattern.list()).map(|used| used.form.changes());
    (
        pattern.volatile_pieces(),
        pattern.holes().count(),
        changes.sum(),
        literals.sum(),
    )
}
