//! What a dead process left behind, brought into order: everything that was saved is sealed, what
//! is whole beyond that is adopted, the rest is set aside.
//!
//! Recovery may itself be interrupted at any point and is then simply done again.

use super::aside::{Unfinished, copy_aside, exists};
use super::datapackage::{DATAPACKAGE, Source};
use super::journal::{self, Entry, LayerKind};
use super::layout::{ARCHIVE, Layout, OPEN, RECOVERING};
use super::lock;
use super::replacing;
use super::seal::{self, Adopted};
use crate::fs::{EntryKind, FileSystem, Fs, LockGuard, ReadAt};
use crate::warc::{Scanner, Step, Verify};
use crate::world::World;
use crate::{Result, StoreError};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// What recovery did with one open layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The layer.
    pub layer: String,
    /// Whether anything was worth sealing.
    pub sealed: bool,
    /// Records that were whole though never reported as saved.
    pub adopted: u64,
    /// Bytes set aside.
    pub set_aside: u64,
}

/// Recovers every open layer that no living process holds.
pub(crate) fn recover_all(fs: &Fs, layout: &Layout, world: &dyn World) -> Result<Vec<Recovered>> {
    let state = layout.state();
    if fs.kind(&state).map_err(StoreError::io(&state, "look at"))? != Some(EntryKind::Directory) {
        return Ok(Vec::new());
    }
    replacing::recover(fs, layout)?;
    let mut recovered = Vec::new();
    for (id, _guard) in dead_layers(fs, layout)? {
        recovered.push(recover(fs, layout, world, &id)?);
    }
    Ok(recovered)
}

/// The open layers whose process is gone, now locked by us.
fn dead_layers(fs: &Fs, layout: &Layout) -> Result<Vec<(String, Box<dyn LockGuard>)>> {
    let state = layout.state();
    let entries = fs.list(&state).map_err(StoreError::io(&state, "list"))?;
    let ids: HashSet<String> = entries
        .iter()
        .filter_map(|entry| layer_of(&entry.name))
        .collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let _collection = lock::collection(fs.as_ref(), layout)?;
    let mut dead = Vec::new();
    for id in ids {
        let path = layout.layer_lock(&id);
        if let Some(guard) = fs.try_lock(&path).map_err(StoreError::io(&path, "lock"))? {
            dead.push((id, guard));
        }
    }
    dead.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(dead)
}

/// The layer that a name in `state/` belongs to.
fn layer_of(name: &str) -> Option<String> {
    let id = name.split('.').next().unwrap_or(name);
    let dated = id.len() > 17 && id.as_bytes()[..17].iter().all(u8::is_ascii_digit);
    (dated && super::manifest::is_layer_id(id)).then(|| id.to_owned())
}

fn recover(fs: &Fs, layout: &Layout, world: &dyn World, id: &str) -> Result<Recovered> {
    let mut outcome = Recovered {
        layer: id.to_owned(),
        sealed: false,
        adopted: 0,
        set_aside: 0,
    };
    let (open, sealed) = (layout.open_layer(id), layout.layer(id));
    if exists(fs.as_ref(), &open.join(DATAPACKAGE))? || exists(fs.as_ref(), &sealed)? {
        seal::publish(fs, layout, id)?;
        outcome.sealed = true;
        return Ok(outcome);
    }
    if exists(fs.as_ref(), &open)? && exists(fs.as_ref(), &layout.journal(id))? {
        let journal = Journaled::load(fs.as_ref(), &layout.journal(id))?;
        let adopted = match journal.kind {
            LayerKind::Import => adopt_import(fs.as_ref(), &open, journal)?,
            LayerKind::Record => adopt_records(fs, &open, journal, &mut outcome)?,
        };
        if let Some(adopted) = adopted {
            seal::seal(fs, layout, world, id, adopted)?;
            outcome.sealed = true;
            return Ok(outcome);
        }
    }
    fs.remove_dir_all(&open)
        .map_err(StoreError::io(&open, "remove"))?;
    seal::clean_up(fs.as_ref(), layout, id)?;
    Ok(outcome)
}

/// What a journal says, up to its last commit.
struct Journaled {
    kind: LayerKind,
    /// How many entries stand before the last commit, that one included.
    entries: u64,
    committed: HashMap<String, u64>,
    sources: Vec<Source>,
}

impl Journaled {
    fn load(fs: &dyn FileSystem, path: &Path) -> Result<Journaled> {
        let mut journaled = Journaled {
            kind: LayerKind::Import,
            entries: 0,
            committed: HashMap::new(),
            sources: Vec::new(),
        };
        let mut count = 0;
        journal::read(fs, path, |entry| {
            count += 1;
            match entry {
                Entry::Layer(kind) => journaled.kind = kind,
                Entry::Commit { file, length } => {
                    journaled.committed.insert(file, length);
                    journaled.entries = count;
                }
                Entry::Source(json) => {
                    journaled
                        .sources
                        .extend(serde_json::from_str::<Source>(&json));
                    journaled.entries = count;
                }
                Entry::Capture(_) | Entry::Page { .. } | Entry::Log(_) | Entry::Payload(_) => {}
            }
            Ok(())
        })?;
        Ok(journaled)
    }
}

/// Keeps the files that were wholly imported; the sources of the others still exist.
fn adopt_import(fs: &dyn FileSystem, open: &Path, journal: Journaled) -> Result<Option<Adopted>> {
    let complete: HashSet<String> = journal
        .sources
        .iter()
        .flat_map(|source| source.files.iter().cloned())
        .collect();
    let archive = open.join(ARCHIVE);
    for entry in list(fs, &archive)? {
        if !complete.contains(&entry) {
            let path = archive.join(&entry);
            fs.remove_file(&path)
                .map_err(StoreError::io(&path, "remove"))?;
        }
    }
    Ok((!journal.sources.is_empty()).then(|| Adopted {
        journaled: complete,
        entries: journal.entries,
        found: Vec::new(),
        sources: journal.sources,
        is_altered: false,
        hashes: HashMap::new(),
    }))
}

/// Keeps what was committed as it is, and copies what is whole beyond that to a file of its own:
/// bytes that were never synced may be in the page cache alone, where a sync after a failed sync
/// would not bring them to the disk.
fn adopt_records(
    fs: &Fs,
    open: &Path,
    journal: Journaled,
    outcome: &mut Recovered,
) -> Result<Option<Adopted>> {
    let archive = open.join(ARCHIVE);
    let mut found = Vec::new();
    let mut is_empty = true;
    for name in list(fs.as_ref(), &archive)? {
        if name.ends_with(RECOVERING) {
            let path = archive.join(&name);
            fs.remove_file(&path)
                .map_err(StoreError::io(&path, "remove"))?;
        } else if let Some(name) = name.strip_suffix(OPEN) {
            let committed = journal.committed.get(name).copied().unwrap_or(0);
            let file = Unfinished {
                fs: fs.as_ref(),
                layer: open,
                name,
            };
            recover_file(&file, committed, outcome)?;
        }
    }
    for name in list(fs.as_ref(), &archive)? {
        is_empty = false;
        if !journal.committed.contains_key(&name) {
            found.extend(captures_of(fs.as_ref(), &archive, &name, outcome)?);
        }
    }
    Ok((!is_empty).then(|| Adopted {
        journaled: journal.committed.keys().cloned().collect(),
        entries: journal.entries,
        found,
        sources: Vec::new(),
        is_altered: false,
        hashes: HashMap::new(),
    }))
}

/// Finishes an archive file that was being written when its process died.
fn recover_file(file: &Unfinished<'_>, committed: u64, outcome: &mut Recovered) -> Result<()> {
    let (bytes, length) = file.open()?;
    let committed = committed.min(length);
    let path = file.path();
    let whole = whole_until(&bytes, committed).map_err(StoreError::io(&path, "read"))?;
    if whole > committed {
        let adopted = file.archive().join(tail_name(file.name));
        // Records cannot be read without the dictionary at the start of their file.
        let dictionary =
            crate::warc::dictionary_length(&bytes).map_err(StoreError::io(&path, "read"))?;
        let parts = [0..dictionary.min(committed), committed..whole];
        copy_aside(file.fs, &bytes, &parts, &adopted)?;
    }
    if length > whole {
        file.set_aside(&bytes, whole..length)?;
        outcome.set_aside += length - whole;
    }
    file.cut(committed)
}

/// Walks whole, faultless records from `from`; returns where they end.
fn whole_until(file: &Arc<dyn ReadAt>, from: u64) -> std::io::Result<u64> {
    let mut whole = from;
    let Ok(mut scanner) = Scanner::from(file.clone(), from, Verify::Digests) else {
        return Ok(whole);
    };
    while let Some(Step::Record(record)) = scanner.next_step()? {
        if record.faults.iter().any(|fault| fault.is_damage()) || record.shares_member {
            break;
        }
        whole = record.next;
    }
    Ok(whole)
}

/// `x.warc.gz` to `x-tail.warc.gz`.
fn tail_name(name: &str) -> String {
    let stem = name.split(".warc").next().unwrap_or(name);
    format!("{stem}-tail{}", &name[stem.len()..])
}

fn captures_of(
    fs: &dyn FileSystem,
    archive: &Path,
    name: &str,
    outcome: &mut Recovered,
) -> Result<Vec<String>> {
    let path = archive.join(name);
    let file = fs.open(&path).map_err(StoreError::io(&path, "open"))?;
    let mut scanner = Scanner::new(file, Verify::Nothing).map_err(|error| error.at(&path))?;
    let mut lines = Vec::new();
    while let Some(step) = scanner.next_step().map_err(StoreError::io(&path, "read"))? {
        if let Step::Record(record) = step {
            outcome.adopted += 1;
            lines.extend(record.index_line(name));
        }
    }
    Ok(lines)
}

fn list(fs: &dyn FileSystem, dir: &Path) -> Result<Vec<String>> {
    if !exists(fs, dir)? {
        return Ok(Vec::new());
    }
    let entries = fs.list(dir).map_err(StoreError::io(dir, "list"))?;
    Ok(entries.into_iter().map(|entry| entry.name).collect())
}
