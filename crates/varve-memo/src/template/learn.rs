//! Templates from visits: pairs of visits propose, all visits decide, and of those that are left
//! the fewest that explain most are kept.

use std::collections::BTreeSet;

use url::Url;

use super::align::Shared;
use super::choose::choose;
use super::expand::Template;
use super::lists::{self, Frames};
use super::observed::{Observed, Visit};
use super::pieces::{Pattern, Piece};
use super::shape::{Part, volatile};
use super::singles::{self, Occurring, occurring, shared};
use super::support::{Supported, supported};
use super::token::Volatile;

/// Most visits that are learned from: the first ones.
const MAX_VISITS: usize = 32;
/// Most pairs of visits that propose patterns.
const MAX_PAIRS: usize = 24;
/// Most patterns that are proposed.
const MAX_PROPOSED: usize = 4096;

/// Learns how scripts make URLs of what pages give them.
///
/// Every template that is returned was held against all visits: none contradicts it, and at
/// least two with different values confirm it (three, if a value is so short that it may be
/// there by chance). URLs that are the same on every visit need no template and get none.
pub fn learn(visits: &[Observed<'_>]) -> Vec<Template> {
    let visits: Vec<Visit<'_>> = visits.iter().take(MAX_VISITS).map(Visit::new).collect();
    let habits = Habits::of(&visits);
    let values: Vec<Occurring> = visits.iter().map(occurring).collect();
    let frames: Vec<Frames> = visits.iter().map(lists::frames).collect();
    let mut learner = Learner {
        visits: &visits,
        proposed: BTreeSet::new(),
        supported: Vec::new(),
    };
    for (a, b) in pairs(&visits) {
        let shared = shared(&values[a], &values[b]);
        for pattern in lists::candidates(&frames[a], &frames[b], &shared, &habits) {
            learner.propose(pattern);
        }
        learner.propose_singles(a, b, &shared, &habits);
    }
    choose(&learner.supported)
}

/// Pairs of visits to different pages: neighbours first.
fn pairs(visits: &[Visit<'_>]) -> Vec<(usize, usize)> {
    let count = visits.len();
    let apart = |distance: usize| (distance..count).map(move |b| (b - distance, b));
    let differ = |(a, b): &(usize, usize)| visits[*a].inputs.url != visits[*b].inputs.url;
    (1..count)
        .flat_map(apart)
        .filter(differ)
        .take(MAX_PAIRS)
        .collect()
}

struct Learner<'l> {
    visits: &'l [Visit<'l>],
    proposed: BTreeSet<Vec<Piece>>,
    supported: Vec<Supported>,
}

impl Learner<'_> {
    fn propose_singles(&mut self, a: usize, b: usize, shared: &[Shared], habits: &Habits) {
        let visits = self.visits;
        for url in &visits[a].urls {
            for pattern in singles::candidates(url, &visits[b], shared, habits) {
                self.propose(pattern);
            }
        }
    }

    fn propose(&mut self, pattern: Pattern) {
        let full = self.proposed.len() >= MAX_PROPOSED;
        if full || !self.proposed.insert(pattern.pieces.clone()) {
            return;
        }
        if let Some(found) = supported(pattern, self.visits) {
            self.supported.push(found);
        }
    }
}

/// What is known to change from visit to visit, though the page is the same: query parameters
/// by host and name.
pub(super) struct Habits {
    parameters: BTreeSet<(String, String)>,
}

impl Habits {
    fn of(visits: &[Visit<'_>]) -> Habits {
        let mut parameters = BTreeSet::new();
        for (nth, visit) in visits.iter().enumerate() {
            let same = |other: &&Visit<'_>| other.inputs.url == visit.inputs.url;
            for other in visits[nth + 1..].iter().filter(same).take(1) {
                for url in visit.urls.iter().filter(|url| !other.has(url)) {
                    let shapes = other.urls.iter().filter_map(|other| shape_of(url, other));
                    parameters.extend(shapes.flatten());
                }
            }
        }
        Habits { parameters }
    }

    /// Whether a volatile token may stand at a place of a URL, pages being different: what looks
    /// random may name something. Times in queries are times.
    pub(super) fn may_vary(&self, kind: Volatile, url: &str, at: usize) -> bool {
        let Some(parameter) = parameter(url, at) else {
            return false;
        };
        let time = matches!(kind, Volatile::Seconds | Volatile::Milliseconds);
        time || self.parameters.contains(&parameter)
    }
}

/// The parameters in which two URLs differ, if they differ in nothing but volatile tokens.
fn shape_of(a: &str, b: &str) -> Option<Vec<(String, String)>> {
    let shape = volatile(&Url::parse(a).ok()?, &Url::parse(b).ok()?)?;
    let mut before = String::new();
    let mut found = Vec::new();
    for part in shape.parts() {
        match part {
            Part::Literal(text) => before.push_str(text),
            Part::Volatile(_) => found.extend(parameter(&before, before.len())),
        }
    }
    Some(found)
}

/// The host of a URL and the query parameter whose value a place is in.
fn parameter(url: &str, at: usize) -> Option<(String, String)> {
    let (path, query) = url.get(..at)?.split_once('?')?;
    let last = query.rsplit('&').next()?;
    let (key, _) = last.split_once('=')?;
    let host = path.split('/').nth(2)?;
    Some((host.to_owned(), key.to_owned()))
}
