//! A simulated disk, for tests of crashes, power loss, full disks and failing hardware.
//!
//! A [`SimDisk`] is a [`FileSystem`](super::FileSystem) in memory that records every change in a
//! log. A test runs the store on it once, then asks for *crash images*: what a disk may hold when
//! the power fails at a position of that log. Each image is a disk of its own, on which the test
//! runs recovery and compares what it finds with the *marks* that the run left in the log:
//!
//! ```
//! use std::path::Path;
//! use varve_store::fs::sim::{Loss, SimDisk};
//! use varve_store::fs::{FileSystem, read_small, write_atomically};
//!
//! let disk = SimDisk::new();
//! write_atomically(&disk, Path::new("state"), b"first")?;
//! disk.mark("saved");
//! for position in disk.sync_points() {
//!     for seed in 0..10 {
//!         let after = disk.crash_image(position, Loss::Reordered, seed);
//!         let found = read_small(&after, Path::new("state"), 100);
//!         match disk.marks_before(position).is_empty() {
//!             false => assert_eq!(found?, b"first"),
//!             true => assert!(found.is_err() || found? == b"first"),
//!         }
//!     }
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Durability follows the letter of POSIX rather than the kindness of a particular file system:
//! see [`Loss`]. Faults are planned with [`SimDisk::fail`] and [`SimDisk::set_capacity`]. The
//! simulation takes no time and knows no machine: the same calls and seeds give the same bytes.

mod content;
mod crash;
mod fate;
mod fault;
mod file_system;
mod ino;
mod names;
mod op;
mod path;
mod rng;
mod state;
#[cfg(test)]
mod tests;
mod tree;

use state::State;
use std::fmt::{self, Debug, Formatter};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tree::{Body, Tree};

pub use crash::Loss;
pub use fault::{FaultError, FaultOp, FaultPlan, FaultSpan};

/// A disk in memory. Clones are the same disk; [`fork`](SimDisk::fork) and
/// [`crash_image`](SimDisk::crash_image) give other ones.
///
/// Relative paths start at the root, so `a/b` and `/a/b` are the same file. `..` is refused.
#[derive(Clone)]
pub struct SimDisk(Arc<Mutex<State>>);

impl SimDisk {
    /// A disk that holds an empty root directory.
    pub fn new() -> SimDisk {
        SimDisk::holding(Tree::new(), 0)
    }

    /// Another disk with the same content, all of it durable; its log is empty, its counts are
    /// zero, no locks are held, no faults planned and its capacity is unlimited.
    pub fn fork(&self) -> SimDisk {
        let state = self.state();
        let mut tree = state.live.clone();
        tree.retain_reachable();
        SimDisk::holding(tree, state.next_ino)
    }

    /// What the disk may hold after a crash when the first `position` operations of the log had
    /// been issued; a position past the end means the end. Like a [`fork`](SimDisk::fork), the
    /// image is a disk of its own. The same arguments always give the same image.
    pub fn crash_image(&self, position: usize, loss: Loss, seed: u64) -> SimDisk {
        let state = self.state();
        let position = position.min(state.log.len());
        let tree = crash::image(&state.base, &state.log[..position], loss, seed);
        SimDisk::holding(tree, state.next_ino)
    }

    /// Records in the log that the application reached a point, such as having told its caller
    /// that something is saved.
    pub fn mark(&self, label: impl Into<String>) {
        self.state().commit(op::Op::Mark(label.into()));
    }

    /// How many operations and marks the log holds. Every number up to and including this one is
    /// a position to crash at.
    pub fn log_len(&self) -> usize {
        self.state().log.len()
    }

    /// The marks that were set before the log reached `position`, oldest first.
    pub fn marks_before(&self, position: usize) -> Vec<String> {
        let state = self.state();
        let labels = state.log.iter().take(position).filter_map(|op| match op {
            op::Op::Mark(label) => Some(label.clone()),
            _ => None,
        });
        labels.collect()
    }

    /// The positions just before and just after every sync, and the end of the log, ascending.
    pub fn sync_points(&self) -> Vec<usize> {
        let state = self.state();
        let mut points = Vec::new();
        for (position, op) in state.log.iter().enumerate() {
            if op.is_sync() {
                points.extend([position, position + 1]);
            }
        }
        points.push(state.log.len());
        points.dedup();
        points
    }

    /// The operations up to `position`, one per line, for the message of a failed test. Inodes
    /// are numbered from 0, the root.
    pub fn describe_log(&self, position: usize) -> String {
        let state = self.state();
        let ops = state.log.iter().take(position).enumerate();
        ops.map(|(position, op)| format!("{position}: {op}\n"))
            .collect()
    }

    /// Plans a fault. Several may be planned; each counts operations from now on.
    pub fn fail(&self, plan: FaultPlan) {
        self.state().faults.plan(plan);
    }

    /// Forgets all planned faults, as when the disk was repaired. Bytes lost stay lost.
    pub fn clear_faults(&self) {
        self.state().faults.clear();
    }

    /// How many operations failed because of a planned fault.
    pub fn faults_fired(&self) -> usize {
        self.state().faults.fired()
    }

    /// How many operations of a kind were attempted since this disk was made.
    pub fn op_count(&self, op: FaultOp) -> usize {
        self.state().faults.count(op)
    }

    /// Limits the bytes of all files together; an append that would exceed them writes what fits
    /// and fails with `ENOSPC`. A removed file counts until its last handle is dropped.
    pub fn set_capacity(&self, bytes: Option<u64>) {
        self.state().capacity = bytes;
    }

    /// The bytes of all files together, as the capacity counts them.
    pub fn total_bytes(&self) -> u64 {
        self.state().live.total_bytes()
    }

    /// The paths of all files in the order of a walk, relative to the root.
    pub fn snapshot_paths(&self) -> Vec<String> {
        let state = self.state();
        let mut found = state.live.walk();
        found.retain(|(_, ino)| state.live.content(*ino).is_some());
        found.into_iter().map(|(path, _)| path).collect()
    }

    /// Inverts a bit of a file, counted from the least significant one of the first byte, as rot
    /// does. The bit is inverted in every crash image that holds it after this position.
    pub fn flip_bit(&self, path: impl AsRef<Path>, bit: u64) -> io::Result<()> {
        let mut state = self.state();
        let ino = path::find_file(&state.live, path.as_ref())?;
        let len = state.live.content(ino).map_or(0, |content| content.len());
        if bit / 8 >= len {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        state.commit(op::Op::FlipBit { ino, bit });
        Ok(())
    }

    /// Writes all directories and files below a real directory, to be looked at.
    pub fn export_to(&self, dir: &Path) -> io::Result<()> {
        let state = self.state();
        fs::create_dir_all(dir)?;
        for (path, ino) in state.live.walk() {
            match state.live.body(ino) {
                Some(Body::File(content)) => fs::write(dir.join(path), content.to_vec())?,
                _ => fs::create_dir_all(dir.join(path))?,
            }
        }
        Ok(())
    }

    fn holding(tree: Tree, next_ino: usize) -> SimDisk {
        SimDisk(Arc::new(Mutex::new(State::new(tree, next_ino))))
    }

    /// The state. A test that panicked on another thread has not broken it: no operation stops
    /// halfway.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for SimDisk {
    fn default() -> SimDisk {
        SimDisk::new()
    }
}

/// Short: the log of a real run would bury the message that it stands in.
impl Debug for SimDisk {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("SimDisk")
    }
}
