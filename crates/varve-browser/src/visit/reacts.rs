//! Whether a page would notice being scrolled.
//!
//! Going through a page costs as much as drawing every screen of it, about 10 ms each. Most pages
//! do nothing about it. Those that do listen to scrolling, or observe what comes into view, or have
//! pictures that the browser itself loads late; all of that can be asked for.

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::listeners::{Reach, listeners, object_id};
use super::page::Page;
use crate::cdp::{CdpError, Session};

/// Events that tell of scrolling.
const SCROLL_EVENTS: &[&str] = &["scroll", "scrollend", "wheel", "mousewheel", "touchmove"];
/// What scripts must name to see what comes into view.
const OBSERVER: &str = "IntersectionObserver";
/// To ask costs as much as so many screens: shorter pages are just scrolled.
const SHORT: f64 = 3.0;
/// A page with more scripts than this is not asked.
const MAX_SCRIPTS: usize = 100;

/// Whether the page's scripts would notice. When in doubt, yes.
pub(super) async fn notices_scrolling(page: &Page, screens: f64, by: Instant) -> bool {
    screens <= SHORT
        || listens_to_scrolling(&page.session, by)
            .await
            .unwrap_or(true)
        || names_observers(page, by).await.unwrap_or(true)
}

async fn listens_to_scrolling(session: &Session, by: Instant) -> Result<bool, CdpError> {
    for (object, reach) in [("window", Reach::Itself), ("document", Reach::Below)] {
        let object = object_id(session, object, by).await?;
        let found = listeners(session, &object, reach, by).await?;
        if found
            .iter()
            .any(|it| SCROLL_EVENTS.contains(&it.kind.as_str()))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the document or one of its scripts has the word. (To look for the observers themselves
/// would take a garbage collection.)
async fn names_observers(page: &Page, by: Instant) -> Result<bool, CdpError> {
    let resources = page.watch.state().log.sources(&page.frame);
    if resources.len() > MAX_SCRIPTS {
        return Ok(true);
    }
    for url in resources {
        let params = json!({"frameId": page.frame, "url": url, "query": OBSERVER});
        let found: Matches = page
            .session
            .call("Page.searchInResource", params, by)
            .await?;
        if !found.result.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

#[derive(Deserialize)]
struct Matches {
    result: Vec<serde::de::IgnoredAny>,
}
