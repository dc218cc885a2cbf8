//! Watching how much memory a Chromium uses.

use std::sync::Weak;

use tokio::time::{Duration, sleep};

use crate::chromium::Process;

/// How often to look.
const INTERVAL: Duration = Duration::from_millis(500);

/// Retires a Chromium that uses more than `limit`; ends the page that does so alone. Returns when
/// the Chromium is gone.
pub(crate) async fn guard_memory(process: Weak<Process>, limit: u64) {
    loop {
        sleep(INTERVAL).await;
        let Some(process) = process.upgrade().filter(|process| process.is_alive()) else {
            return;
        };
        let looked = tokio::task::spawn_blocking(move || {
            let used = process.memory();
            if used.total > limit {
                process.retire();
            }
            if used.largest_page > limit || used.total > limit.saturating_mul(2) {
                process.kill_largest_page();
            }
        });
        if looked.await.is_err() {
            return;
        }
    }
}
