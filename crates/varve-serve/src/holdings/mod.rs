//! What the archive holds, as a MementoMap: for aggregators, which need not ask for what cannot be
//! here.
//!
//! A map that is out of date denies what has come since. So none is given out but that of the
//! collections and the rules as they are now. It is made when somebody asks for it, beside all
//! requests; those who ask before it is done wait for a while, and are then told to come again.

mod making;

use crate::cors;
use crate::downloads::Download;
use crate::respond::{Notice, Reply};
use crate::serving::Serving;
use axum::http::{HeaderMap, StatusCode, header};
use making::{Scratch, Unmade, make};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use varve_model::Timestamp;
use varve_store::world::{RealWorld, World};

/// Where aggregators look for it.
pub(crate) const PATH: &str = "/.well-known/mementomap";
/// How long a request waits for a map that is being made.
const PATIENCE: Duration = Duration::from_secs(10);
/// When to come again, in seconds.
const COME_AGAIN: &str = "5";
/// Embargoes that begin or end are in the map after so long: it could not be made anew at every
/// moment at which one may.
const EMBARGOES: Duration = Duration::from_secs(600);

/// Whether a request is for the map.
pub(crate) fn is_wanted(target: &str) -> bool {
    target.split('?').next() == Some(PATH)
}

/// A link to the map, for the field `Link`.
pub(crate) fn link(origin: &str) -> String {
    format!("<{origin}{PATH}>; rel=\"mementomap\"")
}

/// Answers a request for the map.
pub(crate) async fn answer(serving: &Arc<Serving>, headers: &HeaderMap) -> Reply {
    let mut reply = match serving.holdings.wait(serving).await {
        Some(Ok(map)) => map.reply(headers),
        Some(Err(why)) => later(format!("The map cannot be made: {why}.")),
        None => later("The map is being made. Try again in a moment.".to_owned()),
    };
    cors::open_to_all(&mut reply.headers);
    reply
}

fn later(why: String) -> Reply {
    let notice = Notice::new(StatusCode::SERVICE_UNAVAILABLE, "Not ready yet", why);
    notice.page().with(header::RETRY_AFTER, COME_AGAIN)
}

/// The map of the archive, if somebody has asked for it.
pub(crate) struct Holdings {
    wanted: Mutex<Option<Wanted>>,
    /// One map is made at a time. When the one before was.
    turn: Arc<Mutex<Option<Timestamp>>>,
    patience: Duration,
}

/// A map that is there, or will be.
#[derive(Clone)]
struct Wanted {
    /// What tells the archive that it is of from what it was at other times.
    state: u64,
    map: watch::Receiver<Option<Outcome>>,
    given_up: Arc<AtomicBool>,
}

type Outcome = Result<Arc<Map>, Unmade>;

/// A map that can be sent.
struct Map {
    scratch: Scratch,
    /// Not known if that of another map is the same: dates have no more than seconds.
    made: Option<Timestamp>,
}

impl Map {
    fn reply(&self, asked: &HeaderMap) -> Reply {
        let download = Download {
            file: self.scratch.file.clone(),
            length: self.scratch.length,
            content_type: "text/plain; charset=utf-8",
            name: None,
            tag: self.scratch.digest.clone(),
            modified: self.made,
        };
        download.reply(asked)
    }
}

impl Default for Holdings {
    fn default() -> Holdings {
        Holdings {
            wanted: Mutex::default(),
            turn: Arc::default(),
            patience: PATIENCE,
        }
    }
}

/// Something of which maps are made.
trait Held: Send + Sync + 'static {
    /// A number that tells what it is now from what it was at other times.
    fn state(&self) -> u64;
    /// Makes the map of it, unless that is given up.
    fn map(&self, given_up: &AtomicBool) -> Result<Scratch, Unmade>;
}

impl Held for Serving {
    fn state(&self) -> u64 {
        // Whoever asks for the collections has them looked at.
        drop(self.archive.now());
        self.archive.state_within(EMBARGOES)
    }

    fn map(&self, given_up: &AtomicBool) -> Result<Scratch, Unmade> {
        make(&self.archive, &self.names.origin(), given_up)
    }
}

impl Holdings {
    /// The map of what is held now; nothing, if that takes too long.
    async fn wait(&self, held: &Arc<impl Held>) -> Option<Outcome> {
        let waiting = async {
            loop {
                let looking = held.clone();
                let looking = tokio::task::spawn_blocking(move || looking.state()).await;
                let Ok(state) = looking else {
                    return Err(Unmade::GivenUp);
                };
                match self.map_of(state, held).await {
                    Err(Unmade::OutOfDate) => {}
                    outcome => return outcome,
                }
            }
        };
        tokio::time::timeout(self.patience, waiting).await.ok()
    }

    async fn map_of(&self, state: u64, held: &Arc<impl Held>) -> Outcome {
        let mut wanted = self.want(state, held);
        let done = wanted.map.wait_for(Option::is_some).await;
        let outcome = done.ok().and_then(|outcome| outcome.clone());
        let outcome = outcome.unwrap_or(Err(Unmade::GivenUp));
        if outcome.is_err() {
            self.forget(&wanted);
        }
        outcome
    }

    /// The map of a state; begun, if nobody has asked for it before.
    fn want(&self, state: u64, held: &Arc<impl Held>) -> Wanted {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = wanted.as_ref().filter(|known| known.state == state) {
            return known.clone();
        }
        if let Some(old) = wanted.take() {
            old.given_up.store(true, Ordering::Relaxed);
        }
        let (tell, map) = watch::channel(None);
        let new = Wanted {
            state,
            map,
            given_up: Arc::default(),
        };
        let (held, turn, given_up) = (held.clone(), self.turn.clone(), new.given_up.clone());
        let work = move || {
            let mut before = turn.lock().unwrap_or_else(PoisonError::into_inner);
            let made = held.map(&given_up);
            // What changed in between may be in it or not.
            let made = made.and_then(|scratch| match held.state() == state {
                true => Ok(scratch),
                false => Err(Unmade::OutOfDate),
            });
            let made = made.map(|scratch| {
                let made = date(RealWorld.now(), &mut before);
                Arc::new(Map { scratch, made })
            });
            tell.send_replace(Some(made));
        };
        // Without a thread nobody tells anything, which is noticed.
        let _ = std::thread::Builder::new()
            .name("mementomap".into())
            .spawn(work);
        *wanted = Some(new.clone());
        new
    }

    /// Has a map made anew when it is asked for again.
    fn forget(&self, failed: &Wanted) {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have begun with another one.
        wanted.take_if(|known| Arc::ptr_eq(&known.given_up, &failed.given_up));
    }
}

/// The date of what is made now; none, if what was made before has the same.
fn date(now: Timestamp, before: &mut Option<Timestamp>) -> Option<Timestamp> {
    let now = now.to_seconds();
    (before.replace(now) != Some(now)).then_some(now)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::sync::atomic::AtomicU64;
    use std::sync::mpsc::{Receiver, channel};

    /// Something that changes while maps of it are made, as often as it is told to.
    #[derive(Default)]
    struct Restless {
        changes: AtomicU64,
        state: AtomicU64,
        maps: AtomicU64,
        /// Maps are not made before its other end is gone.
        busy: Mutex<Option<Receiver<()>>>,
    }

    impl Held for Restless {
        fn state(&self) -> u64 {
            self.state.load(Ordering::SeqCst)
        }

        fn map(&self, _: &AtomicBool) -> Result<Scratch, Unmade> {
            if let Some(busy) = self.busy.lock().unwrap().take() {
                let _ = busy.recv();
            }
            self.maps.fetch_add(1, Ordering::SeqCst);
            if self.state() < self.changes.load(Ordering::SeqCst) {
                self.state.fetch_add(1, Ordering::SeqCst);
            }
            making::write(&[format!("!meta {}", self.state())])
        }
    }

    fn text(map: &Map) -> String {
        let mut bytes = vec![0; map.scratch.length as usize];
        varve_store::fs::read_full_at(map.scratch.file.as_ref(), &mut bytes, 0).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[tokio::test]
    async fn what_changes_while_its_map_is_made_has_another_one_made() {
        let held = Arc::new(Restless::default());
        held.changes.store(2, Ordering::SeqCst);
        let holdings = Holdings::default();
        let map = holdings.wait(&held).await.unwrap().unwrap();
        assert_eq!(text(&map), "!meta 2\n");
        assert_eq!(held.maps.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn a_map_is_made_once_for_all_who_ask() {
        let (held, holdings) = (Arc::new(Restless::default()), Holdings::default());
        let (one, other) = tokio::join!(holdings.wait(&held), holdings.wait(&held));
        assert!(Arc::ptr_eq(
            &one.unwrap().unwrap(),
            &other.unwrap().unwrap()
        ));
        holdings.wait(&held).await.unwrap().unwrap();
        assert_eq!(held.maps.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn who_asks_too_soon_comes_again() {
        let held = Arc::new(Restless::default());
        let hasty = Holdings {
            patience: Duration::from_millis(20),
            ..Holdings::default()
        };
        let (busy, until) = channel();
        *held.busy.lock().unwrap() = Some(until);
        assert!(hasty.wait(&held).await.is_none());
        drop(busy);
        let patient = Holdings {
            patience: PATIENCE,
            ..hasty
        };
        assert!(patient.wait(&held).await.unwrap().is_ok());
        assert_eq!(held.maps.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn maps_of_one_second_are_not_taken_for_each_other() {
        let at = |millis| Timestamp::from_unix_millis(millis).unwrap();
        let mut before = None;
        assert_eq!(date(at(1_200), &mut before), Some(at(1_000).to_seconds()));
        assert_eq!(date(at(1_900), &mut before), None);
        assert_eq!(date(at(2_000), &mut before), Some(at(2_000).to_seconds()));
    }
}
