//! Which functions of a page's scripts ran, by V8's own account.
//!
//! V8 is told to keep it before anything runs, which costs next to nothing. What the scripts are is
//! asked at the end, when the debugger is turned on for a moment: it then tells all that there are,
//! with a digest of each.

use super::page::Page;
use crate::cdp::{CdpError, Session};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use tokio::time::Instant;

/// Scripts that are told.
const MAX_SCRIPTS: usize = 5_000;

/// What ran of one script. (Some are our own: what pins the client, and reads pages.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptRun {
    /// SHA-256 of its text in UTF-8, in lower-case hexadecimal.
    pub digest: String,
    /// Where it came from; for scripts in a page, the page.
    pub url: String,
    /// Its length in UTF-16 code units.
    pub length: u32,
    /// Whether it is a module.
    pub is_module: bool,
    /// The functions that ran, in UTF-16 code units; the script itself first.
    pub ran: Vec<(u32, u32)>,
}

/// The calls after which V8 keeps account in a page, frame or worker.
pub(super) fn begin() -> [(&'static str, Value); 2] {
    // A function once is enough; counts would be taken back by the optimiser.
    let precise = json!({"callCount": false, "detailed": false});
    [
        ("Profiler.enable", json!({})),
        ("Profiler.startPreciseCoverage", precise),
    ]
}

/// What ran until now, in all frames and workers that are there.
pub(super) async fn take(page: &Page, by: Instant) -> Result<Vec<ScriptRun>, CdpError> {
    let sessions = page.watch.all_sessions();
    let mut runs = Vec::new();
    for (id, session) in &sessions {
        // One that has gone meanwhile takes its account along.
        match of_session(page, id, session, by).await {
            Ok(some) => runs.extend(some),
            Err(CdpError::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
        if runs.len() >= MAX_SCRIPTS {
            break;
        }
    }
    runs.truncate(MAX_SCRIPTS);
    Ok(runs)
}

async fn of_session(
    page: &Page,
    id: &str,
    session: &Session,
    by: Instant,
) -> Result<Vec<ScriptRun>, CdpError> {
    tell_scripts(session, by).await?;
    let taken: Result<Taken, CdpError> = session
        .call("Profiler.takePreciseCoverage", json!({}), by)
        .await;
    session.tell("Debugger.disable", json!({}));
    let parsed = page.watch.state().scripts.remove(id).unwrap_or_default();
    let runs = taken?.result.into_iter();
    let of = |run: Covered| {
        let script = parsed.get(&run.script_id)?;
        Some(script.run(&run.functions))
    };
    Ok(runs.filter_map(of).collect())
}

/// The calls after which the debugger tells all scripts that there are, and those that come.
pub(super) fn scripts_as_they_come() -> [(&'static str, Value); 2] {
    [
        // Nothing shall stop at a `debugger` statement meanwhile.
        ("Debugger.setSkipAllPauses", json!({"skip": true})),
        ("Debugger.enable", json!({"maxScriptsCacheSize": 0})),
    ]
}

/// Has the debugger tell all scripts that there are, unless it has, and those that come. It is on
/// from then on.
pub(super) async fn tell_scripts(session: &Session, by: Instant) -> Result<(), CdpError> {
    let [(skip, yes), (enable, nothing_kept)] = scripts_as_they_come();
    session.tell(skip, yes);
    // The scripts are told before the answer.
    let enabled = session.begin(enable, nothing_kept);
    enabled.answer(by).await.map(drop)
}

/// A script, as the debugger tells it.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Parsed {
    pub(super) script_id: String,
    url: String,
    hash: String,
    length: Option<u32>,
    #[serde(default)]
    is_module: bool,
}

/// The scripts of one session, by their names there.
pub(super) type Scripts = HashMap<String, Parsed>;

impl Parsed {
    /// A digest of its text.
    pub(super) fn hash(&self) -> &str {
        &self.hash
    }

    fn run(&self, functions: &[Function]) -> ScriptRun {
        let ranges = functions.iter().flat_map(|function| &function.ranges);
        let ran = ranges.filter(|range| range.count > 0);
        ScriptRun {
            digest: self.hash.clone(),
            url: self.url.clone(),
            length: self.length.unwrap_or(0),
            is_module: self.is_module,
            ran: ran
                .map(|range| (range.start_offset, range.end_offset))
                .collect(),
        }
    }
}

#[derive(Deserialize)]
struct Taken {
    result: Vec<Covered>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Covered {
    script_id: String,
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    ranges: Vec<Range>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Range {
    start_offset: u32,
    end_offset: u32,
    count: u64,
}
