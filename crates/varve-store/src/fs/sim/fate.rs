//! What the syncs of a log promise about each of its operations.
//!
//! The rules are those of strict POSIX, harsher than any one file system: a file's bytes are safe
//! once that file was synced, a directory's entries once that directory was synced, and nothing
//! else is ever promised.

use super::ino::{Ino, InoMap};
use super::op::Op;

/// What is known of an operation after power was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// A sync covers it: it survived.
    Settled,
    /// No sync covers it: it may have survived.
    Pending,
    /// A rename of which only one of the two directories was synced: whole or not at all.
    Half,
    /// A sync of its file failed: it is lost, whatever a later sync says.
    Doomed,
}

/// The fate of each operation when power is lost right after the last one.
pub(super) fn fates(log: &[Op]) -> Vec<Fate> {
    // From the end to the beginning: what decides is the next sync after an operation.
    let mut ahead = Ahead {
        files: InoMap::new(),
        dirs: InoMap::new(),
        removed: InoMap::new(),
    };
    let mut fates: Vec<Fate> = log.iter().rev().map(|op| ahead.judge(op)).collect();
    fates.reverse();
    fates
}

/// The syncs between an operation and the crash.
struct Ahead {
    /// How the next sync of a file went.
    files: InoMap<Fate>,
    dirs: InoMap<()>,
    /// The directories whose removal is settled. They can no longer be synced, and need not be:
    /// a directory that is gone for good was empty for good.
    removed: InoMap<()>,
}

impl Ahead {
    fn judge(&mut self, op: &Op) -> Fate {
        match op {
            Op::SyncFile(ino) => {
                self.files.insert(*ino, Fate::Settled);
                Fate::Settled
            }
            Op::SyncFileFailed(ino) => {
                self.files.insert(*ino, Fate::Doomed);
                Fate::Settled
            }
            Op::SyncDir(ino) => {
                self.dirs.insert(*ino, ());
                Fate::Settled
            }
            Op::Append { ino, .. } | Op::Truncate { ino, .. } => {
                self.files.get(*ino).copied().unwrap_or(Fate::Pending)
            }
            Op::Create { place, .. } | Op::Mkdir { place, .. } | Op::Unlink { place, .. } => {
                self.entry(place.dir)
            }
            Op::RemoveDir { place, ino } => {
                let fate = self.entry(place.dir);
                if fate == Fate::Settled {
                    self.dirs.insert(*ino, ());
                    self.removed.insert(*ino, ());
                }
                fate
            }
            Op::Rename { from, to, .. } => self.rename(from.dir, to.dir),
            Op::FlipBit { .. } | Op::Mark(_) => Fate::Settled,
        }
    }

    fn entry(&self, dir: Ino) -> Fate {
        if self.dirs.contains(dir) {
            Fate::Settled
        } else {
            Fate::Pending
        }
    }

    fn rename(&self, from: Ino, to: Ino) -> Fate {
        if self.removed.contains(from) {
            return Fate::Settled;
        }
        match (self.dirs.contains(from), self.dirs.contains(to)) {
            (true, true) => Fate::Settled,
            (false, false) => Fate::Pending,
            _ => Fate::Half,
        }
    }
}
