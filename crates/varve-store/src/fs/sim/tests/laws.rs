//! What holds for every run and every crash, tried on random ones.

use super::super::rng::Rng;
use super::super::{Loss, SimDisk};
use super::{Script, contents};
use crate::fs::{EntryKind, FileSystem, read_small};
use std::collections::HashSet;
use std::path::Path;

/// A random run, with what the disk held at some positions of its log.
struct Run {
    disk: SimDisk,
    history: Vec<(usize, String)>,
}

fn some_path(rng: &mut Rng) -> String {
    let names = (0..1 + rng.below(3)).map(|_| ["a", "b", "c"][rng.below(3)]);
    format!("work/{}", names.collect::<Vec<_>>().join("/"))
}

/// Runs `steps` random operations below `work`, of which many fail, as they may.
fn random_run(script: &mut Script, rng: &mut Rng, steps: usize) -> Vec<(usize, String)> {
    let mut history = Vec::new();
    for _ in 0..steps {
        let (path, other) = (some_path(rng), some_path(rng));
        let step = match rng.below(12) {
            0 | 1 => format!("mkdir {path}"),
            2 | 3 => format!("create {path}"),
            4 | 5 if script.files.contains_key(&path) => format!("append {path} {}", rng.next()),
            6 if script.files.contains_key(&path) => format!("sync {path}"),
            7 => format!("syncdir {path}"),
            8 => format!("rename {path} {other}"),
            9 if rng.coin() => format!("rm {path}"),
            10 if rng.below(4) == 0 => format!("rmdir {path}"),
            11 => format!("truncate {path} {}", rng.below(9)),
            _ => format!("rename {path} {other}"),
        };
        // What a step that failed halfway has done is in the log too.
        let _ = script.step(&step);
        // The mark follows, so that no append is in flight.
        script.disk.mark(step);
        history.push((script.disk.log_len(), contents(&script.disk)));
    }
    history
}

/// Syncs all files and directories.
fn sync_everything(disk: &SimDisk) {
    let found = disk.state().live.walk();
    for (path, ino) in found {
        let path = Path::new(&path);
        match disk.kind(path).unwrap() {
            Some(EntryKind::Directory) => disk.sync_dir(path).unwrap(),
            _ => disk.state().sync_file(ino).unwrap(),
        }
    }
    disk.sync_dir(Path::new("/")).unwrap();
}

fn run(seed: u64) -> Run {
    let disk = SimDisk::new();
    let mut script = Script::on(&disk);
    script.run("mkdir keep; create keep/f; append keep/f safe; mkdir work");
    sync_everything(&disk);
    disk.mark("kept");
    let history = random_run(&mut script, &mut Rng::new(seed), 80);
    Run { disk, history }
}

#[test]
fn a_killed_process_leaves_the_disk_as_it_was() {
    for seed in 0..15 {
        let Run { disk, history } = run(seed);
        for (position, expected) in history {
            let image = disk.crash_image(position, Loss::Process, seed);
            assert_eq!(contents(&image), expected);
        }
    }
}

#[test]
fn what_is_wholly_synced_survives_everything() {
    for seed in 0..20 {
        let disk = SimDisk::new();
        let mut script = Script::on(&disk);
        script.run("mkdir work");
        let mut rng = Rng::new(seed);
        for _ in 0..4 {
            random_run(&mut script, &mut rng, 40);
            sync_everything(&disk);
            let expected = contents(&disk);
            for loss in Loss::ALL {
                for seed in 0..8 {
                    let image = disk.crash_image(disk.log_len(), loss, seed);
                    assert_eq!(contents(&image), expected, "{loss:?}");
                    assert_eq!(image.total_bytes(), visible_bytes(&image));
                }
            }
        }
    }
}

#[test]
fn every_image_is_a_tree_and_keeps_what_no_one_touched() {
    for seed in 0..15 {
        let Run { disk, .. } = run(seed);
        for position in 0..=disk.log_len() {
            for loss in Loss::ALL {
                let image = disk.crash_image(position, loss, seed);
                let found = image.state().live.walk();
                let inodes: HashSet<_> = found.iter().map(|(_, ino)| *ino).collect();
                assert_eq!(inodes.len(), found.len(), "no inode has two names");
                assert_eq!(image.total_bytes(), visible_bytes(&image));
                let kept = !disk.marks_before(position).is_empty();
                let found = read_small(&image, Path::new("keep/f"), 9).ok();
                assert!(!kept || found.as_deref() == Some(b"safe"));
            }
        }
    }
}

/// The bytes that paths lead to.
fn visible_bytes(disk: &SimDisk) -> u64 {
    let paths = disk.snapshot_paths();
    let lens = paths
        .iter()
        .map(|path| disk.open(Path::new(path)).unwrap().len());
    lens.map(|len| len.unwrap()).sum()
}
