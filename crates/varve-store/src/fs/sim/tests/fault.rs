//! Planned faults and full disks.

use super::super::{FaultError, FaultOp, FaultPlan, Loss, SimDisk};
use super::{Script, after, check_at, contents};
use crate::fs::FileSystem;
use std::io::{self, ErrorKind};
use std::path::Path;

const STEPS: [&str; 10] = [
    "mkdir d/e",
    "create d/f",
    "append d/f x",
    "sync d/f",
    "syncdir d",
    "rename d/f g",
    "append d/f y",
    "truncate g 1",
    "create h",
    "rmdir d",
];

/// The steps that fail under a plan, by index.
fn failing_steps(plan: FaultPlan) -> Vec<usize> {
    let disk = SimDisk::new();
    disk.fail(plan);
    let mut run = Script::on(&disk);
    let mut failed = Vec::new();
    for (index, step) in STEPS.iter().enumerate() {
        // Steps that miss what a failed one should have made fail too, but differently.
        let expected = io::Error::from(plan.error).raw_os_error();
        if run
            .step(step)
            .is_err_and(|error| error.raw_os_error() == expected)
        {
            failed.push(index);
        }
    }
    failed
}

#[test]
fn the_kth_operation_fails() {
    let rows = [
        (FaultOp::Append, 1, vec![2]),
        (FaultOp::Append, 2, vec![6]),
        (FaultOp::Append, 3, vec![]),
        (FaultOp::SyncFile, 1, vec![3]),
        (FaultOp::SyncFile, 2, vec![7]),
        (FaultOp::SyncDir, 1, vec![4]),
        (FaultOp::Create, 4, vec![8]),
        (FaultOp::Remove, 1, vec![9]),
        (FaultOp::Remove, 2, vec![9]),
        (FaultOp::Any, 4, vec![2]),
        (FaultOp::Any, 9, vec![7]),
        (FaultOp::Any, 10, vec![8]),
    ];
    for (op, nth, expected) in rows {
        let plan = FaultPlan::once(op, nth, FaultError::Hardware);
        assert_eq!(failing_steps(plan), expected, "{op:?} {nth}");
    }
    let full = FaultPlan::from_then_on(FaultOp::Append, 1, FaultError::NoSpace);
    assert_eq!(failing_steps(full), [2, 6]);
    let full = FaultPlan::from_then_on(FaultOp::Any, 9, FaultError::NoSpace);
    assert_eq!(failing_steps(full), [7, 8, 9]);
}

#[test]
fn counts_say_how_far_to_loop() {
    let disk = after(&STEPS.join(";"));
    let counts = FaultOp::ALL.map(|op| disk.op_count(op));
    assert_eq!(counts, [2, 2, 1, 1, 4, 2, 12]);
    for (op, count) in FaultOp::ALL.into_iter().zip(counts) {
        let fails = |nth| !failing_steps(FaultPlan::once(op, nth, FaultError::NoSpace)).is_empty();
        assert!((1..=count).all(fails) && !fails(count + 1), "{op:?}");
    }
}

#[test]
fn errors_have_the_kinds_of_the_system() {
    let kind = |error: FaultError| io::Error::from(error).kind();
    assert_eq!(kind(FaultError::NoSpace), ErrorKind::StorageFull);
    assert_eq!(
        io::Error::from(FaultError::Hardware).raw_os_error(),
        Some(5)
    );
}

#[test]
fn counting_starts_at_the_plan_and_plans_can_be_cleared() {
    let disk = after("create a");
    disk.fail(FaultPlan::from_then_on(
        FaultOp::Create,
        2,
        FaultError::Hardware,
    ));
    let mut run = Script::on(&disk);
    run.run("create b");
    assert!(run.step("create c").is_err() && run.step("mkdir d").is_err());
    // Refused for another reason: not an attempt.
    assert_eq!(
        run.step("create a").unwrap_err().kind(),
        ErrorKind::AlreadyExists
    );
    assert_eq!(
        (disk.faults_fired(), disk.op_count(FaultOp::Create)),
        (2, 4)
    );
    disk.clear_faults();
    run.run("create c");
    assert_eq!(contents(&disk), "a= b= c=");
}

#[test]
fn several_plans_count_side_by_side() {
    let disk = SimDisk::new();
    for nth in [1, 3] {
        disk.fail(FaultPlan::once(FaultOp::Create, nth, FaultError::NoSpace));
    }
    let mut run = Script::on(&disk);
    let failed =
        ["create a", "create b", "create c", "create d"].map(|step| run.step(step).is_err());
    assert_eq!(failed, [true, false, true, false]);
}

#[test]
fn a_failed_append_may_write_a_prefix() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..50 {
        let disk = SimDisk::new();
        let plan = FaultPlan::once(FaultOp::Append, 1, FaultError::NoSpace);
        disk.fail(FaultPlan { seed, ..plan });
        let mut run = Script::on(&disk);
        run.run("create a");
        assert!(run.step("append a xyz").is_err());
        seen.insert(contents(&disk));
    }
    let prefixes = ["a=", "a=x", "a=xy", "a=xyz"].map(String::from);
    assert_eq!(seen, prefixes.into());
}

#[test]
fn a_failed_sync_loses_the_bytes_for_good() {
    let rows = [
        ("sync a", "a=xy", "a=x"),
        ("sync a; append a z; sync a", "a=xyz", "a=x.z"),
        ("truncate a 1", "a=x", "a=x"),
    ];
    for (script, live, crashed) in rows {
        let disk = SimDisk::new();
        let mut run = Script::on(&disk);
        run.run("create a; append a x; sync a; syncdir .; append a y");
        disk.fail(FaultPlan::once(FaultOp::SyncFile, 1, FaultError::Hardware));
        assert!(run.step("sync a").is_err());
        run.run(script);
        assert_eq!(contents(&disk), live);
        for loss in [Loss::Dropped, Loss::Torn, Loss::Reordered] {
            check_at(&disk, usize::MAX, script, loss, &[crashed]);
        }
        // The machine did not lose power: the bytes are still in its memory.
        check_at(&disk, usize::MAX, script, Loss::Process, &[live]);
        // Before the failure they were merely unsynced.
        check_at(&disk, 5, script, Loss::Reordered, &["a=x", "a=xy"]);
    }
}

#[test]
fn a_failed_directory_sync_can_be_repeated() {
    let disk = SimDisk::new();
    disk.fail(FaultPlan::once(FaultOp::SyncDir, 1, FaultError::Hardware));
    let mut run = Script::on(&disk);
    run.run("create a");
    assert!(run.step("syncdir .").is_err());
    check_at(&disk, usize::MAX, "failed", Loss::Dropped, &[""]);
    run.run("syncdir .");
    check_at(&disk, usize::MAX, "repeated", Loss::Dropped, &["a="]);
}

#[test]
fn a_full_disk_takes_what_fits() {
    let disk = SimDisk::new();
    disk.set_capacity(Some(8));
    let mut run = Script::on(&disk);
    run.run("create a; append a 12345; create b");
    let error = run.step("append b 6789").unwrap_err();
    assert_eq!(error.raw_os_error(), Some(28));
    assert_eq!(
        (contents(&disk), disk.total_bytes()),
        ("a=12345 b=678".into(), 8)
    );
    assert!(run.step("append a 0").is_err());
    run.run("truncate a 4; append b 9");
    // An open file takes its space until it is closed.
    let reader = disk.open(Path::new("b")).unwrap();
    run.run("rm b");
    run.files.remove("b");
    assert!(run.step("append a 5").is_err());
    drop(reader);
    run.run("append a 5678");
    assert_eq!(
        (contents(&disk), disk.total_bytes()),
        ("a=12345678".into(), 8)
    );
    // So does a file that another replaced.
    run.run("create c; rename c a");
    run.files.remove("a");
    run.run("append c 87654321");
    disk.set_capacity(None);
    run.run("append c 0");
}
