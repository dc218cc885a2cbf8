//! Whether a pattern foretells what was observed on other visits than those it was made of.
//!
//! A visit *confirms* a pattern that gives a URL that was asked for there (of a list: nearly all
//! that it gives), *contradicts* one that gives another, and says nothing about one whose inputs
//! it lacks. Candidates of a hole that a confirming visit tells apart are dropped.

use std::collections::BTreeSet;

use super::fill::{Filled, Filling};
use super::observed::Visit;
use super::pieces::{Pattern, Piece};

/// Which share of what a list gives must have been asked for, in percent.
const ENOUGH: usize = 80;
/// Visits with different URLs that must confirm a pattern.
const VISITS: usize = 2;
/// The same, if the values of one of its holes are so short that they may be there by chance.
const VISITS_IF_SHORT: usize = 3;
/// Below this length values are short.
const SHORT: usize = 3;

/// A pattern that all visits bear out, and what it explains of them.
pub(super) struct Supported {
    pub(super) pattern: Pattern,
    /// How many visits confirm it.
    pub(super) visits: u32,
    /// Visits and URLs of theirs, by number.
    pub(super) explained: BTreeSet<(usize, usize)>,
}

/// Holds a pattern against all visits. None if one contradicts it, or too few confirm it.
pub(super) fn supported(pattern: Pattern, visits: &[Visit<'_>]) -> Option<Supported> {
    let mut pattern = pattern;
    let mut explained = BTreeSet::new();
    let mut different = BTreeSet::new();
    let mut confirming = 0;
    let mut lengths = vec![0; pattern.holes().count()];
    for (nth, visit) in visits.iter().enumerate() {
        match judge(&pattern, visit) {
            Verdict::Silent => continue,
            Verdict::Contradicted => return None,
            Verdict::Confirmed(confirmed) => {
                explained.extend(confirmed.urls.iter().map(|url| (nth, *url)));
                different.insert(confirmed.urls.iter().map(|url| &visit.urls[*url]).collect());
                for (longest, length) in lengths.iter_mut().zip(&confirmed.lengths) {
                    *longest = (*longest).max(*length);
                }
                keep(&mut pattern, &confirmed.candidates);
                confirming += 1;
            }
        }
    }
    let different: BTreeSet<BTreeSet<&String>> = different;
    let needed = match lengths.iter().any(|length| *length < SHORT) {
        true => VISITS_IF_SHORT,
        false => VISITS,
    };
    (different.len() >= needed).then_some(Supported {
        pattern,
        visits: confirming,
        explained,
    })
}

enum Verdict {
    Silent,
    Contradicted,
    Confirmed(Confirmed),
}

/// What a visit says for a pattern.
struct Confirmed {
    urls: BTreeSet<usize>,
    /// For each hole the candidates that were right.
    candidates: Vec<BTreeSet<usize>>,
    /// For each hole the length of its value.
    lengths: Vec<usize>,
}

fn judge(pattern: &Pattern, visit: &Visit<'_>) -> Verdict {
    let Ok(filling) = Filling::new(pattern, visit.inputs) else {
        return Verdict::Silent;
    };
    let mut confirmed = Confirmed {
        urls: BTreeSet::new(),
        candidates: vec![BTreeSet::new(); filling.holes.len()],
        lengths: vec![0; filling.holes.len()],
    };
    for reading in filling.readings() {
        let written = filling.write(&reading);
        if written.is_empty() && pattern.list().is_some() {
            return Verdict::Silent;
        }
        let Some(urls) = hits(&written, visit) else {
            continue;
        };
        confirmed.urls.extend(urls);
        for (hole, nth) in reading.iter().enumerate() {
            let value = &filling.holes[hole][*nth];
            confirmed.candidates[hole].extend(&value.by);
            confirmed.lengths[hole] = confirmed.lengths[hole].max(value.text.len());
        }
    }
    match confirmed.urls.is_empty() {
        true => Verdict::Contradicted,
        false => Verdict::Confirmed(confirmed),
    }
}

/// Which URLs of a visit were foretold, if enough of what was foretold is among them.
fn hits(written: &[Filled], visit: &Visit<'_>) -> Option<BTreeSet<usize>> {
    let found: Vec<usize> = written
        .iter()
        .filter_map(|filled| visit.find(filled))
        .collect();
    let enough = found.len() * 100 >= written.len() * ENOUGH && !found.is_empty();
    enough.then(|| found.into_iter().collect())
}

/// Drops the candidates that were not right.
fn keep(pattern: &mut Pattern, right: &[BTreeSet<usize>]) {
    let holes = pattern.pieces.iter_mut().filter_map(|piece| match piece {
        Piece::Value(candidates) => Some(candidates),
        _ => None,
    });
    for (candidates, right) in holes.zip(right) {
        let mut nth = 0;
        candidates.retain(|_| {
            nth += 1;
            right.contains(&(nth - 1))
        });
    }
}
