//! Tests of the simulated disk. Most are rows of a table: a script of operations, and all the
//! contents that a crash after it may leave.

#![allow(clippy::unwrap_used)]

mod crash;
mod disk;
mod fault;
mod laws;
mod os;
mod rename;
mod saves;

use super::{Loss, SimDisk};
use crate::fs::{AppendFile, FileSystem};
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::Path;

/// Runs scripts such as `create a; append a hello; sync a; syncdir .`. A file is appended to and
/// synced by the path under which it was created, also after a rename.
struct Script {
    disk: SimDisk,
    files: HashMap<String, Box<dyn AppendFile>>,
}

impl Script {
    fn on(disk: &SimDisk) -> Script {
        let (disk, files) = (disk.clone(), HashMap::new());
        Script { disk, files }
    }

    /// Runs a script in which everything must succeed.
    fn run(&mut self, script: &str) -> &mut Script {
        for step in script.split(';').map(str::trim) {
            self.step(step)
                .unwrap_or_else(|error| panic!("{step}: {error}"));
        }
        self
    }

    fn step(&mut self, step: &str) -> io::Result<()> {
        let words: Vec<&str> = step.split_whitespace().collect();
        let path = words.get(1).map(Path::new);
        match (words.as_slice(), path) {
            (["create", name], Some(path)) => {
                let file = self.disk.create(path)?;
                self.files.insert(name.to_string(), file);
                Ok(())
            }
            (["append", name, bytes], _) => self.file(name)?.append(bytes.as_bytes()),
            (["sync", name], _) => self.file(name)?.sync(),
            (["mkdir", _], Some(path)) => self.disk.create_dir_all(path),
            (["syncdir", _], Some(path)) => self.disk.sync_dir(path),
            (["rename", _, to], Some(path)) => self.disk.rename(path, Path::new(to)),
            (["truncate", _, len], Some(path)) => self.disk.truncate(path, len.parse().unwrap()),
            (["rm", _], Some(path)) => self.disk.remove_file(path),
            (["rmdir", _], Some(path)) => self.disk.remove_dir_all(path),
            (["mark", label], _) => {
                self.disk.mark(*label);
                Ok(())
            }
            _ => panic!("no such step: {step}"),
        }
    }

    fn file(&mut self, name: &str) -> io::Result<&mut Box<dyn AppendFile>> {
        let file = self.files.get_mut(name);
        file.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// A disk on which a script was run.
fn after(script: &str) -> SimDisk {
    let disk = SimDisk::new();
    Script::on(&disk).run(script);
    disk
}

/// All that a disk holds: `a/ a/f=bytes`, with zero bytes shown as dots.
fn contents(disk: &SimDisk) -> String {
    let state = disk.state();
    let shown = state.live.walk().into_iter().map(|(path, ino)| {
        let Some(content) = state.live.content(ino) else {
            return format!("{path}/");
        };
        let bytes = String::from_utf8_lossy(&content.to_vec()).replace('\0', ".");
        format!("{path}={bytes}")
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// What the images of one crash hold, over many seeds.
fn outcomes(disk: &SimDisk, position: usize, loss: Loss) -> BTreeSet<String> {
    let images = (0..200).map(|seed| disk.crash_image(position, loss, seed));
    images.map(|image| contents(&image)).collect()
}

/// Checks that a crash at the end of `script` leaves one of `expected`, and that each occurs.
fn check(script: &str, loss: Loss, expected: &[&str]) {
    check_at(&after(script), usize::MAX, script, loss, expected);
}

fn check_at(disk: &SimDisk, position: usize, script: &str, loss: Loss, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|text| text.to_string()).collect();
    assert_eq!(
        outcomes(disk, position, loss),
        expected,
        "{script} ({loss:?})"
    );
}
