//! Guards: what pages have that ask for a URL, and those that do not ask for it have not.

use crate::census::Census;
use crate::lesson::Lesson;
use crate::sketch::Sketch;
use std::collections::BTreeSet;

/// Most reasons that are kept for one URL.
const MAX_REASONS: usize = 16;

/// When a URL is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// Whenever its script is there, as far as anybody knows. Asking once too often costs nothing:
    /// it is there already.
    Always,
    /// When the page has one of these.
    AnyOf(Vec<Reason>),
}

/// Something that a page may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// Something that scripts look for.
    Selector(String),
    /// A script.
    Script(String),
    /// A value in a place that has one of a few.
    Value(String, String),
}

impl Reason {
    fn is_in(&self, sketch: &Sketch) -> bool {
        match self {
            Reason::Selector(selector) => {
                sketch.selectors.contains(selector) || sketch.shows(selector)
            }
            Reason::Script(name) => sketch.scripts.contains(name),
            Reason::Value(slot, value) => sketch.slots.get(slot) == Some(value),
        }
    }

    /// Whether a visited page had it.
    fn was_in(&self, lesson: &Lesson) -> bool {
        match self {
            Reason::Selector(selector) => lesson.shown.contains(selector),
            _ => self.is_in(&lesson.sketch),
        }
    }
}

impl Guard {
    /// What all of `asking` have and none of the others among `with`.
    pub(super) fn of(
        asking: &BTreeSet<usize>,
        with: &BTreeSet<usize>,
        lessons: &[Lesson],
        census: &Census,
        selectors: &BTreeSet<String>,
    ) -> Guard {
        let Some(first) = asking.first().and_then(|at| lessons.get(*at)) else {
            return Guard::Always;
        };
        let tells = |reason: &Reason| {
            with.iter().all(|at| {
                let lesson = lessons.get(*at);
                lesson.is_none_or(|lesson| reason.was_in(lesson) == asking.contains(at))
            })
        };
        let looked_for = (selectors.iter())
            .filter(|selector| first.shown.contains(*selector))
            .map(|selector| Reason::Selector(selector.clone()));
        let scripts = first.sketch.scripts.iter().cloned().map(Reason::Script);
        let values = (first.sketch.slots.iter())
            .filter(|(slot, _)| census.is_choice(slot))
            .map(|(slot, value)| Reason::Value(slot.clone(), value.clone()));
        let reasons = looked_for.chain(scripts).chain(values).filter(tells);
        let reasons: Vec<Reason> = reasons.take(MAX_REASONS).collect();
        match reasons.is_empty() {
            true => Guard::Always,
            false => Guard::AnyOf(reasons),
        }
    }

    /// Whether a page with this sketch asks for it.
    pub(super) fn admits(&self, sketch: &Sketch) -> bool {
        match self {
            Guard::Always => true,
            Guard::AnyOf(reasons) => reasons.iter().any(|reason| reason.is_in(sketch)),
        }
    }
}
