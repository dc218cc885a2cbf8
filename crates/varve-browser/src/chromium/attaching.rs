//! Being told of what belongs to no page in particular: service workers and shared workers. Whoever
//! has their context takes care of them.

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::cdp::{CdpError, Connection, Session};

/// Has the browser attach us to all of these that start.
pub(super) async fn attach_to_shared_workers(
    connection: &Connection,
    by: Instant,
) -> Result<(), CdpError> {
    let browser = Session::browser(connection);
    // One that waits never gets hold of its page.
    attach(&browser, "service_worker", false, by).await?;
    // These wait for us, so that nothing of them is missed. A session has one way for all.
    let other: Opened = browser
        .call("Target.attachToBrowserTarget", json!({}), by)
        .await?;
    connection.listen_as_browser(&other.session_id);
    let other = Session::attached(connection, &other.session_id);
    attach(&other, "shared_worker", true, by).await
}

async fn attach(session: &Session, kind: &str, waits: bool, by: Instant) -> Result<(), CdpError> {
    let params = json!({
        "autoAttach": true, "waitForDebuggerOnStart": waits, "flatten": true, "filter": [{"type": kind}],
    });
    let call = session.begin("Target.setAutoAttach", params);
    call.answer(by).await.map(drop)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Opened {
    session_id: String,
}
