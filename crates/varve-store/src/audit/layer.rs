//! Checking one layer: its datapackage against the manifest, its files against the datapackage,
//! its records one by one, its index against its records.

use super::index::{RecordLines, compare_index};
use super::{Audit, files};
use crate::Result;
use crate::StoreError;
use crate::collection::layout::{ARCHIVE, INDEXES};
use crate::collection::{Collection, DATAPACKAGE, Datapackage, Resource, hash_file};
use crate::fs::{EntryKind, read_small};
use std::collections::HashSet;
use std::path::{Component, Path};
use varve_model::{Digest, DigestAlgorithm};

const MAX_DATAPACKAGE: u64 = 256 << 20;

pub(super) fn audit_layer(
    audit: &mut Audit<'_>,
    collection: &Collection,
    layer: usize,
) -> Result<()> {
    let dir = collection.layer_dir(layer);
    let path = dir.join(DATAPACKAGE);
    audit.tally.files += 1;
    let bytes = read_small(collection.fs.as_ref(), &path, MAX_DATAPACKAGE);
    let bytes = bytes.map_err(StoreError::io(&path, "read"));
    let Some(bytes) = audit.survive(bytes)? else {
        return Ok(());
    };
    let declared = &collection.layers()[layer].datapackage;
    let computed = Digest::of(DigestAlgorithm::Sha256, &bytes).to_string();
    if computed != *declared {
        let what = format!("the manifest says {declared}, but its bytes give {computed}");
        audit.damage(&path, None, what);
    }
    let datapackage = Datapackage::load(collection.fs.as_ref(), &dir);
    let Some(datapackage) = audit.survive(datapackage)? else {
        return Ok(());
    };
    for resource in &datapackage.resources {
        audit_resource(audit, collection, &dir, resource)?;
    }
    look_for_unlisted(audit, collection, &dir, &datapackage)?;
    audit_records(audit, collection, layer)
}

fn audit_resource(
    audit: &mut Audit<'_>,
    collection: &Collection,
    dir: &Path,
    resource: &Resource,
) -> Result<()> {
    let inside = Path::new(&resource.path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !inside {
        let what = format!("names the file {:?} outside the layer", resource.path);
        audit.damage(&dir.join(DATAPACKAGE), None, what);
        return Ok(());
    }
    let path = dir.join(&resource.path);
    audit.tally.files += 1;
    let hashed = collection
        .fs
        .open(&path)
        .and_then(|file| hash_file(&file))
        .map_err(StoreError::io(&path, "read"));
    let Some((hash, bytes)) = audit.survive(hashed)? else {
        return Ok(());
    };
    audit.tally.bytes += bytes;
    if bytes != resource.bytes {
        let what = format!(
            "is {bytes} bytes long; the datapackage says {}",
            resource.bytes
        );
        audit.damage(&path, None, what);
    } else if hash.to_string() != resource.hash {
        let what = format!(
            "the datapackage says {}, but its bytes give {hash}",
            resource.hash
        );
        audit.damage(&path, None, what);
    }
    Ok(())
}

/// Files in the layer that its datapackage does not know.
fn look_for_unlisted(
    audit: &mut Audit<'_>,
    collection: &Collection,
    dir: &Path,
    datapackage: &Datapackage,
) -> Result<()> {
    let listed: HashSet<&str> = datapackage
        .resources
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    let fs = collection.fs.as_ref();
    for entry in fs.list(dir).map_err(StoreError::io(dir, "list"))? {
        if entry.kind != EntryKind::Directory {
            if entry.name != DATAPACKAGE {
                audit.damage(&dir.join(&entry.name), None, "is not in the datapackage");
            }
            continue;
        }
        let sub = dir.join(&entry.name);
        for file in fs.list(&sub).map_err(StoreError::io(&sub, "list"))? {
            if !listed.contains(format!("{}/{}", entry.name, file.name).as_str()) {
                audit.damage(&sub.join(&file.name), None, "is not in the datapackage");
            }
        }
    }
    Ok(())
}

fn audit_records(audit: &mut Audit<'_>, collection: &Collection, layer: usize) -> Result<()> {
    let dir = collection.layer_dir(layer);
    let archive = dir.join(ARCHIVE);
    let entries = collection
        .fs
        .list(&archive)
        .map_err(StoreError::io(&archive, "list"));
    let Some(entries) = audit.survive(entries)? else {
        return Ok(());
    };
    let mut lines = RecordLines::new(collection, &collection.layers()[layer].id);
    for entry in entries {
        let path = archive.join(&entry.name);
        let file = collection
            .fs
            .open(&path)
            .map_err(StoreError::io(&path, "open"));
        let Some(file) = audit.survive(file)? else {
            continue;
        };
        files::walk(audit, &path, file, |record| lines.take(&entry.name, record))?;
    }
    compare_index(audit, collection, &dir.join(INDEXES), lines)
}

/// Layers on disk that the manifest does not name.
pub(super) fn look_for_strangers(audit: &mut Audit<'_>, collection: &Collection) -> Result<()> {
    let layers = collection.layout.layers();
    let known: HashSet<&str> = collection
        .layers()
        .iter()
        .map(|layer| layer.id.as_str())
        .collect();
    let entries = collection
        .fs
        .list(&layers)
        .map_err(StoreError::io(&layers, "list"));
    for entry in audit.survive(entries)?.unwrap_or_default() {
        if !known.contains(entry.name.as_str()) {
            audit.note(
                &layers.join(&entry.name),
                None,
                "is no layer of this collection's manifest",
            );
        }
    }
    Ok(())
}
