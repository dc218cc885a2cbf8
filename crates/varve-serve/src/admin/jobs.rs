//! Imports that wait, run and are over. A collection has one at a time; the others wait in line.

use super::import::{FileOutcome, Outcome};
use super::refused::Refused;
use crate::archive::Name;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Mutex as Lane, Semaphore, SemaphorePermit};
use varve_model::Timestamp;

/// Files are taken from so many at a time.
const UPLOADS: usize = 4;
/// More imports than this do not wait.
const WAITING: usize = 32;
/// Imports that are over are told until so many others are.
const TOLD: usize = 100;
/// When those who are told to come again should.
const LATER: Duration = Duration::from_secs(10);

/// All imports since the start, or the last of them.
pub(super) struct Jobs {
    held: Mutex<Held>,
    uploads: Semaphore,
    lanes: HashMap<String, Arc<Lane<()>>>,
}

#[derive(Default)]
struct Held {
    jobs: VecDeque<Arc<Job>>,
    begun: u64,
}

/// One import.
pub(super) struct Job {
    pub(super) number: u64,
    /// The collection, by its name in paths.
    pub(super) collection: String,
    /// What the files are called.
    pub(super) labels: Vec<String>,
    pub(super) who: String,
    pub(super) begun: Timestamp,
    pub(super) bytes: u64,
    read: AtomicU64,
    state: Mutex<State>,
}

/// What is known of a job before it has a number.
pub(super) struct Order {
    pub(super) collection: String,
    pub(super) labels: Vec<String>,
    pub(super) who: String,
    pub(super) begun: Timestamp,
    pub(super) bytes: u64,
}

/// How far a job is.
#[derive(Clone)]
pub(super) enum State {
    Waiting,
    Running,
    Done(Outcome),
    /// Nothing was added; why.
    Failed(String),
}

impl Jobs {
    /// For collections of these names.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a Name>) -> Jobs {
        Jobs {
            held: Mutex::default(),
            uploads: Semaphore::new(UPLOADS),
            lanes: names
                .map(|name| (name.path.clone(), Arc::default()))
                .collect(),
        }
    }

    /// A place to take files at, as long as it is held.
    pub(super) fn place(&self) -> Result<SemaphorePermit<'_>, Refused> {
        let waiting = self.list().iter().filter(|job| !job.is_over()).count();
        let place = self.uploads.try_acquire().ok();
        place.filter(|_| waiting < WAITING).ok_or_else(|| {
            let why = "too many files are on their way already; come again later";
            Refused::new(StatusCode::SERVICE_UNAVAILABLE, why).after(LATER)
        })
    }

    /// Another job.
    pub(super) fn add(&self, order: Order) -> Arc<Job> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.begun += 1;
        let job = Arc::new(Job {
            number: held.begun,
            collection: order.collection,
            labels: order.labels,
            who: order.who,
            begun: order.begun,
            bytes: order.bytes,
            read: AtomicU64::new(0),
            state: Mutex::new(State::Waiting),
        });
        held.jobs.push_front(job.clone());
        while held.jobs.len() > TOLD && held.jobs.back().is_some_and(|job| job.is_over()) {
            held.jobs.pop_back();
        }
        job
    }

    /// The jobs that are known, newest first.
    pub(super) fn list(&self) -> Vec<Arc<Job>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.jobs.iter().cloned().collect()
    }

    /// The line in which jobs of a collection wait.
    pub(super) fn lane(&self, collection: &str) -> Arc<Lane<()>> {
        self.lanes.get(collection).cloned().unwrap_or_default()
    }
}

impl Job {
    pub(super) fn advance(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// How much of it is done, in percent.
    pub(super) fn percent(&self) -> u64 {
        let read = self.read.load(Ordering::Relaxed).min(self.bytes);
        read.saturating_mul(100)
            .checked_div(self.bytes)
            .unwrap_or(0)
    }

    pub(super) fn state(&self) -> State {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clone()
    }

    pub(super) fn becomes(&self, state: State) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    fn is_over(&self) -> bool {
        matches!(self.state(), State::Done(_) | State::Failed(_))
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        let state = self.state();
        let mut told = json!({
            "job": self.number, "collection": self.collection, "files": self.labels,
            "who": self.who, "begun": self.begun.w3c(), "bytes": self.bytes,
            "percent": self.percent(), "state": state.word(),
        });
        match state {
            State::Failed(why) => told["why"] = why.into(),
            State::Done(outcome) => {
                told["layer"] = outcome.layer.into();
                told["pages"] = outcome.pages.into();
                let records = outcome.files.iter().map(FileOutcome::records);
                told["records"] = records.sum::<u64>().into();
                told["outcomes"] = outcome.files.iter().map(FileOutcome::json).collect();
            }
            State::Waiting | State::Running => {}
        }
        told
    }
}

impl State {
    pub(super) fn word(&self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Running => "running",
            State::Done(outcome) => outcome.word(),
            State::Failed(_) => "failed",
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn order() -> Order {
        Order {
            collection: "c".to_owned(),
            labels: vec!["a.warc".to_owned()],
            who: "bearer".to_owned(),
            begun: Timestamp::parse("20260101000000").unwrap(),
            bytes: 200,
        }
    }

    #[test]
    fn jobs_that_are_over_are_forgotten_in_time_and_others_never() {
        let jobs = Jobs::new(std::iter::empty());
        let first = jobs.add(order());
        assert_eq!(first.json()["state"], "waiting");
        first.advance(50);
        assert_eq!(first.percent(), 25);
        for _ in 0..TOLD {
            jobs.add(order()).becomes(State::Failed("why".to_owned()));
        }
        assert_eq!(jobs.list().len(), TOLD + 1);
        first.becomes(State::Failed("why".to_owned()));
        jobs.add(order());
        assert_eq!(jobs.list().len(), TOLD);
        assert!(jobs.list().iter().all(|job| job.number > 1));
    }

    #[test]
    fn no_more_files_are_taken_than_there_are_places() {
        let jobs = Jobs::new(std::iter::empty());
        let places: Vec<_> = (0..UPLOADS).map(|_| jobs.place().unwrap()).collect();
        assert!(jobs.place().is_err());
        drop(places);
        for _ in 0..WAITING {
            jobs.add(order());
        }
        assert!(jobs.place().is_err());
    }
}
