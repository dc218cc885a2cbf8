//! Watching how much memory a Chromium uses.

use std::sync::Weak;

use tokio::time::{Duration, sleep};

use crate::chromium::{Memory, Process};

/// How often to look, and how often when more than half of the limit is used: a page can take a
/// gigabyte in a second.
const INTERVAL: Duration = Duration::from_millis(250);
const CLOSE_INTERVAL: Duration = Duration::from_millis(50);

/// Retires a Chromium that uses more than `limit`, and ends the largest of its pages, as well as any
/// page that uses two thirds of it alone. Returns when the Chromium is gone.
pub(crate) async fn guard_memory(process: Weak<Process>, limit: u64) {
    let mut pause = INTERVAL;
    loop {
        sleep(pause).await;
        let Some(process) = process.upgrade().filter(|process| process.is_alive()) else {
            return;
        };
        let looked = tokio::task::spawn_blocking(move || {
            let used = process.memory();
            if used.total > limit {
                process.retire();
            }
            if used.total > limit || used.largest_page > limit / 3 * 2 {
                process.kill_largest_page();
            }
            used
        });
        let Ok(used) = looked.await else {
            return;
        };
        pause = pause_after(&used, limit);
    }
}

fn pause_after(used: &Memory, limit: u64) -> Duration {
    match used.total > limit / 2 {
        true => CLOSE_INTERVAL,
        false => INTERVAL,
    }
}
