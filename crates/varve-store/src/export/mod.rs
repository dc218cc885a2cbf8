//! A collection as standard files for other tools: one WACZ, or one WARC.
//!
//! The output appears under its name only when it is whole. A WACZ need not be written to be read
//! (`view.rs`), and a record can be had by itself (`record.rs`).

mod names;
mod record;
mod view;
mod wacz;
mod warc;

pub use record::{Member, member_of, write_member};
pub use view::{ArchiveFile, Checksums, archive_files, view_wacz};
pub use wacz::export_wacz;
pub(crate) use warc::copy_block;
pub use warc::export_warc;

use crate::collection::{self, Collection};
use crate::{Result, StoreError};
use std::fs;
use std::path::{Path, PathBuf};

/// Is told how an export goes on.
pub trait ExportObserver {
    /// So many more bytes were written.
    fn advanced(&mut self, bytes: u64);
}

impl ExportObserver for () {
    fn advanced(&mut self, _: u64) {}
}

/// A file that gets its name when it is complete, and is removed when it never is.
pub(crate) struct Draft {
    temporary: PathBuf,
    target: PathBuf,
    done: bool,
}

impl Draft {
    pub(crate) fn new(target: &Path) -> Result<Draft> {
        if target.exists() {
            return Err(StoreError::invalid(
                target,
                "exists already: remove it or choose another name",
            ));
        }
        let mut name = target.as_os_str().to_owned();
        name.push(".part");
        let temporary = PathBuf::from(name);
        let _ = fs::remove_file(&temporary);
        Ok(Draft {
            temporary,
            target: target.to_owned(),
            done: false,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.temporary
    }

    pub(crate) fn publish(mut self) -> Result<()> {
        let sync = |path: &Path| fs::File::open(path).and_then(|file| file.sync_all());
        sync(&self.temporary).map_err(StoreError::io(&self.target, "sync"))?;
        fs::rename(&self.temporary, &self.target)
            .map_err(StoreError::io(&self.target, "rename"))?;
        self.done = true;
        let parent = self
            .target
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        sync(parent.unwrap_or(Path::new("."))).map_err(StoreError::io(&self.target, "sync"))
    }
}

/// A collection with all bodies whole, for as long as it is written. Others know nothing of parts.
pub(crate) struct Whole {
    made: Option<(collection::Draft, PathBuf)>,
}

impl Whole {
    /// Makes one beside the output, if it is needed.
    pub(crate) fn of(collection: &Collection, target: &Path) -> Result<Whole> {
        if !collection.is_our_own()? {
            return Ok(Whole { made: None });
        }
        let mut name = target.as_os_str().to_owned();
        name.push(".whole");
        let dir = PathBuf::from(name);
        let made = collection.made_whole(&dir)?;
        Ok(Whole {
            made: Some((made, dir)),
        })
    }

    /// What is to be written.
    pub(crate) fn collection<'a>(&'a self, as_it_is: &'a Collection) -> &'a Collection {
        match &self.made {
            Some((made, _)) => made.collection(),
            None => as_it_is,
        }
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        if let Some((_, dir)) = &self.made {
            let _ = fs::remove_dir_all(dir);
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
