//! The simulation used as it is meant to be: a save that is right passes, one that is not is found.

use super::super::{Loss, SimDisk};
use super::Script;
use crate::fs::{read_small, write_atomically};
use std::collections::BTreeSet;
use std::path::Path;

/// Runs `save` twice and says which contents of `f` a crash can show.
fn seen_after_saves(save: impl Fn(&SimDisk, &[u8])) -> BTreeSet<Option<Vec<u8>>> {
    let disk = SimDisk::new();
    save(&disk, b"first");
    disk.mark("first");
    save(&disk, b"second");
    let mut seen = BTreeSet::new();
    for position in 0..=disk.log_len() {
        for loss in Loss::ALL {
            for seed in 0..50 {
                let image = disk.crash_image(position, loss, seed);
                let found = read_small(&image, Path::new("f"), 99).ok();
                let saved = !disk.marks_before(position).is_empty();
                assert!(found.is_some() || !saved, "{}", disk.describe_log(position));
                seen.insert(found);
            }
        }
    }
    seen
}

#[test]
fn an_atomic_write_is_seen_whole_or_not_at_all() {
    let seen = seen_after_saves(|disk, bytes| {
        write_atomically(disk, Path::new("f"), bytes).unwrap();
    });
    let whole = [None, Some(b"first".to_vec()), Some(b"second".to_vec())];
    assert_eq!(seen, BTreeSet::from(whole));
}

#[test]
fn a_forgotten_sync_is_found() {
    let seen = seen_after_saves(|disk, bytes| {
        let text = String::from_utf8_lossy(bytes);
        Script::on(disk).run(&format!("create t; append t {text}; rename t f; syncdir ."));
    });
    for broken in [&b""[..], b"f", b"sec", b"\0\0\0\0\0"] {
        assert!(seen.contains(&Some(broken.to_vec())), "{broken:?}");
    }
}
