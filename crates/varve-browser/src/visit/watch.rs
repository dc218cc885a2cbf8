//! Hearing what happens in a page, its frames and its workers, while it is visited.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::Instant;

use super::dialog::{self, Dialog};
use super::errors::ErrorLog;
use super::heard::{At, Attached, Detached, FrameEvent, ScreencastFrame, State};
use super::log::Asker;
use super::network::FromMemory;
use super::reads::{Called, ReadLog};
use crate::cdp::{Connection, Event, Listener, Session};

/// Frames and workers beyond so many run unobserved.
const MAX_ATTACHED: usize = 300;
/// Workers of a page that run at once: each may be an endless loop, and other pages want to run
/// too. More wait for their turn, and only so many. (Pages are told that there are four
/// processors.)
const MAX_WORKERS: usize = 8;
const MAX_WAITING: usize = 1_000;
/// What is observed of a page and its frames. Bodies are not kept by Chromium: the proxy has them.
const DOMAINS: &[&str] = &["Page.enable", "Runtime.enable", "Log.enable"];
const WORKER_DOMAINS: &[&str] = &["Runtime.enable", "Log.enable"];

/// Bytes of bodies that Chromium keeps where a service worker may have made them.
const KEPT: usize = 32 << 20;

/// Calls that are made to what a page starts, before it runs.
#[derive(Default)]
pub(super) struct Pins {
    /// In frames and workers.
    pub(super) everywhere: Vec<(&'static str, Value)>,
    /// In frames.
    pub(super) frames: Vec<(&'static str, Value)>,
}

/// The ear of one visit.
pub(super) struct Watch {
    me: Weak<Watch>,
    connection: Connection,
    context: String,
    pins: Pins,
    state: Mutex<State>,
    crashed: watch::Sender<bool>,
}

impl Watch {
    pub(super) fn new(connection: &Connection, context: &str, pins: Pins) -> Arc<Watch> {
        Arc::new_cyclic(|me| Watch {
            me: me.clone(),
            connection: connection.clone(),
            context: context.to_owned(),
            pins,
            state: Mutex::default(),
            crashed: watch::Sender::new(false),
        })
    }

    /// Begins to listen to the page itself. Returns the calls that make it speak.
    pub(super) fn attach_page(&self, session: &str, frame: &str) -> Vec<(&'static str, Value)> {
        let mut state = self.state();
        state.sessions.insert(session.to_owned(), "page".to_owned());
        state.main_session = session.to_owned();
        state.main_frame = frame.to_owned();
        drop(state);
        if let Some(me) = self.me.upgrade() {
            self.connection.listen(session, me.clone());
            self.connection.listen_to_browser(me);
        }
        observations(DOMAINS)
    }

    /// Takes down what scripts read, as it comes through a binding of this name.
    pub(super) fn listen_to_reads(&self, binding: &str) {
        self.state().reads = Some(ReadLog::new(binding));
    }

    /// Whether a session still exists.
    pub(super) fn is_attached(&self, session: &str) -> bool {
        !*self.connection.closed().borrow() && self.state().sessions.contains_key(session)
    }

    /// The sessions whose frames belong to the page, the page itself first.
    pub(super) fn frame_sessions(&self) -> Vec<(String, Session)> {
        let state = self.state();
        let frames = state.sessions.iter().filter(|(_, kind)| *kind == "iframe");
        let ids = std::iter::once(&state.main_session).chain(frames.map(|(id, _)| id));
        ids.map(|id| (id.clone(), Session::attached(&self.connection, id)))
            .collect()
    }

    /// The sessions of the page's workers.
    pub(super) fn worker_sessions(&self) -> Vec<Session> {
        let state = self.state();
        let workers = state.sessions.iter().filter(|(_, kind)| *kind == "worker");
        workers
            .map(|(id, _)| Session::attached(&self.connection, id))
            .collect()
    }

    /// All sessions of the page, its frames and workers, with their names.
    pub(super) fn all_sessions(&self) -> Vec<(String, Session)> {
        let state = self.state();
        let ids = state.sessions.keys().cloned();
        ids.map(|id| (id.clone(), Session::attached(&self.connection, &id)))
            .collect()
    }

    /// What was heard so far.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns when the page has crashed or Chromium is gone.
    pub(super) async fn end_of_page(&self) {
        let mut crashed = self.crashed.subscribe();
        let mut closed = self.connection.closed();
        tokio::select! {
            _ = crashed.wait_for(|crashed| *crashed) => {}
            _ = closed.wait_for(|closed| *closed) => {}
        }
    }

    pub(super) fn has_crashed(&self) -> bool {
        *self.crashed.borrow()
    }

    /// Stops listening; returns what was heard.
    pub(super) fn finish(&self) -> State {
        if let Some(me) = self.me.upgrade() {
            let me: Arc<dyn Listener> = me;
            self.connection.forget(&me);
        }
        std::mem::take(&mut *self.state())
    }

    fn attached(&self, event: Attached) {
        let turn = self.state().take_turn(event, MAX_WORKERS, MAX_WAITING);
        turn.into_iter().for_each(|event| self.begin(event));
    }

    /// Has Chromium keep what the page receives from now on: a service worker may make it, and then
    /// the proxy does not have it.
    fn keep_bodies(&self) {
        let main = self.state().main_session.clone();
        let kept = json!({"maxTotalBufferSize": KEPT, "maxResourceBufferSize": KEPT / 4});
        Session::attached(&self.connection, &main).tell("Network.enable", kept);
    }

    /// Lets a frame or a worker run.
    fn begin(&self, event: Attached) {
        let child = Session::attached(&self.connection, &event.session_id);
        let info = event.target_info;
        let kind = info.kind;
        let is_service_worker = kind == "service_worker";
        let ours = info
            .browser_context_id
            .as_ref()
            .is_none_or(|id| *id == self.context);
        let observed = match kind.as_str() {
            "iframe" => Some(DOMAINS),
            "worker" | "shared_worker" | "service_worker" => Some(WORKER_DOMAINS),
            _ => None,
        };
        let room = self.state().sessions.len() < MAX_ATTACHED;
        if let (true, true, Some(domains), Some(me)) = (ours, room, observed, self.me.upgrade()) {
            self.connection.listen(&event.session_id, me);
            let is_frame = kind == "iframe";
            self.state().sessions.insert(event.session_id.clone(), kind);
            let observations = observations(domains);
            let in_frames = self.pins.frames.iter().filter(|_| is_frame);
            let pins = self.pins.everywhere.iter().chain(&observations);
            for (method, params) in pins.chain(in_frames) {
                child.tell(method, params);
            }
        }
        if ours {
            child.tell("Runtime.runIfWaitingForDebugger", json!({}));
        }
        if ours && is_service_worker {
            self.keep_bodies();
        }
    }

    /// Notes an error, unless all is told.
    fn error(&self, note: impl FnOnce(&mut ErrorLog)) {
        let mut state = self.state();
        if !state.is_told {
            note(&mut state.errors);
        }
    }

    fn called(&self, call: &Called) {
        let mut state = self.state();
        if !state.is_told
            && let Some(reads) = &mut state.reads
        {
            reads.called(call);
        }
    }

    fn is_main(&self, event: &Event<'_>) -> bool {
        event.session == Some(&self.state().main_session)
    }

    fn network(&self, event: &Event<'_>, name: &str) {
        let mut state = self.state();
        if state.is_told {
            return;
        }
        let State {
            sessions,
            log,
            scripts,
            ..
        } = &mut *state;
        let target = event.session.and_then(|id| sessions.get(id));
        let asker = Asker {
            target: target.map_or("", String::as_str),
            scripts: event.session.and_then(|id| scripts.get(id)),
        };
        match name {
            "requestWillBeSent" => {
                event
                    .params()
                    .into_iter()
                    .for_each(|e| log.will_be_sent(&asker, e));
            }
            "webSocketCreated" => {
                event
                    .params()
                    .into_iter()
                    .for_each(|e| log.socket_created(&asker, e));
            }
            "responseReceived" | "webSocketHandshakeResponseReceived" => {
                event.params().into_iter().for_each(|e| log.responded(e));
            }
            "loadingFinished" => event.params().into_iter().for_each(|e| log.finished(e)),
            "loadingFailed" => event.params().into_iter().for_each(|e| log.failed(e)),
            "requestServedFromCache" => {
                let served: Option<FromMemory<'_>> = event.params();
                served
                    .into_iter()
                    .for_each(|e| log.served_from_memory(e.request_id));
            }
            _ => {}
        }
    }

    fn page(&self, event: &Event<'_>, name: &str) {
        let mut state = self.state();
        let main = event.session == Some(&state.main_session);
        match name {
            "domContentEventFired" if main => state.dom_ready = Some(Instant::now()),
            // Also when a page stops its own loading, and then there are no other events.
            "frameStoppedLoading" if main => {
                let stopped: Option<FrameEvent> = event.params();
                if stopped.is_some_and(|e| e.frame_id == state.main_frame) {
                    state.dom_ready.get_or_insert_with(Instant::now);
                }
            }
            "loadEventFired" if main => state.loaded = Some(Instant::now()),
            "frameNavigated" if main => event.params().into_iter().for_each(|e| state.navigated(e)),
            "navigatedWithinDocument" if main => {
                event.params().into_iter().for_each(|e| state.moved(e));
            }
            "frameScheduledNavigation" if main => {
                event.params().into_iter().for_each(|e| state.will_leave(e));
            }
            "windowOpen" => event
                .params()
                .into_iter()
                .for_each(|e: At| state.popups.add(&e.url)),
            "downloadWillBegin" => {
                event
                    .params()
                    .into_iter()
                    .for_each(|e: At| state.downloads.add(&e.url));
            }
            "screencastFrame" if main => {
                let frame: Option<ScreencastFrame> = event.params();
                state.screencast = frame.map(|frame| frame.data);
            }
            "javascriptDialogOpening" => {
                let Some(opened) = event.params::<Dialog>() else {
                    return;
                };
                let before = state.dialogs.count;
                state.dialogs.add(&opened.message);
                drop(state);
                let session = event.session.unwrap_or_default();
                dialog::answer(
                    &Session::attached(&self.connection, session),
                    &opened,
                    before,
                );
            }
            _ => {}
        }
    }
}

/// The calls that turn on a session's events, and attach us to what it will start.
fn observations(domains: &[&'static str]) -> Vec<(&'static str, Value)> {
    // Frames and workers wait for us, so that nothing of them is missed. Service workers and
    // shared workers belong to no page: the browser attaches us to them.
    let filter = json!([
        {"type": "service_worker", "exclude": true},
        {"type": "shared_worker", "exclude": true},
        {"type": "browser", "exclude": true},
        {},
    ]);
    let attach = json!({
        "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter,
    });
    let nothing_kept =
        json!({"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0});
    let mut calls = vec![
        ("Target.setAutoAttach", attach),
        ("Network.enable", nothing_kept),
    ];
    calls.extend(domains.iter().map(|domain| (*domain, json!({}))));
    calls
}

impl Listener for Watch {
    fn event(&self, event: &Event<'_>) {
        let Some((domain, name)) = event.name.split_once('.') else {
            return;
        };
        match (domain, name) {
            ("Network", name) => self.network(event, name),
            ("Page", name) => self.page(event, name),
            ("Runtime", "exceptionThrown") => {
                event
                    .params()
                    .into_iter()
                    .for_each(|e| self.error(|log| log.exception(e)));
            }
            ("Runtime", "consoleAPICalled") => {
                event
                    .params()
                    .into_iter()
                    .for_each(|e| self.error(|log| log.console(e)));
            }
            ("Runtime", "bindingCalled") => {
                event.params().into_iter().for_each(|e| self.called(&e));
            }
            ("Debugger", "scriptParsed") => {
                let session = event.session.unwrap_or_default();
                event
                    .params()
                    .into_iter()
                    .for_each(|e| self.state().parsed(session, e));
            }
            ("Log", "entryAdded") => {
                event
                    .params()
                    .into_iter()
                    .for_each(|e| self.error(|log| log.entry(e)));
            }
            ("Target", "attachedToTarget") => {
                event.params().into_iter().for_each(|e| self.attached(e));
            }
            ("Target", "detachedFromTarget") => {
                let gone: Option<Detached> = event.params();
                let next = gone.and_then(|gone| self.state().detached(&gone.session_id));
                next.into_iter().for_each(|event| self.attached(event));
            }
            ("Inspector", "targetCrashed") if self.is_main(event) => {
                self.crashed.send_replace(true);
            }
            _ => {}
        }
    }
}
