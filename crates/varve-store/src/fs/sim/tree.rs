//! Inodes and the names that lead to them.
//!
//! The tree knows nothing of durability: it holds one state of the disk, be it the live one or the
//! one after a crash. An inode has at most one name, as the trait offers no hard links; it has
//! none when it was unlinked while open, or when the entry that named it was lost.

use super::content::Content;
use super::ino::{Ino, InoMap, ROOT};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A directory entry's position: a name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) dir: Ino,
    pub(super) name: Arc<str>,
}

/// What an inode is.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// Shared between the trees of one run until one of them writes.
    File(Arc<Content>),
    Dir(BTreeMap<Arc<str>, Ino>),
}

#[derive(Clone, Debug)]
struct Node {
    place: Option<Place>,
    body: Body,
}

/// All inodes of one state of the disk.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: InoMap<Node>,
}

impl Tree {
    /// An empty root directory.
    pub(super) fn new() -> Tree {
        let mut tree = Tree {
            nodes: InoMap::new(),
        };
        tree.add(ROOT, Body::Dir(BTreeMap::new()));
        tree
    }

    /// Adds an inode that has no name yet.
    pub(super) fn add(&mut self, ino: Ino, body: Body) {
        self.nodes.insert(ino, Node { place: None, body });
    }

    /// Gives up an inode that has no name.
    pub(super) fn forget(&mut self, ino: Ino) {
        self.nodes.remove(ino);
    }

    pub(super) fn body(&self, ino: Ino) -> Option<&Body> {
        self.nodes.get(ino).map(|node| &node.body)
    }

    pub(super) fn entries(&self, dir: Ino) -> Option<&BTreeMap<Arc<str>, Ino>> {
        match self.body(dir)? {
            Body::Dir(entries) => Some(entries),
            Body::File(_) => None,
        }
    }

    pub(super) fn content(&self, file: Ino) -> Option<&Content> {
        match self.body(file)? {
            Body::File(content) => Some(content),
            Body::Dir(_) => None,
        }
    }

    pub(super) fn content_mut(&mut self, file: Ino) -> Option<&mut Content> {
        match &mut self.nodes.get_mut(file)?.body {
            Body::File(content) => Some(Arc::make_mut(content)),
            Body::Dir(_) => None,
        }
    }

    pub(super) fn at(&self, place: &Place) -> Option<Ino> {
        self.entries(place.dir)?.get(&place.name).copied()
    }

    pub(super) fn is_named(&self, ino: Ino) -> bool {
        self.nodes.get(ino).is_some_and(|node| node.place.is_some())
    }

    /// Moves an inode to `place`, away from the name it had; what stood at `place` loses its name.
    pub(super) fn attach(&mut self, place: &Place, ino: Ino) {
        self.detach(ino);
        self.clear(place);
        if let Some(entries) = self.entries_mut(place.dir) {
            entries.insert(place.name.clone(), ino);
            if let Some(node) = self.nodes.get_mut(ino) {
                node.place = Some(place.clone());
            }
        }
    }

    /// Removes the entry at `place`; its inode stays, without a name.
    pub(super) fn clear(&mut self, place: &Place) {
        if let Some(ino) = self.at(place) {
            self.detach(ino);
        }
    }

    /// Whether `ino` is `ancestor` or somewhere below it.
    pub(super) fn is_within(&self, ino: Ino, ancestor: Ino) -> bool {
        let mut here = Some(ino);
        while let Some(ino) = here {
            if ino == ancestor {
                return true;
            }
            let node = self.nodes.get(ino);
            here = node.and_then(|node| node.place.as_ref().map(|place| place.dir));
        }
        false
    }

    /// Every inode below the root with its path, directories before what they hold.
    pub(super) fn walk(&self) -> Vec<(String, Ino)> {
        let mut found = Vec::new();
        self.walk_below(ROOT, "", &mut found);
        found
    }

    /// Drops the inodes that no path leads to: after a crash nothing has them open.
    pub(super) fn retain_reachable(&mut self) {
        let mut reachable = InoMap::new();
        reachable.insert(ROOT, ());
        let mut dirs = vec![ROOT];
        while let Some(dir) = dirs.pop() {
            for ino in self.entries(dir).into_iter().flat_map(BTreeMap::values) {
                reachable.insert(*ino, ());
                dirs.push(*ino);
            }
        }
        self.nodes.retain(|ino| reachable.contains(ino));
    }

    /// The bytes of all files, with those that were unlinked while open.
    pub(super) fn total_bytes(&self) -> u64 {
        let files = self.nodes.values().map(|node| match &node.body {
            Body::File(content) => content.len(),
            Body::Dir(_) => 0,
        });
        files.sum()
    }

    fn walk_below(&self, dir: Ino, prefix: &str, found: &mut Vec<(String, Ino)>) {
        for (name, ino) in self.entries(dir).into_iter().flatten() {
            let path = format!("{prefix}{name}");
            let inner = format!("{path}/");
            found.push((path, *ino));
            self.walk_below(*ino, &inner, found);
        }
    }

    fn entries_mut(&mut self, dir: Ino) -> Option<&mut BTreeMap<Arc<str>, Ino>> {
        match &mut self.nodes.get_mut(dir)?.body {
            Body::Dir(entries) => Some(entries),
            Body::File(_) => None,
        }
    }

    fn detach(&mut self, ino: Ino) {
        let place = self.nodes.get_mut(ino).and_then(|node| node.place.take());
        if let Some(place) = place
            && let Some(entries) = self.entries_mut(place.dir)
        {
            entries.remove(&place.name);
        }
    }
}
