//! Many Layers' indexes as one sorted sequence of lines.

use super::layer::{LayerCursor, LayerIndex};
use super::line::is_header;
use super::tournament::Tournament;
use crate::{Result, StoreError};
use std::cmp::Ordering;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use varve_model::Capture;

/// Says which captures may be seen.
pub trait Gate: Debug + Send + Sync {
    /// Whether this one may.
    fn admits(&self, capture: &Capture) -> bool;
}

/// The indexes of many Layers, seen as one. Cheap to clone.
///
/// Each Layer has a *tag*, a number that the caller chooses and that comes back with its lines.
#[derive(Clone, Debug)]
pub struct MergedIndex {
    layers: Arc<[(usize, LayerIndex)]>,
    gate: Option<Arc<dyn Gate>>,
    asked: Arc<AtomicU64>,
}

impl MergedIndex {
    /// Sees these Layers, each given with its tag, as one. Of equal lines those of the Layer given
    /// first come first.
    pub fn new(layers: Vec<(usize, LayerIndex)>) -> MergedIndex {
        MergedIndex {
            layers: layers.into(),
            gate: None,
            asked: Arc::default(),
        }
    }

    /// The same index, of which all answers pass a gate: to those who ask, what it does not admit
    /// is not there. (Lines that are read in order, and not asked for, do not pass it.)
    pub fn behind(self, gate: Arc<dyn Gate>) -> MergedIndex {
        MergedIndex {
            gate: Some(gate),
            ..self
        }
    }

    pub(super) fn gate(&self) -> Option<&Arc<dyn Gate>> {
        self.gate.as_ref()
    }

    /// How often something was looked up in it and its clones.
    pub fn asked(&self) -> u64 {
        self.asked.load(Relaxed)
    }

    /// The Layers with their tags.
    pub fn layers(&self) -> &[(usize, LayerIndex)] {
        &self.layers
    }

    /// All lines in order.
    pub fn start(&self) -> Result<MergedCursor> {
        self.cursor(Direction::Forward, |layer| Ok(layer.start()))
    }

    /// The lines that are not less than `key`, in order.
    pub fn seek(&self, key: &[u8]) -> Result<MergedCursor> {
        self.cursor(Direction::Forward, |layer| layer.seek(key))
    }

    /// The lines that are less than `key`, in reverse order.
    pub fn seek_back(&self, key: &[u8]) -> Result<MergedCursor> {
        self.cursor(Direction::Backward, |layer| layer.seek(key))
    }

    /// All lines in reverse order.
    pub fn end(&self) -> Result<MergedCursor> {
        self.cursor(Direction::Backward, LayerIndex::end)
    }

    fn cursor(
        &self,
        direction: Direction,
        place: impl Fn(&LayerIndex) -> Result<LayerCursor>,
    ) -> Result<MergedCursor> {
        self.asked.fetch_add(1, Relaxed);
        let mut heads = Vec::with_capacity(self.layers.len());
        let mut faults = Vec::new();
        for (tag, layer) in self.layers.iter() {
            match place(layer) {
                Ok(cursor) => heads.push(Head {
                    tag: *tag,
                    cursor,
                    over: false,
                }),
                Err(error @ StoreError::Io { .. }) => return Err(error),
                Err(error) => faults.push(error),
            }
        }
        Ok(MergedCursor {
            waiting: heads.len(),
            heads,
            tournament: None,
            direction,
            faults,
        })
    }
}

/// Which way a [`MergedCursor`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// The lines of many Layers, one after the other; headers are left out.
///
/// After an error about a line or a block the lines that follow it can still be read. A Layer
/// that the disk refuses to read gives one error and then no lines.
#[derive(Debug)]
pub struct MergedCursor {
    heads: Vec<Head>,
    /// Played when all heads have their first line.
    tournament: Option<Tournament>,
    direction: Direction,
    /// How many heads have no first line yet.
    waiting: usize,
    /// Layers in which the place could not be found.
    faults: Vec<StoreError>,
}

/// One Layer and its next line.
#[derive(Debug)]
struct Head {
    tag: usize,
    cursor: LayerCursor,
    over: bool,
}

impl MergedCursor {
    /// The next line with its Layer's tag; `None` after the last.
    pub fn next_line(&mut self) -> Result<Option<(usize, &[u8])>> {
        Ok(self.advance()?.then(|| {
            let head = &self.heads[self.winner()];
            (head.tag, head.cursor.line())
        }))
    }

    /// An error about the line given last, which says where it is.
    pub fn fault(&self, reason: &str) -> StoreError {
        match self.heads.get(self.winner()) {
            Some(head) => head.cursor.fault(reason),
            None => StoreError::Query(reason.to_owned()),
        }
    }

    fn winner(&self) -> usize {
        self.tournament.as_ref().map_or(0, Tournament::winner)
    }

    /// Goes to the next line; false after the last. An error leaves the same head to be moved
    /// again, and that head is beyond the damage by then.
    fn advance(&mut self) -> Result<bool> {
        if let Some(fault) = self.faults.pop() {
            return Err(fault);
        }
        let direction = self.direction;
        while let Some(at) = self.waiting.checked_sub(1) {
            self.heads[at].advance(direction)?;
            self.waiting = at;
        }
        match &mut self.tournament {
            Some(tournament) => {
                if let Some(head) = self.heads.get_mut(tournament.winner()) {
                    head.advance(direction)?;
                }
                let heads = &self.heads;
                tournament.replay(|a, b| beats(heads, a, b, direction));
            }
            None => {
                let heads = &self.heads;
                let play = Tournament::play(heads.len(), |a, b| beats(heads, a, b, direction));
                self.tournament = Some(play);
            }
        }
        Ok(self.heads.get(self.winner()).is_some_and(|head| !head.over))
    }
}

impl Head {
    /// Goes to the Layer's next line that is not a header.
    fn advance(&mut self, direction: Direction) -> Result<()> {
        while !self.over {
            let line = match direction {
                Direction::Forward => self.cursor.next_line(),
                Direction::Backward => self.cursor.prev_line(),
            };
            match line {
                Ok(Some(line)) if is_header(line) => {}
                Ok(Some(_)) => break,
                Ok(None) => self.over = true,
                Err(error) => {
                    self.over = matches!(error, StoreError::Io { .. });
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

/// Whether the line of head `a` comes before that of head `b`.
fn beats(heads: &[Head], a: usize, b: usize, direction: Direction) -> bool {
    let (first, second) = (&heads[a], &heads[b]);
    if first.over || second.over {
        return !first.over;
    }
    let order = first
        .cursor
        .line()
        .cmp(second.cursor.line())
        .then(a.cmp(&b));
    match direction {
        Direction::Forward => order == Ordering::Less,
        Direction::Backward => order == Ordering::Greater,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
