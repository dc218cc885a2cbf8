//! The picture at one moment, as plain values.

use super::series::Point;
use super::spread::Spread;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::Duration;
use varve_browser::Footprint;

/// What a crawl is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum State {
    /// Visiting pages.
    #[default]
    #[serde(rename = "running")]
    Running,
    /// Told to pause; pages in flight come to their end.
    #[serde(rename = "pausing")]
    Pausing,
    /// Waiting to be resumed.
    #[serde(rename = "paused")]
    Paused,
    /// Waiting for room on the disk.
    #[serde(rename = "paused.disk")]
    PausedDisk,
    /// Waiting for somebody to log in again.
    #[serde(rename = "paused.login")]
    PausedLogin,
    /// No new pages; what is in flight is brought to its end and sealed.
    #[serde(rename = "finishing")]
    Finishing,
    /// Over.
    #[serde(rename = "done")]
    Done,
}

impl State {
    /// All of them.
    pub const ALL: [State; 7] = [
        State::Running,
        State::Pausing,
        State::Paused,
        State::PausedDisk,
        State::PausedLogin,
        State::Finishing,
        State::Done,
    ];

    /// A stable word.
    pub fn name(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Pausing => "pausing",
            State::Paused => "paused",
            State::PausedDisk => "paused.disk",
            State::PausedLogin => "paused.login",
            State::Finishing => "finishing",
            State::Done => "done",
        }
    }
}

/// Pages by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PageCounts {
    /// Saved.
    pub saved: u64,
    /// Visited, but not saved.
    pub failed: u64,
    /// Not visited: excluded, disallowed or beyond a limit.
    pub skipped: u64,
}

/// Requests by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RequestCounts {
    /// Answered and recorded.
    pub recorded: u64,
    /// Served from what was recorded before.
    pub reused: u64,
    /// Without an answer.
    pub failed: u64,
}

/// What waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QueueCounts {
    /// Pages that wait.
    pub queued: u64,
    /// Hosts that they are on.
    pub hosts: u64,
    /// URLs met so far.
    pub seen: u64,
}

/// A host as the crawl sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HostView {
    /// Its name.
    pub host: String,
    /// Pages that wait for it.
    pub queued: u64,
    /// Pages of it in flight.
    pub in_flight: u64,
    /// The pause between two of its pages.
    pub delay_ms: u64,
    /// Until when it is left alone, in milliseconds since 1970.
    pub backed_off_until: Option<u64>,
    /// Why it is not visited any more.
    pub blocked: Option<String>,
}

/// A page that is being visited.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InFlight {
    /// Its URL.
    pub url: String,
    /// How it is fetched, as far as that is decided.
    pub tier: &'static str,
    /// For how long.
    pub seconds: f64,
}

/// A page that is done with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finished {
    /// Counts up from 1 in the order in which pages finish.
    pub id: u64,
    /// Its URL.
    pub url: String,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// The status of its response.
    pub status: Option<u16>,
    /// `ok`, or why not.
    pub reason: String,
    /// Whether it was saved.
    pub saved: bool,
    /// How it was fetched.
    pub tier: &'static str,
    /// Responses recorded for it.
    pub recorded: u64,
    /// Requests of it that failed.
    pub failed: u64,
    /// Bytes received for it.
    pub bytes: u64,
    /// How long it took.
    #[serde(rename = "seconds", serialize_with = "as_seconds")]
    pub took: Duration,
    /// Whether there is a picture of it to be had.
    pub thumbnail: bool,
}

/// The picture of a crawl at one moment.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Snapshot {
    /// What it is doing.
    pub state: State,
    /// For how long it has been running.
    pub seconds: f64,
    /// Pages by outcome.
    pub pages: PageCounts,
    /// Requests by outcome.
    pub requests: RequestCounts,
    /// Bytes received.
    pub received_bytes: u64,
    /// Bytes written to the archive.
    pub stored_bytes: u64,
    /// Pages per second, lately.
    pub pages_per_second: f64,
    /// Bytes received per second, lately.
    pub bytes_per_second: f64,
    /// Pages that failed, by reason.
    pub page_failures: BTreeMap<String, u64>,
    /// Requests that failed, by reason.
    pub request_failures: BTreeMap<String, u64>,
    /// Pages that were skipped, by reason.
    pub skips: BTreeMap<String, u64>,
    /// What waits.
    pub queue: QueueCounts,
    /// The hosts with the most to do.
    pub hosts: Vec<HostView>,
    /// Pages in flight, longest first.
    pub in_flight: Vec<InFlight>,
    /// The pages that finished last, newest first.
    pub finished: Vec<Finished>,
    /// What Chromium uses.
    pub browser: Footprint,
    /// How long pages took, by tier.
    pub durations: BTreeMap<&'static str, Spread>,
    /// The last point of the charts.
    pub point: Point,
}

fn as_seconds<S: Serializer>(took: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(took.as_secs_f64())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn states_are_called_the_same_everywhere() {
        for state in State::ALL {
            assert_eq!(serde_json::to_value(state).unwrap(), state.name());
        }
    }
}
