//! Two URLs of different visits, laid beside each other: where they differ, both must have a
//! value of their page, or a token that changes with every visit.

use super::pieces::{Extractor, Piece};
use super::shape::common;
use super::token::{Volatile, differing};

/// Most holes of a template.
const MAX_HOLES: usize = 5;
/// Most ways to lay two URLs beside each other that are kept.
const MAX_ALIGNMENTS: usize = 8;
/// Most places that are tried for two URLs.
const MAX_TRIALS: usize = 256;

/// Inputs that have the same value on a first visit, and the same on a second.
pub(super) struct Shared {
    pub(super) a: String,
    pub(super) b: String,
    pub(super) extractors: Vec<Extractor>,
}

/// All ways, within limits, to explain the differences of `a` and `b`, best first. `allowed` says
/// whether a volatile token may stand at a place of `a`.
pub(super) fn align(
    a: &str,
    b: &str,
    shared: &[Shared],
    allowed: &dyn Fn(Volatile, usize) -> bool,
) -> Vec<Vec<Piece>> {
    let occurs = |value: &&Shared| a.contains(&value.a) && b.contains(&value.b);
    let mut search = Search {
        a,
        b,
        shared: shared.iter().filter(occurs).collect(),
        allowed,
        pieces: Vec::new(),
        found: Vec::new(),
        trials: 0,
    };
    search.from(0, 0);
    search.found.sort_by_key(|pieces| cost(pieces));
    search.found.truncate(MAX_ALIGNMENTS);
    search.found
}

fn cost(pieces: &[Piece]) -> (usize, usize) {
    let volatile = |piece: &&Piece| matches!(piece, Piece::Volatile { .. });
    (pieces.iter().filter(volatile).count(), pieces.len())
}

struct Search<'s> {
    a: &'s str,
    b: &'s str,
    shared: Vec<&'s Shared>,
    allowed: &'s dyn Fn(Volatile, usize) -> bool,
    pieces: Vec<Piece>,
    found: Vec<Vec<Piece>>,
    trials: usize,
}

impl Search<'_> {
    /// Explains what is behind these places.
    fn from(&mut self, at_a: usize, at_b: usize) {
        self.trials += 1;
        if self.trials > MAX_TRIALS {
            return;
        }
        let (a, b) = (&self.a[at_a..], &self.b[at_b..]);
        if a == b {
            let mut whole = self.pieces.clone();
            whole.push(Piece::Literal(a.to_owned()));
            self.found.push(whole);
            return;
        }
        if self.pieces.len() < 2 * MAX_HOLES {
            let until = common(a, b);
            self.with_values(at_a, at_b, until);
            self.with_volatile(at_a, at_b, until);
        }
    }

    /// A value may begin wherever both are the same up to there.
    fn with_values(&mut self, at_a: usize, at_b: usize, until: usize) {
        let (a, b) = (&self.a[at_a..], &self.b[at_b..]);
        for shared in self.shared.clone() {
            let reach = a.len().min(until + shared.a.len());
            let places: Vec<usize> = a[..reach]
                .match_indices(&shared.a)
                .map(|(at, _)| at)
                .filter(|at| *at <= until && b[*at..].starts_with(&shared.b))
                .collect();
            for at in places {
                self.pieces.push(Piece::Literal(a[..at].to_owned()));
                self.pieces.push(Piece::Value(shared.extractors.clone()));
                self.from(at_a + at + shared.a.len(), at_b + at + shared.b.len());
                self.pieces.truncate(self.pieces.len() - 2);
            }
        }
    }

    fn with_volatile(&mut self, at_a: usize, at_b: usize, until: usize) {
        let (a, b) = (&self.a[at_a..], &self.b[at_b..]);
        let Some(found) = differing(a, b, until) else {
            return;
        };
        if !(self.allowed)(found.kind, at_a + found.a.start) {
            return;
        }
        let sample = b[found.b.clone()].to_owned();
        self.pieces
            .push(Piece::Literal(a[..found.a.start].to_owned()));
        self.pieces.push(Piece::Volatile {
            kind: found.kind,
            sample,
        });
        self.from(at_a + found.a.end, at_b + found.b.end);
        self.pieces.truncate(self.pieces.len() - 2);
    }
}
