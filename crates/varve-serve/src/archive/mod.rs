//! The collections that are served, always as their manifests say.
//!
//! A collection that gets another layer is opened anew; requests under way keep what they began
//! with.

mod client;
mod lines;
mod looked;
mod names;
mod opened;
mod page_times;
mod rules;
mod rules_file;
mod seen;
mod tally;

pub(crate) use lines::{LogLine, PagePlace, Part, Text};
pub(crate) use names::Name;
pub(crate) use opened::{Opened, Origin, PageLine};
pub(crate) use rules::{Change, Rules, Unchanged};
pub(crate) use seen::RecordedClient;
pub(crate) use tally::Tally;

use looked::Looked;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use varve_store::Result;
use varve_store::collection::{Collection, Manifest};
use varve_store::fs::Fs;
use varve_store::index::MergedIndex;
use varve_store::world::World;

/// All collections that are served.
pub(crate) struct Archive {
    shelves: Vec<Shelf>,
    rules: Arc<Rules>,
}

/// A collection and when its manifest was last looked at.
struct Shelf {
    name: Name,
    root: PathBuf,
    fs: Fs,
    world: Arc<dyn World>,
    rules: Arc<Rules>,
    opened: RwLock<Arc<Opened>>,
    looked: Looked,
}

impl Archive {
    /// Opens the collections in these directories, of which the rules say what may be shown.
    pub(crate) fn open(
        fs: &Fs,
        world: &Arc<dyn World>,
        roots: &[PathBuf],
        rules: Rules,
    ) -> Result<Archive> {
        let rules = Arc::new(rules);
        let mut shelves = Vec::with_capacity(roots.len());
        for (root, name) in roots.iter().zip(names::names(roots)) {
            shelves.push(Shelf {
                name,
                opened: RwLock::new(Arc::new(Opened::open(fs, world, root, &rules, None)?)),
                root: root.clone(),
                fs: fs.clone(),
                world: world.clone(),
                rules: rules.clone(),
                looked: Looked::now(),
            });
        }
        Ok(Archive { shelves, rules })
    }

    /// The collections as they are now.
    pub(crate) fn now(&self) -> Vec<Arc<Opened>> {
        self.shelves.iter().map(Shelf::now).collect()
    }

    /// The index over all collections.
    pub(crate) fn index(&self) -> MergedIndex {
        let opened = self.now();
        match opened.as_slice() {
            [one] => one.index().clone(),
            several => {
                let layers = several.iter().flat_map(|opened| opened.index().layers());
                let layers = layers.map(|(_, layer)| layer.clone()).enumerate();
                MergedIndex::new(layers.collect()).behind(self.rules.clone())
            }
        }
    }

    /// A number that tells what the collections hold from what they held at other times.
    pub(crate) fn state(&self) -> u64 {
        // An embargo ends, or begins, within a minute of when it should.
        self.state_within(Duration::from_secs(60))
    }

    /// The same for those to whom embargoes may end and begin so much later.
    pub(crate) fn state_within(&self, span: Duration) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(self.rules.state(span));
        for shelf in &self.shelves {
            hasher.write_u64(shelf.current().fingerprint());
        }
        hasher.finish()
    }

    /// Whether no collection needs to be looked at before it is believed.
    pub(crate) fn is_as_known(&self) -> bool {
        self.shelves.iter().all(|shelf| shelf.looked.is_recent())
    }

    /// What may be shown.
    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Where they are.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &Path> {
        self.shelves.iter().map(|shelf| shelf.root.as_path())
    }

    /// What they are called.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.shelves.iter().map(|shelf| &shelf.name)
    }

    /// The collections with their names.
    pub(crate) fn collections(&self) -> impl Iterator<Item = (&Name, Arc<Opened>)> {
        let shelves = self.shelves.iter();
        shelves.map(|shelf| (&shelf.name, shelf.now()))
    }

    /// The collection with this name in paths.
    pub(crate) fn named(&self, path: &str) -> Option<(&Name, Arc<Opened>)> {
        let shelf = self.shelf(path)?;
        Some((&shelf.name, shelf.now()))
    }

    /// Where the collection with this name in paths is.
    pub(crate) fn root_of(&self, path: &str) -> Option<&Path> {
        Some(self.shelf(path)?.root.as_path())
    }

    /// The collection with this name in paths, to add to it.
    pub(crate) fn to_add_to(&self, path: &str) -> Option<Result<Collection>> {
        let shelf = self.shelf(path)?;
        let (fs, world) = (shelf.fs.clone(), shelf.world.clone());
        Some(Collection::open(fs, &shelf.root, world))
    }

    /// The collection with this name in paths, as its manifest is at this moment.
    pub(crate) fn looked_at(&self, path: &str) -> Option<Arc<Opened>> {
        let shelf = self.shelf(path)?;
        shelf.look();
        Some(shelf.current())
    }

    fn shelf(&self, path: &str) -> Option<&Shelf> {
        self.shelves.iter().find(|shelf| shelf.name.path == path)
    }

    /// What a collection is called.
    pub(crate) fn name_of(&self, opened: &Opened) -> Option<&Name> {
        let root = opened.collection().root();
        let mut shelves = self.shelves.iter();
        Some(&shelves.find(|shelf| shelf.root == root)?.name)
    }
}

impl Shelf {
    fn now(&self) -> Arc<Opened> {
        if self.looked.is_time() {
            self.look();
        }
        self.current()
    }

    fn current(&self) -> Arc<Opened> {
        self.opened
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Opens the collection anew if its manifest says something else. One that cannot be read
    /// just now is served as it was.
    fn look(&self) {
        let Ok(manifest) = Manifest::load(self.fs.as_ref(), &self.root) else {
            return;
        };
        if manifest.layers == self.current().collection().layers() {
            return;
        }
        let before = self.current();
        let opened = Opened::open(
            &self.fs,
            &self.world,
            &self.root,
            &self.rules,
            Some(&before),
        );
        if let Ok(opened) = opened {
            *self.opened.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(opened);
        }
    }
}
