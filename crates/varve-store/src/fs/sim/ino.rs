//! Inode numbers, and tables by inode number.

use std::fmt::{self, Display, Formatter};

/// An inode number. Numbers are given in sequence and never used twice, so the log can name
/// inodes by them and a table of inodes is an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ino(pub(super) usize);

/// The directory that every path starts from.
pub(super) const ROOT: Ino = Ino(0);

impl Display for Ino {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// A map from inode numbers. Crash images ask it for every operation of the log, thousands of
/// times in a test, and hashing would be most of what they do.
#[derive(Clone, Debug)]
pub(super) struct InoMap<T>(Vec<Option<T>>);

impl<T> InoMap<T> {
    pub(super) fn new() -> InoMap<T> {
        InoMap(Vec::new())
    }

    pub(super) fn get(&self, ino: Ino) -> Option<&T> {
        self.0.get(ino.0)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, ino: Ino) -> Option<&mut T> {
        self.0.get_mut(ino.0)?.as_mut()
    }

    pub(super) fn contains(&self, ino: Ino) -> bool {
        self.get(ino).is_some()
    }

    /// Sets a value and returns the one before.
    pub(super) fn insert(&mut self, ino: Ino, value: T) -> Option<T> {
        if self.0.len() <= ino.0 {
            self.0.resize_with(ino.0 + 1, || None);
        }
        self.0[ino.0].replace(value)
    }

    pub(super) fn remove(&mut self, ino: Ino) -> Option<T> {
        self.0.get_mut(ino.0)?.take()
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    /// Removes all inodes that `keep` refuses.
    pub(super) fn retain(&mut self, keep: impl Fn(Ino) -> bool) {
        for (number, value) in self.0.iter_mut().enumerate() {
            if value.is_some() && !keep(Ino(number)) {
                *value = None;
            }
        }
    }
}
