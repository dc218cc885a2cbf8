//! Bodies of functions that were taken out of scripts because they never ran, for stubs that are
//! called after all.
//!
//! A body is rewritten as it would be where it stood, so the whole script is put together for that.
//! Few stubs are ever called; those that are often come one after the other from one script.

use super::Notice;
use super::ours::parameter;
use super::reply::Reply;
use crate::archive::Opened;
use crate::serving::Serving;
use axum::http::StatusCode;
use axum::http::header;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::Url;
use varve_js::{Form, Manner, restored, rewrite_part};
use varve_model::Access;
use varve_store::collection::{Needed, Parted, Parts, PartsKey};

/// Scripts that are kept whole, the last ones that somebody asked for.
const KEPT: usize = 8;
const BOM: &str = "\u{feff}";
const FOREVER: &str = "public, max-age=31536000, immutable";

/// Parts that are remembered to have been asked for.
const ASKED: usize = 100_000;
/// So often at most they are written down for the next layer.
const WRITTEN: Duration = Duration::from_secs(5);

/// Whole scripts of which parts were asked for, and which parts that were.
#[derive(Default)]
pub(crate) struct WholeScripts {
    kept: Mutex<Vec<(PartsKey, Arc<WholeScript>)>>,
    asked: Mutex<BTreeSet<Restored>>,
    unwritten: Mutex<Unwritten>,
}

/// What was asked for and is not written down yet.
#[derive(Default)]
struct Unwritten {
    parts: BTreeSet<(PartsKey, usize)>,
    /// When some of it was.
    last: Option<Instant>,
}

/// A part of a script that a stub asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Restored {
    /// The script.
    pub key: PartsKey,
    /// Which part of it.
    pub part: usize,
    /// The page that it ran in, if that is known.
    pub page: Option<String>,
    /// Whether it was there.
    pub found: bool,
}

struct WholeScript {
    source: String,
    parts: Parts,
}

/// Answers a stub.
pub(super) fn cold(serving: &Serving, query: &str, page: Option<Url>) -> Reply {
    let key = parameter(query, "key").and_then(|key| PartsKey::parse(&key));
    let number = parameter(query, "n").and_then(|number| number.parse().ok());
    let Some((key, number)) = key.zip(number) else {
        return Notice::refused("Which script and which part of it?").page();
    };
    let in_worker = parameter(query, "worker").is_some();
    let script = serving.whole_scripts.get(serving, &key);
    let script = script.filter(|script| script.may_be_shown(serving));
    // Who knows nothing of the script counts marks.
    let part = script.as_ref().and_then(|script| script.part(number));
    let number = part.unwrap_or(number);
    let body = script.and_then(|script| script.body(number, in_worker));
    serving.whole_scripts.restored(
        serving,
        Restored {
            key,
            part: number,
            page: page.map(String::from),
            found: body.is_some(),
        },
    );
    let reply = match body {
        Some(body) => Reply::new(StatusCode::OK, body)
            .with(header::CONTENT_TYPE, "text/plain; charset=utf-8")
            .with(header::CACHE_CONTROL, FOREVER),
        None => Notice::nothing().page(),
    };
    // Who knows the key has the script. Frames without an origin have functions, too.
    reply.with(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")
}

impl WholeScripts {
    /// A script that had been set aside as a whole was asked for, and is gone.
    pub(super) fn missed(&self, serving: &Serving, key: &PartsKey, page: Option<Url>) {
        let missed = Restored {
            key: key.clone(),
            part: 0,
            page: page.map(String::from),
            found: false,
        };
        self.restored(serving, missed);
    }

    /// Counts a part that was asked for, and sees to it that the next layer has it at hand.
    fn restored(&self, serving: &Serving, restored: Restored) {
        serving.metrics.count_restored(restored.found);
        self.note(restored);
        self.write_down(serving, true);
    }

    fn note(&self, restored: Restored) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() < ASKED && asked.insert(restored.clone()) && restored.found {
            let mut unwritten = self
                .unwritten
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            unwritten.parts.insert((restored.key, restored.part));
        }
    }

    /// Writes down what was asked for, in the collections that have it: the next layer will have it
    /// at hand. Archives that cannot be written to do without.
    pub(crate) fn write_down(&self, serving: &Serving, may_wait: bool) {
        let new = {
            let mut unwritten = self
                .unwritten
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let is_recent = unwritten.last.is_some_and(|last| last.elapsed() < WRITTEN);
            if unwritten.parts.is_empty() || (may_wait && is_recent) {
                return;
            }
            unwritten.last = Some(Instant::now());
            std::mem::take(&mut unwritten.parts)
        };
        for opened in serving.archive.now() {
            let collection = opened.collection();
            let mut needed = Needed::new();
            for (key, part) in &new {
                if matches!(collection.has_parts_of(opened.everything(), key), Ok(true)) {
                    needed.entry(key.clone()).or_default().insert(*part);
                }
            }
            if !needed.is_empty() {
                let _ = collection.remember_needed(needed);
            }
        }
    }

    /// The parts that stubs asked for, each once.
    pub(crate) fn asked(&self) -> Vec<Restored> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().cloned().collect()
    }

    fn get(&self, serving: &Serving, key: &PartsKey) -> Option<Arc<WholeScript>> {
        if let Some(kept) = self.kept(key) {
            return Some(kept);
        }
        let archive = serving.archive.now();
        let found = archive.iter().find_map(|opened| whole(opened, key))?;
        let found = Arc::new(found);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((key.clone(), found.clone()));
        Some(found)
    }

    fn kept(&self, key: &PartsKey) -> Option<Arc<WholeScript>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, script) = kept.iter().find(|(known, _)| known == key)?;
        Some(script.clone())
    }
}

/// The whole script, if a collection has it.
fn whole(opened: &Opened, key: &PartsKey) -> Option<WholeScript> {
    let parted = opened.collection().parted(opened.everything(), key);
    let Parted { stored, parts } = parted.ok()??;
    let source = String::from_utf8(parts.join(&stored)?).ok()?;
    Some(WholeScript { source, parts })
}

impl WholeScript {
    /// What is kept from readers is so in parts, too.
    fn may_be_shown(&self, serving: &Serving) -> bool {
        let Parts { url, date, .. } = &self.parts;
        serving.archive.rules().access(url, *date) == Access::Allow
    }

    /// Which part a mark stands for. Comments have none.
    fn part(&self, mark: usize) -> Option<usize> {
        let parts = self.parts.parts.iter().enumerate();
        let mut marked = parts.filter(|(_, part)| !part.note.starts_with('c'));
        marked.nth(mark).map(|(number, _)| number)
    }

    /// What a stub evaluates.
    fn body(&self, number: usize, in_worker: bool) -> Option<String> {
        let note = Note::parse(&self.parts.parts.get(number)?.note, &self.source)?;
        let form = match (note.is_module, in_worker) {
            (false, false) => Form::Classic,
            (true, false) => Form::Module,
            (false, true) => Form::ClassicWorker,
            (true, true) => Form::ModuleWorker,
        };
        let place = self.parts.place_in_whole(number)?;
        let source = self.source.get(note.script.clone())?;
        let shift = note.script.start;
        let place = place.start.checked_sub(shift)?..place.end.checked_sub(shift)?;
        let body = rewrite_part(source, form, place, note.manner.is_expression)?;
        Some(restored(&body, note.manner))
    }
}

/// What is said of a part.
struct Note {
    manner: Manner,
    is_module: bool,
    /// Where the script stands that it is of.
    script: Range<usize>,
}

impl Note {
    fn parse(note: &str, whole: &str) -> Option<Note> {
        let (marks, place) = match note.split_once('@') {
            Some((marks, place)) => (marks, Some(place)),
            None => (note, None),
        };
        // Nobody who parses a script shall meet the mark.
        let start = if whole.starts_with(BOM) { BOM.len() } else { 0 };
        let script = match place {
            None => start..whole.len(),
            Some(place) => {
                let (start, end) = place.split_once('-')?;
                start.parse().ok()?..end.parse().ok()?
            }
        };
        Some(Note {
            manner: Manner {
                is_async: marks.contains('a'),
                is_expression: marks.contains('e'),
                is_generator: marks.contains('g'),
            },
            is_module: marks.contains('m'),
            script,
        })
    }
}
