//! Which functions of a page's scripts ran, and what of them did not, by V8's own account.
//!
//! The account is taken once: a second one would not tell functions that have run as a whole from
//! those that did not run again.
//!
//! V8 is told to keep it before anything runs, which costs next to nothing. What the scripts are is
//! asked at the end, when the debugger is turned on for a moment: it then tells all that there are,
//! with a digest of each.

mod idle;

use super::page::Page;
use crate::cdp::{CdpError, Session};
use crate::options::Detail;
pub use idle::Idle;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
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
    /// The functions that ran; the script itself first.
    pub ran: Vec<FunctionRun>,
}

/// A function that ran, in UTF-16 code units of its script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRun {
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// What of it did not run, if that was looked at.
    pub idle: Option<Idle>,
    /// When it first ran.
    pub when: When,
}

/// A time in a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// While the page was loading, before event handlers were run.
    Loading,
    /// When they were.
    Handling,
}

/// The calls after which V8 keeps account in a page, frame or worker.
pub(super) fn begin(detail: Detail) -> [(&'static str, Value); 2] {
    // A function once is enough; counts would be taken back by the optimiser.
    let precise = json!({"callCount": false, "detailed": detail == Detail::Branches});
    [
        ("Profiler.enable", json!({})),
        ("Profiler.startPreciseCoverage", precise),
    ]
}

/// Functions that had run at some time: by session, script and place.
#[derive(Default)]
pub(super) struct Already(HashSet<(String, String, u32, u32)>);

/// What ran until now. Nothing is forgotten by it, and V8 tells it as well as it can: of branches
/// nothing.
pub(super) async fn ran_already(page: &Page, by: Instant) -> Already {
    let mut already = Already::default();
    for (id, session) in &page.watch.all_sessions() {
        let call = session.call("Profiler.getBestEffortCoverage", json!({}), by);
        // What is not told here counts as what handlers ran.
        let Ok(Taken { result }) = call.await else {
            continue;
        };
        for script in &result {
            let ranges = script.functions.iter().filter_map(|it| it.ranges.first());
            for whole in ranges.filter(|range| range.count > 0) {
                let (session, script) = (id.clone(), script.script_id.clone());
                let place = (session, script, whole.start_offset, whole.end_offset);
                already.0.insert(place);
            }
        }
    }
    already
}

/// What ran, in all frames and workers that are there; V8 tells it once. If it is known what ran
/// before handlers did, the rest is what they ran.
pub(super) async fn take(
    page: &Page,
    before: Option<&Already>,
    by: Instant,
) -> Result<Vec<ScriptRun>, CdpError> {
    let mut runs = Vec::new();
    for (id, session) in &page.watch.all_sessions() {
        // One that has gone meanwhile takes its account along.
        match of_session(page, id, session, before, by).await {
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
    before: Option<&Already>,
    by: Instant,
) -> Result<Vec<ScriptRun>, CdpError> {
    tell_scripts(session, by).await?;
    let taken: Result<Taken, CdpError> = session
        .call("Profiler.takePreciseCoverage", json!({}), by)
        .await;
    session.tell("Debugger.disable", json!({}));
    let parsed = page.watch.state().scripts.get(id).cloned();
    let parsed = parsed.unwrap_or_default();
    let of = |run: Covered| {
        let script = parsed.get(&run.script_id)?;
        let when = |range: &Range| {
            let (start, end) = (range.start_offset, range.end_offset);
            let name = (id.to_owned(), run.script_id.clone(), start, end);
            match before {
                Some(before) if !before.0.contains(&name) => When::Handling,
                _ => When::Loading,
            }
        };
        Some(script.run(&run.functions, when))
    };
    Ok(taken?.result.into_iter().filter_map(of).collect())
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

    fn run(&self, functions: &[Function], when: impl Fn(&Range) -> When) -> ScriptRun {
        let ran = functions.iter().filter_map(|function| {
            let whole = function.ranges.first().filter(|whole| whole.count > 0)?;
            Some(FunctionRun {
                start: whole.start_offset,
                end: whole.end_offset,
                idle: function.idle(),
                when: when(whole),
            })
        });
        ScriptRun {
            digest: self.hash.clone(),
            url: self.url.clone(),
            length: self.length.unwrap_or(0),
            is_module: self.is_module,
            ran: ran.collect(),
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
#[serde(rename_all = "camelCase")]
struct Function {
    /// All of it, then blocks in it that ran another number of times than what is around them.
    ranges: Vec<Range>,
    #[serde(default)]
    is_block_coverage: bool,
}

impl Function {
    /// What of it did not run, if that was looked at.
    fn idle(&self) -> Option<Idle> {
        self.is_block_coverage.then(|| idle(&self.ranges))
    }
}

/// What lies in no range that ran, but for those within that did. Each range stands behind those
/// around it.
fn idle(ranges: &[Range]) -> Idle {
    let mut idle = Vec::new();
    let mut around: Vec<&Range> = Vec::new();
    let mut at = 0;
    let mut pass = |until: u32, within: &Range| {
        if within.count == 0 && at < until {
            idle.push((at.max(within.start_offset), until));
        }
        at = at.max(until);
    };
    for range in ranges {
        while let Some(inner) = around.pop_if(|inner| inner.end_offset <= range.start_offset) {
            pass(inner.end_offset, inner);
        }
        if let Some(inner) = around.last() {
            pass(range.start_offset, inner);
        }
        around.push(range);
    }
    while let Some(inner) = around.pop() {
        pass(inner.end_offset, inner);
    }
    Idle::from(idle)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Range {
    start_offset: u32,
    end_offset: u32,
    count: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_no_range_that_ran_is_idle() {
        let check = |ranges: &[(u32, u32, u64)], expected: &[(u32, u32)]| {
            let range = |(start_offset, end_offset, count): &(u32, u32, u64)| Range {
                start_offset: *start_offset,
                end_offset: *end_offset,
                count: *count,
            };
            let ranges: Vec<Range> = ranges.iter().map(range).collect();
            assert_eq!(idle(&ranges).ranges(), expected);
        };
        check(&[(0, 100, 1)], &[]);
        check(
            &[(0, 100, 1), (10, 20, 0), (30, 40, 0)],
            &[(10, 20), (30, 40)],
        );
        check(
            &[(5, 100, 1), (10, 50, 0), (20, 30, 1)],
            &[(10, 20), (30, 50)],
        );
        // Also where what is around it counts as idle.
        check(
            &[(5, 100, 0), (10, 20, 1), (12, 14, 0)],
            &[(5, 10), (12, 14), (20, 100)],
        );
        check(
            &[(0, 100, 1), (10, 60, 1), (20, 60, 0), (60, 100, 0)],
            &[(20, 100)],
        );
        // Whatever is told, it is taken for something.
        check(&[(50, 10, 0), (0, 100, 0)], &[(0, 100)]);
        check(&[], &[]);
    }
}
