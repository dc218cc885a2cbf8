//! Waiting until a page is quiet.
//!
//! A page is quiet when it has loaded, nothing is on its way to it, and its document has stopped
//! changing, all for a while. How long a while depends on the page: one without scripts does
//! nothing more by itself; one that asks for more after every pause gets longer pauses. Workers that
//! are busy are waited for. Streams
//! never end and do not count; animations never end, and only what they insert counts, and only up
//! to a limit.

use serde::Deserialize;
use serde_json::json;
use tokio::time::{Duration, Instant, sleep};

use super::dialog::MAX_DIALOGS;
use super::page::Page;
use super::world::World;
use crate::cdp::CdpError;
use crate::traffic::{Activity, Traffic};

const SETTLE: &str = include_str!("scripts/settle.js");
const STEP: Duration = Duration::from_millis(20);
/// How long nothing may happen on the network before it counts as quiet: without scripts, at
/// first, and at most.
const STATIC_WINDOW: Duration = Duration::from_millis(60);
const FIRST_WINDOW: Duration = Duration::from_millis(500);
const LAST_WINDOW: Duration = Duration::from_millis(1500);
/// The same for the document, and when to stop caring.
const DOM_WINDOW: Duration = Duration::from_millis(250);
const DOM_PATIENCE: Duration = Duration::from_millis(2000);
/// How long a worker may be busy, and how soon one that is not answers.
const WORKER_PATIENCE: Duration = Duration::from_secs(3);
const AT_ONCE: Duration = Duration::from_millis(40);
/// A response that brings nothing for so long does not hold up a page any more.
const STALL: Duration = Duration::from_secs(5);
/// How long a loaded page may remain restless.
const PATIENCE: Duration = Duration::from_secs(10);
/// A page that announces to go elsewhere is given so long to do it.
const REFRESH_PATIENCE: Duration = Duration::from_secs(5);
/// A page that goes elsewhere more often than this is going in circles.
const MAX_NAVIGATIONS: u32 = 12;

/// How the waiting ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Calm {
    Quiet,
    Restless,
    /// It navigates without end.
    Looping,
    /// It was silenced for its dialogs.
    Silenced,
}

#[derive(Deserialize)]
struct Settled {
    scripts: u32,
}

/// Waits for quiet. Restless pages take as long as there is patience; pages that never load, for
/// ever: the caller has a deadline.
pub(super) async fn wait_for_quiet(page: &Page, traffic: &dyn Traffic) -> Result<Calm, CdpError> {
    let mut window = FIRST_WINDOW;
    let mut patience_ends = None;
    loop {
        if let Some(calm) = hopeless(page) {
            return Ok(calm);
        }
        wait_until_loaded(page, traffic).await;
        let ends = *patience_ends.get_or_insert_with(|| Instant::now() + PATIENCE);
        let before = (page.watch.state().navigations, traffic.activity().started);
        let scripts = wait_for_document(page).await?;
        if scripts == 0 {
            window = STATIC_WINDOW;
        }
        let lull = wait_for_network(page, traffic, window, ends).await;
        let after = (page.watch.state().navigations, traffic.activity().started);
        if before == after && !about_to_leave(page) {
            match lull {
                // What a worker computes, the page will show.
                Lull::Idle if wait_for_workers(page, ends).await => continue,
                Lull::Idle => return Ok(Calm::Quiet),
                Lull::Stalled => return Ok(Calm::Restless),
                Lull::None => {}
            }
        }
        if Instant::now() >= ends {
            return Ok(hopeless(page).unwrap_or(Calm::Restless));
        }
        window = (window * 3 / 2).clamp(FIRST_WINDOW, LAST_WINDOW);
    }
}

/// Waits for workers that are busy; whether there were any, and are no more.
async fn wait_for_workers(page: &Page, ends: Instant) -> bool {
    let began = Instant::now();
    let by = ends.min(began + WORKER_PATIENCE);
    let asked: Vec<_> = (page.watch.worker_sessions().iter())
        .map(|worker| worker.begin("Runtime.evaluate", json!({"expression": "0"})))
        .collect();
    for call in asked {
        // One that has ended meanwhile is not busy either.
        if matches!(call.answer(by).await, Err(CdpError::Timeout { .. })) {
            return false;
        }
    }
    began.elapsed() > AT_ONCE
}

/// What became of waiting for the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Lull {
    /// Nothing is under way.
    Idle,
    /// Something is, and has not moved for long.
    Stalled,
    /// It did not come.
    None,
}

/// Waits until nothing has been under way for `window`, at most `until` then.
pub(super) async fn wait_for_network(
    page: &Page,
    traffic: &dyn Traffic,
    window: Duration,
    until: Instant,
) -> Lull {
    let begun = Instant::now();
    while Instant::now() < until && hopeless(page).is_none() {
        let activity = traffic.activity();
        let idle = activity.in_flight == 0 && activity.last_change.elapsed() >= window;
        let loaded_for = page.watch.state().loaded.unwrap_or(begun).elapsed();
        if idle && loaded_for >= window {
            return Lull::Idle;
        }
        if is_stalled(activity) {
            return Lull::Stalled;
        }
        sleep(STEP).await;
    }
    Lull::None
}

/// Waits for the load event, or for the time when it is no longer to be expected.
async fn wait_until_loaded(page: &Page, traffic: &dyn Traffic) {
    loop {
        let (loaded, dom_ready) = {
            let state = page.watch.state();
            (state.loaded.is_some(), state.dom_ready)
        };
        let activity = traffic.activity();
        // Some pages stop their own loading, and then there is no such event.
        let idle = activity.in_flight == 0 && activity.last_change.elapsed() >= LAST_WINDOW;
        let parsed = dom_ready.is_some_and(|at| at.elapsed() >= LAST_WINDOW);
        if loaded || (parsed && (idle || is_stalled(activity))) || hopeless(page).is_some() {
            return;
        }
        sleep(STEP).await;
    }
}

/// Waits until the document has stopped changing; returns how many scripts it has.
async fn wait_for_document(page: &Page) -> Result<u32, CdpError> {
    // A document that is replaced meanwhile answers with an error, or not at all.
    let by = Instant::now() + DOM_PATIENCE + DOM_WINDOW;
    let times = json!({
        "window": DOM_WINDOW.as_millis() as u64, "patience": DOM_PATIENCE.as_millis() as u64,
    });
    let settled = async {
        let world = World::enter(&page.session, &page.frame, by).await?;
        world.run::<Settled>(SETTLE, times, by).await
    };
    match settled.await {
        Ok(settled) => Ok(settled.scripts),
        Err(CdpError::Closed) => Err(CdpError::Closed),
        Err(_) => Ok(u32::MAX),
    }
}

fn is_stalled(activity: Activity) -> bool {
    activity.in_flight > 0 && activity.last_change.elapsed() >= STALL
}

/// Whether the page will go elsewhere soon. Once it does, the network tells.
fn about_to_leave(page: &Page) -> bool {
    let now = Instant::now();
    let leaves_at = page.watch.state().leaves_at;
    leaves_at.is_some_and(|at| now < at + FIRST_WINDOW && at < now + REFRESH_PATIENCE)
}

fn hopeless(page: &Page) -> Option<Calm> {
    let state = page.watch.state();
    if state.navigations > MAX_NAVIGATIONS {
        Some(Calm::Looping)
    } else if state.dialogs.count > MAX_DIALOGS {
        Some(Calm::Silenced)
    } else {
        None
    }
}
