//! What all Chromiums of this program use together, for people to see.

use std::collections::HashSet;

use serde::Serialize;

use super::memory::{Stat, living, member, total};

/// Processes, and the memory that they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Footprint {
    /// How many processes.
    pub processes: u64,
    /// Bytes in memory: what each has for itself, and once what they share.
    pub bytes: u64,
}

/// What the Chromiums that this program started use now.
///
/// Each leads a process group and is our child. Those that are retired but not yet closed count.
pub fn footprint() -> Footprint {
    let stats: Vec<Stat> = living().collect();
    let us = std::process::id().cast_signed();
    let groups: HashSet<i32> = stats
        .iter()
        .filter(|stat| stat.parent == us && stat.group == stat.pid)
        .map(|stat| stat.group)
        .collect();
    let members: Vec<_> = stats
        .iter()
        .filter(|stat| groups.contains(&stat.group))
        .filter_map(member)
        .collect();
    Footprint {
        processes: members.len() as u64,
        bytes: total(&members),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    #[test]
    fn children_that_lead_a_group_count_with_their_own_children() {
        let before = footprint().processes;
        let mut child = Command::new("sh")
            .args(["-c", "sleep 60 & wait"])
            .process_group(0)
            .spawn()
            .unwrap();
        let mut seen = footprint();
        for _ in 0..200 {
            if seen.processes >= before + 2 {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
            seen = footprint();
        }
        let group = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
        child.wait().unwrap();
        assert!(seen.processes >= before + 2 && seen.bytes > 0, "{seen:?}");
    }
}
