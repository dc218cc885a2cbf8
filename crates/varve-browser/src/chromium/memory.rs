//! How much memory a process group uses, from `/proc`.

use std::fs;

use rustix::process::Pid;

/// One process of a group.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) pid: Pid,
    /// Whether it leads its group: the browser itself.
    pub(super) leads: bool,
    /// Bytes that it shares with nobody.
    own: u64,
    /// Bytes that it may share with the browser: images, and what a page looks like.
    shared: u64,
    /// Bytes of files, which all have alike: the program.
    files: u64,
}

impl Member {
    /// What would be free without it.
    pub(super) fn holds(&self) -> u64 {
        self.own + self.shared
    }
}

/// The living processes of a group.
pub(super) fn members(group: Pid) -> Vec<Member> {
    let group = group.as_raw_nonzero().get();
    living()
        .filter(|stat| stat.group == group)
        .filter_map(|stat| member(&stat))
        .collect()
}

/// A process and where it belongs.
pub(super) struct Stat {
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) group: i32,
}

/// The living processes of this machine.
pub(super) fn living() -> impl Iterator<Item = Stat> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(stat)
}

/// What groups use: all that is not shared, and what is shared once. What pages share they share
/// with their browser.
pub(super) fn total(members: &[Member]) -> u64 {
    let own: u64 = members.iter().map(|member| member.own).sum();
    let files = members.iter().map(|member| member.files).max();
    let (browsers, pages): (Vec<&Member>, Vec<&Member>) =
        members.iter().partition(|member| member.leads);
    let shared = |some: Vec<&Member>| some.iter().map(|member| member.shared).sum::<u64>();
    own + files.unwrap_or(0) + shared(browsers).max(shared(pages))
}

fn stat(pid: i32) -> Option<Stat> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The command's name, in brackets, may contain anything. After it: state, parent, group.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let alive = fields.next()? != "Z";
    alive.then_some(())?;
    Some(Stat {
        pid,
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
    })
}

/// What one process uses.
pub(super) fn member(stat: &Stat) -> Option<Member> {
    let status = fs::read_to_string(format!("/proc/{}/status", stat.pid)).ok()?;
    let bytes = |name: &str| {
        let mut lines = status.lines();
        let amount = lines.find_map(|line| line.strip_prefix(name)?.strip_suffix("kB"));
        amount
            .and_then(|kib| kib.trim().parse::<u64>().ok())
            .unwrap_or(0)
            << 10
    };
    Some(Member {
        pid: Pid::from_raw(stat.pid)?,
        leads: stat.pid == stat.group,
        own: bytes("RssAnon:"),
        shared: bytes("RssShmem:"),
        files: bytes("RssFile:"),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_its_members() {
        let group = rustix::process::getpgrp();
        let members = members(group);
        let me = members
            .iter()
            .find(|member| member.pid == rustix::process::getpid())
            .unwrap();
        assert!(me.own > 0 && me.files > 0 && total(&members) >= me.own + me.files);
    }

    #[test]
    fn what_pages_share_with_their_browser_counts_once() {
        let member = |leads, own, shared| Member {
            pid: rustix::process::getpid(),
            leads,
            own,
            shared,
            files: 100,
        };
        let browser = member(true, 50, 30);
        let pages = [member(false, 10, 30), member(false, 20, 5)];
        let [one, other] = pages;
        assert_eq!(total(&[browser, one, other]), 50 + 10 + 20 + 100 + 35);
        let seen_by_none = [member(true, 50, 30), member(false, 10, 0)];
        assert_eq!(total(&seen_by_none), 50 + 10 + 100 + 30);
    }
}
