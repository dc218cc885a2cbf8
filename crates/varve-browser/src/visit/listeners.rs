//! Who listens to what in a page, by the browser's own account: also those that no script could
//! find.

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::cdp::{CdpError, Session};

/// One that listens.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Listener {
    /// The type of event, such as `click`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// The node that it listens on; the window is none.
    pub(super) backend_node_id: Option<i64>,
    /// Where its function stands.
    pub(super) script_id: String,
    pub(super) line_number: i64,
    pub(super) column_number: i64,
}

/// How far to look.
#[derive(Clone, Copy)]
pub(super) enum Reach {
    /// The object itself.
    Itself,
    /// All nodes below it, shadows and frames of the same process included.
    Below,
}

/// The listeners on what an object stands for.
pub(super) async fn listeners(
    session: &Session,
    object: &str,
    reach: Reach,
    by: Instant,
) -> Result<Vec<Listener>, CdpError> {
    let depth = match reach {
        Reach::Itself => 1,
        Reach::Below => -1,
    };
    let params = json!({"objectId": object, "depth": depth, "pierce": true});
    let found: Listeners = session
        .call("DOMDebugger.getEventListeners", params, by)
        .await?;
    Ok(found.listeners)
}

/// The object that an expression gives.
pub(super) async fn object_id(
    session: &Session,
    expression: &str,
    by: Instant,
) -> Result<String, CdpError> {
    let params = json!({"expression": expression, "silent": true});
    object(session, "Runtime.evaluate", params, by).await
}

/// The object that an expression gives where another one lives: in its frame, by its rights.
pub(super) async fn object_id_beside(
    session: &Session,
    other: &str,
    expression: &str,
    by: Instant,
) -> Result<String, CdpError> {
    let function = format!("function () {{ return {expression} }}");
    let params = json!({"objectId": other, "functionDeclaration": function, "silent": true});
    object(session, "Runtime.callFunctionOn", params, by).await
}

async fn object(
    session: &Session,
    method: &'static str,
    params: Value,
    by: Instant,
) -> Result<String, CdpError> {
    let evaluated: Evaluated = session.call(method, params, by).await?;
    let message = "what was to be an object is none".to_owned();
    let missing = CdpError::Refused { method, message };
    evaluated.result.object_id.ok_or(missing)
}

/// An object of the page, as the browser names it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Remote {
    pub(super) object_id: Option<String>,
}

#[derive(Deserialize)]
struct Listeners {
    listeners: Vec<Listener>,
}

#[derive(Deserialize)]
struct Evaluated {
    result: Remote,
}
