//! What was heard of a page so far, and the parameters of the events it comes from.

use std::collections::{HashMap, VecDeque};

use serde::Deserialize;
use tokio::time::{Duration, Instant};

use super::Tally;
use super::coverage::{Parsed, Scripts};
use super::errors::ErrorLog;
use super::log::{RequestLog, clip_url};
use super::reads::ReadLog;

/// Scripts that are remembered of a session.
const MAX_SCRIPTS: usize = 20_000;

/// What was heard.
#[derive(Default)]
pub(super) struct State {
    /// The sessions of the visit with the kind of what they are attached to.
    pub(super) sessions: HashMap<String, String>,
    /// Workers that are not allowed to run yet.
    waiting: VecDeque<Attached>,
    pub(super) main_session: String,
    pub(super) main_frame: String,
    pub(super) log: RequestLog,
    pub(super) errors: ErrorLog,
    pub(super) dialogs: Tally,
    pub(super) popups: Tally,
    pub(super) downloads: Tally,
    /// Documents that the main frame has shown.
    pub(super) navigations: u32,
    /// The request that brought the last of them, and its URL.
    pub(super) loader: String,
    pub(super) url: String,
    pub(super) dom_ready: Option<Instant>,
    pub(super) loaded: Option<Instant>,
    /// The last frame of a screencast, in base64.
    pub(super) screencast: Option<String>,
    /// Whether all is told: what happens from now on is not the page's own doing.
    pub(super) is_told: bool,
    /// The scripts of each session, while the debugger is on.
    pub(super) scripts: HashMap<String, Scripts>,
    /// What scripts read, if that is watched.
    pub(super) reads: Option<ReadLog>,
    /// When the page has announced to go elsewhere by itself.
    pub(super) leaves_at: Option<Instant>,
}

impl State {
    /// Who may run now: everybody, except a worker beside too many others.
    pub(super) fn take_turn(
        &mut self,
        event: Attached,
        most: usize,
        waiting: usize,
    ) -> Option<Attached> {
        let workers = self.sessions.values().filter(|kind| *kind == "worker");
        if event.target_info.kind != "worker" || workers.count() < most {
            return Some(event);
        }
        if self.waiting.len() < waiting {
            self.waiting.push_back(event);
        }
        None
    }

    /// Forgets a session; the worker whose turn it is now.
    pub(super) fn detached(&mut self, session: &str) -> Option<Attached> {
        self.waiting.retain(|event| event.session_id != session);
        let gone = self.sessions.remove(session)?;
        (gone == "worker").then(|| self.waiting.pop_front())?
    }

    pub(super) fn parsed(&mut self, session: &str, script: Parsed) {
        let scripts = self.scripts.entry(session.to_owned()).or_default();
        if scripts.len() < MAX_SCRIPTS {
            scripts.insert(script.script_id.clone(), script);
        }
    }

    pub(super) fn navigated(&mut self, event: Navigated) {
        let frame = event.frame;
        if frame.parent_id.is_some() || frame.loader_id == self.loader {
            return;
        }
        self.navigations += 1;
        self.url = clip_url(&(frame.url + frame.url_fragment.as_deref().unwrap_or_default()));
        self.loader = frame.loader_id;
        (self.dom_ready, self.loaded, self.leaves_at) = (None, None, None);
    }

    pub(super) fn moved(&mut self, event: Moved) {
        if event.frame_id == self.main_frame {
            self.url = clip_url(&event.url);
        }
    }

    pub(super) fn will_leave(&mut self, event: Scheduled) {
        if event.frame_id == self.main_frame && event.delay.is_finite() && event.delay < 1e6 {
            let delay = Duration::from_secs_f64(event.delay.max(0.0));
            self.leaves_at = Some(Instant::now() + delay);
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Attached {
    pub(super) session_id: String,
    pub(super) target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetInfo {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) browser_context_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Detached {
    pub(super) session_id: String,
}

#[derive(Deserialize)]
pub(super) struct Navigated {
    pub(super) frame: NavigatedFrame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NavigatedFrame {
    pub(super) parent_id: Option<String>,
    pub(super) loader_id: String,
    pub(super) url: String,
    pub(super) url_fragment: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Moved {
    pub(super) frame_id: String,
    pub(super) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Scheduled {
    pub(super) frame_id: String,
    pub(super) delay: f64,
}

#[derive(Deserialize)]
pub(super) struct At {
    pub(super) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameEvent {
    pub(super) frame_id: String,
}

#[derive(Deserialize)]
pub(super) struct ScreencastFrame {
    pub(super) data: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attached(session: &str, kind: &str) -> Attached {
        Attached {
            session_id: session.to_owned(),
            target_info: TargetInfo {
                kind: kind.to_owned(),
                browser_context_id: None,
            },
        }
    }

    /// Who runs after somebody was attached.
    fn arrive(state: &mut State, session: &str, kind: &str) -> bool {
        let turn = state.take_turn(attached(session, kind), 2, 1);
        if turn.is_some() {
            state.sessions.insert(session.to_owned(), kind.to_owned());
        }
        turn.is_some()
    }

    #[test]
    fn workers_wait_for_their_turn() {
        let mut state = State::default();
        assert!(arrive(&mut state, "a", "worker"));
        assert!(arrive(&mut state, "b", "worker"));
        assert!(!arrive(&mut state, "c", "worker"), "two run already");
        assert!(!arrive(&mut state, "d", "worker"), "one waits already");
        assert!(arrive(&mut state, "e", "iframe"), "frames do not wait");
        assert!(state.detached("e").is_none(), "it was no worker");
        let next = state.detached("a").map(|event| event.session_id);
        assert_eq!(next.as_deref(), Some("c"));
        assert!(state.detached("b").is_none(), "nobody waits any more");
    }
}
