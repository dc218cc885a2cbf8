//! What was sent becomes a layer, by the importer that `varve import` uses.

use super::jobs::{Job, State};
use super::log::Author;
use super::uploads::Upload;
use crate::serving::Serving;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use varve_store::StoreError;
use varve_store::collection::{ImportObserver, Imported};

/// Faults that are told of a file; the layer's log has them all.
const TOLD_FAULTS: usize = 10;

/// What became of the files.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// What they are in the collection; `None` if nothing was added.
    pub(super) layer: Option<String>,
    pub(super) pages: u64,
    pub(super) files: Vec<FileOutcome>,
}

/// What became of one file.
#[derive(Clone, Debug)]
pub(super) enum FileOutcome {
    /// It is in the collection.
    Added {
        label: String,
        records: u64,
        captures: u64,
        /// What is wrong in it.
        faults: Vec<String>,
    },
    /// It was there before.
    Known { label: String },
    /// It was not added; why.
    Refused { label: String, why: String },
}

impl Outcome {
    /// What it is called.
    pub(super) fn word(&self) -> &'static str {
        let is_refused = |file: &FileOutcome| matches!(file, FileOutcome::Refused { .. });
        match self.files.iter().filter(|file| is_refused(file)).count() {
            0 => "done",
            refused if refused == self.files.len() => "failed",
            _ => "partly done",
        }
    }
}

impl FileOutcome {
    fn of(label: String, imported: &Imported) -> FileOutcome {
        if imported.known {
            return FileOutcome::Known { label };
        }
        let told = |found: &varve_store::collection::FoundFault| {
            format!("{}: offset {}: {}", found.file, found.offset, found.fault)
        };
        let mut faults: Vec<String> = imported.faults.iter().take(TOLD_FAULTS).map(told).collect();
        let all = imported.faults.len() as u64 + imported.more_faults;
        let more = all - faults.len() as u64;
        if more > 0 {
            faults.push(format!("{more} more; the layer's log has them"));
        }
        FileOutcome::Added {
            label,
            records: imported.records,
            captures: imported.captures,
            faults,
        }
    }

    pub(super) fn records(&self) -> u64 {
        match self {
            FileOutcome::Added { records, .. } => *records,
            FileOutcome::Known { .. } | FileOutcome::Refused { .. } => 0,
        }
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        match self {
            FileOutcome::Added {
                label,
                records,
                captures,
                faults,
            } => json!({
                "file": label, "outcome": "added", "records": records, "captures": captures,
                "faults": faults,
            }),
            FileOutcome::Known { label } => json!({"file": label, "outcome": "known"}),
            FileOutcome::Refused { label, why } => {
                json!({"file": label, "outcome": "refused", "why": why})
            }
        }
    }
}

/// Has files imported when it is their turn. They are removed afterwards, whatever happens.
pub(super) fn start(serving: &Arc<Serving>, job: Arc<Job>, upload: Upload, from: IpAddr) {
    let serving = serving.clone();
    tokio::spawn(async move {
        let Some(admin) = &serving.admin else { return };
        let lane = admin.jobs.lane(&job.collection);
        let _turn = lane.lock().await;
        job.becomes(State::Running);
        let (working, running) = (serving.clone(), job.clone());
        let work = tokio::task::spawn_blocking(move || import(&working, &running, upload));
        let state = match work.await {
            Ok(Ok(outcome)) => State::Done(outcome),
            Ok(Err(why)) => State::Failed(why),
            Err(_) => State::Failed("something went wrong inside the server".to_owned()),
        };
        let author = Author {
            name: &job.who,
            from,
        };
        job.becomes(state);
        let told = job.json();
        let outcome = told["state"].as_str().unwrap_or_default();
        admin.log.write(&author, "imported", &told, outcome);
    });
}

fn import(serving: &Serving, job: &Job, upload: Upload) -> Result<Outcome, String> {
    let archive = &serving.archive;
    let collection = archive.to_add_to(&job.collection);
    let collection = collection.ok_or("the collection is gone")?;
    let mut importer = collection
        .and_then(|collection| collection.import())
        .map_err(|error| format!("{error}; nothing was added, send the files again later"))?;
    let mut outcome = Outcome::default();
    for file in &upload.files {
        let label = label_of(file);
        let file_outcome = match importer.import(file, &mut Progress(job)) {
            Ok(imported) => FileOutcome::of(label, &imported),
            Err(error) => FileOutcome::Refused {
                why: why(&error, file),
                label,
            },
        };
        outcome.files.push(file_outcome);
    }
    let layer = importer.finish().map_err(|error| error.to_string())?;
    outcome.layer = layer.map(|layer| layer.id);
    if let Some((opened, id)) = archive
        .looked_at(&job.collection)
        .zip(outcome.layer.as_ref())
    {
        let mut layers = opened.collection().layers().iter();
        let at = layers.position(|layer| layer.id == *id);
        outcome.pages = at.map_or(0, |at| opened.pages_in(at));
    }
    Ok(outcome)
}

/// What is wrong with a file, by its label: where it was for a while says nothing to anybody.
fn why(error: &StoreError, file: &Path) -> String {
    let why = error.to_string();
    let place = file.display().to_string();
    match error.is_disk_full() {
        true => "the disk is full; make room and send it again".to_owned(),
        false => why
            .replace(&format!("{place}: "), "")
            .replace(&place, &label_of(file)),
    }
}

pub(super) fn label_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Tells a job how its files are read.
struct Progress<'a>(&'a Job);

impl ImportObserver for Progress<'_> {
    fn advanced(&mut self, bytes: u64) {
        self.0.advance(bytes);
    }
}
