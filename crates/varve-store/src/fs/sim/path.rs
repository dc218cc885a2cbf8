//! Paths to inodes, with the errors that an operating system gives.

use super::ino::{Ino, ROOT};
use super::tree::{Body, Place, Tree};
use std::io::{self, ErrorKind};
use std::path::{Component, Path};
use std::sync::Arc;

/// The inode at `path`.
pub(super) fn find(tree: &Tree, path: &Path) -> io::Result<Ino> {
    let mut here = ROOT;
    for name in names(path)? {
        here = step(tree, here, name)?.ok_or(ErrorKind::NotFound)?;
    }
    Ok(here)
}

/// The inode at `path`, which must be a file.
pub(super) fn find_file(tree: &Tree, path: &Path) -> io::Result<Ino> {
    let ino = find(tree, path)?;
    match tree.body(ino) {
        Some(Body::File(_)) => Ok(ino),
        _ => Err(ErrorKind::IsADirectory.into()),
    }
}

/// The inode at `path`, which must be a directory.
pub(super) fn find_dir(tree: &Tree, path: &Path) -> io::Result<Ino> {
    let ino = find(tree, path)?;
    match tree.body(ino) {
        Some(Body::Dir(_)) => Ok(ino),
        _ => Err(ErrorKind::NotADirectory.into()),
    }
}

/// The inode at `path`, or `None` when that or a directory on the way is absent.
pub(super) fn find_if_present(tree: &Tree, path: &Path) -> io::Result<Option<Ino>> {
    match find(tree, path) {
        Ok(ino) => Ok(Some(ino)),
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
            _ => Err(error),
        },
    }
}

/// The place that `path` names, in a directory that exists; `None` for the root.
pub(super) fn place(tree: &Tree, path: &Path) -> io::Result<Option<Place>> {
    let names = names(path)?;
    let Some((last, parents)) = names.split_last() else {
        return Ok(None);
    };
    let mut dir = ROOT;
    for name in parents {
        dir = step(tree, dir, name)?.ok_or(ErrorKind::NotFound)?;
    }
    step(tree, dir, last)?;
    let name = Arc::from(*last);
    Ok(Some(Place { dir, name }))
}

/// The names on the way from the root. A leading `/` changes nothing: the simulated process
/// stands in the root. `..` is refused, as the store has no use for it.
pub(super) fn names(path: &Path) -> io::Result<Vec<&str>> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::RootDir | Component::CurDir => {}
            Component::Normal(name) => names.push(name.to_str().ok_or(ErrorKind::InvalidInput)?),
            Component::ParentDir | Component::Prefix(_) => {
                return Err(ErrorKind::InvalidInput.into());
            }
        }
    }
    Ok(names)
}

/// One step down; an error when `dir` is no directory.
fn step(tree: &Tree, dir: Ino, name: &str) -> io::Result<Option<Ino>> {
    let entries = tree.entries(dir).ok_or(ErrorKind::NotADirectory)?;
    Ok(entries.get(name).copied())
}
