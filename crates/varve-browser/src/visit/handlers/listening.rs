//! Who listens in a page, by frame: objects of one frame know none of another.

use super::super::coverage::Scripts;
use super::super::listeners::{Listener, Reach, Remote, listeners, object_id};
use super::Running;
use super::function::Function;
use super::known::Place;
use crate::cdp::{CdpError, Session};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use tokio::time::Instant;

/// Nodes with listeners that are asked.
const MAX_NODES: usize = 5_000;

/// A frame, and who listens in it.
pub(super) struct Frame<'a> {
    pub(super) function: Function<'a>,
    pub(super) nodes: Vec<Listening>,
}

/// Looks around in a frame, and in those in it that share its process.
pub(super) struct Search<'a> {
    pub(super) session: &'a Session,
    /// The scripts of these frames.
    pub(super) scripts: Scripts,
    pub(super) running: &'a Running,
    pub(super) by: Instant,
}

impl<'a> Search<'a> {
    /// All that listen, by frame; the session's own is the first.
    pub(super) async fn frames(&self) -> Result<Vec<Frame<'a>>, CdpError> {
        let own = Function::bring(self.session, self.by).await?;
        let mut frames = vec![self.frame(own).await?];
        for node in self.nodes().await? {
            let is_of =
                |frame: &Frame<'_>| context(&frame.function.window) == context(&node.object);
            if let Some(frame) = frames.iter_mut().find(|frame| is_of(frame)) {
                frame.nodes.push(node);
                continue;
            }
            // It may be gone by now.
            if let Ok(mut frame) = self.frame_of(&node).await {
                frame.nodes.push(node);
                frames.push(frame);
            }
        }
        Ok(frames)
    }

    async fn frame_of(&self, node: &Listening) -> Result<Frame<'a>, CdpError> {
        let function = Function::bring_to(self.session, &node.object, self.by).await?;
        self.frame(function).await
    }

    /// A frame with its window.
    async fn frame<'f>(&self, function: Function<'f>) -> Result<Frame<'f>, CdpError> {
        let mut window = Listening::new(function.window.clone());
        for it in listeners(self.session, &window.object, Reach::Itself, self.by).await? {
            window.add(&it, &self.scripts);
        }
        let nodes = vec![window];
        Ok(Frame { function, nodes })
    }

    /// The nodes that listen and may have something to be run, in the order of the document, more or less, and always the same.
    async fn nodes(&self) -> Result<Vec<Listening>, CdpError> {
        let (session, by) = (self.session, self.by);
        let may_be_run = |it: &Listening| {
            let mut handlers = it.types.iter().zip(&it.places);
            handlers.any(|(kind, place)| self.running.may_want(*place, kind))
        };
        let document = object_id(session, "document", by).await?;
        let mut nodes: BTreeMap<i64, Listening> = BTreeMap::new();
        for it in listeners(session, &document, Reach::Below, by).await? {
            if let Some(node) = it.backend_node_id {
                nodes.entry(node).or_default().add(&it, &self.scripts);
            }
        }
        nodes.retain(|_, it| may_be_run(it));
        let resolve = |node: &i64| session.begin("DOM.resolveNode", json!({"backendNodeId": node}));
        let calls: Vec<_> = nodes.keys().take(MAX_NODES).map(resolve).collect();
        let mut all = Vec::with_capacity(calls.len());
        for (call, listening) in calls.into_iter().zip(nodes.into_values()) {
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

/// What objects of one frame have in common in their names.
fn context(object: &str) -> &str {
    object.rsplit_once('.').map_or("", |(context, _)| context)
}

/// A node, or the window, and the types of events that it listens to, with the places of those who
/// listen.
#[derive(Default)]
pub(super) struct Listening {
    pub(super) object: String,
    pub(super) types: Vec<String>,
    /// None for a type if one of them is not known.
    pub(super) places: Vec<Option<Place>>,
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
