//! The function that looks at nodes with listeners, and sends them events.
//!
//! It is long, and pages may have thousands of nodes; so it is brought into a page once, and many
//! nodes are looked at in one call.

use super::super::listeners::{object_id, object_id_beside};
use super::Task;
use super::hand::Spot;
use super::listening::Listening;
use crate::cdp::{Call, CdpError, Session};
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

const HANDLER: &str = include_str!("../scripts/handler.js");
/// Elements below one that listens for many.
const MAX_BELOW: usize = 60;
/// Nodes that are looked at in one call.
const LOOKED_AT: usize = 500;

/// What our function says of a node.
#[derive(Deserialize)]
pub(super) struct Looked {
    pub(super) kinds: Vec<String>,
    pub(super) look: String,
}

/// What it says after it has run handlers.
#[derive(Deserialize)]
pub(super) struct Sent {
    pub(super) before: u32,
    /// Where a hand is to go on; what it can do was not sent.
    pub(super) place: Option<Spot>,
}

/// Our function in a frame, which is sent there once.
pub(super) struct Function<'a> {
    pub(super) session: &'a Session,
    object: String,
    /// The frame's.
    pub(super) window: String,
}

impl<'a> Function<'a> {
    /// In the frame that a session is about.
    pub(super) async fn bring(session: &'a Session, by: Instant) -> Result<Function<'a>, CdpError> {
        Ok(Function {
            session,
            object: object_id(session, &format!("({HANDLER})"), by).await?,
            window: object_id(session, "window", by).await?,
        })
    }

    /// In the frame of a node: objects of one frame know none of another.
    pub(super) async fn bring_to(
        session: &'a Session,
        node: &str,
        by: Instant,
    ) -> Result<Function<'a>, CdpError> {
        Ok(Function {
            session,
            object: object_id_beside(session, node, &format!("({HANDLER})"), by).await?,
            window: object_id_beside(session, node, "window", by).await?,
        })
    }

    /// Looks at many nodes at once; nothing where that fails.
    pub(super) async fn look(&self, nodes: &[Listening], by: Instant) -> Vec<Option<Looked>> {
        const LOOK: &str = "function (it, types, most, ...nodes) { return nodes.map((node, at) => { \
                            try { return it.call(node, types[at], 'look', most) } catch { } }) }";
        let mut looks = Vec::with_capacity(nodes.len());
        for some in nodes.chunks(LOOKED_AT) {
            let types: Vec<&[String]> = some.iter().map(|it| it.types.as_slice()).collect();
            let mut arguments = vec![
                json!({"objectId": self.object}),
                json!({"value": types}),
                json!({"value": MAX_BELOW}),
            ];
            arguments.extend(some.iter().map(|it| json!({"objectId": it.object})));
            let params = json!({
                "objectId": self.window, "functionDeclaration": LOOK, "arguments": arguments,
                "returnByValue": true, "silent": true,
            });
            let call = self.session.begin("Runtime.callFunctionOn", params);
            let seen: Option<Vec<Option<Looked>>> = returned(call, by).await;
            let mut seen = seen.unwrap_or_default();
            seen.resize_with(some.len(), || None);
            looks.append(&mut seen);
        }
        looks
    }

    /// Runs handlers of nodes, each in a turn of its own; nothing where that fails. What a hand can do
    /// is left to one, if that is wished and the node is in reach.
    pub(super) async fn run(
        session: &Session,
        tasks: &[Task<'_>],
        word: &str,
        by_hand: bool,
        by: Instant,
    ) -> Vec<Option<Sent>> {
        const RUN: &str = "function (it, types, word, most, byHand) { \
                           return it.call(this, types, word, most, byHand) }";
        let begin = |task: &Task<'_>| {
            let arguments = json!([
                {"objectId": task.function.object}, {"value": task.types}, {"value": word},
                {"value": MAX_BELOW}, {"value": by_hand},
            ]);
            let params = json!({
                "objectId": task.object, "functionDeclaration": RUN, "arguments": arguments,
                "returnByValue": true, "silent": true, "userGesture": true,
                "awaitPromise": true,
            });
            session.begin("Runtime.callFunctionOn", params)
        };
        let calls: Vec<Call> = tasks.iter().map(begin).collect();
        let mut answers = Vec::with_capacity(calls.len());
        for call in calls {
            answers.push(returned(call, by).await);
        }
        answers
    }
}

/// What a function gave.
async fn returned<T: serde::de::DeserializeOwned>(call: Call, by: Instant) -> Option<T> {
    let answer = call.answer(by).await.ok()?;
    let called: Called<T> = serde_json::from_str(answer.get()).ok()?;
    called.result.value
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
