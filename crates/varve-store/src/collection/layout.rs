//! Where things stand in a collection's directory.

use std::path::{Path, PathBuf};

/// The directories inside a layer.
pub(crate) const ARCHIVE: &str = "archive";
pub(crate) const INDEXES: &str = "indexes";
pub(crate) const PAGES: &str = "pages";
pub(crate) const LOGS: &str = "logs";
/// What could not be read of a file, set aside and never deleted.
pub(crate) const TAILS: &str = "tails";
/// The ending of an archive file that is being written.
pub(crate) const OPEN: &str = ".open";
/// The ending of a file that recovery is writing.
pub(crate) const RECOVERING: &str = ".recovering";

/// The paths of a collection.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    root: PathBuf,
}

impl Layout {
    pub(crate) fn new(root: PathBuf) -> Layout {
        Layout { root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The sealed layers.
    pub(crate) fn layers(&self) -> PathBuf {
        self.root.join("layers")
    }

    pub(crate) fn layer(&self, id: &str) -> PathBuf {
        self.layers().join(id)
    }

    /// Everything that is not sealed.
    pub(crate) fn state(&self) -> PathBuf {
        self.root.join("state")
    }

    /// An open layer: the sealed layer in the making.
    pub(crate) fn open_layer(&self, id: &str) -> PathBuf {
        self.state().join(id)
    }

    // The journal and the lock stand beside the open layer, not in it, so that sealing is one
    // rename of a directory that holds nothing but the layer.
    pub(crate) fn journal(&self, id: &str) -> PathBuf {
        self.state()
            .join(format!("{id}.{}", super::journal::JOURNAL))
    }

    pub(crate) fn layer_lock(&self, id: &str) -> PathBuf {
        self.state().join(format!("{id}.lock"))
    }

    /// Held while the manifest changes or layers are opened or looked over for recovery.
    pub(crate) fn collection_lock(&self) -> PathBuf {
        self.state().join("lock")
    }

    /// Scratch space for sorting.
    pub(crate) fn scratch(&self, id: &str) -> PathBuf {
        self.state().join(format!("{id}.scratch"))
    }
}
