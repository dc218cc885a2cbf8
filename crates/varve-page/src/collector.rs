//! What the finders offer, collected: resolved against the base, deduplicated, within limits.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};
use url::Url;

use crate::{
    ImportMap, Need, Note, Reference, Role, ScriptForm, ScriptFound, ScriptSource, Styles, Viewport,
};

/// Most references of one document.
const MAX_REFERENCES: usize = 100_000;

/// Longest URL, before and after resolving.
const MAX_URL: usize = 32 << 10;

/// Most text of inline scripts that is kept.
const MAX_INLINE_SCRIPTS: usize = 8 << 20;

/// Most notes of one document.
const MAX_NOTES: usize = 100;

/// Deepest nesting of documents in documents.
const MAX_DEPTH: usize = 4;

/// A URL as a finder found it.
pub(crate) struct Offer<'o> {
    /// As written, escapes of the language resolved.
    pub(crate) url: &'o str,
    pub(crate) role: Role,
    pub(crate) need: Need,
    pub(crate) context: &'static str,
    /// Where it is spelt in the document, if that can be said.
    pub(crate) span: Option<Range<usize>>,
}

/// How lively the surroundings of an offer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surroundings {
    /// Part of the page.
    Live,
    /// Only for browsers without scripts: links count, the rest is not loaded.
    Noscript,
    /// Waiting for a script to use it.
    Inert,
}

/// The page in the making.
pub(crate) struct Collector<'a> {
    pub(crate) viewport: &'a Viewport,
    pub(crate) base: Url,
    /// What the queries of URLs are written in.
    pub(crate) encoding: &'static Encoding,
    pub(crate) surroundings: Surroundings,
    pub(crate) import_map: ImportMap,
    pub(crate) styles: Styles,
    pub(crate) leads_to: Option<Url>,
    pub(crate) title: Option<String>,
    pub(crate) references: Vec<Reference>,
    pub(crate) scripts: Vec<ScriptFound>,
    pub(crate) has_scripts: bool,
    pub(crate) notes: Vec<Note>,
    /// Hashes of what was offered and of what it became, with the reference's index.
    seen: HashMap<u64, usize>,
    hasher: RandomState,
    inline_bytes: usize,
    depth: usize,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(
        viewport: &'a Viewport,
        base: Url,
        encoding: &'static Encoding,
    ) -> Collector<'a> {
        Collector {
            viewport,
            base,
            encoding: encoding.output_encoding(),
            surroundings: Surroundings::Live,
            import_map: ImportMap::default(),
            styles: Styles::default(),
            leads_to: None,
            title: None,
            references: Vec::new(),
            scripts: Vec::new(),
            has_scripts: false,
            notes: Vec::new(),
            seen: HashMap::new(),
            hasher: RandomState::new(),
            inline_bytes: 0,
            depth: 0,
        }
    }

    /// Takes a URL that is relative to the document's base.
    pub(crate) fn offer(&mut self, offer: Offer<'_>) {
        let Some(written) = self.worth_resolving(offer.url) else {
            return;
        };
        let need = self.tempered(offer.need, offer.role);
        // The same words mean something else after a new base.
        let base = self.base.as_str();
        let written_key = self.hasher.hash_one((0u8, base, written, offer.role));
        if let Some(&index) = self.seen.get(&written_key) {
            self.strengthen(index, need);
            return;
        }
        if self.is_full() {
            return;
        }
        if let Some(url) = self.resolve(written) {
            let index = self.insert(url, need, offer);
            self.seen.insert(written_key, index);
        }
    }

    /// Takes a URL that is already resolved.
    pub(crate) fn offer_resolved(&mut self, url: Url, offer: Offer<'_>) {
        let need = self.tempered(offer.need, offer.role);
        if !self.is_full() && matches!(url.scheme(), "http" | "https") {
            self.insert(url, need, offer);
        }
    }

    /// Resolves against the base, for those who need to know the outcome.
    pub(crate) fn resolve(&mut self, written: &str) -> Option<Url> {
        let encode = query_encoder(self.encoding);
        let mut options = Url::options().base_url(Some(&self.base));
        if self.encoding != UTF_8 {
            options = options.encoding_override(Some(&encode));
        }
        let mut url = options.parse(written).ok()?;
        url.set_fragment(None);
        if url.as_str().len() > MAX_URL {
            self.note(Note::UrlTooLong);
            return None;
        }
        (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
    }

    /// The URL without blanks around it, if it can lead to another http(s) resource.
    fn worth_resolving<'o>(&mut self, written: &'o str) -> Option<&'o str> {
        let written = written.trim_matches(|c: char| c <= ' ');
        if written.is_empty() || written.starts_with('#') {
            return None;
        }
        if let Some(scheme) = scheme(written) {
            if scheme.eq_ignore_ascii_case("javascript") {
                self.has_scripts = true;
            }
            if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
                return None;
            }
        }
        if written.len() > MAX_URL {
            self.note(Note::UrlTooLong);
            return None;
        }
        Some(written)
    }

    fn tempered(&self, need: Need, role: Role) -> Need {
        match (self.surroundings, role) {
            (Surroundings::Live, _) | (Surroundings::Noscript, Role::Link) => need,
            _ => Need::Weak,
        }
    }

    fn is_full(&mut self) -> bool {
        let full = self.references.len() >= MAX_REFERENCES;
        if full {
            self.note(Note::TooManyReferences);
        }
        full
    }

    fn insert(&mut self, mut url: Url, need: Need, offer: Offer<'_>) -> usize {
        url.set_fragment(None);
        let key = self.hasher.hash_one((1u8, url.as_str(), offer.role));
        if let Some(&index) = self.seen.get(&key) {
            self.strengthen(index, need);
            return index;
        }
        let index = self.references.len();
        self.seen.insert(key, index);
        self.references.push(Reference {
            url,
            role: offer.role,
            need,
            context: offer.context,
            span: offer.span,
        });
        index
    }

    fn strengthen(&mut self, index: usize, need: Need) {
        if let Some(reference) = self.references.get_mut(index) {
            reference.need = reference.need.min(need);
        }
    }

    /// Takes the text of an inline script.
    pub(crate) fn inline_script(&mut self, text: &str, form: ScriptForm) {
        self.has_scripts = true;
        self.inline_bytes += text.len();
        if self.inline_bytes > MAX_INLINE_SCRIPTS {
            self.note(Note::InlineScriptsCut);
            return;
        }
        let source = ScriptSource::Inline(text.to_owned());
        self.scripts.push(ScriptFound { source, form });
    }

    /// Takes the URL of an external script.
    pub(crate) fn external_script(&mut self, written: &str, form: ScriptForm) {
        self.has_scripts = true;
        if let Some(url) = self
            .worth_resolving(written)
            .and_then(|url| self.resolve(url))
            && self.scripts.len() < MAX_REFERENCES
        {
            let source = ScriptSource::External(url);
            self.scripts.push(ScriptFound { source, form });
        }
    }

    /// What the document says about its looks; nothing of documents inside of it.
    pub(crate) fn styles(&mut self) -> Option<&mut Styles> {
        (self.depth == 0).then_some(&mut self.styles)
    }

    /// The document sends everybody elsewhere at once. The first to do so counts.
    pub(crate) fn leads_to(&mut self, written: &str) {
        if self.depth == 0 && self.surroundings == Surroundings::Live && self.leads_to.is_none() {
            self.leads_to = self.resolve(written.trim());
        }
    }

    /// Notes something, once.
    pub(crate) fn note(&mut self, note: Note) {
        if self.notes.len() < MAX_NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Looks into a document inside the document, which has its own base and title.
    pub(crate) fn nested(&mut self, surroundings: Surroundings, look: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH {
            self.note(Note::TooDeep);
            return;
        }
        self.depth += 1;
        let outer = (self.surroundings, self.base.clone(), self.title.take());
        if self.surroundings == Surroundings::Live {
            self.surroundings = surroundings;
        }
        look(self);
        (self.surroundings, self.base, self.title) = outer;
        self.depth -= 1;
    }
}

/// Queries are sent in the encoding of the document.
pub(crate) fn query_encoder(encoding: &'static Encoding) -> impl Fn(&str) -> Cow<'_, [u8]> {
    move |query| encoding.encode(query).0
}

/// The scheme that a URL is written with, if any.
pub(crate) fn scheme(written: &str) -> Option<&str> {
    let ends = |byte: u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let end = written.bytes().position(ends)?;
    let starts = written.starts_with(|c: char| c.is_ascii_alphabetic());
    (starts && written.as_bytes()[end] == b':').then_some(&written[..end])
}

#[cfg(test)]
mod tests;
