//! Handlers of events that were run before: on other pages, or on nodes that look the same.
//!
//! A handler is known by the script and the place in it where its function stands, by the type of
//! event, and by the looks of the node: libraries put one function of theirs before everybody's
//! handlers, so the place alone says little. But a place that nobody has seen says that there is
//! something new.

use super::super::coverage::Scripts;
use super::super::listeners::Listener;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Of handlers that are the same so many are run.
const ENOUGH: u8 = 2;
/// Handlers that are remembered. When there are more, all are forgotten, and run once more.
const MOST: usize = 500_000;

/// What runs when an event of some type comes to a node: a digest of the places of its functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place(u64);

impl Place {
    /// The place of a listener's function; none if its script is not known.
    pub(super) fn of(listener: &Listener, scripts: &Scripts) -> Option<Place> {
        let script = scripts.get(&listener.script_id)?;
        let mut hasher = DefaultHasher::new();
        (script.hash(), listener.line_number, listener.column_number).hash(&mut hasher);
        Some(Place(hasher.finish()))
    }

    /// Several functions on one node, whatever their order.
    pub(super) fn and(self, other: Place) -> Place {
        Place(self.0.wrapping_add(other.0))
    }
}

/// A handler by what it is: where its functions stand, the type of event, the looks of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct HandlerName {
    code: Code,
    look: u64,
}

/// The same whatever its node looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Code(u64);

impl Code {
    fn new(place: Place, kind: &str) -> Code {
        Code(digest(&(place, kind)))
    }
}

impl HandlerName {
    pub(super) fn new(place: Place, kind: &str, look: &str) -> HandlerName {
        HandlerName {
            code: Code::new(place, kind),
            look: digest(&look),
        }
    }
}

fn digest(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Handlers that were run, in all visits that share this.
#[derive(Debug, Default)]
pub struct KnownHandlers(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    times: HashMap<HandlerName, u8>,
    codes: HashSet<Code>,
}

impl KnownHandlers {
    /// Whether a handler is to be run; from then on it counts as one that was.
    pub(super) fn is_wanted(&self, name: HandlerName) -> bool {
        let mut known = self.lock();
        if known.times.len() >= MOST {
            known.times.clear();
        }
        known.adopt(name.code);
        let times = known.times.entry(name).or_default();
        let is_wanted = *times < ENOUGH;
        *times = times.saturating_add(1);
        is_wanted
    }

    /// Whether a handler's code is new; from then on it is not.
    pub(super) fn is_wanted_for_its_code(&self, name: HandlerName) -> bool {
        self.lock().adopt(name.code)
    }

    /// Whether the code at a place is new.
    pub(super) fn is_new(&self, place: Place, kind: &str) -> bool {
        !self.lock().codes.contains(&Code::new(place, kind))
    }

    /// A handler was not run after all.
    pub(super) fn take_back(&self, name: HandlerName) {
        let mut known = self.lock();
        known.times.remove(&name);
        known.codes.remove(&name.code);
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Knows a code from now on; whether it did not.
    fn adopt(&mut self, code: Code) -> bool {
        if self.codes.len() >= MOST {
            self.codes.clear();
        }
        self.codes.insert(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(place: u64, look: &str) -> HandlerName {
        HandlerName::new(Place(place), "click", look)
    }

    #[test]
    fn two_of_a_kind_are_enough() {
        let known = KnownHandlers::default();
        let runs = [0, 1, 2, 3].map(|_| known.is_wanted(name(1, "BUTTON")));
        assert_eq!(runs, [true, true, false, false]);
    }

    #[test]
    fn who_looks_different_or_runs_something_else_is_another() {
        let known = KnownHandlers::default();
        while known.is_wanted(name(1, "BUTTON")) {}
        assert!(known.is_wanted(name(1, "A")));
        assert!(known.is_wanted(name(2, "BUTTON")));
        let other_event = HandlerName::new(Place(1), "keydown", "BUTTON");
        assert!(known.is_wanted(other_event));
    }

    #[test]
    fn code_is_new_once_whatever_its_nodes_look_like() {
        let known = KnownHandlers::default();
        assert!(known.is_new(Place(1), "click"));
        assert!(known.is_wanted_for_its_code(name(1, "BUTTON")));
        assert!(!known.is_wanted_for_its_code(name(1, "A")));
        assert!(!known.is_new(Place(1), "click"));
        assert!(known.is_new(Place(1), "keydown"));
        // A closer look still runs it.
        assert!(known.is_wanted(name(1, "BUTTON")));
        assert!(known.is_wanted(name(2, "BUTTON")));
        assert!(!known.is_wanted_for_its_code(name(2, "A")));
        known.take_back(name(2, "BUTTON"));
        assert!(known.is_new(Place(2), "click"));
    }

    #[test]
    fn who_had_no_turn_gets_another_one() {
        let known = KnownHandlers::default();
        while known.is_wanted(name(1, "BUTTON")) {}
        known.take_back(name(1, "BUTTON"));
        assert!(known.is_wanted(name(1, "BUTTON")));
    }

    #[test]
    fn the_order_of_functions_on_a_node_does_not_matter() {
        let (one, other) = (Place(3), Place(u64::MAX));
        assert_eq!(one.and(other), other.and(one));
        assert_ne!(one.and(other), one);
    }
}
