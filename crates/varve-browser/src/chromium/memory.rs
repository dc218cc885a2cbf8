//! How much memory a process group uses, from `/proc`.

use std::fs;

use rustix::process::Pid;

/// One process of a group.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) pid: Pid,
    /// Bytes that it shares with nobody.
    pub(super) own: u64,
    /// Bytes that it may share with others (program text, shared memory).
    pub(super) shared: u64,
}

/// The living processes of a group.
pub(super) fn members(group: Pid) -> Vec<Member> {
    let group = group.as_raw_nonzero().get();
    living()
        .filter(|stat| stat.group == group)
        .filter_map(|stat| member(stat.pid))
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

/// What a group uses: all that is not shared, and what is shared once.
pub(super) fn total(members: &[Member]) -> u64 {
    let own: u64 = members.iter().map(|member| member.own).sum();
    own + members
        .iter()
        .map(|member| member.shared)
        .max()
        .unwrap_or(0)
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
pub(super) fn member(pid: i32) -> Option<Member> {
    let statm = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let page = rustix::param::page_size() as u64;
    let mut pages = statm
        .split_ascii_whitespace()
        .skip(1)
        .map(|n| n.parse::<u64>().unwrap_or(0));
    let (resident, shared) = (pages.next()?, pages.next()?);
    let pid = Pid::from_raw(pid)?;
    Some(Member {
        pid,
        own: resident.saturating_sub(shared) * page,
        shared: shared * page,
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
        assert!(me.own > 0 && total(&members) >= me.own + me.shared);
    }
}
