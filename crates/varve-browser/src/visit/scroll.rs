//! Going through a page from top to end, so that it loads what it had left for later.

use serde::Deserialize;
use serde_json::json;
use tokio::time::{Duration, Instant, sleep};

use super::page::Page;
use super::quiet::wait_for_network;
use super::reacts::notices_scrolling;
use super::world::World;
use crate::cdp::CdpError;
use crate::traffic::Traffic;

const SCROLL: &str = include_str!("scripts/scroll.js");
/// Pages that grow as one goes are left after so many screens.
const MAX_SCREENS: u32 = 40;
/// How long one step may take.
const STEP: Duration = Duration::from_secs(2);
/// After a step that made the page load something: a pause in traffic to wait for, and how long.
const PAUSE: Duration = Duration::from_millis(60);
const PAUSE_PATIENCE: Duration = Duration::from_millis(1000);
/// The same at the end, where pages grow.
const END_PAUSE: Duration = Duration::from_millis(250);
const END_PATIENCE: Duration = Duration::from_millis(2000);

/// Where one is.
#[derive(Deserialize)]
struct Position {
    /// Whether the browser itself loads some things late.
    lazy: bool,
    scripts: bool,
    screens: f64,
    at_end: bool,
    height: f64,
}

/// Scrolls to the end and back to the top. Returns whether it moved at all.
pub(super) async fn scroll_through(page: &Page, traffic: &dyn Traffic) -> Result<bool, CdpError> {
    let world = World::enter(&page.session, &page.frame, Instant::now() + STEP).await?;
    let go = async |to: &str| -> Result<Position, CdpError> {
        world
            .run(SCROLL, json!({"to": to}), Instant::now() + STEP)
            .await
    };
    let start = go("nowhere").await?;
    if start.at_end || !is_worthwhile(page, &start).await {
        return Ok(false);
    }
    let mut height = start.height;
    for _ in 0..MAX_SCREENS {
        let before = traffic.activity().started;
        let position = go("next").await?;
        if traffic.activity().started != before {
            wait_for_network(page, traffic, PAUSE, Instant::now() + PAUSE_PATIENCE).await;
        }
        if position.at_end {
            sleep(PAUSE).await;
            wait_for_network(page, traffic, END_PAUSE, Instant::now() + END_PATIENCE).await;
            let position = go("nowhere").await?;
            if position.at_end && position.height <= height {
                break;
            }
            height = position.height;
        }
    }
    go("top").await?;
    Ok(true)
}

async fn is_worthwhile(page: &Page, start: &Position) -> bool {
    let notices = notices_scrolling(page, start.screens, Instant::now() + STEP);
    start.lazy || (start.scripts && notices.await)
}
