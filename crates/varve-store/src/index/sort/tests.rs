use super::*;
use crate::fs::FileSystem;
use crate::fs::sim::{FaultError, FaultOp, FaultPlan, SimDisk};
use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// A sorter that spills early and merges in several passes.
fn tiny_sorter(disk: &SimDisk, memory_limit: usize, fan_in: usize) -> LineSorter {
    let fs: Fs = Arc::new(disk.clone());
    LineSorter {
        memory_limit,
        fan_in,
        ..LineSorter::new(fs, "scratch".into(), 0)
    }
}

fn collect(mut sorted: SortedLines) -> Result<Vec<Vec<u8>>> {
    let mut lines = Vec::new();
    while let Some(line) = sorted.next_line()? {
        lines.push(line.to_vec());
    }
    Ok(lines)
}

fn sort(mut sorter: LineSorter, lines: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
    for line in lines {
        sorter.push(line)?;
    }
    collect(sorter.finish()?)
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        5 => "com,[ab]{1,2}\\)/[ab]{0,3}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>().prop_filter("a line", |b| *b != b'\n'), 0..40),
        1 => Just(Vec::new()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn sorts_like_std(
        lines in prop::collection::vec(line(), 0..400),
        memory_limit in 100..20_000_usize,
        fan_in in 2..6_usize,
    ) {
        let mut expected = lines.clone();
        expected.sort();
        expected.dedup();
        let disk = SimDisk::new();
        prop_assert_eq!(sort(tiny_sorter(&disk, memory_limit, fan_in), &lines).unwrap(), expected);
        prop_assert_eq!(disk.snapshot_paths(), Vec::<String>::new());
    }
}

#[test]
fn what_fits_never_touches_the_disk() {
    let disk = SimDisk::new();
    disk.set_capacity(Some(0));
    let lines: Vec<_> = (0..1000)
        .rev()
        .map(|n| format!("{n:04}").into_bytes())
        .collect();
    let sorter = LineSorter::new(Arc::new(disk.clone()), "scratch".into(), 1 << 20);
    assert_eq!(sort(sorter, &lines).unwrap().len(), 1000);
    assert_eq!(disk.op_count(FaultOp::Create), 0);
}

#[test]
fn long_lines_and_the_smallest_memory() {
    let disk = SimDisk::new();
    let lines: Vec<_> = (0..9)
        .map(|n| vec![b'9' - n; MAX_LINE - usize::from(n)])
        .collect();
    let mut expected = lines.clone();
    expected.reverse();
    let sorter = LineSorter::new(Arc::new(disk.clone()), "scratch".into(), 0);
    assert_eq!(sort(sorter, &lines).unwrap(), expected);
    assert_eq!(disk.snapshot_paths(), Vec::<String>::new());
}

#[test]
fn what_is_no_line_is_refused() {
    let mut sorter = tiny_sorter(&SimDisk::new(), 1000, 4);
    assert!(sorter.push(b"a\nb").is_err());
    assert!(sorter.push(&vec![b'a'; MAX_LINE + 1]).is_err());
    sorter.push(b"a").unwrap();
    assert_eq!(collect(sorter.finish().unwrap()).unwrap(), [b"a"]);
}

#[test]
fn errors_of_the_disk_are_told_and_leave_nothing_behind() {
    let lines: Vec<_> = (0..500)
        .rev()
        .map(|n| format!("{n:04}").into_bytes())
        .collect();
    let table = [
        (FaultOp::Create, FaultError::NoSpace),
        (FaultOp::Append, FaultError::NoSpace),
        (FaultOp::Remove, FaultError::Hardware),
    ];
    for (op, error) in table {
        for nth in [1, 5, 10] {
            let disk = SimDisk::new();
            disk.fail(FaultPlan::once(op, nth, error));
            let failed = sort(tiny_sorter(&disk, 400, 3), &lines).unwrap_err();
            assert!(
                matches!(failed, StoreError::Io { .. }),
                "{op:?} {nth}: {failed}"
            );
            assert_eq!(failed.is_disk_full(), error == FaultError::NoSpace);
            assert_eq!(disk.snapshot_paths(), Vec::<String>::new(), "{op:?} {nth}");
        }
    }
}

#[test]
fn runs_of_a_process_that_died_are_no_obstacle_and_other_files_stay() {
    let disk = SimDisk::new();
    disk.create_dir_all(Path::new("scratch")).unwrap();
    for name in ["scratch/run-0", "scratch/other"] {
        disk.create(Path::new(name))
            .unwrap()
            .append(b"left")
            .unwrap();
    }
    let lines: Vec<_> = (0..500).map(|n| format!("{n:04}").into_bytes()).collect();
    assert_eq!(sort(tiny_sorter(&disk, 400, 3), &lines).unwrap(), lines);
    assert!(disk.kind(Path::new("scratch/other")).unwrap().is_some());
    assert!(disk.kind(Path::new("scratch/run-0")).unwrap().is_none());
}
