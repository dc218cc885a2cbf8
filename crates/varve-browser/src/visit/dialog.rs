//! Dialogs: `alert`, `confirm`, `prompt` and the question before leaving a page.

use serde::Deserialize;
use serde_json::json;

use crate::cdp::Session;

/// A page that opens more dialogs than this is silenced.
pub(super) const MAX_DIALOGS: u64 = 20;

#[derive(Deserialize)]
pub(super) struct Dialog {
    pub(super) message: String,
    #[serde(rename = "type")]
    kind: String,
}

/// Answers a dialog: no to everything, except that one may always leave.
pub(super) fn answer(session: &Session, dialog: &Dialog, opened_before: u64) {
    let accept = dialog.kind == "beforeunload";
    session.tell("Page.handleJavaScriptDialog", json!({"accept": accept}));
    // Scripts that wait for an answer cannot be ended. Between two dialogs they can, sooner or
    // later.
    if opened_before >= MAX_DIALOGS {
        silence(session);
    }
}

/// Ends what the page's scripts are doing, even an endless loop, and lets no more of them run.
/// Our own can still read the page.
pub(super) fn silence(session: &Session) {
    session.tell(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": true}),
    );
    session.tell("Runtime.terminateExecution", json!({}));
}
