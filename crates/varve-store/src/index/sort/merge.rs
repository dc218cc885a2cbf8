//! Many sorted runs as one.

use super::run::{RunReader, Scratch};
use crate::Result;
use crate::index::tournament::Tournament;
use std::path::PathBuf;

/// Read buffers are no larger than this: more would only push the lines out of the cache.
const MAX_BUFFER: usize = 256 << 10;
const MIN_BUFFER: usize = 4 << 10;

/// A merge of sorted runs, each distinct line once.
#[derive(Debug)]
pub(super) struct Merge {
    runs: Vec<Run>,
    tournament: Tournament,
    line: Option<Vec<u8>>,
}

#[derive(Debug)]
struct Run {
    reader: RunReader,
    over: bool,
}

impl Merge {
    /// Opens the runs, sharing `memory` among their buffers.
    pub(super) fn open(scratch: &Scratch, paths: &[PathBuf], memory: usize) -> Result<Merge> {
        let buffer = (memory / (paths.len() + 1)).clamp(MIN_BUFFER, MAX_BUFFER);
        let mut runs = Vec::with_capacity(paths.len());
        for path in paths {
            let mut reader = scratch.open_run(path, buffer)?;
            let over = !reader.advance()?;
            runs.push(Run { reader, over });
        }
        let tournament = Tournament::play(runs.len(), |a, b| beats(&runs[a], &runs[b]));
        Ok(Merge {
            runs,
            tournament,
            line: None,
        })
    }

    /// The next line; `None` after the last.
    pub(super) fn next_line(&mut self) -> Result<Option<&[u8]>> {
        loop {
            let winner = self.tournament.winner();
            let Some(run) = self.runs.get_mut(winner).filter(|run| !run.over) else {
                return Ok(None);
            };
            let line = run.reader.line();
            let again = self.line.as_deref() == Some(line);
            if !again {
                let kept = self.line.get_or_insert_default();
                kept.clear();
                kept.extend_from_slice(line);
            }
            run.over = !run.reader.advance()?;
            let runs = &self.runs;
            self.tournament.replay(|a, b| beats(&runs[a], &runs[b]));
            if !again {
                return Ok(self.line.as_deref());
            }
        }
    }
}

/// Whether run `a` comes before run `b`.
fn beats(a: &Run, b: &Run) -> bool {
    !a.over && (b.over || a.reader.line() < b.reader.line())
}
