//! Layouts: where archived URLs live on replay origins, and back.
//!
//! In the *host* layout each archived origin and page time is an origin of its own, so that paths,
//! the same-origin policy and storage work by themselves. In the *path* layout the archived URL
//! stands in the path (the Wayback form), and all archived content shares one origin.

mod asked;
mod host;
mod path;
#[cfg(test)]
mod tests;

pub use asked::{Asked, When};
pub use host::HostLayout;
pub use path::PathLayout;
pub(crate) use path::parse as parse_path;

use url::Url;
use varve_model::{Modifier, Timestamp};
use varve_page::{UrlMap, Use};

/// Everything that is ours on a replay origin begins with this.
pub(crate) const OURS: &str = "/__varve/";
/// In the host layout, what the archived path follows where bytes are wanted as they were captured.
pub(crate) const RAW: &str = "/__varve/raw";

/// How archived URLs and replay URLs belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// An origin for each archived origin and time.
    Host(HostLayout),
    /// One origin for everything.
    Path(PathLayout),
}

impl Layout {
    /// One word.
    pub fn name(&self) -> &'static str {
        match self {
            Layout::Host(_) => "host",
            Layout::Path(_) => "path",
        }
    }

    /// What a request asks for: `host` is the name that it was sent to, `target` its path and
    /// query. `None` if it asks for nothing archived.
    pub fn parse(&self, host: &str, target: &str) -> Option<Asked> {
        match self {
            Layout::Host(layout) => layout.parse(host, target),
            Layout::Path(layout) => layout.parse(target),
        }
    }

    /// The replay URL of an archived URL at a time; `None` if it cannot have one.
    pub fn url(&self, url: &Url, time: Timestamp, used_for: Use) -> Option<String> {
        match self {
            Layout::Host(layout) => layout.url(url, time),
            Layout::Path(layout) => layout.url(url, time, &modifier(used_for)),
        }
    }

    /// Where the bytes are as they were captured.
    pub fn raw_url(&self, url: &Url, time: Timestamp) -> Option<String> {
        match self {
            Layout::Host(layout) => layout.raw_url(url, time),
            Layout::Path(layout) => layout.url(url, time, &Modifier::Identity),
        }
    }

    /// Whether a name that a request was sent to is a replay host.
    pub fn is_replay_host(&self, host: &str) -> bool {
        match self {
            Layout::Host(layout) => layout.covers(host),
            Layout::Path(_) => false,
        }
    }

    /// Whether a URL is a replay URL already.
    fn owns(&self, url: &Url) -> bool {
        match self {
            Layout::Host(layout) => url.host_str().is_some_and(|host| layout.covers(host)),
            Layout::Path(layout) => url
                .as_str()
                .strip_prefix(layout.origin())
                .is_some_and(is_ours),
        }
    }

    /// Whether an origin, as browsers write it, holds archived content of this time.
    pub fn is_origin_of(&self, origin: &str, time: Timestamp) -> bool {
        match self {
            Layout::Host(layout) => layout.is_origin_of(origin, time),
            Layout::Path(layout) => layout.origin() == origin,
        }
    }

    /// The sources that a policy must allow for archived content of this time, besides `'self'`;
    /// of every time if none is given.
    pub fn sources(&self, time: Option<Timestamp>) -> String {
        match self {
            Layout::Host(layout) => layout.sources(time),
            Layout::Path(layout) => layout.origin().to_owned(),
        }
    }

    /// Where archived content is, as the shim is told: an authority or an origin.
    pub fn place(&self) -> &str {
        match self {
            Layout::Host(layout) => layout.authority(),
            Layout::Path(layout) => layout.origin(),
        }
    }

    /// Whether what is left as written depends on nothing but the writing, so that a document in
    /// which everything is left is the same wherever and whenever it is replayed.
    pub fn leaves_by_writing_alone(&self) -> bool {
        matches!(self, Layout::Host(_))
    }
}

/// Whether a path on the origin of the path layout is one of replay.
fn is_ours(path: &str) -> bool {
    path.starts_with(path::WEB) || path.starts_with(OURS)
}

/// The modifier that tells the server what a URL is used for.
fn modifier(used_for: Use) -> Modifier {
    match used_for {
        Use::Navigate | Use::Base | Use::Fetch | Use::Other => Modifier::MainPage,
        Use::Frame => Modifier::IFrame,
        Use::Script | Use::Module => Modifier::Script,
        Use::Style => Modifier::Style,
        Use::Image => Modifier::Image,
        Use::Object | Use::Font | Use::Media | Use::Manifest => Modifier::Object,
        Use::Worker => Modifier::Worker,
    }
}

/// The map for documents of one page time.
#[derive(Clone, Debug)]
pub struct MapAt {
    layout: Layout,
    time: Timestamp,
    base: Url,
}

impl MapAt {
    /// The map for the document at `base`, of the page at `time`.
    pub fn new(layout: Layout, time: Timestamp, base: Url) -> MapAt {
        MapAt { layout, time, base }
    }
}

impl UrlMap for MapAt {
    fn map(&self, written: &str, resolved: &Url, used_for: Use) -> Option<String> {
        let leave = !self.concerns(written) || self.layout.owns(resolved);
        if leave {
            return None;
        }
        let url = self.layout.url(resolved, self.time, used_for)?;
        Some(match &self.layout {
            Layout::Host(_) => url,
            Layout::Path(layout) => layout.in_form(written, url),
        })
    }

    fn concerns(&self, written: &str) -> bool {
        match &self.layout {
            Layout::Host(_) => !is_relative(written),
            Layout::Path(_) => !path::stays(written, &self.base) && !path::is_mapped(written),
        }
    }
}

/// Whether a URL as written names neither scheme nor host. Browsers read backslashes as slashes,
/// leave out line breaks and tabs, and trim.
fn is_relative(written: &str) -> bool {
    let mut text = written
        .trim_matches(|c: char| c <= ' ')
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .map(|c| if c == '\\' { '/' } else { c });
    let (first, second) = (text.next(), text.next());
    match (first, second) {
        (Some('/'), Some('/')) => false,
        (Some(letter), _) if letter.is_ascii_alphabetic() => !has_scheme(written),
        _ => true,
    }
}

fn has_scheme(written: &str) -> bool {
    let kept = written
        .trim_start_matches(|c: char| c <= ' ')
        .bytes()
        .filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r'));
    for byte in kept {
        match byte {
            b':' => return true,
            b'+' | b'-' | b'.' => {}
            _ if byte.is_ascii_alphanumeric() => {}
            _ => return false,
        }
    }
    false
}
