//! What an answer depends on: the keys under which rewritten bodies are kept, and the tags by which
//! browsers know what they have.

use super::Purpose;
use super::content::Facts;
use super::reply::{Reply, ReplyBody};
use super::rewriting::Rewritten;
use super::shown::{Shown, content_type};
use crate::lookup::Match;
use axum::http::StatusCode;
use axum::http::header;
use bytes::Bytes;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

impl Shown<'_> {
    /// Everything that rewritten output depends on.
    pub(super) fn key(&self, facts: &Facts) -> String {
        let (time, url) = (self.time.digits14(), &self.ask.asked.url);
        let top = self.is_topmost();
        format!("{} {top} {time} {url}", self.general_key(facts))
    }

    /// The same without place and time, for output that does not depend on them.
    pub(super) fn general_key(&self, facts: &Facts) -> String {
        let mode = self.ask.header("sec-fetch-mode") == Some("no-cors");
        let version = self.serving.press.version();
        let content_type = content_type(&facts.head).unwrap_or_default();
        let (purpose, identity) = (self.ask.purpose, &facts.identity);
        let client = self.client.as_ref().map_or(0, |client| client.fingerprint);
        // What the archive has decides what is left out of a page.
        let state = self.serving.archive.state();
        format!("{state:x} {identity} {version} {purpose:?} {mode} {client:x} {content_type}")
    }

    pub(super) fn is_general(&self) -> bool {
        let exact = matches!(self.found.matched, Match::Exact | Match::Canonical);
        exact && self.serving.layout.leaves_by_writing_alone()
    }

    pub(super) fn kept(&self, facts: &Facts) -> Option<Arc<Rewritten>> {
        let cache = &self.serving.cache;
        let kept = cache.get(&self.key(facts));
        kept.or_else(|| {
            let general = self.is_general().then(|| self.general_key(facts))?;
            cache.get(&general)
        })
    }

    /// What tells this answer from others, for those who have it already. Documents and workers
    /// hold something of their request's own.
    pub(super) fn etag(&self, facts: &Facts) -> Option<String> {
        let varies = self.ask.purpose.may_be_document() || self.ask.purpose == Purpose::Worker;
        if varies || !self.ask.only_asks() || facts.status != 200 {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        self.key(facts).hash(&mut hasher);
        Some(format!("\"{:016x}\"", hasher.finish()))
    }

    pub(super) fn unless_known(&self, mut reply: Reply, etag: &Option<String>) -> Reply {
        let Some(etag) = etag.as_ref().filter(|_| reply.status == StatusCode::OK) else {
            return reply;
        };
        reply.say(header::ETAG, etag);
        let known = self.ask.header("if-none-match");
        if known.is_some_and(|known| known.split(',').any(|one| one.trim() == etag)) {
            reply.status = StatusCode::NOT_MODIFIED;
            reply.body = ReplyBody::Whole(Bytes::new());
            reply.headers.remove(header::CONTENT_LENGTH);
        }
        reply
    }
}
