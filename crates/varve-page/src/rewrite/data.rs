//! `data:` URLs with a document inside that has URLs of its own.

use url::Url;

use super::mapping::Mapping;
use super::markup::{self, Syntax};
use super::{ScriptUse, Use, css};
use crate::data_url::open;
use crate::sniff::is_javascript;

/// The whole URL with its document rewritten, if that changes.
pub(super) fn url(written: &str, used_for: Use, mapping: &mut Mapping<'_>) -> Option<String> {
    let held = open(written)?;
    let language = Language::of(&held.mime, used_for)?;
    let text = held.text();
    let new = mapping.nested(|mapping| {
        mapping.base = Url::parse("data:,").ok()?;
        mapping.targets = mapping.targets.inside();
        changed(language, &text, mapping)
    })?;
    let mut url = format!("data:{},", held.head);
    for byte in new.bytes() {
        match byte {
            b'%' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'\\' | 0..=b' ' | 0x7f.. => {
                url.push_str(&format!("%{byte:02X}"));
            }
            byte => url.push(char::from(byte)),
        }
    }
    Some(url)
}

#[derive(Clone, Copy)]
enum Language {
    Css,
    Html,
    Svg,
    Script(ScriptUse),
}

impl Language {
    /// What is looked into: only what is used as what it says that it is.
    fn of(mime: &str, used_for: Use) -> Option<Language> {
        let shown = matches!(used_for, Use::Frame | Use::Object);
        Some(match (mime, used_for) {
            ("text/css", Use::Style) => Language::Css,
            ("text/html", _) if shown => Language::Html,
            ("image/svg+xml", _) if shown => Language::Svg,
            (mime, Use::Script) if is_javascript(mime) => Language::Script(ScriptUse::Classic),
            (mime, Use::Module) if is_javascript(mime) => Language::Script(ScriptUse::Module),
            _ => return None,
        })
    }
}

/// The document, if it changes. The markup that pages begin with is not put in: what it refers
/// to by a path cannot be reached from here.
fn changed(language: Language, text: &str, mapping: &mut Mapping<'_>) -> Option<String> {
    let edits = match language {
        Language::Css => css::edits(text, mapping),
        Language::Html => markup::edits(text, Syntax::Html, None, mapping),
        Language::Svg => markup::edits(text, Syntax::Xml, None, mapping),
        Language::Script(used) => return mapping.script(text, used),
    };
    (!edits.is_empty()).then(|| edits.apply(text))
}
