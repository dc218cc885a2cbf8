//! Nearness in time: the capture nearest to a moment, and all captures from near to far.
//!
//! Of captures that are equally near the earlier comes first, and of those made at the same moment
//! the one whose line comes first, as in pywb.

use super::scan::{Plan, Scan};
use super::{Hit, Query};
use crate::index::layer::LayerIndex;
use crate::index::line::sort_words;
use crate::index::merged::MergedIndex;
use crate::{Result, StoreError};
use std::collections::VecDeque;
use std::iter::Peekable;
use varve_model::{Capture, Surt, Timestamp};

/// Captures of one URL and moment that are put in order; beyond so many the order is given up.
const MAX_MOMENT: usize = 10_000;

impl MergedIndex {
    /// The capture of a key that is nearest to a moment; `None` if there is no capture of it.
    ///
    /// The cost is a search in each Layer, however many captures the key has. Lines that cannot
    /// be read are passed over; they are an error only if nothing else is left.
    pub fn closest(&self, key: &Surt, at: Timestamp) -> Result<Option<Hit>> {
        if self.gate().is_some() {
            return self.closest_by_walking(key, at);
        }
        let mut best: Option<Candidate> = None;
        for (tag, layer) in self.layers() {
            let Ok(found) = nearest_line(layer, key, at) else {
                return self.closest_by_walking(key, at);
            };
            for line in found {
                let candidate = Candidate::new(*tag, line, at);
                // Layers come in order: an equal candidate of a later one does not replace.
                if best.as_ref().is_none_or(|best| candidate.rank < best.rank) {
                    best = Some(candidate);
                }
            }
        }
        let Some(best) = best else { return Ok(None) };
        match str::from_utf8(&best.rank.2).ok().map(Capture::parse) {
            Some(Ok(capture)) => Ok(Some(Hit {
                layer: best.tag,
                capture,
            })),
            _ => self.closest_by_walking(key, at),
        }
    }

    /// The long way, taken when there is damage near the moment, or not everything may be seen.
    fn closest_by_walking(&self, key: &Surt, at: Timestamp) -> Result<Option<Hit>> {
        let plan = Plan {
            start: format!("{key} "),
            end: Some(format!("{key}!")),
            query: Query::default().into(),
        };
        let mut damage = None;
        for hit in outward(&plan, self, key, at)? {
            match hit {
                Ok(hit) => return Ok(Some(hit)),
                Err(error) => damage = damage.or(Some(error)),
            }
        }
        damage.map_or(Ok(None), Err)
    }
}

/// A line that may be the nearest, with what decides about it: distance, time and bytes.
struct Candidate {
    tag: usize,
    rank: (u64, i64, Vec<u8>),
}

impl Candidate {
    fn new(tag: usize, (time, line): (Timestamp, Vec<u8>), at: Timestamp) -> Candidate {
        let rank = (distance(time, at), time.unix_millis(), line);
        Candidate { tag, rank }
    }
}

pub(super) fn distance(time: Timestamp, at: Timestamp) -> u64 {
    time.unix_millis().abs_diff(at.unix_millis())
}

/// The lines of a key before and after a moment in one Layer. Fails at any damage.
fn nearest_line(
    layer: &LayerIndex,
    key: &Surt,
    at: Timestamp,
) -> Result<impl Iterator<Item = (Timestamp, Vec<u8>)> + use<>> {
    let own = format!("{key} ");
    let is_own = |line: &&[u8]| line.starts_with(own.as_bytes());
    let mut cursor = layer.seek(format!("{own}{at}").as_bytes())?;
    let next = cursor.next_line()?;
    let moved = next.is_some();
    let after = next.filter(is_own).map(<[u8]>::to_vec);
    if moved {
        cursor.prev_line()?;
    }
    let mut before = cursor.prev_line()?.filter(is_own).map(<[u8]>::to_vec);
    if let Some(line) = &mut before {
        let words = sort_words(line);
        if cursor
            .prev_line()?
            .is_some_and(|other| sort_words(other) == words)
        {
            // Of several lines of one moment the first is wanted.
            let mut moment = layer.seek(words)?;
            *line = moment.next_line()?.unwrap_or_default().to_vec();
        }
    }
    let mut found = Vec::with_capacity(2);
    for line in [before, after].into_iter().flatten() {
        let digits = sort_words(&line).get(own.len()..).unwrap_or_default();
        let time = str::from_utf8(digits).ok().map(Timestamp::parse);
        match time {
            Some(Ok(time)) => found.push((time, line)),
            _ => return Err(StoreError::Query("a line has no timestamp".to_owned())),
        }
    }
    Ok(found.into_iter())
}

/// The captures of one key from near to far, by two scans that walk away from the moment.
pub(super) fn outward(
    plan: &Plan,
    index: &MergedIndex,
    key: &Surt,
    at: Timestamp,
) -> Result<Outward> {
    let place = format!("{key} {at}").max(plan.start.clone());
    let place = match &plan.end {
        Some(end) => place.min(end.clone()),
        None => place,
    };
    Ok(Outward {
        before: plan.backward_from(index, &place)?.peekable(),
        after: plan.forward_from(index, &place)?.peekable(),
        at,
        moment: VecDeque::new(),
    })
}

/// Captures from near to far.
pub(super) struct Outward {
    before: Peekable<Scan>,
    after: Peekable<Scan>,
    at: Timestamp,
    /// Captures of one moment before `at`, which the scan gives in reverse order.
    moment: VecDeque<Hit>,
}

impl Iterator for Outward {
    type Item = Result<Hit>;

    fn next(&mut self) -> Option<Result<Hit>> {
        if let Some(hit) = self.moment.pop_front() {
            return Some(Ok(hit));
        }
        let at = self.at;
        let far = |hit: &Hit| distance(hit.capture.timestamp, at);
        match (self.before.peek(), self.after.peek()) {
            (None, _) | (_, Some(Err(_))) => self.after.next(),
            (Some(Err(_)), _) => self.before.next(),
            (Some(Ok(before)), Some(Ok(after))) if far(after) < far(before) => self.after.next(),
            (Some(Ok(_)), _) => self.next_moment(),
        }
    }
}

impl Outward {
    /// Takes all captures of the next moment back in time, and gives the first of them.
    fn next_moment(&mut self) -> Option<Result<Hit>> {
        let mut moment: Option<i64> = None;
        while self.moment.len() < MAX_MOMENT {
            let same = self.before.next_if(|hit| {
                let Ok(hit) = hit else { return false };
                let millis = hit.capture.timestamp.unix_millis();
                *moment.get_or_insert(millis) == millis
            });
            match same {
                Some(Ok(hit)) => self.moment.push_front(hit),
                _ => break,
            }
        }
        self.moment.pop_front().map(Ok)
    }
}
