//! Chance that can be repeated: what random numbers a page gets follows from its address, so that
//! a replay can give it the same ones, and its scripts ask for the same things again.
//!
//! Workers are left out: Chromium dies of scripts in a worker that has not begun.

use serde_json::{Value, json};

use crate::options::VisitOptions;

const SCRIPT: &str = include_str!("scripts/chance.js");

/// The call that runs the script in every document of a session, before the document's own.
///
/// A visitor who is somebody has secrets to make up: then only `Math.random` is foreseeable.
pub(super) fn repeatable(options: &VisitOptions) -> (&'static str, Value) {
    let anonymous = options.cookies.is_empty() && options.storage.is_empty();
    let source = format!("{SCRIPT}({anonymous})");
    (
        "Page.addScriptToEvaluateOnNewDocument",
        json!({"source": source}),
    )
}
