//! What the layers before this crawl hold of a URL, for servers to be asked whether it changed.
//!
//! Nothing is kept in memory: each question is a search in the index and a look at one record.

mod damaged;
mod whole;

use crate::samples::exceptions;
use crate::session::REDACTED;
use damaged::Damaged;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::sync::Arc;
use url::Url;
use varve_fetch::{Earlier, Held, Original, Protocol, ReadBody};
use varve_model::{Capture, Digest, HttpHead};
use varve_store::collection::{Collection, StoredRecord, is_revisit};
use varve_store::index::{Hit, MergedIndex, Query, Sort};
use varve_store::warc::RecordType;
use whole::copy_whole;

/// How many captures of a URL are looked at, the newest first. Others share its key.
const LOOKED_AT: usize = 32;

/// Longer records of visits are not read.
const MAX_VISIT: u64 = 64 << 20;

/// What is read of the record of a visit.
#[derive(Deserialize)]
struct Visit {
    console_errors: Vec<Complaint>,
}

#[derive(Deserialize)]
struct Complaint {
    source: String,
    text: String,
}

/// The layers of a collection as they were when the crawl began.
pub(crate) struct EarlierLayers {
    collection: Arc<Collection>,
    index: MergedIndex,
    damaged: Arc<Damaged>,
}

impl EarlierLayers {
    /// `None` if there are none.
    pub(crate) fn of(
        collection: &Arc<Collection>,
    ) -> varve_store::Result<Option<Arc<EarlierLayers>>> {
        if collection.layers().is_empty() {
            return Ok(None);
        }
        Ok(Some(Arc::new(EarlierLayers {
            collection: collection.clone(),
            index: collection.index()?,
            damaged: Arc::default(),
        })))
    }

    /// How many there are.
    pub(crate) fn layers(&self) -> usize {
        self.collection.layers().len()
    }

    /// Whether there is a record of that name.
    pub(crate) fn says(&self, name: String) -> bool {
        self.newest_records(name, 1).next().is_some()
    }

    /// The exceptions that a page threw when it was visited, the newest visit first.
    pub(crate) fn exceptions(&self, page: &Url, visits: usize) -> Vec<BTreeSet<String>> {
        let hits = self.newest_records(format!("urn:varve:visit:{page}"), visits);
        hits.filter_map(|hit| self.thrown(&hit)).collect()
    }

    fn thrown(&self, hit: &Hit) -> Option<BTreeSet<String>> {
        let mut bytes = Vec::new();
        let record = self.collection.read(hit).ok()?;
        record.take(MAX_VISIT).read_to_end(&mut bytes).ok()?;
        let visit: Visit = serde_json::from_slice(&bytes).ok()?;
        let errors = visit.console_errors.iter();
        Some(exceptions(errors.map(|it| (&*it.source, &*it.text))))
    }

    fn newest_records(&self, name: String, number: usize) -> impl Iterator<Item = Hit> {
        let query = Query {
            url: name,
            sort: Sort::Reverse,
            limit: Some(number),
            ..Query::default()
        };
        let hits = self.index.query(&query).ok();
        hits.into_iter().flatten().filter_map(Result::ok)
    }

    /// Whether what is held of a URL turned out not to be readable.
    pub(crate) fn is_damaged(&self, url: &Url) -> bool {
        self.damaged.contains(url)
    }

    /// The request that a record answered: our own recorder, as most others, writes it next.
    fn request(&self, hit: &Hit, record: &StoredRecord) -> Option<HttpHead> {
        let mut next = hit.clone();
        next.capture.offset += hit.capture.length;
        let request = self.collection.read(&next).ok()?;
        let concurrent = request.head().get("WARC-Concurrent-To")?;
        let is_its = request.head().record_type() == RecordType::Request
            && Some(concurrent.trim_matches(['<', '>'])) == record.head().record_id().as_deref();
        request.http().filter(|_| is_its).cloned()
    }

    /// What a capture holds, if all of it is there.
    fn held(&self, hit: &Hit, url: &Url) -> varve_store::Result<Option<Held>> {
        let record = self.collection.read(hit)?;
        let asked = self.request(hit, &record);
        let holder = self.collection.payload_of(&self.index, hit)?;
        let Some(holder) = holder.filter(|_| !asked.as_ref().is_some_and(is_not_ours)) else {
            return Ok(None);
        };
        // Readers give a revisit without a head that of its original: it must be the same page's.
        if holder.capture.url != hit.capture.url {
            return Ok(None);
        }
        let elsewhere = is_revisit(&hit.capture).then(|| self.collection.read(&holder));
        let elsewhere = elsewhere.transpose()?;
        let stored = elsewhere.as_ref().unwrap_or(&record);
        let head = record.http().or(stored.http()).filter(|_| is_whole(stored));
        let digest = holder.capture.digest.as_deref().and_then(Digest::parse);
        let (Some(head), Some(digest)) = (head.cloned(), digest) else {
            return Ok(None);
        };
        let empty = digest == Digest::of(digest.algorithm(), b"");
        if empty || !head.start_line().starts_with(b"HTTP/1.") {
            return Ok(None);
        }
        Ok(Some(Held {
            protocol: protocol(stored),
            original: Original {
                url: holder.capture.url.clone(),
                date: holder.capture.timestamp,
                digest,
            },
            body: self.body(holder, head.clone(), digest, url.clone()),
            head,
            asked,
        }))
    }

    fn body(&self, holder: Hit, head: HttpHead, digest: Digest, url: Url) -> ReadBody {
        let (collection, damaged) = (self.collection.clone(), self.damaged.clone());
        Box::new(move |spool| {
            let stored = collection.read(&holder).map_err(io::Error::other);
            let copied = stored.and_then(|stored| copy_whole(stored, &head, digest, spool));
            copied.inspect_err(|_| damaged.note(&url))
        })
    }
}

impl Earlier for EarlierLayers {
    fn newest(&self, url: &Url) -> Option<Held> {
        let query = Query {
            url: url.to_string(),
            sort: Sort::Reverse,
            limit: Some(LOOKED_AT),
            ..Query::default()
        };
        let hits = self.index.query(&query).ok()?.filter_map(Result::ok);
        match self.held(&newest_of(hits, url)?, url) {
            Ok(held) => held,
            Err(_) => {
                self.damaged.note(url);
                None
            }
        }
    }
}

/// The newest capture that can be asked about. Of those of one second, which is all that the index
/// tells, that of the later layer.
fn newest_of(newest_first: impl Iterator<Item = Hit>, url: &Url) -> Option<Hit> {
    let mut hits =
        newest_first.filter(|hit| hit.capture.url == url.as_str() && may_be_ok(&hit.capture));
    let first = hits.next()?;
    let same_second = hits.take_while(|hit| hit.capture.timestamp == first.capture.timestamp);
    let later = same_second.max_by_key(|hit| hit.layer);
    Some(match later {
        Some(later) if later.layer > first.layer => later,
        _ => first,
    })
}

/// Whether a capture is of a response with status 200, as far as the index tells.
fn may_be_ok(capture: &Capture) -> bool {
    match &capture.status {
        Some(status) => status == "200",
        None => is_revisit(capture),
    }
}

/// Whether a request was made in a way that this crawl does not make it: with another method, or
/// with the secrets of a session.
fn is_not_ours(request: &HttpHead) -> bool {
    let mut fields = request.fields();
    request.method() != Some(b"GET") || fields.any(|(_, value)| *value == *REDACTED)
}

fn is_whole(record: &StoredRecord) -> bool {
    let lacks = |field: &str| record.head().get(field).is_none();
    // What is stored in another way than it came is not what a server says has not changed.
    let is_as_it_came = lacks("Varve-Original-Payload-Digest");
    is_as_it_came && lacks("WARC-Truncated") && lacks("WARC-Segment-Number")
}

fn protocol(record: &StoredRecord) -> Protocol {
    match record.head().get("WARC-Protocol").as_deref() {
        Some("h2" | "http/2") => Protocol::Http2,
        _ => Protocol::Http1,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_others_were_told_is_not_ours() {
        let check = |text: &str, ours: bool| {
            let text = text.replace('\n', "\r\n") + "\r\n\r\n";
            let (head, _) = HttpHead::parse(text.as_bytes()).unwrap();
            assert_eq!(is_not_ours(&head), !ours, "{text}");
        };
        check("GET / HTTP/1.1\nCookie: a=b", true);
        check("POST / HTTP/1.1\nHost: a.example", false);
        check("GET / HTTP/1.1\nCookie: [redacted]", false);
        check("GET / HTTP/1.1\nX-Key: [redacted]", false);
    }
}
