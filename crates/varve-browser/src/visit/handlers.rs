//! Every event handler of a page once: what runs only when somebody uses the page.
//!
//! All that listen are asked of the browser, also those whom no script of ours could find. They are
//! sent events in one pass over one load, most useful ones first, as long as there is time. Meanwhile
//! the page goes nowhere and sends nothing ([`Traffic::hold`]): handlers that would change something
//! on a server are left alone, and the rest only sees the network fail. What it asks for now is not
//! part of its loading, and stands in no list.

use super::dialog::silence;
use super::listeners::{Reach, Remote, listeners, object_id};
use super::page::Page;
use super::quiet::wait_for_network;
use crate::cdp::{CdpError, Session};
use crate::traffic::Traffic;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use tokio::time::{Duration, Instant};

const HANDLER: &str = include_str!("scripts/handler.js");
/// Nodes with listeners that are asked.
const MAX_NODES: usize = 5_000;
/// Elements below one that listens for many.
const MAX_BELOW: usize = 60;
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

/// What became of a page's handlers, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Handled {
    /// How many listen.
    pub found: BTreeMap<&'static str, u32>,
    /// How many of them were run.
    pub ran: BTreeMap<&'static str, u32>,
    /// The states of the document before each node's handlers, as numbers: what those before it
    /// brought about.
    #[serde(skip)]
    pub states: Vec<u32>,
}

/// What our function says after it has run handlers.
#[derive(Deserialize)]
struct Sent {
    before: u32,
}

/// Runs them, in all frames.
pub(super) async fn run_all(page: &Page, traffic: &dyn Traffic, by: Instant) -> Handled {
    traffic.hold();
    page.watch.state().is_told = true;
    let by = by.min(Instant::now() + PATIENCE);
    let mut handled = Handled::default();
    for session in page.watch.frame_sessions() {
        // A page that cannot be asked has run what it has run.
        let _ = of_session(&session, by, &mut handled).await;
    }
    wait_for_network(page, traffic, PAUSE, by.min(Instant::now() + LAST)).await;
    handled
}

async fn of_session(session: &Session, by: Instant, handled: &mut Handled) -> Result<(), CdpError> {
    let listening = listening(session, by).await?;
    let asked = listening
        .iter()
        .map(|it| (it.object.as_str(), &it.types[..]));
    let kinds: Vec<Option<Vec<String>>> = call_all(session, asked, false, by).await;
    let mut tasks = Vec::new();
    for (it, kinds) in listening.iter().zip(kinds) {
        for (kind, types) in it.by_kind(&kinds.unwrap_or_default()) {
            *handled.found.entry(kind).or_default() += types.len() as u32;
            if let Some(rank) = RANKS.iter().position(|known| *known == kind) {
                tasks.push((rank, it.object.as_str(), types));
            }
        }
    }
    tasks.sort_by_key(|(rank, ..)| *rank);
    for some in tasks.chunks(AT_ONCE) {
        let few = by.min(Instant::now() + FEW);
        let asked = some.iter().map(|(_, object, types)| (*object, &types[..]));
        let ran: Vec<Option<Sent>> = call_all(session, asked, true, few).await;
        for ((rank, _, types), ran) in some.iter().zip(ran) {
            if let Some(sent) = ran {
                handled.states.push(sent.before);
                *handled.ran.entry(RANKS[*rank]).or_default() += types.len() as u32;
            }
        }
        if Instant::now() >= few {
            // One of them does not come back, or there is no more time.
            silence(session);
            break;
        }
    }
    Ok(())
}

/// Calls our function on objects; nothing where that fails.
async fn call_all<'a, T: serde::de::DeserializeOwned>(
    session: &Session,
    objects: impl Iterator<Item = (&'a str, &'a [String])>,
    run: bool,
    by: Instant,
) -> Vec<Option<T>> {
    let calls: Vec<_> = objects
        .map(|(object, types)| {
            let arguments = json!([{"value": types}, {"value": run}, {"value": MAX_BELOW}]);
            let params = json!({
                "objectId": object, "functionDeclaration": HANDLER, "arguments": arguments,
                "returnByValue": true, "silent": true, "userGesture": run,
            });
            session.begin("Runtime.callFunctionOn", params)
        })
        .collect();
    let mut answers = Vec::with_capacity(calls.len());
    for call in calls {
        let answer = call.answer(by).await.ok();
        let returned = answer.and_then(|it| serde_json::from_str::<Called<T>>(it.get()).ok());
        answers.push(returned.and_then(|it| it.result.value));
    }
    answers
}

/// A node, or the window, and the types of events that it listens to.
struct Listening {
    object: String,
    types: Vec<String>,
}

impl Listening {
    /// The types of each kind. The page may have changed what it says: only what we know counts.
    fn by_kind(&self, kinds: &[String]) -> BTreeMap<&'static str, Vec<String>> {
        let mut sorted: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for (kind, name) in kinds.iter().zip(&self.types) {
            if let Some(kind) = RANKS.iter().chain(LEFT).find(|known| *known == kind) {
                sorted.entry(kind).or_default().push(name.clone());
            }
        }
        sorted
    }
}

async fn listening(session: &Session, by: Instant) -> Result<Vec<Listening>, CdpError> {
    let window = object_id(session, "window", by).await?;
    let document = object_id(session, "document", by).await?;
    let own = listeners(session, &window, Reach::Itself, by).await?;
    let mut types: Vec<String> = own.into_iter().map(|it| it.kind).collect();
    types.sort_unstable();
    types.dedup();
    let mut all = vec![Listening {
        object: window,
        types,
    }];
    let mut nodes: HashMap<i64, Vec<String>> = HashMap::new();
    for it in listeners(session, &document, Reach::Below, by).await? {
        if let Some(node) = it.backend_node_id {
            let types = nodes.entry(node).or_default();
            if !types.contains(&it.kind) {
                types.push(it.kind);
            }
        }
    }
    // In the order of the document, more or less, and always the same.
    let mut nodes: Vec<_> = nodes.into_iter().collect();
    nodes.sort_by_key(|(node, _)| *node);
    nodes.truncate(MAX_NODES);
    let calls: Vec<_> = nodes
        .iter()
        .map(|(node, _)| session.begin("DOM.resolveNode", json!({"backendNodeId": node})))
        .collect();
    for (call, (_, types)) in calls.into_iter().zip(nodes) {
        let answer = call.answer(by).await.ok();
        let resolved = answer.and_then(|it| serde_json::from_str::<Resolved>(it.get()).ok());
        if let Some(object) = resolved.and_then(|it| it.object.object_id) {
            all.push(Listening { object, types });
        }
    }
    Ok(all)
}

#[derive(Deserialize)]
struct Resolved {
    object: Remote,
}

#[derive(Deserialize)]
struct Called<T> {
    result: Returned<T>,
}

#[derive(Deserialize)]
struct Returned<T> {
    #[serde(default = "none")]
    value: Option<T>,
}

fn none<T>() -> Option<T> {
    None
}
