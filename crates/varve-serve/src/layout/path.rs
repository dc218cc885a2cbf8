//! The path layout: `{replay origin}/web/{time}{modifier}/{URL}`, the Wayback form.

use super::asked::{Asked, When};
use url::Url;
use varve_model::{Modifier, ReplayUrl, Timestamp, Wanted};

/// What replay paths begin with.
pub(crate) const WEB: &str = "/web/";

/// Before the paths of URLs that were written from the root.
const FROM_ROOT: &str = "/.";

/// One origin for everything archived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathLayout {
    origin: String,
}

impl PathLayout {
    /// Replay at this origin, such as `http://127.0.0.1:8081`.
    pub fn new(origin: &str) -> PathLayout {
        PathLayout {
            origin: origin.trim_end_matches('/').to_owned(),
        }
    }

    /// The origin.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub(super) fn parse(&self, target: &str) -> Option<Asked> {
        parse(target)
    }

    pub(super) fn url(&self, url: &Url, time: Timestamp, modifier: &Modifier) -> Option<String> {
        let known = matches!(url.scheme(), "http" | "https");
        let (origin, time, modifier) = (&self.origin, time.digits14(), modifier.as_str());
        known.then(|| [origin, WEB, &time, modifier, "/", url.as_str()].concat())
    }
}

impl PathLayout {
    /// A replay URL that begins as the URL was written for which it stands, so that the shim can
    /// tell how it was written: from the root, with a host, or whole.
    pub(super) fn in_form(&self, written: &str, url: String) -> String {
        let written = written.trim_matches(|c: char| c <= ' ');
        let mut slashes = written
            .bytes()
            .filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r'));
        let is_slash = |byte: Option<u8>| matches!(byte, Some(b'/' | b'\\'));
        let (first, second) = (is_slash(slashes.next()), is_slash(slashes.next()));
        match (first, second, url.strip_prefix(&self.origin)) {
            (true, true, Some(_)) => url.trim_start_matches(|c| c != '/').to_owned(),
            (true, false, Some(path)) => [FROM_ROOT, path].concat(),
            _ => url,
        }
    }
}

/// Whether a URL from the root is one of ours: no page writes the dot, and browsers leave it out.
pub(super) fn is_mapped(written: &str) -> bool {
    let rest = written.strip_prefix(FROM_ROOT);
    rest.is_some_and(|rest| rest.starts_with(WEB))
}

/// What a path of the Wayback form asks for.
pub(crate) fn parse(target: &str) -> Option<Asked> {
    let asked = ReplayUrl::parse(target.strip_prefix(WEB)?)?;
    let Wanted::Memento {
        timestamp,
        modifier,
    } = asked.wanted
    else {
        return None;
    };
    let mut url = Url::parse(&asked.url).ok()?;
    url.set_fragment(None);
    let when = match (timestamp.earliest(), timestamp.as_str().len()) {
        (None, _) => When::Latest,
        (Some(time), 14) => When::At(time.to_seconds()),
        (Some(time), _) => When::Around(time),
    };
    let known = matches!(url.scheme(), "http" | "https") && url.has_host();
    known.then_some(Asked {
        url,
        when,
        modifier,
    })
}

/// Whether a URL can stay as it is written in the document at `base`: it is relative and does not
/// climb above the archived host, where our own path begins.
pub(super) fn stays(written: &str, base: &Url) -> bool {
    let text = written.trim_matches(|c: char| c <= ' ');
    if !super::is_relative(text) || text.starts_with(['/', '\\']) {
        return false;
    }
    // A tab or a percent sign may hide a dot or a slash: such URLs are mapped.
    if text.contains(['\t', '\n', '\r', '\\']) || text.to_ascii_lowercase().contains("%2e") {
        return false;
    }
    let path = text.split(['?', '#']).next().unwrap_or("");
    let folders = base.path().matches('/').count().saturating_sub(1);
    let mut depth = folders as isize;
    for part in path.split('/') {
        depth += match part {
            ".." => -1,
            "." | "" => 0,
            _ => 1,
        };
        if depth < 0 {
            return false;
        }
    }
    true
}
