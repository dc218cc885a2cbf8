//! Watching how much memory a Chromium uses.

use std::sync::Weak;

use tokio::time::{Duration, sleep};

use crate::chromium::{Blame, Memory, Process, footprint};

/// How often to look, and how often when more than half of the limit is used: a page can take a
/// gigabyte in a second.
const INTERVAL: Duration = Duration::from_millis(250);
const CLOSE_INTERVAL: Duration = Duration::from_millis(50);

/// Retires a Chromium that uses more than `limit`, and ends the largest of its pages, as well as any
/// page that uses two thirds of it alone and is to blame. One that was found too large makes room for its successor:
/// its pages end when both use more than the limit together. Returns when the Chromium is gone.
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
            let was_too_large = process.is_retired() && process.memory_kills() > 0;
            let is_in_the_way = || was_too_large && footprint().bytes > limit;
            if used.largest_page > limit / 3 * 2 {
                process.kill_largest_page(Blame::Page);
            } else if used.total > limit || is_in_the_way() {
                process.kill_largest_page(Blame::Crowd);
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
