//! Pictures of a page.
//!
//! The whole page as PNG: it keeps every pixel, so that captures and replays can be compared
//! exactly, and it is what other archives have under `urn:view:`. The thumbnail is the first frame
//! of a screencast, a JPEG that Chromium scales without the page noticing. For the whole page
//! Chromium changes the page's size for a moment; meanwhile no scripts run, so that none react. (Its
//! style sheets may: a picture for small windows may be requested that was not before.)

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Duration, Instant, sleep};

use super::Area;
use super::page::Page;
use super::world::World;
use crate::cdp::CdpError;
use crate::client::Client;
use crate::pins::{Drawn, METRICS};

/// Chromium cannot draw more device pixels than this in one direction.
const MAX_PIXELS: f64 = 16_000.0;
/// A page that never stops drawing may never hold still for a picture.
const PATIENCE: Duration = Duration::from_secs(8);
const THUMBNAIL: u32 = 320;
const STILL: &str = include_str!("scripts/still.js");
const HOLDING: Duration = Duration::from_secs(1);
const STEP: Duration = Duration::from_millis(10);
/// Places where a page moves that are told.
const MAX_MOVING: usize = 200;

/// Pictures of a page.
pub(super) struct Shot {
    pub(super) whole: Vec<u8>,
    /// Missing if the page draws nothing any more.
    pub(super) thumbnail: Option<Vec<u8>>,
    /// Whether the page is longer than its picture.
    pub(super) cut: bool,
    /// Where it would look different at another moment.
    pub(super) moving: Vec<Area>,
}

/// Takes them.
pub(super) async fn take(page: &Page, client: &Client, by: Instant) -> Result<Shot, CdpError> {
    let by = by.min(Instant::now() + PATIENCE);
    // Pages are drawn without it as well.
    let moving = hold_still(page, by).await.unwrap_or_default();
    let metrics = client.metrics(Drawn::Whole);
    page.session.begin(METRICS, metrics).answer(by).await?;
    script_execution(page, false);
    let shot = whole(page, client, by).await;
    script_execution(page, true);
    let (whole, cut) = shot?;
    // Not before: the first frame would be the last that was drawn small.
    let thumbnail = thumbnail(page, by).await.ok();
    Ok(Shot {
        whole,
        thumbnail,
        cut,
        moving,
    })
}

/// Has the page hold still, so that pictures do not depend on the moment; where they do all the
/// same.
async fn hold_still(page: &Page, by: Instant) -> Result<Vec<Area>, CdpError> {
    let by = by.min(Instant::now() + HOLDING);
    let world = World::enter(&page.session, &page.frame, by).await?;
    world.run(STILL, json!({"most": MAX_MOVING}), by).await
}

async fn whole(page: &Page, client: &Client, by: Instant) -> Result<(Vec<u8>, bool), CdpError> {
    const METHOD: &str = "Page.captureScreenshot";
    let metrics: Metrics = page
        .session
        .call("Page.getLayoutMetrics", json!({}), by)
        .await?;
    let limit = MAX_PIXELS / client.pixel_ratio.max(0.1);
    let size = metrics.css_content_size;
    let (width, height) = (size.width.clamp(1.0, limit), size.height.clamp(1.0, limit));
    let params = json!({
        "format": "png", "optimizeForSpeed": true, "captureBeyondViewport": true,
        "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
    });
    let captured: Captured = page.session.call(METHOD, params, by).await?;
    Ok((
        decode(METHOD, &captured.data)?,
        size.height > limit || size.width > limit,
    ))
}

async fn thumbnail(page: &Page, by: Instant) -> Result<Vec<u8>, CdpError> {
    const METHOD: &str = "Page.startScreencast";
    let params = json!({
        "format": "jpeg", "quality": 75, "maxWidth": THUMBNAIL, "maxHeight": THUMBNAIL * 4,
    });
    page.session.begin(METHOD, params).answer(by).await?;
    let frame = loop {
        if let Some(frame) = page.watch.state().screencast.take() {
            break Ok(frame);
        }
        if Instant::now() >= by {
            break Err(CdpError::Timeout { method: METHOD });
        }
        sleep(STEP).await;
    };
    page.session.tell("Page.stopScreencast", json!({}));
    decode(METHOD, &frame?)
}

fn script_execution(page: &Page, allowed: bool) {
    let params = json!({"value": !allowed});
    page.session
        .tell("Emulation.setScriptExecutionDisabled", params);
}

fn decode(method: &'static str, data: &str) -> Result<Vec<u8>, CdpError> {
    let unreadable = |cause: base64::DecodeError| CdpError::Unreadable {
        method,
        cause: cause.to_string(),
    };
    STANDARD.decode(data).map_err(unreadable)
}

#[derive(Deserialize)]
struct Captured {
    data: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metrics {
    css_content_size: Size,
}

#[derive(Deserialize)]
struct Size {
    width: f64,
    height: f64,
}
