//! Of several captures the one that answers.

use super::{Found, Match, Wish, post, redirects};
use crate::archive::Opened;
use crate::respond::content_range;
use std::sync::Arc;
use url::Url;
use varve_model::Timestamp;
use varve_store::Result;
use varve_store::index::Hit;

/// A capture that may answer.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) opened: Arc<Opened>,
    pub(super) hit: Hit,
}

impl Candidate {
    pub(super) fn new(opened: &Arc<Opened>, hit: Hit) -> Candidate {
        let opened = opened.clone();
        Candidate { opened, hit }
    }

    pub(super) fn far_from(&self, time: Timestamp) -> u64 {
        let at = self.hit.capture.timestamp.unix_millis();
        at.abs_diff(time.unix_millis())
    }

    /// The status of the index; 0 if there is none, as for revisits of another server's 304.
    pub(super) fn status(&self) -> u16 {
        let status = self.hit.capture.status.as_deref();
        status.and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    /// Whether it is of this very URL.
    pub(super) fn is_of(&self, url: &Url) -> bool {
        Url::parse(&self.hit.capture.url).is_ok_and(|mut captured| {
            captured.set_fragment(None);
            captured == *url
        })
    }

    /// Whether it was asked for without sending anything. Records that do not say are taken for
    /// such.
    pub(super) fn is_get(&self) -> bool {
        self.opened.methods.is_get(&self.opened, &self.hit)
    }

    /// Whether it holds this byte of its content. Only parts of something may not.
    fn holds(&self, first_byte: Option<u64>) -> bool {
        let Some(byte) = first_byte.filter(|_| self.status() == 206) else {
            return true;
        };
        let record = self.opened.collection().read(&self.hit).ok();
        let head = record.as_ref().and_then(|record| record.http());
        let Some((first, _)) = head.and_then(content_range) else {
            return true;
        };
        let length = head.and_then(|head| head.get("Content-Length"));
        let length = length.and_then(|it| std::str::from_utf8(&it).ok()?.trim().parse().ok());
        byte >= first && byte - first < length.unwrap_or(u64::MAX)
    }

    pub(super) fn found(self, matched: Match) -> Found {
        Found {
            opened: self.opened,
            hit: self.hit,
            matched,
        }
    }
}

/// The first that answers, where captures of the very URL come first, failures of the server last,
/// and captures of one kind stay in the order given.
pub(super) fn choose(
    archive: &[Arc<Opened>],
    mut candidates: Vec<Candidate>,
    wish: &Wish,
) -> Result<Option<Found>> {
    candidates.retain(|candidate| !matches!(candidate.status(), 100..200 | 304));
    if let Some(posted) = &wish.posted {
        return Ok(post::choose(candidates, wish, posted));
    }
    candidates.sort_by_cached_key(|candidate| {
        let status = candidate.status();
        let failed = status >= 500 || status == 429;
        (failed, !candidate.is_of(&wish.url), status == 206)
    });
    for candidate in candidates {
        if !candidate.is_get()
            || !candidate.holds(wish.first_byte)
            || redirects::leads_back(archive, &candidate, wish)?
        {
            continue;
        }
        let matched = match candidate.is_of(&wish.url) {
            true => Match::Exact,
            false => Match::Canonical,
        };
        return Ok(Some(candidate.found(matched)));
    }
    Ok(None)
}
