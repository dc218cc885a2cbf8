//! What crashes leave, row by row.

use super::super::{Loss, SimDisk};
use super::{after, check, check_at, contents, outcomes};
use crate::fs::read_small;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn dropped_leaves_what_was_synced() {
    let rows: [(&str, &[&str]); 18] = [
        // Bytes need a sync of the file, names one of their directory.
        ("create a; append a hi; sync a", &[""]),
        ("create a; append a hi; syncdir .", &["a="]),
        ("create a; append a hi; sync a; syncdir .", &["a=hi"]),
        (
            "create a; syncdir .; append a x; sync a; append a y",
            &["a=x"],
        ),
        ("mkdir d; create d/a; syncdir d", &[""]),
        ("mkdir d; syncdir .; create d/a", &["d/"]),
        ("mkdir d/e; syncdir .", &["d/"]),
        ("mkdir d; create d/a; syncdir d; syncdir .", &["d/ d/a="]),
        // Removals too.
        ("create a; syncdir .; rm a", &["a="]),
        ("create a; syncdir .; rm a; syncdir .", &[""]),
        (
            "create a; append a x; sync a; syncdir .; rm a; create a",
            &["a=x"],
        ),
        (
            "create a; append a x; sync a; rm a; create a; syncdir .",
            &["a="],
        ),
        // A directory that is gone for good was empty for good, though it was never synced.
        (
            "mkdir d/e; create d/e/f; syncdir d/e; syncdir d; syncdir .; rmdir d",
            &["d/ d/e/ d/e/f="],
        ),
        (
            "mkdir d/e; create d/e/f; syncdir d/e; syncdir d; syncdir .; rmdir d; syncdir .",
            &[""],
        ),
        // Truncation is durable at once, and the bytes before the cut with it.
        ("create a; syncdir .; append a xyz; truncate a 1", &["a=x"]),
        (
            "create a; syncdir .; append a xyz; truncate a 5",
            &["a=xyz.."],
        ),
        (
            "create a; syncdir .; append a xyz; truncate a 1; append a q; sync a",
            &["a=xq"],
        ),
        (
            "create a; syncdir .; append a xyz; sync a; truncate a 1; append a q",
            &["a=x"],
        ),
    ];
    for (script, expected) in rows {
        check(script, Loss::Dropped, expected);
    }
}

#[test]
fn reordered_keeps_any_subset() {
    let rows: [(&str, &[&str]); 10] = [
        ("create a; create b", &["", "a=", "b=", "a= b="]),
        (
            "create a; syncdir .; append a x; append a y",
            &["a=", "a=x", "a=.y", "a=xy"],
        ),
        (
            "create a; syncdir .; append a x; sync a; append a y",
            &["a=x", "a=xy"],
        ),
        (
            "create a; append a x; sync a; syncdir .; rm a",
            &["", "a=x"],
        ),
        ("create t; rename t f", &["", "t=", "f="]),
        ("mkdir d; create d/f", &["", "d/", "d/ d/f="]),
        (
            "create a; syncdir .; rm a; create a; append a x; sync a",
            &["", "a=", "a=x"],
        ),
        // What a lost removal left behind keeps its directory alive.
        (
            "mkdir d; create d/f; syncdir d; syncdir .; rmdir d",
            &["", "d/", "d/ d/f="],
        ),
        (
            "mkdir d; create d/f; syncdir d; syncdir .; rename d/f g; rmdir d",
            &["d/ d/f=", "d/ g=", "g="],
        ),
        // Moving a directory below one that did not leave it would lose both in a circle.
        (
            "mkdir a/b; syncdir a; syncdir .; rename a/b b; rename a b/a",
            &["a/ a/b/", "a/ b/", "b/ b/a/"],
        ),
    ];
    for (script, expected) in rows {
        check(script, Loss::Reordered, expected);
    }
}

#[test]
fn a_truncation_is_not_durable_before_its_sync() {
    let script = "create a; syncdir .; append a xyz; sync a; truncate a 1";
    let disk = after(script);
    let within = disk.log_len() - 1;
    check_at(&disk, within, script, Loss::Dropped, &["a=xyz"]);
    check_at(&disk, within, script, Loss::Reordered, &["a=xyz", "a=x"]);
    check_at(&disk, within + 1, script, Loss::Reordered, &["a=x"]);
}

#[test]
fn torn_cuts_the_last_unsynced_append() {
    let disk =
        after("create a; create b; append a sync; sync a; append a 12; append a 345; append b 67");
    let images: Vec<_> = (0..200)
        .map(|seed| disk.crash_image(99, Loss::Torn, seed))
        .collect();
    let read = |name: &str| -> BTreeSet<Vec<u8>> {
        let files = images
            .iter()
            .map(|image| read_small(image, Path::new(name), 99));
        files.map(|bytes| bytes.unwrap()).collect()
    };
    let (a, b) = (read("a"), read("b"));
    assert!(
        a.iter()
            .all(|bytes| bytes.starts_with(b"sync12") && bytes.len() <= 9)
    );
    for whole_and_torn in ["sync12345", "sync12", "sync123", "sync1234", "sync123\0\0"] {
        assert!(a.contains(whole_and_torn.as_bytes()), "{whole_and_torn:?}");
    }
    let is_garbage = |bytes: &Vec<u8>| bytes.len() == 9 && bytes[8] != b'5' && bytes[8] != 0;
    assert!(a.iter().any(is_garbage));
    assert!(b.contains(&b"67"[..]) && b.contains(&b""[..]));
    let untorn = |image: &SimDisk| contents(image) == "a=sync12345 b=67";
    assert!(!images.iter().any(untorn), "at least one file is torn");
}

#[test]
fn a_killed_process_loses_nothing_but_the_write_it_was_in() {
    let rows: [(&str, &[&str]); 4] = [
        (
            "create a; append a x; append a yz",
            &["a=x", "a=xy", "a=xyz"],
        ),
        ("create a; append a xy; mark seen", &["a=xy"]),
        ("create a; append a xy; create b; rename b c", &["a=xy c="]),
        ("mkdir d; create d/a; append d/a x; rm d/a", &["d/"]),
    ];
    for (script, expected) in rows {
        check(script, Loss::Process, expected);
    }
}

#[test]
fn the_seed_decides() {
    let disk = after("create a; create b; append a abcdefgh; append b ijkl; rename a c; mkdir d");
    for loss in Loss::ALL {
        for position in 0..=disk.log_len() {
            let image = |seed| contents(&disk.crash_image(position, loss, seed));
            (0..20).for_each(|seed| assert_eq!(image(seed), image(seed)));
        }
    }
    assert!(outcomes(&disk, 99, Loss::Reordered).len() > 10);
    assert!(outcomes(&disk, 99, Loss::Torn).len() > 10);
}
