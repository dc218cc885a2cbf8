//! The pulse: once a second the picture gets a point for its charts.

use super::Live;
use std::sync::{Arc, Weak};
use std::time::Duration;

const BEAT: Duration = Duration::from_secs(1);

/// Starts a thread that looks at what Chromium uses and adds a point to the charts, once a second
/// until the picture is gone.
pub fn pulse(live: &Arc<Live>) -> std::io::Result<()> {
    let live = Arc::downgrade(live);
    let thread = std::thread::Builder::new().name("pulse".into());
    thread.spawn(move || beat(&live)).map(drop)
}

fn beat(live: &Weak<Live>) {
    loop {
        std::thread::sleep(BEAT);
        match live.upgrade() {
            Some(live) => live.tick(varve_browser::footprint()),
            None => return,
        }
    }
}
