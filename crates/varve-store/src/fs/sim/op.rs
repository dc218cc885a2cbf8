//! The operations of the log, and what each does to a tree.

use super::content::Content;
use super::ino::Ino;
use super::tree::{Body, Place, Tree};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// One logged operation. Inodes are named by number, so an operation means the same file whatever
/// became of the names around it.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Create {
        place: Place,
        ino: Ino,
    },
    Mkdir {
        place: Place,
        ino: Ino,
    },
    Rename {
        from: Place,
        to: Place,
        ino: Ino,
    },
    Unlink {
        place: Place,
        ino: Ino,
    },
    RemoveDir {
        place: Place,
        ino: Ino,
    },
    /// The offset is the file's length at that time.
    Append {
        ino: Ino,
        offset: u64,
        bytes: Arc<[u8]>,
    },
    Truncate {
        ino: Ino,
        len: u64,
    },
    SyncFile(Ino),
    /// The file's unsynced bytes will never reach the disk, though reads still see them.
    SyncFileFailed(Ino),
    SyncDir(Ino),
    /// Rot of the medium: it asks no one and no crash undoes it.
    FlipBit {
        ino: Ino,
        bit: u64,
    },
    Mark(String),
}

impl Op {
    /// Whether this is a sync, successful or not.
    pub(super) fn is_sync(&self) -> bool {
        matches!(
            self,
            Op::SyncFile(_) | Op::SyncFileFailed(_) | Op::SyncDir(_)
        )
    }

    /// Does the operation whatever the tree looks like: what it says of its names holds after.
    pub(super) fn apply(&self, tree: &mut Tree) {
        self.add_inode(tree);
        match self {
            Op::Create { place, ino } | Op::Mkdir { place, ino } => tree.attach(place, *ino),
            Op::Rename { from, to, ino } => {
                if !tree.is_within(to.dir, *ino) {
                    tree.clear(from);
                    tree.attach(to, *ino);
                }
            }
            Op::Unlink { place, .. } | Op::RemoveDir { place, .. } => tree.clear(place),
            Op::Append { ino, offset, bytes } => write(tree, *ino, *offset, bytes.clone()),
            Op::Truncate { ino, len } => {
                if let Some(content) = tree.content_mut(*ino) {
                    content.set_len(*len);
                }
            }
            Op::FlipBit { ino, bit } => {
                if let Some(content) = tree.content_mut(*ino) {
                    content.flip_bit(*bit);
                }
            }
            Op::SyncFile(_) | Op::SyncFileFailed(_) | Op::SyncDir(_) | Op::Mark(_) => {}
        }
    }

    /// Does the operation if it can be done: one whose predecessor was lost may find its name
    /// absent, taken by another, or its directory not empty.
    pub(super) fn apply_if_possible(&self, tree: &mut Tree) {
        let possible = match self {
            Op::Create { place, .. } | Op::Mkdir { place, .. } => tree.at(place).is_none(),
            Op::Rename { from, to, ino } => {
                tree.at(from) == Some(*ino) && may_replace(tree, *ino, tree.at(to))
            }
            Op::Unlink { place, ino } => tree.at(place) == Some(*ino),
            Op::RemoveDir { place, ino } => tree.at(place) == Some(*ino) && is_empty(tree, *ino),
            _ => true,
        };
        if possible {
            self.apply(tree);
        } else {
            self.add_inode(tree);
        }
    }

    /// Adds the inode that the operation creates. Even when the entry is lost the inode may be
    /// written, synced and renamed to where it is not.
    pub(super) fn add_inode(&self, tree: &mut Tree) {
        match self {
            Op::Create { ino, .. } => tree.add(*ino, Body::File(Arc::new(Content::default()))),
            Op::Mkdir { ino, .. } => tree.add(*ino, Body::Dir(BTreeMap::new())),
            _ => {}
        }
    }
}

/// Writes into a file if the tree has it.
pub(super) fn write(tree: &mut Tree, ino: Ino, offset: u64, bytes: Arc<[u8]>) {
    if let Some(content) = tree.content_mut(ino) {
        content.write_at(offset, bytes);
    }
}

/// Whether a rename of `ino` may replace what stands at its target.
fn may_replace(tree: &Tree, ino: Ino, target: Option<Ino>) -> bool {
    let Some(target) = target else {
        return true;
    };
    match tree.entries(ino) {
        Some(_) => is_empty(tree, target),
        None => tree.content(target).is_some(),
    }
}

/// Whether `ino` is a directory without entries.
pub(super) fn is_empty(tree: &Tree, ino: Ino) -> bool {
    tree.entries(ino).is_some_and(BTreeMap::is_empty)
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Op::Create { place, ino } => write!(f, "create {place} as {ino}"),
            Op::Mkdir { place, ino } => write!(f, "mkdir {place} as {ino}"),
            Op::Rename { from, to, ino } => write!(f, "rename {ino} from {from} to {to}"),
            Op::Unlink { place, ino } => write!(f, "unlink {ino} at {place}"),
            Op::RemoveDir { place, ino } => write!(f, "rmdir {ino} at {place}"),
            Op::Append { ino, offset, bytes } => {
                write!(f, "append {} bytes to {ino} at {offset}", bytes.len())
            }
            Op::Truncate { ino, len } => write!(f, "truncate {ino} to {len}"),
            Op::SyncFile(ino) => write!(f, "sync file {ino}"),
            Op::SyncFileFailed(ino) => write!(f, "sync file {ino}, failed"),
            Op::SyncDir(ino) => write!(f, "sync dir {ino}"),
            Op::FlipBit { ino, bit } => write!(f, "flip bit {bit} of {ino}"),
            Op::Mark(label) => write!(f, "mark {label}"),
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.dir, self.name)
    }
}
