//! A running Chromium: what can be asked of it and how it is ended.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};

use rustix::process::{Pid, Signal, kill_process, setpriority_process};
use serde_json::json;
use tempfile::TempDir;
use tokio::process::Child;
use tokio::sync::watch;

use super::keeper::{self, Wish, keep};
use super::memory::{Member, members, total};
use crate::cdp::{Connection, Session};

/// The `nice` value of pages.
const PATIENCE_OF_PAGES: i32 = 5;

/// A running Chromium. It ends when this is dropped.
pub(crate) struct Process {
    pub(crate) connection: Connection,
    /// Such as `148.0.7778.167`.
    pub(crate) version: String,
    group: Pid,
    wish: watch::Sender<Wish>,
    ended: watch::Receiver<bool>,
    retired: AtomicBool,
    memory_kills: AtomicU32,
    crowded_kills: AtomicU32,
}

/// Why a page is ended for its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blame {
    /// It takes too much.
    Page,
    /// All pages together do; it happens to be the largest.
    Crowd,
}

/// Memory in bytes.
pub(crate) struct Memory {
    /// Of all processes.
    pub(crate) total: u64,
    /// Of the largest process that pages live in.
    pub(crate) largest_page: u64,
}

impl Process {
    /// Begins to talk to a Chromium that was started; `None` if it is gone already.
    pub(super) fn begin(mut child: Child, profile: TempDir, version: String) -> Option<Process> {
        let group = Pid::from_raw(i32::try_from(child.id()?).ok()?)?;
        let connection = Connection::new(child.stdout.take()?, child.stdin.take()?);
        let (wish, wished) = watch::channel(Wish::Run);
        let (ending, ended) = watch::channel(false);
        tokio::spawn(keep(child, group, profile, wished, ending));
        let (retired, memory_kills, crowded_kills) = Default::default();
        Some(Process {
            connection,
            version,
            group,
            wish,
            ended,
            retired,
            memory_kills,
            crowded_kills,
        })
    }

    /// The process group's number.
    pub(crate) fn group(&self) -> i32 {
        self.group.as_raw_nonzero().get()
    }

    /// Whether it can still be talked to.
    pub(crate) fn is_alive(&self) -> bool {
        !*self.connection.closed().borrow() && !*self.ended.borrow()
    }

    /// Whether it should get no more pages.
    pub(crate) fn is_retired(&self) -> bool {
        self.retired.load(Relaxed)
    }

    /// Gives it no more pages.
    pub(crate) fn retire(&self) {
        self.retired.store(true, Relaxed);
    }

    /// What all its processes use.
    pub(crate) fn memory(&self) -> Memory {
        let members = members(self.group);
        let pages = members.iter().filter(|member| !member.leads);
        let largest_page = pages.map(Member::holds).max().unwrap_or(0);
        Memory {
            total: total(&members),
            largest_page,
        }
    }

    /// Lets the browser itself run before its pages: one that keeps all processors busy must not
    /// keep it from ending that page. Pages descend from the zygote and are as patient as it is.
    pub(crate) fn put_pages_behind(&self) {
        for member in members(self.group) {
            if is_page_maker(member.pid) {
                // Without it, all is as it was.
                let _ = setpriority_process(Some(member.pid), PATIENCE_OF_PAGES);
            }
        }
    }

    /// How often a page was ended for the memory it used.
    pub(crate) fn memory_kills(&self) -> u32 {
        self.memory_kills.load(Relaxed)
    }

    /// How often such a page would have had room alone.
    pub(crate) fn crowded_kills(&self) -> u32 {
        self.crowded_kills.load(Relaxed)
    }

    /// Kills the process of the group that uses the most memory, unless that is the browser
    /// itself. A page lived in it, which may be to blame for it or not.
    pub(crate) fn kill_largest_page(&self, blame: Blame) {
        let pages = members(self.group)
            .into_iter()
            .filter(|member| !member.leads);
        if let Some(largest) = pages.max_by_key(Member::holds) {
            if blame == Blame::Crowd {
                self.crowded_kills.fetch_add(1, Relaxed);
            }
            self.memory_kills.fetch_add(1, Relaxed);
            // It may have ended by itself.
            let _ = kill_process(largest.pid, Signal::KILL);
        }
    }

    /// Asks Chromium to close and waits until nothing of it is left.
    pub(crate) async fn close(&self) {
        Session::browser(&self.connection).tell("Browser.close", json!({}));
        self.wish.send_replace(Wish::Close);
        self.end().await;
    }

    /// Kills all of Chromium and waits until nothing of it is left.
    pub(crate) async fn kill(&self) {
        self.wish.send_replace(Wish::Kill);
        keeper::kill(self.group);
        self.end().await;
    }

    async fn end(&self) {
        // An error means that the keeper is gone, and then so is Chromium.
        let _ = self.ended.clone().wait_for(|ended| *ended).await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        Session::browser(&self.connection).tell("Browser.close", json!({}));
        self.wish.send_if_modified(|wish| {
            let running = *wish == Wish::Run;
            if running {
                *wish = Wish::Close;
            }
            running
        });
    }
}

/// Whether a process is one that pages are forked from.
fn is_page_maker(pid: Pid) -> bool {
    let path = format!("/proc/{}/cmdline", pid.as_raw_nonzero());
    let words = std::fs::read(path).unwrap_or_default();
    let mut words = words.split(|byte| *byte == 0);
    words.clone().any(|word| word == b"--type=zygote")
        && !words.any(|word| word == b"--no-zygote-sandbox")
}
