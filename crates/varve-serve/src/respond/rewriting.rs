//! Rewriting: from an archived body to what the browser gets.

use super::Purpose;
use crate::cache::Weigh;
use bytes::Bytes;
use memchr::memmem;
use std::borrow::Cow;
use std::cell::Cell;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use url::Url;
use varve_js::shim::{window_shim, worker_shim};
use varve_js::{Form, RULES};
use varve_page::{
    Crossorigin, Document, Fragment, Kind, Rewriting, ScriptUse, Targets, UrlMap, Use, Viewport,
};

/// Where a document is replayed.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// Where archived URLs are found.
    pub(crate) map: &'a dyn UrlMap,
    /// The client that captured the page, if it is known.
    pub(crate) client: Option<&'a Viewport>,
    /// Whether it is the topmost archived document.
    pub(crate) topmost: bool,
}

/// What a body is rewritten as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// A document, with a place for the shim.
    Document,
    /// A script.
    Script(ScriptUse),
    /// A style sheet, or a list of the parts of a film.
    Other,
}

impl Language {
    /// What a body is rewritten as. What scripts read is theirs to read as it was.
    pub(crate) fn of(document: &Document<'_>, purpose: Purpose, mode: &str) -> Option<Language> {
        let unknown = purpose == Purpose::Unknown;
        match varve_page::kind_of(document) {
            Kind::Html | Kind::Xhtml | Kind::Svg | Kind::Xml | Kind::Feed | Kind::Sitemap
                if purpose.may_be_document() =>
            {
                Some(Language::Document)
            }
            Kind::Css if unknown || purpose == Purpose::Style => Some(Language::Other),
            Kind::Script if unknown || matches!(purpose, Purpose::Script | Purpose::Worker) => {
                Some(Language::Script(match (purpose, mode) {
                    (Purpose::Script, "no-cors") => ScriptUse::Classic,
                    _ => ScriptUse::Unknown,
                }))
            }
            _ if matches!(purpose, Purpose::Media | Purpose::Data | Purpose::Unknown)
                && varve_page::is_playlist(document.bytes) =>
            {
                Some(Language::Other)
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
    /// The encoding of a document, to be stated: what was put in may have moved its own statement
    /// out of a browser's sight.
    pub(crate) charset: Option<&'static str>,
    /// Whether it is a module.
    pub(crate) module: bool,
    /// Scripts of a page that run as they come.
    pub(crate) async_scripts: Vec<Url>,
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
        let gap = letters(gap, self.charset);
        let mut body = Vec::with_capacity(self.weight() + gap.len());
        body.extend_from_slice(&self.before);
        body.extend_from_slice(&gap);
        body.extend_from_slice(after);
        body.into()
    }
}

/// Plain letters as a document in a charset has them: in all but two as in ASCII.
fn letters<'t>(text: &'t str, charset: Option<&str>) -> Cow<'t, [u8]> {
    let units = || text.encode_utf16();
    match charset {
        Some("UTF-16LE") => units().flat_map(u16::to_le_bytes).collect(),
        Some("UTF-16BE") => units().flat_map(u16::to_be_bytes).collect(),
        _ => Cow::Borrowed(text.as_bytes()),
    }
}

/// What rewrites, with a word that no archived page knows, which marks the gap.
pub(crate) struct Press {
    version: String,
    mark: String,
    head: String,
    srcdoc_head: String,
}

impl Press {
    pub(crate) fn new() -> Press {
        let random = || RandomState::new().build_hasher().finish();
        let mark = format!("varve{:016x}{:016x}", random(), random());
        let version = version();
        // Well-formed as XML, too. Pages in `srcdoc` know the configuration of their parent.
        let tag = |config: &str| {
            let ours = crate::layout::OURS;
            format!("<script src=\"{ours}shim.js?v={version}\"{config}></script>")
        };
        Press {
            head: tag(&format!(" data-varve='{mark}'")),
            srcdoc_head: tag(""),
            version,
            mark,
        }
    }

    /// Changes whenever the output for the same input may.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Rewrites a body for a place.
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
        let module = Cell::new(false);
        let scripts = |text: &str, used, specifier: &mut dyn FnMut(&str) -> Option<String>| {
            let (new, is_module) = script(text, used, specifier);
            module.set(is_module);
            new
        };
        let how = Rewriting {
            scripts: &scripts,
            script: match language {
                Language::Script(used) => used,
                _ => ScriptUse::Unknown,
            },
            insert: match language {
                Language::Document => &self.head,
                _ => "",
            },
            insert_srcdoc: &self.srcdoc_head,
            ..how(&watched, place)
        };
        let made = varve_page::rewrite(document, &how);
        let charset = (language == Language::Document).then_some(made.charset);
        let left_all = !watched.changed.get() && language != Language::Document;
        let (before, after) = self.split(made.body.into_owned().into(), charset);
        Rewritten {
            before,
            after,
            left_all,
            charset,
            module: module.get() && matches!(language, Language::Script(_)),
            async_scripts: made.async_scripts,
        }
    }

    fn split(&self, body: Bytes, charset: Option<&str>) -> (Bytes, Option<Bytes>) {
        let mark = letters(&self.mark, charset);
        match memmem::find(&body, &mark) {
            Some(at) => {
                let after = body.slice(at + mark.len()..);
                (body.slice(..at), Some(after))
            }
            None => (body, None),
        }
    }

    /// Markup or styles that a script is about to put into the page at `base`.
    pub(crate) fn fragment(
        &self,
        text: &str,
        fragment: Fragment,
        base: &Url,
        place: &Place<'_>,
    ) -> String {
        let scripts = |text: &str, used, specifier: &mut dyn FnMut(&str) -> Option<String>| {
            script(text, used, specifier).0
        };
        let how = Rewriting {
            scripts: &scripts,
            insert_srcdoc: &self.srcdoc_head,
            ..how(place.map, place)
        };
        varve_page::rewrite_fragment(text, fragment, base, &how).into_owned()
    }
}

/// What is the same for everything that is rewritten. Attributes for requests across origins stay:
/// such requests are answered as they were.
fn how<'a>(map: &'a dyn UrlMap, place: &Place<'a>) -> Rewriting<'a> {
    Rewriting {
        client: place.client,
        targets: match place.topmost {
            true => Targets::TOPMOST,
            false => Targets::default(),
        },
        crossorigin: Crossorigin::Keep,
        ..Rewriting::new(map)
    }
}

/// A script rewritten, if it changes, and whether it is a module.
pub(crate) fn script(
    text: &str,
    used: ScriptUse,
    specifier: &mut dyn FnMut(&str) -> Option<String>,
) -> (Option<String>, bool) {
    let form = match used {
        ScriptUse::Classic => Form::Classic,
        ScriptUse::Module => Form::Module,
        ScriptUse::ClassicWorker => Form::ClassicWorker,
        ScriptUse::ModuleWorker => Form::ModuleWorker,
        ScriptUse::Handler | ScriptUse::JavascriptUrl => Form::Handler,
        ScriptUse::Unknown => Form::Unknown,
    };
    let made = varve_js::rewrite(text, form, specifier);
    if used == ScriptUse::JavascriptUrl && text.contains('<') {
        return (Some(completed(&made.text)), false);
    }
    let is_module = matches!(made.form, Form::Module | Form::ModuleWorker);
    match made.text {
        Cow::Owned(text) => (Some(text), is_module),
        Cow::Borrowed(_) => (None, is_module),
    }
}

/// The code of a `javascript:` URL whose value may be a page: the shim is put into that.
fn completed(code: &str) -> String {
    let code = serde_json::Value::from(code);
    format!("(self.__varve||parent.__varve)[Symbol.for('varve.page')](eval({code}))")
}

/// The version of everything that makes the output.
fn version() -> String {
    let mut hasher = DefaultHasher::new();
    (RULES, window_shim(), worker_shim()).hash(&mut hasher);
    format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish())
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

    fn is_captured(&self, url: &Url) -> bool {
        self.map.is_captured(url)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    struct Nothing;
    impl UrlMap for Nothing {
        fn map(&self, _: &str, _: &Url, _: Use) -> Option<String> {
            None
        }
    }

    const PLACE: Place<'_> = Place {
        map: &Nothing,
        client: None,
        topmost: true,
    };

    #[test]
    fn the_gap_is_filled_for_each_request() {
        let press = Press::new();
        let url = Url::parse("https://h/").unwrap();
        let document = Document::new(&url, b"<!doctype html><p>x");
        let rewritten = press.rewrite(Language::Document, &document, &PLACE);
        let body = String::from_utf8(rewritten.filled("{}").to_vec()).unwrap();
        assert!(body.starts_with("<!doctype html><script src=\"/__varve/shim.js?v="));
        assert!(body.ends_with("data-varve='{}'></script><p>x"), "{body}");
        assert_eq!(rewritten.charset, Some("UTF-8"));
    }

    #[test]
    fn the_gap_is_found_in_wide_letters() {
        let press = Press::new();
        let url = Url::parse("https://h/").unwrap();
        for (charset, mark) in [("UTF-16LE", [0xff, 0xfe]), ("UTF-16BE", [0xfe, 0xff])] {
            let text = letters("<!doctype html><p>x", Some(charset));
            let bytes = [&mark[..], &text].concat();
            let document = Document {
                content_type: Some("text/html"),
                ..Document::new(&url, &bytes)
            };
            let rewritten = press.rewrite(Language::Document, &document, &PLACE);
            let body = rewritten.filled("{}");
            let end = letters("data-varve='{}'></script><p>x", Some(charset));
            assert!(body.ends_with(&end), "{charset}");
        }
    }

    #[test]
    fn modules_are_known_by_their_text() {
        let press = Press::new();
        let url = Url::parse("https://h/a.js").unwrap();
        for (text, module) in [("import './b.js'", true), ("var location", false)] {
            let document = Document {
                content_type: Some("text/javascript"),
                ..Document::new(&url, text.as_bytes())
            };
            let language = Language::Script(ScriptUse::Unknown);
            let rewritten = press.rewrite(language, &document, &PLACE);
            assert_eq!(rewritten.module, module, "{text}");
        }
    }
}
