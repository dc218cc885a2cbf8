//! Connections for more than one request: those that wait for their next use, those that are
//! shared, and those that are just being made and may become shared.

use crate::connect::Origin;
use crate::http1::Connection;
use crate::http2;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Idle connections kept for one origin.
const PER_ORIGIN: usize = 16;
/// Idle connections kept in all, and shared ones likewise.
const IN_ALL: usize = 512;
/// How long one is kept without use. Servers close theirs after 5 to 75 seconds.
const IDLE: Duration = Duration::from_secs(30);
/// Origins remembered to speak HTTP/1.1.
const REMEMBERED: usize = 16_384;

/// All connections that can be used again.
#[derive(Default)]
pub(crate) struct Pool {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    idle: HashMap<Origin, Vec<(Connection, Instant)>>,
    idle_count: usize,
    shared: HashMap<Origin, (http2::Handle, Instant)>,
    leaders: HashMap<Origin, watch::Receiver<()>>,
    http1: HashSet<Origin>,
    swept: Option<Instant>,
}

/// Where a connection belongs.
pub(crate) struct Home {
    pub(crate) pool: Arc<Pool>,
    pub(crate) origin: Origin,
}

impl Home {
    /// Takes a connection back.
    pub(crate) fn take(self, connection: Connection) {
        self.pool.put(self.origin, connection);
    }
}

/// Who may make a connection now.
pub(crate) enum Turn {
    /// Everybody: it will not be shared.
    Now,
    /// This one, while others wait for what comes of it.
    Lead(Lead),
    /// Another one is at it; this changes or closes when it is done.
    Follow(watch::Receiver<()>),
}

/// Held while making a connection for which others wait.
pub(crate) struct Lead {
    pool: Arc<Pool>,
    origin: Origin,
    _done: watch::Sender<()>,
}

impl Drop for Lead {
    fn drop(&mut self) {
        self.pool.lock().leaders.remove(&self.origin);
    }
}

impl Pool {
    /// The connection to an origin that was used last, if there is one that still seems alive.
    pub(crate) fn get(&self, origin: &Origin) -> Option<Connection> {
        loop {
            let (mut connection, since) = self.lock().pop(origin)?;
            if since.elapsed() < IDLE && connection.is_quiet() {
                return Some(connection);
            }
        }
    }

    /// The shared connection to an origin.
    pub(crate) fn shared(&self, origin: &Origin) -> Option<http2::Handle> {
        let mut state = self.lock();
        let (handle, used) = state.shared.get_mut(origin)?;
        if handle.is_closed() {
            state.shared.remove(origin);
            return None;
        }
        *used = Instant::now();
        Some(handle.clone())
    }

    /// Shares a connection from now on, in place of one there was.
    pub(crate) fn share(&self, origin: &Origin, handle: http2::Handle) {
        let mut state = self.lock();
        state.sweep();
        if state.shared.len() >= IN_ALL {
            state.drop_least_used();
        }
        let now = Instant::now();
        state.shared.insert(origin.clone(), (handle, now));
    }

    /// Shares a connection no more. The requests on it go on.
    pub(crate) fn unshare(&self, origin: &Origin) {
        self.lock().shared.remove(origin);
    }

    /// Whether to make a connection, or to wait for somebody else's.
    pub(crate) fn turn(self: &Arc<Pool>, origin: &Origin) -> Turn {
        let mut state = self.lock();
        if !origin.encrypted() || state.http1.contains(origin) {
            return Turn::Now;
        }
        if let Some(leader) = state.leaders.get(origin) {
            return Turn::Follow(leader.clone());
        }
        let (done, waiting) = watch::channel(());
        state.leaders.insert(origin.clone(), waiting);
        Turn::Lead(Lead {
            pool: Arc::clone(self),
            origin: origin.clone(),
            _done: done,
        })
    }

    /// Remembers that an origin will not share connections.
    pub(crate) fn speaks_http1(&self, origin: &Origin) {
        if origin.encrypted() {
            let mut state = self.lock();
            if state.http1.len() >= REMEMBERED {
                state.http1.clear();
            }
            state.http1.insert(origin.clone());
        }
    }

    fn put(&self, origin: Origin, mut connection: Connection) {
        connection.rest();
        let mut state = self.lock();
        state.sweep();
        if state.idle_count >= IN_ALL {
            return;
        }
        let waiting = state.idle.entry(origin).or_default();
        if waiting.len() < PER_ORIGIN {
            waiting.push((connection, Instant::now()));
            state.idle_count += 1;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn pop(&mut self, origin: &Origin) -> Option<(Connection, Instant)> {
        let waiting = self.idle.get_mut(origin)?;
        let last = waiting.pop();
        if waiting.is_empty() {
            self.idle.remove(origin);
        }
        self.idle_count -= usize::from(last.is_some());
        last
    }

    /// Closes what waited too long, now and then. A shared connection that is let go still
    /// serves the requests that are on it.
    fn sweep(&mut self) {
        let now = Instant::now();
        if self.swept.is_some_and(|swept| now - swept < IDLE / 4) {
            return;
        }
        self.swept = Some(now);
        self.idle.retain(|_, waiting| {
            waiting.retain(|(_, since)| now - *since < IDLE);
            !waiting.is_empty()
        });
        self.idle_count = self.idle.values().map(Vec::len).sum();
        self.shared
            .retain(|_, (handle, used)| !handle.is_closed() && now - *used < IDLE);
    }

    fn drop_least_used(&mut self) {
        let oldest = self.shared.iter().min_by_key(|(_, (_, used))| *used);
        if let Some(origin) = oldest.map(|(origin, _)| origin.clone()) {
            self.shared.remove(&origin);
        }
    }
}
