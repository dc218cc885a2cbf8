//! Rewriting: documents changed so that replay finds in the archive what they refer to.
//!
//! The same visitors that find URLs for analysis find them here; what they find is replaced in
//! place. A document is never parsed and printed again: all that comes out of a rewriting is the
//! bytes that went in, with [`Edits`] made in them, in the charset that they had.
//!
//! What a document must not do in replay is disabled by an underscore in front of the attribute
//! that does it (`_integrity`, `_ping`), so that nothing is lost and the tree stays what it was.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use url::Url;

pub use self::headers::{rewrite_link_header, rewrite_location, rewrite_refresh};
pub use self::how::{Crossorigin, Rewriting, ScriptRewriter, ScriptUse, Targets, UrlMap, Use};
pub use self::jsonp::rename_jsonp;
pub use self::reach::{Reach, reach};

use self::edits::Edits;
use self::mapping::Mapping;
use self::markup::Syntax;
use crate::charset::{Decoded, decode};
use crate::{Destination, Document, Kind, Note, kind_of};

mod bytes;
mod css;
mod dash;
mod data;
mod edits;
mod headers;
mod hls;
mod how;
mod import_map;
mod javascript;
mod jsonp;
mod mapping;
mod markup;
mod media;
mod reach;
mod scheme;

/// Longest body that is rewritten. Longer ones are no pages.
const MAX_BODY: usize = 32 << 20;

/// A document as replay serves it.
#[derive(Clone, Debug)]
pub struct Rewritten<'a> {
    /// The bytes.
    pub body: Cow<'a, [u8]>,
    /// What the document is.
    pub kind: Kind,
    /// The name of its encoding, after the Encoding standard. Whoever serves text must state it
    /// in the `Content-Type`: what is put into a head may move a declaration out of reach.
    pub charset: &'static str,
    /// What was changed.
    pub counts: Counts,
    /// What kept us from changing more.
    pub notes: Vec<Note>,
    /// The scripts of its markup that run as soon as they come, in whatever order that is.
    pub async_scripts: Vec<Url>,
}

/// What a rewriting has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// URLs that lead into the archive now.
    pub urls: usize,
    /// Scripts, handlers and `javascript:` URLs that were changed.
    pub scripts: usize,
    /// Attributes that mean nothing any more.
    pub disabled: usize,
}

/// Rewrites a document.
///
/// ```
/// use url::Url;
/// use varve_page::{Document, Rewriting, UrlMap, Use, rewrite};
///
/// struct Archive;
///
/// impl UrlMap for Archive {
///     fn map(&self, _written: &str, resolved: &Url, _used_for: Use) -> Option<String> {
///         Some(format!("/web/{resolved}"))
///     }
/// }
///
/// let url = Url::parse("https://example.com/")?;
/// let document = Document::new(&url, b"<!doctype html><a href='next?a&amp;b'>Next</a>");
/// let rewritten = rewrite(&document, &Rewriting::new(&Archive));
/// assert_eq!(
///     std::str::from_utf8(&rewritten.body)?,
///     "<!doctype html><a href='/web/https://example.com/next?a&amp;b'>Next</a>"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rewrite<'a>(document: &Document<'a>, how: &Rewriting<'_>) -> Rewritten<'a> {
    let kind = kind_of(document);
    let Some(language) = Language::of(document, kind) else {
        return untouched(document, kind, Vec::new());
    };
    if document.bytes.len() > MAX_BODY {
        return untouched(document, kind, vec![Note::TooLongToRewrite]);
    }
    let Decoded { text, encoding } = decode(document, kind);
    let mut mapping = Mapping::new(how, document.url.clone(), encoding);
    let edits = language.edits(&text, &mut mapping);
    let (body, note) = bytes::apply(document.bytes, encoding, &text, edits);
    if let Some(note) = note {
        mapping.note(note);
    }
    Rewritten {
        body,
        kind,
        charset: encoding.name(),
        counts: mapping.counts,
        notes: mapping.notes,
        async_scripts: mapping.async_scripts,
    }
}

/// Whether a body is a list of the parts of a film: HLS or DASH.
pub fn is_playlist(bytes: &[u8]) -> bool {
    hls::is_playlist(bytes) || dash::is_manifest(bytes)
}

/// What a piece of text is that a script made at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fragment {
    /// Markup for a page that is there already.
    Html,
    /// A whole page for a frame (`srcdoc`).
    Srcdoc,
    /// A style sheet, or declarations.
    Css,
}

/// Rewrites a piece of text that a script made on a page with this base URL. Scripts go to
/// [`Rewriting::scripts`] directly.
pub fn rewrite_fragment<'t>(
    text: &'t str,
    fragment: Fragment,
    base: &Url,
    how: &Rewriting<'_>,
) -> Cow<'t, str> {
    if text.len() > MAX_BODY {
        return Cow::Borrowed(text);
    }
    let mut mapping = Mapping::new(how, base.clone(), UTF_8);
    let edits = match fragment {
        Fragment::Html => markup::edits(text, Syntax::Html, None, &mut mapping),
        Fragment::Srcdoc => {
            mapping.targets = mapping.targets.inside();
            markup::edits(text, Syntax::Html, Some(how.insert_srcdoc), &mut mapping)
        }
        Fragment::Css => css::edits(text, &mut mapping),
    };
    match edits.is_empty() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(edits.apply(text)),
    }
}

/// The namespace of HTML.
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// What is rewritten, and how it is read.
#[derive(Clone, Copy)]
enum Language {
    Markup(Syntax),
    /// Some XML with a style sheet.
    OtherXml,
    Css,
    Script,
    Hls,
    Dash,
}

impl Language {
    /// Images load nothing and run nothing, be they SVG; JSON and XML are for scripts to read.
    fn of(document: &Document<'_>, kind: Kind) -> Option<Language> {
        let shown = document.destination == Destination::Document;
        Some(match kind {
            Kind::Html => Language::Markup(Syntax::Html),
            Kind::Xhtml => Language::Markup(Syntax::Xml),
            Kind::Svg if document.destination != Destination::Image => {
                Language::Markup(Syntax::Xml)
            }
            Kind::Css => Language::Css,
            Kind::Script => Language::Script,
            Kind::Text | Kind::Media | Kind::Other if hls::is_playlist(document.bytes) => {
                Language::Hls
            }
            Kind::Xml | Kind::Media | Kind::Other if dash::is_manifest(document.bytes) => {
                Language::Dash
            }
            Kind::Xml | Kind::Feed | Kind::Sitemap if shown => Language::OtherXml,
            _ => return None,
        })
    }

    fn edits(self, text: &str, mapping: &mut Mapping<'_>) -> Edits {
        let insert = mapping.how.insert;
        match self {
            Language::Markup(syntax) => markup::edits(text, syntax, Some(insert), mapping),
            // With elements of HTML in it, XML runs scripts like any page.
            Language::OtherXml if text.contains(XHTML) => {
                markup::edits(text, Syntax::Xml, Some(insert), mapping)
            }
            Language::OtherXml => markup::instructions(text, mapping),
            Language::Css => css::edits(text, mapping),
            Language::Hls => hls::edits(text, mapping),
            Language::Dash => dash::edits(text, mapping),
            Language::Script => {
                let mut edits = Edits::default();
                if let Some(new) = mapping.script(text, mapping.how.script) {
                    edits.replace_text(0, text, &new);
                }
                edits
            }
        }
    }
}

fn untouched<'a>(document: &Document<'a>, kind: Kind, notes: Vec<Note>) -> Rewritten<'a> {
    let start = &document.bytes[..document.bytes.len().min(64 << 10)];
    let encoding: &'static Encoding = match kind.is_text() {
        true => {
            decode(
                &Document {
                    bytes: start,
                    ..*document
                },
                kind,
            )
            .encoding
        }
        false => UTF_8,
    };
    Rewritten {
        body: Cow::Borrowed(document.bytes),
        kind,
        charset: encoding.name(),
        counts: Counts::default(),
        notes,
        async_scripts: Vec::new(),
    }
}
