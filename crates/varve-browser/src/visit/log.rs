//! The request log of a visit: who caused what, and what came of it.
//!
//! It is what the browser tells, and the browser does not tell all: the proxy's records are the
//! measure of what was requested. What only the browser knows is why.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::clip;
use super::coverage::Scripts;
use super::network::{Failed, Finished, Responded, Response, SocketCreated, WillBeSent};

/// Requests beyond so many are counted and not kept.
const MAX_REQUESTS: usize = 20_000;
/// Bytes of a URL that are kept (`data:` URLs can have megabytes).
const MAX_URL: usize = 16 << 10;
const MAX_DATA_URL: usize = 256;
const MAX_REDIRECTS: usize = 30;
/// Frames of a stack that are kept.
const MAX_STACK: usize = 32;

/// One request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RequestEntry {
    /// Chromium's name for it.
    pub id: String,
    /// What was requested; after redirects, the last URL.
    pub url: String,
    /// The HTTP method.
    pub method: String,
    /// `Document`, `Script`, `Image`, `Fetch`, `WebSocket` and so on.
    pub resource_type: String,
    /// What asked for it: `page`, `iframe`, `worker`, `shared_worker`, `service_worker`.
    pub target: String,
    /// Who caused it.
    pub initiator: Initiator,
    /// The frame it was for, as in [`Frame::id`](crate::Frame::id).
    pub frame: Option<String>,
    /// The document it was for.
    pub document_url: String,
    /// The response's status.
    pub status: Option<u16>,
    /// The response's media type as Chromium understood it.
    pub mime: Option<String>,
    /// Where the response came from.
    pub source: Source,
    /// Why there is none.
    pub error: Option<String>,
    /// Where it was sent from there to here.
    pub redirects: Vec<Redirect>,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// How long it took in seconds, if it ended.
    pub took: Option<f64>,
}

/// Who caused a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Initiator {
    /// `parser`, `script`, `preload`, `preflight`, `other` and so on. What a script inserts into
    /// the page is `parser` as well.
    pub kind: String,
    /// The document or script.
    pub url: Option<String>,
    /// The line in it, from 0.
    pub line: Option<u32>,
    /// The stack, innermost first; what led to it asynchronously follows.
    pub stack: Vec<StackFrame>,
}

/// A place in a script.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StackFrame {
    /// The function's name; may be empty.
    pub function: String,
    /// The script.
    pub url: String,
    /// The line, from 0.
    pub line: u32,
    /// The column, from 0.
    pub column: u32,
    /// Chromium's number for the script within its target.
    pub script_id: String,
    /// SHA-256 of the script's text in UTF-8, in lower-case hexadecimal; only of visits that watch
    /// what scripts read.
    #[serde(skip)]
    pub digest: Option<String>,
}

/// A response that sent the request elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Redirect {
    /// What had been requested.
    pub url: String,
    /// The response's status.
    pub status: u16,
}

/// Where a response came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// From the network.
    #[default]
    Network,
    /// From the page's memory.
    MemoryCache,
    /// From Chromium's cache.
    DiskCache,
    /// From something that was prefetched.
    PrefetchCache,
    /// Made or found by a service worker.
    ServiceWorker,
}

/// What a request came from: the kind of target, and its scripts as far as they are known.
pub(super) struct Asker<'a> {
    pub(super) target: &'a str,
    pub(super) scripts: Option<&'a Scripts>,
}

/// The requests of a visit.
#[derive(Default)]
pub(super) struct RequestLog {
    entries: Vec<RequestEntry>,
    by_id: HashMap<String, usize>,
    /// Monotonic beginnings, parallel to the entries.
    began: Vec<f64>,
    pub(super) left_out: u64,
}

impl RequestLog {
    pub(super) fn will_be_sent(&mut self, asker: &Asker<'_>, event: WillBeSent) {
        if let (Some(&at), Some(response)) =
            (self.by_id.get(&event.request_id), &event.redirect_response)
        {
            return self.redirected(at, response, event.request.url);
        }
        let entry = RequestEntry {
            id: event.request_id,
            url: clip_url(&event.request.url),
            method: event.request.method,
            resource_type: event.kind.unwrap_or_default(),
            target: asker.target.to_owned(),
            initiator: event.initiator.into_initiator(MAX_STACK, asker.scripts),
            frame: event.frame_id,
            document_url: clip_url(&event.document_url),
            started: event.wall_time,
            ..RequestEntry::default()
        };
        self.add(entry, event.timestamp);
    }

    pub(super) fn socket_created(&mut self, asker: &Asker<'_>, event: SocketCreated) {
        let entry = RequestEntry {
            id: event.request_id,
            url: clip_url(&event.url),
            method: "GET".to_owned(),
            resource_type: "WebSocket".to_owned(),
            target: asker.target.to_owned(),
            initiator: event
                .initiator
                .unwrap_or_default()
                .into_initiator(MAX_STACK, asker.scripts),
            ..RequestEntry::default()
        };
        self.add(entry, f64::NAN);
    }

    /// Responses of requests and of WebSocket handshakes.
    pub(super) fn responded(&mut self, event: Responded) {
        let Some(entry) = self.entry(&event.request_id) else {
            return;
        };
        let response = event.response;
        entry.status = u16::try_from(response.status).ok();
        entry.mime = (!response.mime_type.is_empty()).then_some(response.mime_type);
        if let Some(kind) = event.kind {
            entry.resource_type = kind;
        }
        entry.source = match () {
            () if response.from_service_worker => Source::ServiceWorker,
            () if response.from_prefetch_cache => Source::PrefetchCache,
            () if response.from_disk_cache => Source::DiskCache,
            () => entry.source,
        };
    }

    pub(super) fn served_from_memory(&mut self, request_id: &str) {
        if let Some(entry) = self.entry(request_id) {
            entry.source = Source::MemoryCache;
        }
    }

    pub(super) fn finished(&mut self, event: Finished<'_>) {
        self.ended(event.request_id, event.timestamp);
    }

    pub(super) fn failed(&mut self, event: Failed) {
        self.ended(&event.request_id, event.timestamp);
        if let Some(entry) = self.entry(&event.request_id) {
            let reason = event
                .blocked_reason
                .map(|reason| format!("blocked: {reason}"));
            entry.error = Some(reason.unwrap_or(event.error_text));
        }
    }

    /// The status of a request, if it has one.
    pub(super) fn status(&self, request_id: &str) -> Option<u16> {
        self.entries.get(*self.by_id.get(request_id)?)?.status
    }

    /// The documents and scripts of a frame that came.
    pub(super) fn sources(&self, frame: &str) -> Vec<String> {
        let came = |entry: &&RequestEntry| {
            matches!(entry.resource_type.as_str(), "Document" | "Script")
                && entry.frame.as_deref() == Some(frame)
                && entry.error.is_none()
                && entry.status.is_some_and(|status| status < 300)
        };
        let urls = self.entries.iter().filter(came).map(|entry| &entry.url);
        urls.cloned().collect()
    }

    /// What a service worker answered the page without asking anybody.
    pub(super) fn made_by_workers(&self) -> Vec<RequestEntry> {
        let asked: HashSet<&str> = (self.entries.iter())
            .filter(|entry| entry.source != Source::ServiceWorker)
            .map(|entry| entry.url.as_str())
            .collect();
        let made = |entry: &&RequestEntry| {
            entry.source == Source::ServiceWorker
                && (entry.target == "page" && entry.method == "GET")
                && (entry.status == Some(200) && entry.error.is_none() && entry.took.is_some())
                && entry.url.starts_with("http")
                && !asked.contains(entry.url.as_str())
        };
        self.entries.iter().filter(made).cloned().collect()
    }

    pub(super) fn into_entries(self) -> Vec<RequestEntry> {
        self.entries
    }

    fn add(&mut self, entry: RequestEntry, began: f64) {
        if self.entries.len() >= MAX_REQUESTS {
            self.left_out += 1;
            return;
        }
        self.by_id.insert(entry.id.clone(), self.entries.len());
        self.entries.push(entry);
        self.began.push(began);
    }

    fn redirected(&mut self, at: usize, response: &Response, url: String) {
        let Some(entry) = self.entries.get_mut(at) else {
            return;
        };
        let from = std::mem::replace(&mut entry.url, clip_url(&url));
        if entry.redirects.len() < MAX_REDIRECTS {
            let status = u16::try_from(response.status).unwrap_or_default();
            entry.redirects.push(Redirect { url: from, status });
        }
    }

    fn ended(&mut self, request_id: &str, timestamp: f64) {
        let Some(&at) = self.by_id.get(request_id) else {
            return;
        };
        let took = timestamp - self.began[at];
        self.entries[at].took = took.is_finite().then_some(took);
    }

    fn entry(&mut self, request_id: &str) -> Option<&mut RequestEntry> {
        self.entries.get_mut(*self.by_id.get(request_id)?)
    }
}

pub(super) fn clip_url(url: &str) -> String {
    clip(
        url,
        if url.starts_with("data:") {
            MAX_DATA_URL
        } else {
            MAX_URL
        },
    )
}
