//! A scan: the captures of a range of lines, in one direction.

use super::{Hit, Query};
use crate::index::merged::{Gate, MergedCursor, MergedIndex};
use crate::{Result, StoreError};
use std::sync::Arc;
use varve_model::{Capture, CdxjLine, Timestamp};

/// The lines that a query looks at, as a range of bytes, and what they must hold.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The first line is not less than this.
    pub(super) start: String,
    /// All lines are less than this.
    pub(super) end: Option<String>,
    pub(super) query: Arc<Query>,
}

impl Plan {
    /// The captures in order.
    pub(super) fn forward(&self, index: &MergedIndex) -> Result<Scan> {
        self.forward_from(index, &self.start)
    }

    /// The captures from a place within the range on, in order.
    pub(super) fn forward_from(&self, index: &MergedIndex, place: &str) -> Result<Scan> {
        let edge = self.end.clone().map_or(Edge::None, Edge::End);
        Ok(self.scan(index, index.seek(place.as_bytes())?, edge))
    }

    /// The captures in reverse order.
    pub(super) fn backward(&self, index: &MergedIndex) -> Result<Scan> {
        match &self.end {
            Some(end) => self.backward_from(index, end),
            None => Ok(self.scan(index, index.end()?, Edge::Start(self.start.clone()))),
        }
    }

    /// The captures before a place within the range, in reverse order.
    pub(super) fn backward_from(&self, index: &MergedIndex, place: &str) -> Result<Scan> {
        let edge = Edge::Start(self.start.clone());
        Ok(self.scan(index, index.seek_back(place.as_bytes())?, edge))
    }

    fn scan(&self, index: &MergedIndex, cursor: MergedCursor, edge: Edge) -> Scan {
        Scan {
            cursor,
            edge,
            gate: index.gate().cloned(),
            query: self.query.clone(),
            scanned: 0,
            over: false,
        }
    }
}

/// Where a scan ends.
enum Edge {
    /// With the last line of the index.
    None,
    /// Going forward, at the first line that is not less than this.
    End(String),
    /// Going backward, at the first line that is less than this.
    Start(String),
}

impl Edge {
    fn is_passed_by(&self, line: &[u8]) -> bool {
        match self {
            Edge::None => false,
            Edge::End(end) => line >= end.as_bytes(),
            Edge::Start(start) => line < start.as_bytes(),
        }
    }
}

/// The captures between two lines that pass the filters of a query.
pub(super) struct Scan {
    cursor: MergedCursor,
    edge: Edge,
    gate: Option<Arc<dyn Gate>>,
    query: Arc<Query>,
    scanned: u64,
    over: bool,
}

impl Iterator for Scan {
    type Item = Result<Hit>;

    fn next(&mut self) -> Option<Result<Hit>> {
        while !self.over {
            match self.step() {
                Ok(Some(hit)) => return Some(Ok(hit)),
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}

impl Scan {
    /// Looks at one line: the capture if it is wanted.
    fn step(&mut self) -> Result<Option<Hit>> {
        self.count()?;
        let Some((layer, line)) = self.cursor.next_line()? else {
            self.over = true;
            return Ok(None);
        };
        if self.edge.is_passed_by(line) {
            self.over = true;
            return Ok(None);
        }
        match read_line(line, &self.query) {
            Ok(capture) => {
                let gate = self.gate.as_ref();
                let seen = capture.filter(|it| gate.is_none_or(|gate| gate.admits(it)));
                Ok(seen.map(|capture| Hit { layer, capture }))
            }
            Err(reason) => Err(self.cursor.fault(&reason)),
        }
    }

    fn count(&mut self) -> Result<()> {
        self.scanned += 1;
        match self.query.scan_limit {
            Some(limit) if self.scanned > limit => {
                self.over = true;
                let reason = format!("stopped after {limit} index lines: ask for fewer URLs");
                Err(StoreError::Query(reason))
            }
            _ => Ok(()),
        }
    }
}

/// The capture of a line, if the query wants it; what is wrong with the line if it is damaged.
fn read_line(line: &[u8], query: &Query) -> Result<Option<Capture>, String> {
    let text = str::from_utf8(line).map_err(|error| error.to_string())?;
    // The time is asked first: most lines that are not wanted need not be read any further.
    if (query.from.is_some() || query.to.is_some())
        && let Some(parts) = CdxjLine::split(text)
        && let Ok(time) = Timestamp::parse(parts.timestamp)
    {
        let too_early = query
            .from
            .is_some_and(|from| time.unix_millis() < from.unix_millis());
        let too_late = query
            .to
            .is_some_and(|to| time.unix_millis() > to.unix_millis());
        if too_early || too_late {
            return Ok(None);
        }
    }
    let capture = Capture::parse(text).map_err(|error| error.to_string())?;
    let accepted = query.filters.iter().all(|filter| filter.accepts(&capture));
    Ok(accepted.then_some(capture))
}
