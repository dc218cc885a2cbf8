//! The strict check of every byte: framing, lengths, digests, the index against the records and
//! the records against the index, all files against the manifest.

mod files;
mod index;
mod layer;

pub use files::audit_file;
pub use index::rebuild_index;

use crate::collection::{Collection, MANIFEST, Manifest};
use crate::fs::{FileSystem, read_small};
use crate::{Result, StoreError};
use std::path::{Path, PathBuf};

/// Something that an audit found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file.
    pub file: PathBuf,
    /// Where in the file, if it is a place.
    pub offset: Option<u64>,
    /// What is wrong.
    pub what: String,
    /// Whether something is damaged, or just odd.
    pub is_damage: bool,
}

/// What an audit looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files read.
    pub files: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Records checked.
    pub records: u64,
    /// Index lines checked.
    pub captures: u64,
    /// Findings that are damage.
    pub damage: u64,
    /// Findings that are mere oddities.
    pub notes: u64,
}

/// Is told what an audit finds and how it goes on.
pub trait AuditObserver {
    /// Something was found.
    fn found(&mut self, finding: &Finding);
    /// So many more bytes were checked.
    fn advanced(&mut self, _bytes: u64) {}
}

/// An audit in progress.
pub(crate) struct Audit<'a> {
    pub(crate) tally: Tally,
    pub(crate) observer: &'a mut dyn AuditObserver,
}

impl<'a> Audit<'a> {
    fn new(observer: &'a mut dyn AuditObserver) -> Audit<'a> {
        Audit {
            tally: Tally::default(),
            observer,
        }
    }

    pub(crate) fn damage(&mut self, file: &Path, offset: Option<u64>, what: impl Into<String>) {
        self.report(Finding {
            file: file.to_owned(),
            offset,
            what: what.into(),
            is_damage: true,
        });
    }

    pub(crate) fn note(&mut self, file: &Path, offset: Option<u64>, what: impl Into<String>) {
        self.report(Finding {
            file: file.to_owned(),
            offset,
            what: what.into(),
            is_damage: false,
        });
    }

    fn report(&mut self, finding: Finding) {
        match finding.is_damage {
            true => self.tally.damage += 1,
            false => self.tally.notes += 1,
        }
        self.observer.found(&finding);
    }

    /// Turns an error about a file into a finding; disk trouble that is not about one goes on up.
    pub(crate) fn survive<T>(&mut self, result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(StoreError::Damaged {
                path,
                offset,
                fault,
            }) => {
                self.damage(&path, Some(offset), fault.to_string());
                Ok(None)
            }
            Err(StoreError::Invalid { path, reason }) => {
                self.damage(&path, None, reason);
                Ok(None)
            }
            Err(StoreError::Io {
                path,
                action,
                error,
            }) if action != "write" => {
                self.damage(&path, None, format!("cannot {action}: {error}"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Checks the manifest of a collection whose other files may not even open.
pub fn audit_manifest(fs: &dyn FileSystem, root: &Path) -> Option<Finding> {
    let file = root.join(MANIFEST);
    let damage = |what: String| {
        Some(Finding {
            file: file.clone(),
            offset: None,
            what,
            is_damage: true,
        })
    };
    match read_small(fs, &file, 256 << 20) {
        Err(error) => damage(format!("cannot be read: {error}")),
        Ok(bytes) => Manifest::parse(&bytes).err().and_then(damage),
    }
}

/// Checks every file of a collection.
pub fn audit_collection(
    collection: &Collection,
    observer: &mut dyn AuditObserver,
) -> Result<Tally> {
    let mut audit = Audit::new(observer);
    audit.tally.files += 1;
    for layer in 0..collection.layers().len() {
        layer::audit_layer(&mut audit, collection, layer)?;
    }
    layer::look_for_strangers(&mut audit, collection)?;
    Ok(audit.tally)
}
