//! A hand with a mouse: real input, which the browser itself turns into all the events of a hover and
//! a click, with the focus and the looks that come with them.

use crate::cdp::{CdpError, Session};
use crate::pins::SMALL;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

/// Types of events that a hand brings about.
const TYPES: &[&str] = &[
    "click",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "mouseover",
    "mouseout",
    "mouseenter",
    "mouseleave",
    "mousemove",
    "pointerover",
    "pointerout",
    "pointerenter",
    "pointerleave",
    "pointermove",
];

/// Whether a hand has anything to do for who listens to these.
pub(super) fn has_to_do(types: &[String]) -> bool {
    types.iter().any(|kind| TYPES.contains(&kind.as_str()))
}

/// A place in the window where a node can be reached.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Spot {
    x: f64,
    y: f64,
    /// Whether it is to be pressed there; otherwise the mouse only comes by.
    presses: bool,
}

impl Spot {
    /// Goes there and does it, on a page that is drawn small. Comes back when the page has seen it.
    pub(super) async fn touch(self, page: &Session, by: Instant) -> Result<(), CdpError> {
        let mouse = |kind: &str, buttons: u8, clicks: u8| {
            let params = json!({
                "type": kind, "x": self.x * SMALL, "y": self.y * SMALL, "buttons": buttons, "clickCount": clicks,
                "button": if clicks > 0 { "left" } else { "none" }, "pointerType": "mouse",
            });
            page.begin("Input.dispatchMouseEvent", params)
        };
        let mut calls = vec![mouse("mouseMoved", 0, 0)];
        if self.presses {
            calls.push(mouse("mousePressed", 1, 1));
            calls.push(mouse("mouseReleased", 0, 1));
        }
        for call in calls {
            call.answer(by).await?;
        }
        Ok(())
    }
}

/// Takes the mouse off the page.
pub(super) fn withdraw(page: &Session) {
    let away: Value = json!({"type": "mouseMoved", "x": -1, "y": -1, "button": "none"});
    page.tell("Input.dispatchMouseEvent", away);
}
