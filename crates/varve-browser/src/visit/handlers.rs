//! Every event handler of a page once: what runs only when somebody uses the page.
//!
//! All that listen are asked of the browser, also those whom no script of ours could find. They are
//! sent events in one pass over one load, most useful ones first, as long as there is time; the first
//! ones that can be seen get real hovers and clicks. Meanwhile the page goes nowhere and sends nothing
//! ([`Traffic::hold`]): handlers that would change something on a server are left alone, and the rest
//! only sees the network fail. What it asks for now is not part of its loading, and stands in no list.
//!
//! To learn, handlers that are the same and look the same as others need not be run again, on this
//! page or the next ([`Running::New`]); where little is to be learned, only code that is new is run
//! ([`Running::NewCode`]). To compare two replays, all are.

mod function;
mod hand;
mod known;
mod listening;

use super::coverage::{Scripts, tell_scripts};
use super::dialog::silence;
use super::page::Page;
use super::quiet::wait_for_network;
use crate::cdp::Session;
use crate::traffic::Traffic;
use function::{Function, Looked, Sent};
pub use known::KnownHandlers;
use known::{HandlerName, Place};
use listening::{Frame, Listening, Search};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::time::{Duration, Instant};

/// Calls on the way at once.
const AT_ONCE: usize = 32;
/// Nodes that get real input, which takes longer: the first ones, which are the most useful.
const BY_HAND: usize = 16;
/// How long all handlers may take, and a few of them. To learn, it is as long as the page took to
/// be there, within bounds.
const PATIENCE: Duration = Duration::from_secs(6);
const LEAST_PATIENCE: Duration = Duration::from_millis(2500);
const FEW: Duration = Duration::from_secs(2);
/// What they ask for may take a little while.
const PAUSE: Duration = Duration::from_millis(100);
const LAST: Duration = Duration::from_millis(1500);

/// Kinds of handlers, most useful first.
const RANKS: &[&str] = &[
    "menu",
    "tab",
    "carousel",
    "accordion",
    "dropdown",
    "lightbox",
    "control",
    "form",
    "key",
    "hover",
    "touch",
    "other",
    "scroll",
];
/// Kinds that are not run: what the browser itself tells a page, and what is for a server.
const LEFT: &[&str] = &["life", "transaction"];

/// Which handlers are run.
#[derive(Clone, Debug)]
pub enum Running {
    /// All.
    All,
    /// Those that are not known; from then on they are.
    New(Arc<KnownHandlers>),
    /// Those of them whose code is new, whatever their nodes look like.
    NewCode(Arc<KnownHandlers>),
    /// All, and what each brings about is told.
    Compared,
}

impl Running {
    fn wants(&self, handler: HandlerName) -> bool {
        match self {
            Running::New(known) => known.is_wanted(handler),
            Running::NewCode(known) => known.is_wanted_for_its_code(handler),
            Running::All | Running::Compared => true,
        }
    }

    /// Whether a handler may be run, as far as can be told without a look at its node; one whose
    /// place is not known may be anything.
    fn may_want(&self, place: Option<Place>, kind: &str) -> bool {
        match self {
            Running::NewCode(known) => place.is_some_and(|place| known.is_new(place, kind)),
            Running::All | Running::New(_) | Running::Compared => true,
        }
    }

    fn take_back(&self, handlers: impl Iterator<Item = HandlerName>) {
        if let Running::New(known) = self {
            handlers.for_each(|handler| known.take_back(handler));
        }
    }
}

/// What became of a page's handlers, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Handled {
    /// How many listen.
    pub found: BTreeMap<&'static str, u32>,
    /// How many of them were run.
    pub ran: BTreeMap<&'static str, u32>,
    /// How many were not, since others had been that are the same and look the same.
    pub alike: BTreeMap<&'static str, u32>,
    /// The states of the document before each node's handlers, as numbers: what those before it
    /// brought about. Only to compare.
    #[serde(skip)]
    pub states: Vec<u32>,
}

/// Handlers of a node that are to be run, of one kind.
struct Task<'a> {
    rank: usize,
    function: &'a Function<'a>,
    object: &'a str,
    types: Vec<String>,
    names: Vec<HandlerName>,
}

/// Runs them, in all frames. Before the first one `about_to` happens; if there is none, nothing does.
pub(super) async fn run_all(
    page: &Page,
    traffic: &dyn Traffic,
    running: &Running,
    loaded_in: Duration,
    by: Instant,
    about_to: impl AsyncFnOnce(),
) -> Handled {
    let patience = match running {
        Running::New(_) | Running::NewCode(_) => loaded_in.clamp(LEAST_PATIENCE, PATIENCE),
        Running::All | Running::Compared => PATIENCE,
    };
    let by = by.min(Instant::now() + patience);
    let mut handled = Handled::default();
    let sessions = page.watch.frame_sessions();
    let mut found = Vec::with_capacity(sessions.len());
    for (id, session) in &sessions {
        let scripts = match running {
            Running::New(_) | Running::NewCode(_) => scripts(page, id, session, by).await,
            Running::All | Running::Compared => Scripts::new(),
        };
        let search = Search {
            session,
            scripts,
            running,
            by,
        };
        // A page that cannot be asked has run what it has run.
        let Ok(frames) = search.frames().await else {
            continue;
        };
        let pass = Pass {
            session,
            mouse: &page.session,
            running,
            by,
        };
        found.push((pass, frames));
    }
    let mut work = Vec::with_capacity(found.len());
    for (pass, frames) in &found {
        work.push((pass, pass.all_tasks(frames, &mut handled).await));
    }
    if work.iter().all(|(_, tasks)| tasks.is_empty()) {
        return handled;
    }
    traffic.hold();
    page.watch.state().is_told = true;
    about_to().await;
    for (pass, tasks) in &work {
        pass.work_off(tasks, &mut handled).await;
    }
    hand::withdraw(&page.session);
    // What none was run for has nothing more to bring about.
    if !handled.ran.is_empty() {
        wait_for_network(page, traffic, PAUSE, by.min(Instant::now() + LAST)).await;
    }
    handled
}

/// The scripts of a frame, if they can be told.
async fn scripts(page: &Page, id: &str, session: &Session, by: Instant) -> Scripts {
    if tell_scripts(session, by).await.is_err() {
        return Scripts::new();
    }
    let state = page.watch.state();
    state.scripts.get(id).cloned().unwrap_or_default()
}

/// The way through the handlers of a frame, and of those in it that share its process.
struct Pass<'a> {
    session: &'a Session,
    /// Where real input goes.
    mouse: &'a Session,
    running: &'a Running,
    by: Instant,
}

impl Pass<'_> {
    /// What is to be run, the most useful first.
    async fn all_tasks<'n>(&self, frames: &'n [Frame<'n>], handled: &mut Handled) -> Vec<Task<'n>> {
        let mut tasks = Vec::new();
        for Frame { function, nodes } in frames {
            let looked = function.look(nodes, self.by).await;
            for (node, looked) in nodes.iter().zip(looked) {
                if let Some(looked) = looked {
                    tasks.extend(self.tasks(function, node, &looked, handled));
                }
            }
        }
        tasks.sort_by_key(|task| task.rank);
        tasks
    }

    /// What is to be run of a node's handlers.
    fn tasks<'n>(
        &self,
        function: &'n Function<'n>,
        it: &'n Listening,
        looked: &Looked,
        handled: &mut Handled,
    ) -> Vec<Task<'n>> {
        let mut tasks: BTreeMap<usize, Task<'n>> = BTreeMap::new();
        // The page may have changed what it says: only what we know counts.
        for ((kind, name), place) in looked.kinds.iter().zip(&it.types).zip(&it.places) {
            let Some(kind) = RANKS.iter().chain(LEFT).find(|known| *known == kind) else {
                continue;
            };
            *handled.found.entry(kind).or_default() += 1;
            let Some(rank) = RANKS.iter().position(|known| known == kind) else {
                continue;
            };
            let handler = place.map(|place| HandlerName::new(place, name, &looked.look));
            let is_wanted = match handler {
                Some(handler) => self.running.wants(handler),
                None => self.running.may_want(None, name),
            };
            if !is_wanted {
                *handled.alike.entry(kind).or_default() += 1;
                continue;
            }
            let task = tasks.entry(rank).or_insert_with(|| Task {
                rank,
                function,
                object: &it.object,
                types: Vec::new(),
                names: Vec::new(),
            });
            task.types.push(name.clone());
            task.names.extend(handler);
        }
        tasks.into_values().collect()
    }

    /// Runs handlers as long as there is time: the first ones by hand, each alone, the others a few at
    /// once.
    async fn work_off(&self, tasks: &[Task<'_>], handled: &mut Handled) {
        // What one brings about in a moment is there before the next one is run.
        let (word, at_once) = match self.running {
            Running::Compared => ("compare", 1),
            _ => ("run", AT_ONCE),
        };
        let mut hands = BY_HAND;
        let mut left = tasks;
        while let Some(first) = left.first() {
            let takes_hand = |task: &Task<'_>| hands > 0 && hand::has_to_do(&task.types);
            let by_hand = takes_hand(first);
            let together = left.iter().take(at_once);
            let together = together.take_while(|task| !takes_hand(task)).count();
            let (some, rest) = left.split_at(together.max(1));
            hands -= usize::from(by_hand);
            left = rest;
            let few = self.by.min(Instant::now() + FEW);
            let ran = Function::run(self.session, some, word, by_hand, few).await;
            for (task, ran) in some.iter().zip(ran) {
                self.done(task, ran, few, handled).await;
            }
            if Instant::now() >= few {
                // One of them does not come back, or there is no more time.
                silence(self.session);
                break;
            }
        }
        for task in left {
            self.running.take_back(task.names.iter().copied());
        }
    }

    /// Takes down what came of a task, and does what is left of it by hand.
    async fn done(&self, task: &Task<'_>, ran: Option<Sent>, by: Instant, handled: &mut Handled) {
        let Some(sent) = ran else {
            self.running.take_back(task.names.iter().copied());
            return;
        };
        if let Some(spot) = sent.place {
            // If it does not come back the page is busy with what it was to do.
            let _ = spot.touch(self.mouse, by).await;
        }
        handled.states.push(sent.before);
        *handled.ran.entry(RANKS[task.rank]).or_default() += task.types.len() as u32;
    }
}
