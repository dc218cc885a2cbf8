//! One file per command.

pub(crate) mod aggregate;
pub(crate) mod audit;
pub(crate) mod crawl;
pub(crate) mod demo_site;
pub(crate) mod export;
pub(crate) mod filter;
pub(crate) mod find;
pub(crate) mod import;
pub(crate) mod mementomap;
pub(crate) mod memo;
pub(crate) mod prune;
pub(crate) mod qa;
pub(crate) mod serve;

use crate::output::{Output, count};
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;
use varve_store::collection::Collection;
use varve_store::fs::{Fs, OsFileSystem};
use varve_store::world::RealWorld;

/// The machine's file system.
pub(crate) fn file_system() -> Fs {
    Arc::new(OsFileSystem)
}

/// Opens a collection and says what had to be recovered.
pub(crate) fn open(root: &Path, output: &Output) -> Result<Collection> {
    let collection = Collection::open(file_system(), root, Arc::new(RealWorld))?;
    tell_recovered(&collection, output);
    Ok(collection)
}

/// Opens a collection or makes one.
pub(crate) fn open_or_create(root: &Path, output: &Output) -> Result<Collection> {
    let collection = Collection::open_or_create(file_system(), root, Arc::new(RealWorld))?;
    tell_recovered(&collection, output);
    Ok(collection)
}

fn tell_recovered(collection: &Collection, output: &Output) {
    if let Some(error) = collection.unrecovered() {
        let what = "an interrupted import or crawl waits to be recovered, and is not part of this";
        output.warning(&format!("{what}: {error}"));
    }
    for layer in collection.recovered() {
        let what = match layer.sealed {
            true => "everything that was saved is in the collection",
            false => "nothing in it had been saved",
        };
        let mut text = format!("recovered the interrupted layer {}: {what}", layer.layer);
        if layer.adopted > 0 {
            text += &format!(
                ", and {} more that were whole",
                count(layer.adopted, "record")
            );
        }
        if layer.set_aside > 0 {
            text += &format!(
                "; {} set aside in its tails/",
                count(layer.set_aside, "torn byte")
            );
        }
        output.note(&text);
    }
}
