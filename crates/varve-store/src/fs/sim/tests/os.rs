//! The simulated disk and the real one answer alike.

use super::super::SimDisk;
use super::super::rng::Rng;
use crate::fs::{AppendFile, FileSystem, OsFileSystem, read_small};
use std::io;
use std::path::{Path, PathBuf};

/// One of the two, with the files created on it.
struct Side<'a> {
    fs: &'a dyn FileSystem,
    root: &'a Path,
    files: Vec<Box<dyn AppendFile>>,
}

impl Side<'_> {
    /// Does what `rng` says and describes the result.
    fn act(&mut self, rng: &mut Rng) -> String {
        let (first, second) = (some_path(rng), some_path(rng));
        let (path, to) = (self.root.join(&first), self.root.join(&second));
        let number = rng.below(12);
        let result = match rng.below(10) {
            0 | 1 => show("create", self.create(&path)),
            2 | 3 => show("mkdir", self.fs.create_dir_all(&path)),
            4 => show("append", self.append(number)),
            5 => show("truncate", self.fs.truncate(&path, number as u64)),
            6 | 7 => show("rename", self.fs.rename(&path, &to)),
            8 => show("rm", self.fs.remove_file(&path)),
            _ if number < 3 => show("rmdir", self.fs.remove_dir_all(&path)),
            _ => show("lock", self.fs.try_lock(&path).map(|lock| lock.is_some())),
        };
        format!("{result} {first:?} {second:?} -> {}", self.look(&path))
    }

    fn create(&mut self, path: &Path) -> io::Result<()> {
        self.files.push(self.fs.create(path)?);
        Ok(())
    }

    fn append(&mut self, number: usize) -> io::Result<()> {
        match self.files.len() {
            0 => Ok(()),
            count => self.files[number % count].append(&vec![b'x'; number]),
        }
    }

    fn look(&self, path: &Path) -> String {
        [
            show("kind", self.fs.kind(path)),
            show("list", self.fs.list(path)),
            show("list", self.fs.list(self.root)),
            show("read", read_small(self.fs, path, 1 << 20)),
        ]
        .join(", ")
    }
}

fn show<T: std::fmt::Debug>(what: &str, result: io::Result<T>) -> String {
    match result {
        Ok(value) => format!("{what}: {value:?}"),
        Err(error) => format!("{what}: {:?}", error.kind()),
    }
}

fn some_path(rng: &mut Rng) -> PathBuf {
    let depth = 1 + rng.below(3);
    (0..depth).map(|_| ["a", "b", "c"][rng.below(3)]).collect()
}

#[test]
fn random_operations_give_what_the_system_gives() {
    for seed in 0..20 {
        let dir = tempfile::tempdir().unwrap();
        let disk = SimDisk::new();
        let (fs, root, files) = (&OsFileSystem, dir.path(), Vec::new());
        let mut real = Side { fs, root, files };
        let (fs, root, files) = (&disk, Path::new("/"), Vec::new());
        let mut simulated = Side { fs, root, files };
        let mut rng = Rng::new(seed);
        for step in 0..150 {
            let expected = real.act(&mut rng.clone());
            assert_eq!(
                simulated.act(&mut rng),
                expected,
                "seed {seed}, step {step}"
            );
        }
    }
}
