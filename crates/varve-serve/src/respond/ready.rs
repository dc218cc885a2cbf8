//! Answers that are ready: what was found, opened and prepared for one request, kept for others that
//! ask the same. They need neither the index nor a record, and no turn.

use super::content::Facts;
use super::reply::Reply;
use super::rewriting::Rewritten;
use super::shown::{Effort, show, show_again};
use super::{Ask, is_topmost};
use crate::archive::RecordedClient;
use crate::cache::Weigh;
use crate::lookup::{Found, find_itself};
use crate::serving::Serving;
use bytes::Bytes;
use std::sync::{Arc, OnceLock};

/// What is kept besides a body and a head: the index line, names, numbers.
const OVERHEAD: usize = 1024;
/// Longer records, in bytes of their file, are not read at once.
const SHORT: u64 = 64 << 10;
/// Longer bodies that are not rewritten are read again.
const MAX_AS_IT_WAS: usize = 256 << 10;

/// Everything that an answer is made of but what belongs to one request alone.
pub(crate) struct Ready {
    pub(super) found: Found,
    pub(super) facts: Arc<Facts>,
    pub(super) client: Option<Arc<RecordedClient>>,
    pub(super) body: Prepared,
    /// Links to the mementos around it, once they were wanted.
    pub(super) around: OnceLock<String>,
}

/// A body that can be sent.
#[derive(Clone)]
pub(super) enum Prepared {
    Rewritten(Arc<Rewritten>),
    AsItWas(Bytes),
}

impl Weigh for Ready {
    fn weight(&self) -> usize {
        let body = match &self.body {
            Prepared::Rewritten(rewritten) => rewritten.weight(),
            // Too heavy for any cache.
            Prepared::AsItWas(body) if body.len() > MAX_AS_IT_WAS => return usize::MAX / 2,
            Prepared::AsItWas(body) => body.len(),
        };
        body + self.facts.head.as_bytes().len() + OVERHEAD
    }
}

/// The answer, if it takes less than handing the work to another thread would: if one like it was
/// given while the archive was as it is now, or if what is asked for is a small part of a page.
pub(crate) fn answer_at_once(serving: &Serving, ask: &Ask) -> Option<Reply> {
    if !serving.archive.is_as_known() {
        return None;
    }
    let key = key(serving, ask)?;
    match serving.ready.get(&key) {
        Some(ready) => {
            note(ask, &ready.found);
            show_again(serving, ask, &ready)
        }
        None => answer_shortly(serving, ask, key),
    }
}

/// Pages are never small: much is looked up for them.
fn answer_shortly(serving: &Serving, ask: &Ask, key: String) -> Option<Reply> {
    if ask.purpose.may_be_document() {
        return None;
    }
    let found = find_itself(&serving.archive.now(), &ask.wish()).ok()??;
    let is_short = (1..SHORT).contains(&found.hit.capture.length);
    if !is_short {
        return None;
    }
    let reply = show(serving, ask, &found, Some(key), Effort::Short).ok()?;
    note(ask, &found);
    Some(reply)
}

/// The page that asks was given this.
pub(super) fn note(ask: &Ask, found: &Found) {
    if let Some(page) = &ask.page {
        page.taken.note(&found.hit);
    }
}

/// Everything that the answer to a request depends on; none if it depends on more than this.
pub(super) fn key(serving: &Serving, ask: &Ask) -> Option<String> {
    if !ask.only_asks() || ask.wants_raw() || ask.headers.contains_key("range") {
        return None;
    }
    let state = serving.archive.state();
    let (when, url) = (ask.asked.when, &ask.asked.url);
    let mode = ask.header("sec-fetch-mode").unwrap_or("");
    let is_page = ask.header("sec-fetch-dest") == Some("document");
    let (top, purpose) = (is_topmost(serving, ask), ask.purpose);
    Some(format!(
        "{state:x} {when:?} {purpose:?} {mode} {is_page} {top} {url}"
    ))
}
