//! A visit: one load of a page in Chromium, and what it told.
//!
//! `course.rs` is its course from opening to closing; `page.rs` opens and closes, `quiet.rs` waits,
//! `scroll.rs` goes through the page (if `reacts.rs` says that it would notice), `extract.rs` reads it, `made.rs` takes what no server sent,
//! `handlers.rs` runs its event handlers (but not those that `handlers/known.rs` knows), `coverage.rs` tells which functions ran, `shot.rs` takes its picture. Meanwhile
//! `chance.rs` makes random numbers repeatable, `reads.rs` notes what scripts read, `watch.rs` hears the browser's events, `heard.rs` and `log.rs` keep them. `report.rs` puts it all
//! together; `causes.rs` tells which scripts caused which requests.

mod causes;
mod chance;
mod course;
mod coverage;
mod dialog;
mod errors;
mod extract;
mod handlers;
mod heard;
mod listeners;
mod log;
mod made;
mod network;
mod outcome;
mod page;
mod quiet;
mod reacts;
mod reads;
mod report;
mod scroll;
mod shot;
mod watch;
mod world;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::as_seen::ClientAsSeen;

pub use causes::Cause;
pub(crate) use course::{Health, Terms, attempt};
pub use coverage::{FunctionRun, Idle, ScriptRun, When};
pub use errors::ConsoleError;
pub use handlers::{Handled, KnownHandlers, Running};

pub use log::{Initiator, Redirect, RequestEntry, Source, StackFrame};
pub use made::Made;
pub use outcome::Outcome;
pub use reads::{Asked, AttributeRead, Reads, SelectorRead};

/// What one load of a page in Chromium told.
#[derive(Clone, Debug, Serialize)]
pub struct Visit {
    /// What was asked for.
    pub requested: Url,
    /// Where it ended, after redirects of all kinds.
    pub final_url: Url,
    /// The status of the document at `final_url`.
    pub status: Option<u16>,
    /// How it went.
    pub outcome: Outcome,
    /// Its title.
    pub title: String,
    /// Its text as rendered, that of its frames after it.
    pub text: String,
    /// Where one can go from here, in all frames and open shadow roots.
    pub links: Vec<Link>,
    /// Its frames, the page itself first.
    pub frames: Vec<Frame>,
    /// Exceptions and error messages.
    pub console_errors: Vec<ConsoleError>,
    /// Every request that the browser told about, in order.
    pub requests: Vec<RequestEntry>,
    /// What its service worker answered without asking a server.
    #[serde(skip)]
    pub made: Vec<Made>,
    /// What ran of its scripts, if that was asked for.
    #[serde(skip)]
    pub scripts: Vec<ScriptRun>,
    /// What its scripts read and asked for, if that was watched.
    #[serde(skip)]
    pub reads: Option<Reads>,
    /// What became of its event handlers, if they were run.
    pub handled: Option<Handled>,
    /// A picture of the whole page, as PNG: exact pixels, so that a replay can be compared.
    #[serde(skip)]
    pub screenshot: Option<Vec<u8>>,
    /// Where the picture would be another at another moment: films, and what moves without end.
    pub moving: Vec<Area>,
    /// A small picture of its top, as JPEG.
    #[serde(skip)]
    pub thumbnail: Option<Vec<u8>>,
    /// `alert` and the like, which were dismissed.
    pub dialogs: Tally,
    /// Windows that it wanted to open, which were refused.
    pub popups: Tally,
    /// Downloads that it began, which were refused.
    pub downloads: Tally,
    /// When it was quiet, after the visit began; `None` if it never was.
    pub quiet_after: Option<Duration>,
    /// How long the visit took.
    pub took: Duration,
    /// What the page could see of its visitor.
    pub client: ClientAsSeen,
    /// How often it was begun: a second time if the first Chromium died under it.
    pub attempts: u32,
    /// What is missing, in words.
    pub notes: Vec<String>,
}

impl Visit {
    /// The visit of a page that could not even be opened.
    pub(crate) fn of_nothing(url: &Url, outcome: Outcome) -> Visit {
        Visit {
            requested: url.clone(),
            final_url: url.clone(),
            status: None,
            outcome,
            title: String::new(),
            text: String::new(),
            links: Vec::new(),
            frames: Vec::new(),
            console_errors: Vec::new(),
            requests: Vec::new(),
            made: Vec::new(),
            scripts: Vec::new(),
            reads: None,
            handled: None,
            screenshot: None,
            moving: Vec::new(),
            thumbnail: None,
            dialogs: Tally::default(),
            popups: Tally::default(),
            downloads: Tally::default(),
            quiet_after: None,
            took: Duration::ZERO,
            client: ClientAsSeen::default(),
            attempts: 1,
            notes: Vec::new(),
        }
    }

    /// The requests that failed.
    pub fn failed_requests(&self) -> impl Iterator<Item = &RequestEntry> {
        self.requests
            .iter()
            .filter(|request| request.error.is_some())
    }
}

/// Where one can go from a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Link {
    /// Where it leads.
    pub url: Url,
    /// What it says.
    pub text: String,
    /// Its `rel`.
    pub rel: String,
    /// The frame it is in, as an index into [`Visit::frames`].
    pub frame: usize,
}

/// A frame of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frame {
    /// Chromium's name for it, as in [`RequestEntry::frame`].
    pub id: String,
    /// The frame it is in.
    pub parent: Option<String>,
    /// What it shows.
    pub url: String,
}

/// A part of a page, in CSS pixels from its top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// How wide.
    pub width: f64,
    /// How high.
    pub height: f64,
}

/// How often something happened, and the first few times what.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// How often.
    pub count: u64,
    /// URLs or messages.
    pub examples: Vec<String>,
}

impl Tally {
    /// How many are remembered.
    const EXAMPLES: usize = 100;

    pub(crate) fn add(&mut self, example: &str) {
        self.count += 1;
        if self.examples.len() < Tally::EXAMPLES {
            self.examples.push(clip(example, 4096));
        }
    }
}

/// The beginning of a text, at most `limit` bytes.
pub(crate) fn clip(text: &str, limit: usize) -> String {
    match text.len() <= limit {
        true => text.to_owned(),
        false => text[..text.floor_char_boundary(limit)].to_owned(),
    }
}
