//! One browser at the other end of a pipe.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::error::CdpError;
use super::framing::Messages;
use super::message::{Event, Incoming, Outgoing};

/// A browser that leaves so many calls unread is taken for dead.
const MAX_UNREAD_CALLS: usize = 8192;

/// Who wants to know what happens. Called on the reading task: must not block.
pub(crate) trait Listener: Send + Sync {
    /// Something happened in one of the listener's sessions, or in the browser as a whole.
    fn event(&self, event: &Event<'_>);
}

/// One browser at the other end of a pipe. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Connection {
    shared: Arc<Shared>,
}

struct Shared {
    outbox: mpsc::Sender<Vec<u8>>,
    state: Mutex<State>,
    closed: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    last_id: u64,
    waiting: HashMap<u64, oneshot::Sender<Answer>>,
    sessions: HashMap<String, Arc<dyn Listener>>,
    /// Those who hear what belongs to no session.
    listeners: Vec<Arc<dyn Listener>>,
    /// Sessions that speak for the browser as well.
    of_browser: Vec<String>,
}

type Answer = Result<Box<RawValue>, String>;

impl Connection {
    /// Begins to talk. The tasks end when the pipe does.
    pub(crate) fn new(
        from_browser: impl AsyncRead + Unpin + Send + 'static,
        to_browser: impl AsyncWrite + Unpin + Send + 'static,
    ) -> Connection {
        let (outbox, calls) = mpsc::channel(MAX_UNREAD_CALLS);
        let shared = Shared {
            outbox,
            state: Mutex::default(),
            closed: watch::Sender::new(false),
        };
        let connection = Connection {
            shared: Arc::new(shared),
        };
        tokio::spawn(write_calls(to_browser, calls, connection.closed()));
        tokio::spawn(read_messages(
            Messages::new(from_browser),
            connection.clone(),
        ));
        connection
    }

    /// Sends a call and returns at once; the answer is awaited with [`Call::answer`].
    pub(crate) fn call(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: impl Serialize,
    ) -> Call {
        let (sender, receiver) = oneshot::channel();
        let id = {
            let mut state = self.state();
            state.last_id += 1;
            let id = state.last_id;
            if !*self.shared.closed.borrow() {
                state.waiting.insert(id, sender);
            }
            id
        };
        self.post(Outgoing {
            id,
            method,
            session,
            params,
        });
        Call {
            connection: self.clone(),
            id,
            method,
            receiver,
        }
    }

    /// Sends a call whose answer does not matter.
    pub(crate) fn tell(&self, session: Option<&str>, method: &str, params: impl Serialize) {
        let id = {
            let mut state = self.state();
            state.last_id += 1;
            state.last_id
        };
        self.post(Outgoing {
            id,
            method,
            session,
            params,
        });
    }

    /// Delivers a session's events to `listener` from now on.
    pub(crate) fn listen(&self, session: &str, listener: Arc<dyn Listener>) {
        self.state().sessions.insert(session.to_owned(), listener);
    }

    /// Delivers to `listener` what happens in the browser as a whole.
    pub(crate) fn listen_to_browser(&self, listener: Arc<dyn Listener>) {
        self.state().listeners.push(listener);
    }

    /// Counts what happens in a session as what happens in the browser as a whole.
    pub(crate) fn listen_as_browser(&self, session: &str) {
        self.state().of_browser.push(session.to_owned());
    }

    /// Forgets a listener and its sessions.
    pub(crate) fn forget(&self, listener: &Arc<dyn Listener>) {
        let mut state = self.state();
        state
            .sessions
            .retain(|_, other| !Arc::ptr_eq(other, listener));
        state
            .listeners
            .retain(|other| !Arc::ptr_eq(other, listener));
    }

    /// Becomes true when the browser is gone.
    pub(crate) fn closed(&self) -> watch::Receiver<bool> {
        self.shared.closed.subscribe()
    }

    fn post(&self, call: Outgoing<'_, impl Serialize>) {
        let Ok(mut bytes) = serde_json::to_vec(&call) else {
            return;
        };
        bytes.push(0);
        if self.shared.outbox.try_send(bytes).is_err() {
            self.close();
        }
    }

    /// Fails all that wait and lets go of all listeners.
    fn close(&self) {
        self.shared.closed.send_replace(true);
        let state = std::mem::take(&mut *self.state());
        drop(state);
    }

    fn deliver(&self, message: &[u8]) {
        let Ok(message) = serde_json::from_slice::<Incoming<'_>>(message) else {
            return;
        };
        match (message.id, message.method) {
            (Some(id), _) => self.answer(id, message),
            (None, Some(name)) => {
                let event = Event::new(message.session, name, message.params);
                for listener in self.listeners_of(message.session) {
                    listener.event(&event);
                }
            }
            (None, None) => {}
        }
    }

    fn answer(&self, id: u64, message: Incoming<'_>) {
        let Some(waiter) = self.state().waiting.remove(&id) else {
            return;
        };
        let answer = match (message.result, message.error) {
            (Some(result), _) => Ok(result.to_owned()),
            (None, Some(refusal)) => Err(refusal.message),
            (None, None) => Err("an empty answer".to_owned()),
        };
        // Nobody may wait any more.
        let _ = waiter.send(answer);
    }

    fn listeners_of(&self, session: Option<&str>) -> Vec<Arc<dyn Listener>> {
        let state = self.state();
        match session {
            Some(session) if !state.of_browser.iter().any(|it| it == session) => {
                state.sessions.get(session).cloned().into_iter().collect()
            }
            _ => state.listeners.clone(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that was sent.
pub(crate) struct Call {
    connection: Connection,
    id: u64,
    method: &'static str,
    receiver: oneshot::Receiver<Answer>,
}

impl Call {
    /// The answer, if it comes before `deadline`.
    pub(crate) async fn answer(mut self, deadline: Instant) -> Result<Box<RawValue>, CdpError> {
        let method = self.method;
        match tokio::time::timeout_at(deadline, &mut self.receiver).await {
            Err(_) => Err(CdpError::Timeout { method }),
            Ok(Err(_)) => Err(CdpError::Closed),
            Ok(Ok(Err(message))) => Err(CdpError::Refused { method, message }),
            Ok(Ok(Ok(result))) => Ok(result),
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.connection.state().waiting.remove(&self.id);
    }
}

async fn write_calls(
    mut to_browser: impl AsyncWrite + Unpin,
    mut calls: mpsc::Receiver<Vec<u8>>,
    mut closed: watch::Receiver<bool>,
) {
    loop {
        let call = tokio::select! {
            call = calls.recv() => call,
            _ = closed.wait_for(|closed| *closed) => None,
        };
        let Some(call) = call else { return };
        if to_browser.write_all(&call).await.is_err() {
            return;
        }
    }
}

async fn read_messages(mut messages: Messages<impl AsyncRead + Unpin>, connection: Connection) {
    while let Some(message) = messages.next().await {
        connection.deliver(message);
    }
    connection.close();
}
