//! Every event handler of a page once: what runs only when somebody uses the page.
//!
//! All that listen are asked of the browser, also those whom no script of ours could find. They are
//! sent events in one pass over one load, most useful ones first, as long as there is time. Meanwhile
//! the page goes nowhere and sends nothing ([`Traffic::hold`]): handlers that would change something
//! on a server are left alone, and the rest only sees the network fail. What it asks for now is not
//! part of its loading, and stands in no list.
//!
//! To learn, handlers that are the same and look the same as others need not be run again, on this
//! page or the next ([`Running::New`]). To compare two replays, all are.

mod function;
mod known;

use super::coverage::{Scripts, tell_scripts};
use super::dialog::silence;
use super::listeners::{Listener, Reach, Remote, listeners, object_id};
use super::page::Page;
use super::quiet::wait_for_network;
use crate::cdp::{CdpError, Session};
use crate::traffic::Traffic;
use function::{Function, Looked};
pub use known::KnownHandlers;
use known::{HandlerName, Place};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tokio::time::{Duration, Instant};

/// Nodes with listeners that are asked.
const MAX_NODES: usize = 5_000;
/// Calls on the way at once.
const AT_ONCE: usize = 32;
/// How long all handlers may take, and a few of them.
const PATIENCE: Duration = Duration::from_secs(6);
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
    /// All, and what each brings about is told.
    Compared,
}

impl Running {
    fn wants(&self, handler: HandlerName) -> bool {
        match self {
            Running::New(known) => known.is_wanted(handler),
            Running::All | Running::Compared => true,
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
    object: &'a str,
    types: Vec<String>,
    names: Vec<HandlerName>,
}

/// Runs them, in all frames.
pub(super) async fn run_all(
    page: &Page,
    traffic: &dyn Traffic,
    running: &Running,
    by: Instant,
) -> Handled {
    traffic.hold();
    page.watch.state().is_told = true;
    let by = by.min(Instant::now() + PATIENCE);
    let mut handled = Handled::default();
    for (id, session) in page.watch.frame_sessions() {
        let scripts = match running {
            Running::New(_) => scripts(page, &id, &session, by).await,
            _ => Scripts::new(),
        };
        // A page that cannot be asked has run what it has run.
        let Ok(function) = Function::bring(&session, by).await else {
            continue;
        };
        let pass = Pass {
            function,
            running,
            scripts,
            by,
        };
        let _ = pass.run(&mut handled).await;
    }
    wait_for_network(page, traffic, PAUSE, by.min(Instant::now() + LAST)).await;
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

/// The way through the handlers of one frame.
struct Pass<'a> {
    function: Function<'a>,
    running: &'a Running,
    scripts: Scripts,
    by: Instant,
}

impl Pass<'_> {
    async fn run(&self, handled: &mut Handled) -> Result<(), CdpError> {
        let listening = self.listening().await?;
        let looked = self.function.look(&listening, self.by).await;
        let mut tasks = Vec::new();
        for (it, looked) in listening.iter().zip(looked) {
            if let Some(looked) = looked {
                tasks.extend(self.tasks(it, &looked, handled));
            }
        }
        tasks.sort_by_key(|task| task.rank);
        self.work_off(&tasks, handled).await;
        Ok(())
    }

    /// What is to be run of a node's handlers.
    fn tasks<'n>(
        &self,
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
            if !handler.is_none_or(|handler| self.running.wants(handler)) {
                *handled.alike.entry(kind).or_default() += 1;
                continue;
            }
            let task = tasks.entry(rank).or_insert_with(|| Task {
                rank,
                object: &it.object,
                types: Vec::new(),
                names: Vec::new(),
            });
            task.types.push(name.clone());
            task.names.extend(handler);
        }
        tasks.into_values().collect()
    }

    /// Runs handlers, a few at once, as long as there is time.
    async fn work_off(&self, tasks: &[Task<'_>], handled: &mut Handled) {
        // What one brings about in a moment is there before the next one is run.
        let (word, at_once) = match self.running {
            Running::Compared => ("compare", 1),
            _ => ("run", AT_ONCE),
        };
        let mut done = 0;
        for some in tasks.chunks(at_once) {
            let few = self.by.min(Instant::now() + FEW);
            let ran = self.function.run(some, word, few).await;
            for (task, ran) in some.iter().zip(ran) {
                match ran {
                    Some(sent) => {
                        handled.states.push(sent.before);
                        *handled.ran.entry(RANKS[task.rank]).or_default() +=
                            task.types.len() as u32;
                    }
                    None => self.running.take_back(task.names.iter().copied()),
                }
            }
            done += some.len();
            if Instant::now() >= few {
                // One of them does not come back, or there is no more time.
                silence(self.function.session);
                break;
            }
        }
        for task in &tasks[done..] {
            self.running.take_back(task.names.iter().copied());
        }
    }

    async fn listening(&self) -> Result<Vec<Listening>, CdpError> {
        let (session, by) = (self.function.session, self.by);
        let window = self.function.window.clone();
        let document = object_id(session, "document", by).await?;
        let mut all = vec![Listening::new(window)];
        for it in listeners(session, &all[0].object, Reach::Itself, by).await? {
            all[0].add(&it, &self.scripts);
        }
        let mut nodes: HashMap<i64, Listening> = HashMap::new();
        for it in listeners(session, &document, Reach::Below, by).await? {
            if let Some(node) = it.backend_node_id {
                let listening = nodes.entry(node).or_default();
                listening.add(&it, &self.scripts);
            }
        }
        // In the order of the document, more or less, and always the same.
        let mut nodes: Vec<_> = nodes.into_iter().collect();
        nodes.sort_by_key(|(node, _)| *node);
        nodes.truncate(MAX_NODES);
        let resolve = |(node, _): &(i64, Listening)| {
            session.begin("DOM.resolveNode", json!({"backendNodeId": node}))
        };
        let calls: Vec<_> = nodes.iter().map(resolve).collect();
        for (call, (_, listening)) in calls.into_iter().zip(nodes) {
            let answer = call.answer(by).await.ok();
            let resolved = answer.and_then(|it| serde_json::from_str::<Resolved>(it.get()).ok());
            if let Some(object) = resolved.and_then(|it| it.object.object_id) {
                all.push(Listening {
                    object,
                    ..listening
                });
            }
        }
        Ok(all)
    }
}

/// A node, or the window, and the types of events that it listens to, with the places of those who
/// listen.
#[derive(Default)]
struct Listening {
    object: String,
    types: Vec<String>,
    /// None for a type if one of them is not known.
    places: Vec<Option<Place>>,
}

impl Listening {
    fn new(object: String) -> Listening {
        Listening {
            object,
            ..Listening::default()
        }
    }

    fn add(&mut self, listener: &Listener, scripts: &Scripts) {
        let place = Place::of(listener, scripts);
        match self.types.iter().position(|kind| *kind == listener.kind) {
            Some(at) => {
                let both = self.places[at].zip(place);
                self.places[at] = both.map(|(one, other)| one.and(other));
            }
            None => {
                self.types.push(listener.kind.clone());
                self.places.push(place);
            }
        }
    }
}

#[derive(Deserialize)]
struct Resolved {
    object: Remote,
}
