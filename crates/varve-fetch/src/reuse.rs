//! One fetch per resource within a crawl: what was fetched once is served from there.
//!
//! Not an HTTP cache: within a crawl nothing gets old, and nothing is revalidated. The rules
//! only keep apart what is not the same resource, or not worth keeping:
//!
//! - Requests: GET only, without body, `Range`, `Authorization` or `Upgrade`, and not for a
//!   stream of events.
//! - Responses: complete, with status 200, 203, 301, 308, 404 or 410; not with `Set-Cookie`,
//!   `Cache-Control: no-store` or `Vary: *`, and no `text/event-stream`.
//! - Other `Vary` fields must have the same values in both requests. Several variants of a URL
//!   are kept side by side.
//!
//! Memory and disk are bounded: the answers that were not used for longest go from memory to a
//! file, and from there altogether. Large bodies have files of their own, a bounded number.
//!
//! Who asks for what is being fetched waits for it, but not for long, and not for what never
//! ends.

mod cellar;
mod parcel;
mod rules;
mod shelf;

use crate::exchange::Exchange;
use crate::request::Request;
pub use rules::may_keep;
pub(crate) use rules::{is_event_stream, may_share};
use shelf::Shelf;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// How long to wait for somebody else's fetch, unless told otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

/// What was fetched in a crawl. Cheap to clone; clones share it.
#[derive(Clone)]
pub struct Reuse {
    patience: Duration,
    state: Arc<Mutex<State>>,
}

struct State {
    shelf: Shelf,
    in_flight: HashMap<String, watch::Receiver<Flight>>,
}

/// The fields of a request.
type Fields = Vec<(Vec<u8>, Vec<u8>)>;

/// What is known of a fetch that others wait for. When it is over, the sender is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flight {
    /// It goes on.
    Open,
    /// It will not be kept, or not soon: do not wait.
    Apart,
}

/// How to get a resource.
pub enum Begin {
    /// It is there.
    Known(Arc<Exchange>),
    /// Nobody has fetched it: do, and hand it in.
    Fetch(Ticket),
    /// Fetch it for yourself: it is not to be shared, or the one who fetches it takes too long.
    Alone,
}

impl Reuse {
    /// Room for exchanges of so many bytes in all, most of them in a file in `dir`.
    pub fn new(max_bytes: u64, dir: impl Into<PathBuf>) -> Reuse {
        Reuse::with_patience(max_bytes, dir, PATIENCE)
    }

    /// As [`Reuse::new`], where those who ask for what is being fetched wait for so long.
    pub fn with_patience(max_bytes: u64, dir: impl Into<PathBuf>, patience: Duration) -> Reuse {
        let state = State {
            shelf: Shelf::new(max_bytes, dir.into()),
            in_flight: HashMap::new(),
        };
        Reuse {
            patience,
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Forgets everything: it could not be kept.
    pub fn clear(&self) {
        self.lock().shelf.clear();
    }

    /// Looks for what answers a request, or says how to get it. Waits a little if somebody else
    /// is just fetching it.
    pub async fn get_or_begin(&self, request: &Request) -> Begin {
        if !rules::may_share(request) {
            return Begin::Alone;
        }
        let key = key(request);
        let deadline = Instant::now() + self.patience;
        loop {
            let mut flight = match self.look(&key, request) {
                Ok(begin) => return begin,
                Err(flight) => flight,
            };
            let landing = flight.wait_for(|flight| *flight == Flight::Apart);
            match timeout_at(deadline, landing).await {
                // Handed in, or given up: look again.
                Ok(Err(_)) => {}
                Ok(Ok(_)) | Err(_) => return Begin::Alone,
            }
        }
    }

    /// What is there, or a ticket, or else the flight to wait for.
    fn look(&self, key: &str, request: &Request) -> Result<Begin, watch::Receiver<Flight>> {
        let mut state = self.lock();
        if let Some(exchange) = state.shelf.find(key, request) {
            return Ok(Begin::Known(exchange));
        }
        if let Some(flight) = state.in_flight.get(key) {
            return Err(flight.clone());
        }
        let (sender, receiver) = watch::channel(Flight::Open);
        state.in_flight.insert(key.into(), receiver);
        Ok(Begin::Fetch(Ticket {
            reuse: self.clone(),
            fields: request.fields.clone(),
            key: key.into(),
            flight: sender,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to fetch a resource for all. Dropped without being filled, it goes to the next.
pub struct Ticket {
    reuse: Reuse,
    fields: Fields,
    key: String,
    flight: watch::Sender<Flight>,
}

impl Ticket {
    /// Tells others not to wait: this takes long, or will not be kept ([`may_keep`]).
    pub fn streaming(&self) {
        self.flight.send_replace(Flight::Apart);
    }

    /// Hands in what was fetched. It is kept if it may be.
    pub fn fill(self, exchange: Arc<Exchange>) {
        match rules::variant(&self.fields, &exchange) {
            Some(variant) => self.reuse.lock().shelf.keep(&self.key, variant, exchange),
            // Nobody gets it from here; all who wait may fetch it at once.
            None => self.streaming(),
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.reuse.lock().in_flight.remove(&self.key);
    }
}

fn key(request: &Request) -> String {
    request.url[..url::Position::AfterQuery].to_owned()
}
