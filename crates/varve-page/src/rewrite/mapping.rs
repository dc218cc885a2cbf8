//! The state of a rewriting: what URLs are relative to, and what becomes of one.

use std::borrow::Cow;
use std::collections::HashMap;

use encoding_rs::{Encoding, UTF_8};
use memchr::memchr3;
use url::Url;

use super::{Counts, Rewriting, ScriptUse, Targets, Use, data, javascript};
use crate::collector::{query_encoder, scheme};
use crate::data_url::is_data;
use crate::{Note, Viewport};

/// Deepest nesting of documents in documents.
const MAX_DEPTH: usize = 8;

/// Most asynchronous scripts of one document that are told.
const MAX_ASYNC: usize = 200;

/// Most notes of one document.
const MAX_NOTES: usize = 100;

/// Most handlers of events that are remembered: pages write the same ones many times.
const MAX_HANDLERS: usize = 100;

/// What is known while a document is being rewritten.
pub(super) struct Mapping<'a> {
    pub(super) how: &'a Rewriting<'a>,
    /// The client that captured the page, or any.
    pub(super) viewport: Viewport,
    pub(super) base: Url,
    /// What the queries of URLs are written in.
    encoding: &'static Encoding,
    pub(super) targets: Targets<'a>,
    pub(super) counts: Counts,
    pub(super) notes: Vec<Note>,
    pub(super) async_scripts: Vec<Url>,
    /// What became of handlers of events.
    handlers: HashMap<String, Option<String>>,
    depth: usize,
}

impl<'a> Mapping<'a> {
    pub(super) fn new(
        how: &'a Rewriting<'a>,
        base: Url,
        encoding: &'static Encoding,
    ) -> Mapping<'a> {
        Mapping {
            how,
            viewport: how.client.cloned().unwrap_or_default(),
            base,
            encoding: encoding.output_encoding(),
            targets: how.targets,
            counts: Counts::default(),
            notes: Vec::new(),
            async_scripts: Vec::new(),
            handlers: HashMap::new(),
            depth: 0,
        }
    }

    /// What is written in place of a URL, or of a `javascript:` or `data:` URL with something in
    /// it that changes.
    pub(super) fn url(&mut self, written: &str, used_for: Use) -> Option<String> {
        let written = plain(written);
        let scheme = scheme(&written);
        match scheme {
            None => self.map(&written, used_for),
            Some(scheme) if is_web(scheme) => self.map(&written, used_for),
            Some(scheme) if scheme.eq_ignore_ascii_case("javascript") => {
                let runs = matches!(used_for, Use::Navigate | Use::Frame | Use::Object);
                let code = &written["javascript:".len()..];
                runs.then(|| javascript::url(code, self)).flatten()
            }
            Some(_) if is_data(&written) => data::url(&written, used_for, self),
            Some(_) => None,
        }
    }

    fn map(&mut self, written: &str, used_for: Use) -> Option<String> {
        let resolved = self.is_mapped(written).then(|| self.resolve(written))??;
        self.map_resolved(written, &resolved, used_for)
    }

    fn is_mapped(&self, written: &str) -> bool {
        !is_nothing(written) && self.how.map.concerns(written)
    }

    /// What is written in place of a URL whose meaning is known.
    pub(super) fn map_known(
        &mut self,
        written: &str,
        resolved: &Url,
        used_for: Use,
    ) -> Option<String> {
        self.is_mapped(written)
            .then(|| self.map_resolved(written, resolved, used_for))?
    }

    fn map_resolved(&mut self, written: &str, resolved: &Url, used_for: Use) -> Option<String> {
        let mapped = self.how.map.map(written, resolved, used_for)?;
        if mapped == written {
            return None;
        }
        self.counts.urls += 1;
        Some(mapped)
    }

    /// The URL that is meant, if it is one of the web.
    pub(super) fn resolve(&self, written: &str) -> Option<Url> {
        let encode = query_encoder(self.encoding);
        let mut options = Url::options().base_url(Some(&self.base));
        if self.encoding != UTF_8 {
            options = options.encoding_override(Some(&encode));
        }
        let url = options.parse(written).ok()?;
        (is_web(url.scheme()) && url.has_host()).then_some(url)
    }

    /// What is written in place of a module specifier. Bare ones are for import maps.
    pub(super) fn specifier(&mut self, written: &str) -> Option<String> {
        let relative = ["/", "./", "../"]
            .iter()
            .any(|start| written.starts_with(start));
        let absolute = || scheme(written).is_some_and(is_web);
        if relative || absolute() {
            self.map(written, Use::Module)
        } else {
            None
        }
    }

    /// The text of a script, if it changes.
    pub(super) fn script(&mut self, text: &str, used: ScriptUse) -> Option<String> {
        let how = self.how;
        let new = (how.scripts)(text, used, &mut |specifier| self.specifier(specifier));
        let new = new.filter(|new| new != text)?;
        self.counts.scripts += 1;
        Some(new)
    }

    /// The body of a handler of events, if it changes.
    pub(super) fn handler(&mut self, text: &str) -> Option<String> {
        if let Some(known) = self.handlers.get(text) {
            self.counts.scripts += usize::from(known.is_some());
            return known.clone();
        }
        let new = self.script(text, ScriptUse::Handler);
        // What imports is relative to the base, which may be another later.
        if self.handlers.len() < MAX_HANDLERS && !text.contains("import") {
            self.handlers.insert(text.to_owned(), new.clone());
        }
        new
    }

    /// Notes a script that runs as soon as it comes.
    pub(super) fn async_script(&mut self, written: &str) {
        if self.async_scripts.len() < MAX_ASYNC
            && let Some(mut url) = self.resolve(&plain(written))
        {
            url.set_fragment(None);
            self.async_scripts.push(url);
        }
    }

    /// Notes something, once.
    pub(super) fn note(&mut self, note: Note) {
        if self.notes.len() < MAX_NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Changes a document inside the document, which has its own base.
    pub(super) fn nested<T: Default>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.note(Note::TooDeep);
            return T::default();
        }
        self.depth += 1;
        let outer = (self.base.clone(), self.targets);
        let changed = change(self);
        (self.base, self.targets) = outer;
        self.depth -= 1;
        changed
    }
}

/// A URL as browsers read it: without blanks around it and line breaks in it.
fn plain(written: &str) -> Cow<'_, str> {
    let trimmed = written.trim_matches(|c: char| c <= ' ');
    match memchr3(b'\t', b'\n', b'\r', trimmed.as_bytes()).is_some() {
        true => Cow::Owned(trimmed.replace(['\t', '\n', '\r'], "")),
        false => Cow::Borrowed(trimmed),
    }
}

/// Nothing, a place in the same document, or a placeholder of a template language.
fn is_nothing(written: &str) -> bool {
    matches!(written.as_bytes().first(), None | Some(b'#' | b'{'))
}

fn is_web(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}
