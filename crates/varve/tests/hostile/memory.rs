//! How much memory a process and everything that it started use, from `/proc`.

use std::collections::HashMap;
use std::fs;

/// Bytes that a process and all below it use: what is each one's own, and what is shared once.
pub(crate) fn of_tree(root: u32) -> u64 {
    let parents = parents();
    let (mut own, mut shared) = (0, 0);
    for pid in parents
        .keys()
        .copied()
        .filter(|pid| descends(*pid, root, &parents))
    {
        if let Some((resident, common)) = usage(pid) {
            own += resident.saturating_sub(common);
            shared = shared.max(common);
        }
    }
    own + shared
}

fn parents() -> HashMap<u32, u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| Some((pid, parent(pid)?))).collect()
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in brackets, may contain anything. After it: state, parent.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(1)?.parse().ok()
}

fn descends(mut pid: u32, root: u32, parents: &HashMap<u32, u32>) -> bool {
    while pid != root {
        match parents.get(&pid) {
            Some(parent) => pid = *parent,
            None => return false,
        }
    }
    true
}

/// Resident bytes, and those of them that may be shared.
fn usage(pid: u32) -> Option<(u64, u64)> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes = line?.trim_start_matches(':').trim().strip_suffix(" kB")?;
        Some(kilobytes.parse::<u64>().ok()? << 10)
    };
    Some((field("VmRSS")?, field("RssFile")? + field("RssShmem")?))
}

#[test]
fn memory_that_is_taken_is_seen() {
    let before = of_tree(std::process::id());
    let taken = std::hint::black_box(vec![1_u8; 64 << 20]);
    let after = of_tree(std::process::id());
    assert!(
        after >= before + (32 << 20),
        "{before} {after} {}",
        taken.len()
    );
}
