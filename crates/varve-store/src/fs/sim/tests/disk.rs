//! The live disk: handles, locks, marks and the tools for damage.

use super::super::{FaultOp, Loss, SimDisk};
use super::{Script, after, check_at, contents};
use crate::fs::{EntryKind, FileSystem, read_small};
use std::io::ErrorKind;
use std::path::Path;

#[test]
fn handles_follow_the_inode() {
    let rows = [
        ("rename f g", "g=onetwo"),
        ("mkdir d; rename f d/f", "d/ d/f=onetwo"),
        ("rm f", ""),
        ("create g; rename g f", "f="),
    ];
    for (script, expected) in rows {
        let disk = SimDisk::new();
        let mut run = Script::on(&disk);
        run.run("create f; append f one");
        let reader = disk.open(Path::new("f")).unwrap();
        run.run(script).run("append f two");
        let mut buf = [0; 9];
        assert_eq!(reader.read_at(&mut buf, 2).unwrap(), 4, "{script}");
        assert_eq!(&buf[..4], b"etwo");
        assert_eq!(reader.len().unwrap(), 6);
        assert_eq!(reader.read_at(&mut buf, 6).unwrap(), 0);
        assert_eq!(contents(&disk), expected, "{script}");
    }
}

#[test]
fn handles_survive_the_rename_of_their_directory() {
    let disk = SimDisk::new();
    let mut run = Script::on(&disk);
    run.run("mkdir d/e; create d/e/f; rename d/e x; append d/e/f late");
    assert_eq!(contents(&disk), "d/ x/ x/f=late");
}

#[test]
fn a_lock_is_free_again_when_its_guard_is_dropped() {
    let (disk, path) = (SimDisk::new(), Path::new("lock"));
    let guard = disk.try_lock(path).unwrap();
    assert!(guard.is_some());
    assert!(disk.clone().try_lock(path).unwrap().is_none());
    assert!(disk.try_lock(Path::new("other")).unwrap().is_some());
    let image = disk.crash_image(disk.log_len(), Loss::Process, 0);
    assert!(image.try_lock(path).unwrap().is_some());
    drop(guard);
    assert!(disk.try_lock(path).unwrap().is_some());
    assert_eq!(contents(&disk), "lock= other=");
}

#[test]
fn paths_start_at_the_root() {
    let disk = after("mkdir /a/./b; create a/b/f; append a/b/f hi");
    assert_eq!(disk.snapshot_paths(), ["a/b/f"]);
    for path in ["/a/b/f", "./a//b/f", "a/b/f/"] {
        assert_eq!(read_small(&disk, Path::new(path), 9).unwrap(), b"hi");
    }
    for path in ["", ".", "/"] {
        assert_eq!(disk.list(Path::new(path)).unwrap().len(), 1);
    }
    let error = disk.list(Path::new("a/..")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
}

#[test]
fn lists_are_in_byte_order() {
    let disk = after("create b; mkdir a; create B; create a1; create a-");
    let listed = disk.list(Path::new("/")).unwrap();
    let names: Vec<_> = listed.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["B", "a", "a-", "a1", "b"]);
    assert_eq!(listed[1].kind, EntryKind::Directory);
}

#[test]
fn marks_and_sync_points_are_positions_of_the_log() {
    let disk = after("create a; append a x; mark one; sync a; syncdir .; mark two; append a y");
    assert_eq!(disk.log_len(), 7);
    assert_eq!(disk.sync_points(), [3, 4, 5, 7]);
    let rows: [(usize, &[&str]); 5] = [
        (0, &[]),
        (2, &[]),
        (3, &["one"]),
        (5, &["one"]),
        (99, &["one", "two"]),
    ];
    for (position, expected) in rows {
        assert_eq!(disk.marks_before(position), expected, "{position}");
    }
    let log = disk.describe_log(3);
    assert_eq!(
        log,
        "0: create #0/a as #1\n1: append 1 bytes to #1 at 0\n2: mark one\n"
    );
}

#[test]
fn images_are_disks_of_their_own() {
    let disk = after("create a; append a x; sync a; syncdir .");
    let image = disk.crash_image(disk.log_len(), Loss::Dropped, 0);
    assert_eq!((image.log_len(), image.op_count(FaultOp::Any)), (0, 0));
    let mut run = Script::on(&image);
    run.run("truncate a 0; create b");
    assert_eq!(
        (contents(&image), contents(&disk)),
        ("a= b=".into(), "a=x".into())
    );
    // And they crash like any other: their content is durable, what follows is not yet.
    check_at(&image, 99, "an image", Loss::Dropped, &["a="]);
    check_at(&image, 0, "an image", Loss::Dropped, &["a=x"]);
    assert_eq!(contents(&image.fork()), "a= b=");
    check_at(&image.fork(), 0, "a fork", Loss::Dropped, &["a= b="]);
}

#[test]
fn a_flipped_bit_stays_flipped() {
    let disk = after("create a; append a ab; append a cd; sync a; syncdir .");
    let before = disk.log_len();
    disk.flip_bit("a", 8 * 2 + 2).unwrap();
    assert_eq!((contents(&disk), disk.total_bytes()), ("a=abgd".into(), 4));
    for loss in Loss::ALL {
        check_at(&disk, before, "before", loss, &["a=abcd"]);
        check_at(&disk, before + 1, "after", loss, &["a=abgd"]);
    }
    let error = disk.flip_bit("a", 32).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn an_export_is_what_the_disk_holds() {
    let dir = tempfile::tempdir().unwrap();
    let disk = after("mkdir d/empty; create d/f; append d/f x");
    disk.export_to(&dir.path().join("out")).unwrap();
    let out = dir.path().join("out/d");
    assert!(out.join("empty").is_dir());
    assert_eq!(std::fs::read(out.join("f")).unwrap(), b"x");
}
