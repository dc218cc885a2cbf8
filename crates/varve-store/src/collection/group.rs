//! Many threads saving at once share the disk's syncs (group commit).

use super::exchange::Exchange;
use super::manifest::LayerEntry;
use super::recorder::Recorder;
use crate::{Result, StoreError};
use std::sync::{Condvar, Mutex, PoisonError};
use varve_model::Capture;

/// A [`Recorder`] for many threads: [`SharedRecorder::save`] returns when the exchange is saved.
/// While one thread syncs, the others' exchanges gather, and the next sync saves them together.
pub struct SharedRecorder {
    state: Mutex<State>,
    committed: Condvar,
}

struct State {
    recorder: Recorder,
    /// The number of the last append, and of the last one whose fate is known.
    appended: u64,
    settled: u64,
    /// The settled ones that were lost, as ranges.
    lost: Vec<std::ops::RangeInclusive<u64>>,
    syncing: bool,
}

impl State {
    fn lose(&mut self) {
        self.lost.push(self.settled + 1..=self.appended);
        self.settled = self.appended;
    }
}

impl SharedRecorder {
    /// Shares a recorder.
    pub fn new(recorder: Recorder) -> SharedRecorder {
        let state = State {
            recorder,
            appended: 0,
            settled: 0,
            lost: Vec::new(),
            syncing: false,
        };
        SharedRecorder {
            state: Mutex::new(state),
            committed: Condvar::new(),
        }
    }

    /// Appends an exchange and waits until it is saved.
    pub fn save(&self, exchange: &Exchange) -> Result<Capture> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let capture = match state.recorder.append(exchange) {
            Ok(capture) => capture,
            Err(error) => {
                // Everything since the last commit went with the file.
                state.lose();
                self.committed.notify_all();
                return Err(error);
            }
        };
        state.appended += 1;
        let number = state.appended;
        loop {
            if state.settled >= number {
                let lost = state.lost.iter().any(|range| range.contains(&number));
                return match lost {
                    true => Err(StoreError::NotSaved {
                        url: exchange.url.clone(),
                    }),
                    false => Ok(capture),
                };
            }
            if !state.syncing {
                state.syncing = true;
                // Gives the threads that wait for the lock a chance to join this commit.
                drop(state);
                std::thread::yield_now();
                state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let result = state.recorder.commit();
                state.syncing = false;
                match result {
                    Ok(_) => state.settled = state.appended,
                    Err(error) => {
                        state.lose();
                        self.committed.notify_all();
                        return Err(error);
                    }
                }
                self.committed.notify_all();
            } else {
                state = self
                    .committed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Seals the layer; see [`Recorder::seal`].
    pub fn seal(self) -> Result<Option<LayerEntry>> {
        self.state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .recorder
            .seal()
    }
}
