//! How replays after pruning compare with those before, in figures.

use crate::verify::{Before, effects, same, states};
use serde::Serialize;
use varve_qa::{PageReport, Report};

/// Replays before and after, compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// Pages that were worse when they were first replayed with all taken out that never ran.
    pub worse_at_first: usize,
    /// Pages that are worse now: by chance, since their scripts are whole.
    pub worse: usize,
    /// Pages that look no further from their pictures than before.
    pub pictures_alike: usize,
    /// Effects of handlers that were the same in all replays before, and in all after.
    pub effects: usize,
    /// Those of them that are something else after.
    pub effects_other: usize,
    /// Functions and branches that pages called in replay although they never ran before.
    pub fetched: usize,
}

impl Compared {
    /// Compares; all replays are of the same pages.
    pub(crate) fn of(before: &Before, after: &[Report], worse: usize) -> Compared {
        let mut compared = Compared {
            worse,
            ..Compared::default()
        };
        let Some(first) = after.first() else {
            return compared;
        };
        compared.fetched = first.restored.len();
        for page in &first.pages {
            let earlier = before.all_of(page);
            let later = same(after, page);
            let pixels = |pages: &[&PageReport]| {
                let differing = pages.iter().map(|it| it.picture.differing_pixels);
                differing.collect::<Vec<_>>()
            };
            let most_before = pixels(&earlier).into_iter().max();
            let is_alike = pixels(&later).into_iter().min() <= most_before;
            compared.pictures_alike += usize::from(is_alike);
            let (steady, others) = effects(&states(&earlier), &states(&later));
            compared.effects += steady;
            compared.effects_other += others;
        }
        compared
    }
}
