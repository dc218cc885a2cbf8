//! Redirects from a page to itself: from http to https, to or from `www.`.
//!
//! On the live web such a redirect led somewhere else; in an archive where both sort alike it may
//! lead back to itself. It is followed where its target has a capture of its own, and skipped
//! where not.

use super::choice::Candidate;
use super::{Wish, captures};
use crate::archive::Opened;
use std::sync::Arc;
use url::Url;
use varve_store::Result;

/// Whether a capture is a redirect that would only lead back here.
pub(super) fn leads_back(
    archive: &[Arc<Opened>],
    candidate: &Candidate,
    wish: &Wish,
) -> Result<bool> {
    if !is_redirect(candidate.status()) {
        return Ok(false);
    }
    let Some(target) = target(candidate) else {
        return Ok(false);
    };
    if target == wish.url {
        return Ok(true);
    }
    if bare(&target) != bare(&wish.url) {
        return Ok(false);
    }
    let there = Wish {
        url: target,
        ..wish.clone()
    };
    for opened in archive {
        for found in captures(opened, opened.index(), &there)? {
            if !is_redirect(found.status()) && found.is_of(&there.url) && found.is_get() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Where a redirect leads.
fn target(candidate: &Candidate) -> Option<Url> {
    let hit = &candidate.hit;
    let record = candidate.opened.collection().read(hit).ok()?;
    let location = record.http()?.get("Location")?.into_owned();
    let base = Url::parse(&hit.capture.url).ok()?;
    let mut target = base.join(&String::from_utf8_lossy(&location)).ok()?;
    target.set_fragment(None);
    Some(target)
}

/// A URL without what self-redirects change.
fn bare(url: &Url) -> String {
    let host = url.host_str().unwrap_or("");
    let host = host.strip_prefix("www.").unwrap_or(host);
    format!("{host}{}", &url[url::Position::BeforePath..])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_self_redirects_change() {
        let check = |a: &str, b: &str, same: bool| {
            let bare = |url| bare(&Url::parse(url).unwrap());
            assert_eq!(bare(a) == bare(b), same, "{a} {b}");
        };
        check("http://h/a?b", "https://www.h/a?b", true);
        check("http://h/a", "http://h/a/", false);
        check("http://h/a?b", "http://h/a?c", false);
        check("http://h/", "http://w.h/", false);
    }
}
