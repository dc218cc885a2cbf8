//! Kin: URLs that are alike, of which some pages ask for one and some for another.

use super::{Foretold, Seen, is_here};
use crate::census::Census;
use crate::lesson::Lesson;
use crate::sketch::Sketch;
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// URLs of one script in one folder with one ending, or at one path with different queries.
pub(super) struct Kin {
    pub(super) cause: Option<String>,
    pub(super) seen: Vec<Seen>,
}

/// URLs that depend on the value in one place.
#[derive(Clone, Debug)]
pub(super) struct Keyed {
    pub(super) cause: Option<String>,
    pub(super) slot: String,
    by_value: BTreeMap<String, Vec<Foretold>>,
}

impl Keyed {
    /// What a page needs by the value that it has; nothing is known of values never seen. A page
    /// without the place needs nothing.
    pub(super) fn needs(&self, sketch: &Sketch) -> Option<&[Foretold]> {
        match sketch.slots.get(&self.slot) {
            None => Some(&[]),
            Some(value) => self.by_value.get(value).map(Vec::as_slice),
        }
    }
}

impl Kin {
    /// Groups what is alike.
    pub(super) fn of(seen: Vec<Seen>) -> Vec<Kin> {
        let mut groups: BTreeMap<(Option<String>, String), Vec<Seen>> = BTreeMap::new();
        for seen in seen {
            let key = (seen.cause.clone(), family(&seen.url));
            groups.entry(key).or_default().push(seen);
        }
        let kin = |((cause, _), seen)| Kin { cause, seen };
        groups.into_iter().map(kin).collect()
    }

    pub(super) fn bytes(&self) -> u64 {
        let bytes = |seen: &Seen| seen.bytes * seen.lessons.len() as u64;
        self.seen.iter().map(bytes).sum()
    }

    /// Whether different pages ask for different ones: each of at least two for one of its own.
    pub(super) fn varies(&self) -> bool {
        let own = self.seen.iter().filter(|seen| seen.lessons.len() == 1);
        let pages: BTreeSet<usize> = own.flat_map(|seen| seen.lessons.iter().copied()).collect();
        pages.len() >= 2
    }

    /// The place whose value decides, if there is one that has one of a few.
    pub(super) fn keyed(
        &self,
        lessons: &[Lesson],
        with: &BTreeSet<usize>,
        census: &Census,
    ) -> Option<Keyed> {
        let first = with.first().and_then(|at| lessons.get(*at))?;
        let mut best: Option<Keyed> = None;
        for slot in first.sketch.slots.keys() {
            if !census.is_choice(slot) {
                continue;
            }
            if let Some(keyed) = self.keyed_by(slot, lessons, with)
                && (best.as_ref()).is_none_or(|best| keyed.by_value.len() < best.by_value.len())
            {
                best = Some(keyed);
            }
        }
        best
    }

    /// Whether pages with the same value ask for the same.
    fn keyed_by(&self, slot: &str, lessons: &[Lesson], with: &BTreeSet<usize>) -> Option<Keyed> {
        let mut by_value: BTreeMap<String, Vec<Foretold>> = BTreeMap::new();
        for at in with {
            let sketch = &lessons.get(*at)?.sketch;
            debug_assert!(is_here(self.cause.as_deref(), sketch));
            let value = sketch.slots.get(slot)?;
            let here = self.seen.iter().filter(|seen| seen.lessons.contains(at));
            let needs: Vec<Foretold> = here.map(Seen::foretold).collect();
            match by_value.get(value) {
                Some(before) if *before != needs => return None,
                _ => drop(by_value.insert(value.clone(), needs)),
            }
        }
        Some(Keyed {
            cause: self.cause.clone(),
            slot: slot.to_owned(),
            by_value,
        })
    }
}

impl Seen {
    fn foretold(&self) -> Foretold {
        Foretold {
            url: self.url.clone(),
            what_for: self.what_for.clone(),
        }
    }
}

/// What URLs of a kind have in common: where they are, and how they end.
fn family(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    if url.query().is_some() {
        return format!("{host}{}?", url.path());
    }
    let (folder, name) = url.path().rsplit_once('/').unwrap_or(("", url.path()));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    format!("{host}{folder}/*.{ending}")
}
