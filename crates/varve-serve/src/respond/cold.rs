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
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use varve_js::{Form, restored, rewrite_part};
use varve_model::Timestamp;
use varve_store::collection::{Parts, PartsKey};
use varve_store::http::DecodeLimits;
use varve_store::index::{Hit, Query};

/// Scripts that are kept whole, the last ones that somebody asked for.
const KEPT: usize = 8;
const BOM: &str = "\u{feff}";
const FOREVER: &str = "public, max-age=31536000, immutable";
const LIMITS: DecodeLimits = DecodeLimits {
    bytes: 32 << 20,
    ratio: 1_000,
    ratio_free: 16 << 20,
};

/// Parts that are remembered to have been asked for.
const ASKED: usize = 100_000;

/// Whole scripts of which parts were asked for, and which parts that were.
#[derive(Default)]
pub(crate) struct WholeScripts {
    kept: Mutex<Vec<(PartsKey, Arc<WholeScript>)>>,
    asked: Mutex<BTreeSet<Restored>>,
}

/// A part of a script that a stub asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Restored {
    /// The script.
    pub key: PartsKey,
    /// Which part of it.
    pub part: usize,
    /// Whether it was there.
    pub found: bool,
}

struct WholeScript {
    source: String,
    parts: Parts,
}

/// Answers a stub.
pub(super) fn cold(serving: &Serving, query: &str) -> Reply {
    let key = parameter(query, "key").and_then(|key| PartsKey::parse(&key));
    let number = parameter(query, "n").and_then(|number| number.parse().ok());
    let Some((key, number)) = key.zip(number) else {
        return Notice::refused("Which script and which part of it?").page();
    };
    let in_worker = parameter(query, "worker").is_some();
    let body = serving
        .whole_scripts
        .get(serving, &key)
        .and_then(|script| script.body(number, in_worker));
    serving.metrics.count_restored(body.is_some());
    serving.whole_scripts.note(Restored {
        key,
        part: number,
        found: body.is_some(),
    });
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
    fn note(&self, restored: Restored) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() < ASKED {
            asked.insert(restored);
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
    let collection = opened.collection();
    let parts = collection.parts(opened.everything(), key).ok()??;
    let stored = captures(opened, &parts.url, parts.date).find_map(|hit| {
        let mut record = collection.read(&hit).ok()?;
        (record.parts_key().as_ref() == Some(key)).then_some(())?;
        let mut stored = Vec::new();
        let head = record.http()?.clone();
        let mut body = varve_store::http::BodyReader::new(&head, &mut record, LIMITS);
        body.read_to_end(&mut stored).ok()?;
        Some(stored)
    })?;
    let source = String::from_utf8(parts.join(&stored, key)?).ok()?;
    Some(WholeScript { source, parts })
}

fn captures(opened: &Opened, url: &str, date: Timestamp) -> impl Iterator<Item = Hit> {
    let query = Query {
        url: url.to_owned(),
        ..Query::default()
    };
    let hits = opened.everything().query(&query).ok();
    let hits = hits.into_iter().flatten().filter_map(Result::ok);
    hits.filter(move |hit| hit.capture.timestamp == date.to_seconds())
}

impl WholeScript {
    /// What a stub evaluates.
    fn body(&self, number: usize, in_worker: bool) -> Option<String> {
        let note = &self.parts.parts.get(number)?.note;
        let (is_async, is_module) = (note.contains('a'), note.contains('m'));
        let form = match (is_module, in_worker) {
            (false, false) => Form::Classic,
            (true, false) => Form::Module,
            (false, true) => Form::ClassicWorker,
            (true, true) => Form::ModuleWorker,
        };
        let place = self.parts.place_in_whole(number)?;
        // Nobody who parses it shall meet the mark.
        let source = self.source.strip_prefix(BOM).unwrap_or(&self.source);
        let shift = self.source.len() - source.len();
        let place = place.start.checked_sub(shift)?..place.end.checked_sub(shift)?;
        let body = rewrite_part(source, form, place)?;
        Some(restored(&body, is_async))
    }
}
