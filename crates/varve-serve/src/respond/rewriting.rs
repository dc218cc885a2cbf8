//! The seam to the rewriters: one function from an archived body to what the browser gets.

use super::Purpose;
use crate::cache::Weigh;
use bytes::Bytes;
use memchr::memmem;
use std::cell::Cell;
use std::hash::{BuildHasher, Hasher, RandomState};
use url::Url;
use varve_page::{Document, Kind, UrlMap, Use, Viewport};

/// Changes documents so that they work where they are replayed.
pub trait Rewriter: Send + Sync {
    /// Changes whenever the output for the same input may.
    fn version(&self) -> &str;

    /// An HTML document.
    fn html(&self, document: &Document<'_>, place: &Place<'_>) -> Vec<u8>;

    /// A piece of HTML that a script is about to put into a page.
    fn fragment(&self, document: &Document<'_>, place: &Place<'_>) -> Vec<u8>;

    /// A style sheet.
    fn css(&self, document: &Document<'_>, place: &Place<'_>) -> Vec<u8>;

    /// A script.
    fn script(&self, document: &Document<'_>, used: ScriptUse, place: &Place<'_>) -> Vec<u8>;

    /// Whether a script of unknown form is a module.
    fn is_module(&self, document: &Document<'_>) -> bool;

    /// The script that completes replay in the browser.
    fn shim(&self) -> &str;

    /// The same for workers.
    fn worker_shim(&self) -> &str;
}

/// Where a document is replayed.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Where archived URLs are found.
    pub map: &'a dyn UrlMap,
    /// Markup that a page runs before all else.
    pub head: &'a str,
    /// The same for pages in `srcdoc` attributes.
    pub srcdoc_head: &'a str,
    /// The client that captured the page, if it is known.
    pub client: Option<&'a Viewport>,
    /// Whether it is the topmost archived document.
    pub topmost: bool,
}

/// How a script is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScriptUse {
    /// A classic script.
    Classic,
    /// A module.
    Module,
    /// A script of a worker, classic or module: only the text can tell.
    Worker,
    /// The body of an event handler or a function.
    Handler,
    /// A script or a module; only the text can tell.
    Unknown,
}

/// The languages that are rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// HTML, with a place for the shim.
    Html,
    /// Style sheets.
    Css,
    /// Scripts.
    Script(ScriptUse),
}

impl Language {
    /// What a body is rewritten as. What scripts read is theirs to read as it was.
    pub(crate) fn of(kind: Kind, purpose: Purpose, used: ScriptUse) -> Option<Language> {
        let as_document = purpose.may_be_document();
        let unknown = purpose == Purpose::Unknown;
        match kind {
            Kind::Html | Kind::Xhtml if as_document => Some(Language::Html),
            Kind::Css if unknown || purpose == Purpose::Style => Some(Language::Css),
            Kind::Script if unknown || matches!(purpose, Purpose::Script | Purpose::Worker) => {
                Some(Language::Script(used))
            }
            _ => None,
        }
    }
}

/// A rewritten body, with a gap where something of the request's own is put in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rewritten {
    pub(crate) before: Bytes,
    /// What stands after the gap, if there is one.
    pub(crate) after: Option<Bytes>,
    /// Whether every URL was left as it was written.
    pub(crate) left_all: bool,
}

impl Weigh for Rewritten {
    fn weight(&self) -> usize {
        self.before.len() + self.after.as_ref().map_or(0, Bytes::len)
    }
}

impl Rewritten {
    /// The body with this in the gap.
    pub(crate) fn filled(&self, gap: &str) -> Bytes {
        let Some(after) = &self.after else {
            return self.before.clone();
        };
        let mut body = Vec::with_capacity(self.weight() + gap.len());
        body.extend_from_slice(&self.before);
        body.extend_from_slice(gap.as_bytes());
        body.extend_from_slice(after);
        body.into()
    }
}

/// A rewriter with a word that no archived page knows, which marks the gap.
pub(crate) struct Press {
    rewriter: Box<dyn Rewriter>,
    mark: String,
}

impl Press {
    pub(crate) fn new(rewriter: Box<dyn Rewriter>) -> Press {
        let random = || RandomState::new().build_hasher().finish();
        let mark = format!("varve{:016x}{:016x}", random(), random());
        Press { rewriter, mark }
    }

    pub(crate) fn rewriter(&self) -> &dyn Rewriter {
        self.rewriter.as_ref()
    }

    /// Rewrites a body for a place; what `place` says of heads is ours to say.
    pub(crate) fn rewrite(
        &self,
        language: Language,
        document: &Document<'_>,
        place: &Place<'_>,
    ) -> Rewritten {
        let watched = Watched {
            map: place.map,
            changed: Cell::new(false),
        };
        let place = Place {
            map: &watched,
            head: &self.tag(&format!(" data-varve='{}'", self.mark)),
            srcdoc_head: &self.tag(""),
            ..*place
        };
        let body = match language {
            Language::Html => self.rewriter.html(document, &place),
            Language::Css => self.rewriter.css(document, &place),
            Language::Script(used) => self.rewriter.script(document, used, &place),
        };
        let left_all = !watched.changed.get() && language != Language::Html;
        let (before, after) = self.split(body.into());
        Rewritten {
            before,
            after,
            left_all,
        }
    }

    /// The element that loads the shim. Pages in `srcdoc` know the configuration of their parent.
    fn tag(&self, config: &str) -> String {
        let (ours, version) = (crate::layout::OURS, self.rewriter.version());
        format!("<script src=\"{ours}shim.js?v={version}\"{config}></script>")
    }

    fn split(&self, body: Bytes) -> (Bytes, Option<Bytes>) {
        match memmem::find(&body, self.mark.as_bytes()) {
            Some(at) => {
                let after = body.slice(at + self.mark.len()..);
                (body.slice(..at), Some(after))
            }
            None => (body, None),
        }
    }
}

/// A map that knows whether it changed anything.
struct Watched<'a> {
    map: &'a dyn UrlMap,
    changed: Cell<bool>,
}

impl UrlMap for Watched<'_> {
    fn map(&self, written: &str, resolved: &Url, used_for: Use) -> Option<String> {
        let mapped = self.map.map(written, resolved, used_for);
        if mapped.is_some() {
            self.changed.set(true);
        }
        mapped
    }

    fn concerns(&self, written: &str) -> bool {
        self.map.concerns(written)
    }
}

/// A rewriter that only puts the shim in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Rewriter for Plain {
    fn version(&self) -> &str {
        concat!(env!("CARGO_PKG_VERSION"), "-plain")
    }

    fn html(&self, document: &Document<'_>, place: &Place<'_>) -> Vec<u8> {
        let bytes = document.bytes;
        let at = after_doctype(bytes);
        [&bytes[..at], place.head.as_bytes(), &bytes[at..]].concat()
    }

    fn fragment(&self, document: &Document<'_>, _: &Place<'_>) -> Vec<u8> {
        document.bytes.to_vec()
    }

    fn css(&self, document: &Document<'_>, _: &Place<'_>) -> Vec<u8> {
        document.bytes.to_vec()
    }

    fn script(&self, document: &Document<'_>, _: ScriptUse, _: &Place<'_>) -> Vec<u8> {
        document.bytes.to_vec()
    }

    fn is_module(&self, _: &Document<'_>) -> bool {
        false
    }

    fn shim(&self) -> &str {
        "/* Nothing is changed in the browser. */\n"
    }

    fn worker_shim(&self) -> &str {
        "/* Nothing is changed in workers. */\n"
    }
}

/// Where a document goes on after its byte order mark, comments and doctype.
fn after_doctype(bytes: &[u8]) -> usize {
    let mut at = if bytes.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    loop {
        let rest = &bytes[at..];
        let trimmed = rest.trim_ascii_start();
        let start = at + rest.len() - trimmed.len();
        let is_doctype = trimmed
            .get(..9)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"<!doctype"));
        if is_doctype {
            let end = memchr::memchr(b'>', trimmed);
            return end.map_or(at, |end| start + end + 1);
        }
        if !trimmed.starts_with(b"<!--") {
            return at;
        }
        match memmem::find(trimmed, b"-->") {
            Some(end) => at = start + end + 3,
            None => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_doctype_stays_first() {
        for (html, expected) in [
            ("<!DOCTYPE html><p>", 15),
            (" <!-- c --><!doctype html>\n<p>", 26),
            ("<p>", 0),
            ("<!-- c --><p>", 10),
            ("\u{feff}<!doctype html>", 18),
            ("<!doctype html", 0),
            ("<!-- c", 0),
            ("", 0),
        ] {
            assert_eq!(after_doctype(html.as_bytes()), expected, "{html}");
        }
    }

    #[test]
    fn the_gap_is_filled_for_each_request() {
        struct Nothing;
        impl UrlMap for Nothing {
            fn map(&self, _: &str, _: &Url, _: Use) -> Option<String> {
                None
            }
        }
        let press = Press::new(Box::new(Plain));
        let url = Url::parse("https://h/").unwrap();
        let document = Document::new(&url, b"<!doctype html><p>x");
        let place = Place {
            map: &Nothing,
            head: "",
            srcdoc_head: "",
            client: None,
            topmost: true,
        };
        let rewritten = press.rewrite(Language::Html, &document, &place);
        let body = String::from_utf8(rewritten.filled("{}").to_vec()).unwrap();
        assert!(body.starts_with("<!doctype html><script src=\"/__varve/shim.js?v="));
        assert!(body.ends_with("data-varve='{}'></script><p>x"), "{body}");
    }
}
