//! Who sees to it that nothing of a Chromium stays behind.
//!
//! A task owns the process and its directory. It ends both: when asked, when the process ends by
//! itself, and when the task itself is dropped because the program ends.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::process::Child;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::memory::members;

/// How long Chromium may take to close by itself.
const GRACE: Duration = Duration::from_secs(3);
/// How long killed processes may take to be gone.
const GONE: Duration = Duration::from_millis(1500);
const STEP: Duration = Duration::from_millis(10);

/// What should become of a Chromium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wish {
    Run,
    /// It was told to close; make sure that it does.
    Close,
    Kill,
}

/// A process group that is killed when this is dropped, then its directory removed.
struct Remains {
    group: Pid,
    profile: Option<TempDir>,
}

impl Drop for Remains {
    fn drop(&mut self) {
        if self.profile.is_none() {
            return;
        }
        kill(self.group);
        // The runtime is going down: there is nobody left to wait in a better way.
        for _ in 0..50 {
            if !alive(self.group) {
                break;
            }
            std::thread::sleep(STEP);
        }
    }
}

/// Waits for the end of a Chromium or brings it about; then cleans up and says so.
pub(super) async fn keep(
    mut child: Child,
    group: Pid,
    profile: TempDir,
    mut wish: watch::Receiver<Wish>,
    ended: watch::Sender<bool>,
) {
    let mut remains = Remains {
        group,
        profile: Some(profile),
    };
    tokio::select! {
        _ = child.wait() => {}
        () = becomes(&mut wish, |wish| wish != Wish::Run) => {}
    }
    tokio::select! {
        _ = timeout(GRACE, child.wait()) => {}
        () = becomes(&mut wish, |wish| wish == Wish::Kill) => {}
    }
    kill(group);
    let _ = timeout(GONE, child.wait()).await;
    let _ = timeout(GONE, empty(group)).await;
    if let Some(profile) = remains.profile.take() {
        // Ours, and in the scratch directory: should it stay, it is no more than clutter.
        let _ = tokio::task::spawn_blocking(move || profile.close()).await;
    }
    ended.send_replace(true);
}

async fn becomes(wish: &mut watch::Receiver<Wish>, what: fn(Wish) -> bool) {
    // An error means that nobody can wish for anything any more.
    let _ = wish.wait_for(|wish| what(*wish)).await;
}

async fn empty(group: Pid) {
    while alive(group) {
        sleep(STEP).await;
    }
}

pub(super) fn kill(group: Pid) {
    // It fails when there is nobody left to kill.
    let _ = kill_process_group(group, Signal::KILL);
}

fn alive(group: Pid) -> bool {
    !members(group).is_empty()
}
