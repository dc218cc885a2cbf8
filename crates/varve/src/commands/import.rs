//! `varve import`: other tools' files become a layer.

use crate::cli::ImportArgs;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::{Output, count};
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use serde_json::json;
use std::path::{Path, PathBuf};
use varve_store::StoreError;
use varve_store::collection::{FoundFault, ImportObserver, Imported};

const ENDINGS: [&str; 6] = [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wacz"];
/// Faults printed per file; the layer's log has them all.
const SHOWN_FAULTS: usize = 10;

/// What an import did.
#[derive(Default)]
struct Summary {
    added: u64,
    known: u64,
    failed: u64,
    damaged: u64,
    records: u64,
    captures: u64,
}

pub(crate) fn run(args: ImportArgs, output: &Output) -> Result<Exit> {
    let files = expand(&args.files, &args.collection)?;
    let interrupt = Interrupt::listen().context("cannot listen for Ctrl-C")?;
    let collection = super::open_or_create(&args.collection, output)?;
    let mut importer = collection.import()?;
    let total = files
        .iter()
        .filter_map(|file| file.metadata().ok())
        .map(|data| data.len())
        .sum();
    let mut bar = Bar(output.bar(total, "importing"));
    let mut summary = Summary::default();
    let mut stopped = None;
    for file in &files {
        if interrupt.is_requested() {
            stopped = Some(Exit::Interrupted);
            break;
        }
        match importer.import(file, &mut bar) {
            Ok(imported) => bar.0.suspend(|| summary.add(file, &imported, output))?,
            Err(error) if error.is_disk_full() => {
                bar.0.suspend(|| output.failure(&disk_full(&error)));
                stopped = Some(Exit::DiskFull);
                break;
            }
            Err(error) => {
                summary.failed += 1;
                bar.0.suspend(|| output.failure(&error.to_string()));
            }
        }
    }
    bar.0.finish_and_clear();
    let layer = match importer.finish() {
        // The disk was full before: what is saved is safe, and the next command brings it in.
        Err(error) if stopped == Some(Exit::DiskFull) => {
            output.failure(&error.to_string());
            None
        }
        layer => layer?,
    };
    summary.tell(&args.collection, layer.map(|layer| layer.id), output)?;
    Ok(match stopped {
        Some(exit) => exit,
        None if summary.failed + summary.damaged > 0 => Exit::Error,
        None => Exit::Done,
    })
}

fn disk_full(error: &StoreError) -> String {
    format!(
        "{error}\nThe disk is full. What was imported so far is kept; make room and run the same command again."
    )
}

struct Bar(ProgressBar);

impl ImportObserver for Bar {
    fn advanced(&mut self, bytes: u64) {
        self.0.inc(bytes);
    }
}

impl Summary {
    fn add(&mut self, file: &Path, imported: &Imported, output: &Output) -> Result<()> {
        let name = file.display();
        if imported.known {
            self.known += 1;
            output.note(&format!("{name}: in the collection already, nothing added"));
        } else {
            self.added += 1;
            self.records += imported.records;
            self.captures += imported.captures;
            self.damaged += u64::from(imported.is_damaged());
            tell_faults(file, imported, output);
            let records = count(imported.records, "record");
            output.note(&format!(
                "{name}: saved, {records}, {}",
                count(imported.captures, "capture")
            ));
        }
        if output.json {
            let line = json!({
                "file": name.to_string(), "known": imported.known, "records": imported.records,
                "captures": imported.captures, "faults": imported.faults.iter().map(fault_json).collect::<Vec<_>>(),
            });
            output.result(&line.to_string())?;
        }
        Ok(())
    }

    fn tell(&self, root: &Path, layer: Option<String>, output: &Output) -> Result<()> {
        let root = root.display();
        if output.json {
            let line = json!({
                "collection": root.to_string(), "layer": layer, "added": self.added, "known": self.known,
                "failed": self.failed, "damaged": self.damaged, "records": self.records, "captures": self.captures,
            });
            output.result(&line.to_string())?;
        } else if layer.is_some() {
            let (files, captures) = (count(self.added, "file"), count(self.captures, "capture"));
            output.result(&format!("{root}: added {files} with {captures}"))?;
        } else {
            output.result(&format!("{root}: nothing added"))?;
        }
        if self.damaged > 0 {
            let files = count(self.damaged, "file");
            output.note(&format!(
                "{files} had damage; all that could be read was kept, the rest set aside"
            ));
        }
        Ok(())
    }
}

fn fault_json(found: &FoundFault) -> serde_json::Value {
    json!({"file": found.file, "offset": found.offset, "what": found.fault.to_string(), "damage": found.fault.is_damage()})
}

fn tell_faults(file: &Path, imported: &Imported, output: &Output) {
    let dir = file.parent().unwrap_or(Path::new(""));
    let mut shown = 0;
    let mut hidden = imported.more_faults;
    for found in &imported.faults {
        let text = format!(
            "{}: offset {}: {}",
            dir.join(&found.file).display(),
            found.offset,
            found.fault
        );
        if !found.fault.is_damage() {
            if output.verbose {
                output.warning(&text);
            }
        } else if shown < SHOWN_FAULTS || output.verbose {
            shown += 1;
            output.failure(&text);
        } else {
            hidden += 1;
        }
    }
    if hidden > 0 {
        output.failure(&format!(
            "{}: {} more; see the layer's logs/import.jsonl",
            file.display(),
            count(hidden, "fault")
        ));
    }
}

/// Directories become the archive files below them.
fn expand(given: &[PathBuf], collection: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in given {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        collect(path, collection, &mut files)?;
        if files.len() == before {
            bail!(
                "{}: no WARC, ARC or WACZ files in this directory",
                path.display()
            );
        }
    }
    Ok(files)
}

fn collect(dir: &Path, collection: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let read = std::fs::read_dir(dir).with_context(|| format!("{}: cannot list", dir.display()))?;
    let mut entries: Vec<_> = read.collect::<std::io::Result<_>>()?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let kind = entry.file_type()?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if kind.is_dir() {
            // The collection itself may stand among the files to import.
            if entry.path() != collection {
                collect(&entry.path(), collection, files)?;
            }
        } else if kind.is_file() && ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            files.push(entry.path());
        }
    }
    Ok(())
}
