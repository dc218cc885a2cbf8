//! A page: what analysis learned from a document.

use std::ops::Range;

use url::Url;

use crate::{Destination, ImportMap, Kind};

/// What was learned from a document.
#[derive(Clone, Debug)]
pub struct Page {
    /// What the document is.
    pub kind: Kind,
    /// The name of its encoding, after the Encoding standard.
    pub charset: &'static str,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Its visible text, roughly: no scripts, no styles, no markup.
    pub text: String,
    /// What its relative URLs are resolved against.
    pub base: Url,
    /// Every URL it mentions, each once per role, in order.
    pub references: Vec<Reference>,
    /// Its scripts, in order.
    pub scripts: Vec<ScriptFound>,
    /// Whether anything in it can run.
    pub has_scripts: bool,
    /// Its import map; empty without one.
    pub import_map: ImportMap,
    /// What it says about its looks.
    pub styles: Styles,
    /// Where it sends everybody at once (`<meta http-equiv=refresh>`), if it does.
    pub leads_to: Option<Url>,
    /// What kept us from finding more.
    pub notes: Vec<Note>,
}

impl Page {
    /// What its bytes are written in.
    pub(crate) fn encoding(&self) -> &'static encoding_rs::Encoding {
        let label = encoding_rs::Encoding::for_label(self.charset.as_bytes());
        label.unwrap_or(encoding_rs::UTF_8)
    }
}

/// What a page says about its looks by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Styles {
    /// Where style sheets stand in the decoded text; those for other media are left out.
    pub sheets: Vec<Range<usize>>,
    /// What its attributes say about pictures and fonts, each once.
    pub(crate) attributes: Vec<String>,
    /// Whether there is more than is told.
    pub(crate) is_cut: bool,
}

impl Styles {
    /// Most attributes that are told, and how long they may be in all.
    const MOST: usize = 500;
    const LONGEST: usize = 64 << 10;

    /// Takes what an attribute says, if it may matter.
    pub(crate) fn attribute(&mut self, text: &str) {
        if !matters(text) || self.attributes.iter().any(|known| known == text) {
            return;
        }
        let length: usize = self.attributes.iter().map(String::len).sum();
        if self.attributes.len() >= Self::MOST || length + text.len() > Self::LONGEST {
            self.is_cut = true;
            return;
        }
        self.attributes.push(text.to_owned());
    }

    /// Takes a sheet.
    pub(crate) fn sheet(&mut self, at: Option<Range<usize>>) {
        match at {
            Some(at) => self.sheets.push(at),
            None => self.is_cut = true,
        }
    }
}

/// Whether declarations may be about pictures, fonts or custom properties.
fn matters(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let words = ["url(", "font", "var(", "--", "animation", "image"];
    words.iter().any(|word| text.contains(word))
}

/// A URL that a document mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Absolute, `http` or `https`, without fragment.
    pub url: Url,
    /// What the document uses it for.
    pub role: Role,
    /// How much it is needed.
    pub need: Need,
    /// Where it stands, such as `img@srcset` or `@import`.
    pub context: &'static str,
    /// The bytes that spell it in the decoded text (UTF-8, byte order mark removed). In CSS and
    /// scripts these are the whole `url()` or string token. `None` where the text was put
    /// together from escapes, as in `srcdoc`.
    pub span: Option<Range<usize>>,
}

impl Reference {
    /// Whether it is a picture or font that a style asks for, which is loaded only if the style
    /// counts for something that is shown.
    pub fn is_of_style(&self) -> bool {
        matches!(self.context, "url()" | "image-set()" | "@font-face")
    }
}

/// What a document uses a URL for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Somewhere to go.
    Link,
    /// A part of the page.
    Embed(Destination),
    /// A page inside the page.
    Frame,
    /// Something that may be wanted next (`prefetch`, `prerender`).
    Hint,
}

/// How much a reference is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Need {
    /// A browser with this viewport would load it; for links, a reader could follow it.
    Needed,
    /// A browser with another viewport or other abilities would load it.
    Variant,
    /// Nothing loads it by itself, but scripts, other programs or other sites may.
    Weak,
}

/// A script of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFound {
    /// Where its text is.
    pub source: ScriptSource,
    /// How it runs.
    pub form: ScriptForm,
}

/// Where the text of a script is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptSource {
    /// Elsewhere.
    External(Url),
    /// In the page; this is exactly what the browser would compile.
    Inline(String),
}

/// How a script runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScriptForm {
    /// As a classic script.
    Classic,
    /// As a module.
    Module,
}

/// Something that kept the analysis from being complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// There are more references than the limit; the first ones are given.
    TooManyReferences,
    /// A URL is longer than the limit and was left out.
    UrlTooLong,
    /// There is more text than the limit; the beginning is given.
    TextCut,
    /// Inline scripts are longer than the limit; the text of some is not given.
    InlineScriptsCut,
    /// Documents in documents (`srcdoc`, `data:`) nest more deeply than the limit.
    TooDeep,
    /// The body is longer than the limit and was not rewritten.
    TooLongToRewrite,
    /// The text could not be changed in its bytes and was encoded anew.
    Reencoded,
    /// A script could not be parsed; the reason.
    Script(String),
    /// JSON could not be parsed; the reason.
    Json(String),
}
