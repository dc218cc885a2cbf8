//! The forms in which values stand in URLs: what scripts do with a string before they put it
//! there.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::Url;

use self::Step::{
    Decode, Encode, Lower, ResolveOnBase, ResolveOnPage, Slashes, StripExtension, Upper,
};
use super::inputs::Inputs;
use super::parts::{without_extension, without_fragment};

/// Most steps of a form that are taken: all that we make ourselves have fewer.
const MAX_STEPS: usize = 4;
/// Longest text that a form makes.
const MAX_TEXT: usize = 8192;

/// One thing that is done with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Step {
    /// Percent-encoding is taken off.
    Decode,
    /// Resolved as a URL against the page's base.
    ResolveOnBase,
    /// Resolved as a URL against the page's own URL.
    ResolveOnPage,
    /// What is behind the last dot is left out.
    StripExtension,
    /// Slashes become this.
    Slashes(char),
    /// In lower case.
    Lower,
    /// In upper case.
    Upper,
    /// Percent-encoded as by `encodeURIComponent`.
    Encode,
}

/// What is done with a value, in order; nothing, if it is put into URLs as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Form(Vec<Step>);

/// The forms that single values are tried in, simple ones first.
const OF_SINGLES: [&[Step]; 22] = [
    &[],
    &[ResolveOnBase],
    &[ResolveOnPage],
    &[Encode],
    &[Decode],
    &[Lower],
    &[Upper],
    &[StripExtension],
    &[Slashes('_')],
    &[Slashes('-')],
    &[Slashes('.')],
    &[StripExtension, Encode],
    &[StripExtension, Lower],
    &[StripExtension, Slashes('_')],
    &[StripExtension, Slashes('-')],
    &[StripExtension, Slashes('.')],
    &[Slashes('_'), Lower],
    &[Slashes('-'), Lower],
    &[StripExtension, Slashes('_'), Lower],
    &[StripExtension, Slashes('-'), Lower],
    &[ResolveOnBase, Encode],
    &[ResolveOnPage, Encode],
];

/// The forms that the values of lists are tried in.
const OF_LISTS: [&[Step]; 9] = [
    &[ResolveOnBase],
    &[ResolveOnPage],
    &[],
    &[ResolveOnBase, Encode],
    &[ResolveOnPage, Encode],
    &[Encode],
    &[StripExtension],
    &[Lower],
    &[ResolveOnBase, StripExtension],
];

impl Form {
    pub(super) fn of_singles() -> impl Iterator<Item = Form> {
        OF_SINGLES.iter().map(|steps| Form(steps.to_vec()))
    }

    pub(super) fn of_lists() -> impl Iterator<Item = Form> {
        OF_LISTS.iter().map(|steps| Form(steps.to_vec()))
    }

    /// How much it does that needs a reason. Resolving is what every reference needs.
    pub(super) fn changes(&self) -> usize {
        let resolves = |step: &&Step| matches!(step, ResolveOnBase | ResolveOnPage);
        self.0.iter().filter(|step| !resolves(step)).count()
    }

    /// A form of these steps.
    #[cfg(test)]
    pub(super) fn new(steps: &[Step]) -> Form {
        Form(steps.to_vec())
    }

    /// The value in this form, as it stands in URLs; nothing if it has no such form, or an empty
    /// one.
    pub(super) fn apply(&self, value: &str, page: &Inputs) -> Option<String> {
        let mut text = value.to_owned();
        for step in self.0.iter().take(MAX_STEPS) {
            text = step
                .take(&text, page)
                .filter(|text| text.len() <= MAX_TEXT)?;
        }
        Some(as_written(&text)).filter(|text| !text.is_empty())
    }
}

impl Step {
    fn take(self, text: &str, page: &Inputs) -> Option<String> {
        Some(match self {
            Decode => decoded(text)?,
            ResolveOnBase => resolved(text, &page.base)?,
            ResolveOnPage => resolved(text, &page.url)?,
            StripExtension => without_extension(text).to_owned(),
            Slashes(other) => text
                .trim_matches('/')
                .replace('/', other.encode_utf8(&mut [0; 4])),
            Lower => text.to_lowercase(),
            Upper => text.to_uppercase(),
            Encode => encoded(text),
        })
    }
}

fn resolved(text: &str, against: &Url) -> Option<String> {
    let url = against.join(text.trim()).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| without_fragment(&url))
}

/// As `encodeURIComponent` does it.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => {
                encoded.push(char::from(byte));
            }
            _ if byte.is_ascii_alphanumeric() => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// What URL parsers make of a text wherever it stands: they encode what no URL has.
fn as_written(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'"' | b'<' | b'>' => written.push_str(&format!("%{byte:02X}")),
            b'!'..=b'~' => written.push(char::from(byte)),
            _ => written.push_str(&format!("%{byte:02X}")),
        }
    }
    written
}

fn decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8(decoded).ok()
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            match step {
                Decode => f.write_str("|decode"),
                ResolveOnBase => f.write_str("|resolve"),
                ResolveOnPage => f.write_str("|resolve-on-page"),
                StripExtension => f.write_str("|stem"),
                Slashes(other) => write!(f, "|slashes-to({other})"),
                Lower => f.write_str("|lower"),
                Upper => f.write_str("|upper"),
                Encode => f.write_str("|encode"),
            }?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn check(steps: &[Step], value: &str, expected: &str) {
        let mut page = Inputs::of(Url::parse("https://h/docs/page.html").unwrap());
        page.base = Url::parse("https://h/base/").unwrap();
        let found = Form::new(steps).apply(value, &page);
        assert_eq!(
            found.as_deref().unwrap_or("-"),
            expected,
            "{steps:?} of {value}"
        );
    }

    #[test]
    fn values_take_forms() {
        check(&[], "guide/a", "guide/a");
        check(&[], "a b\"ü", "a%20b%22%C3%BC");
        check(&[Encode], "a/b c&d=é!", "a%2Fb%20c%26d%3D%C3%A9!");
        check(&[Decode], "a%2Fb%zz%4", "a/b%zz%4");
        check(&[Decode], "%ff", "-");
        check(&[Lower], "ABC", "abc");
        check(&[Upper], "abc", "ABC");
        check(&[StripExtension], "/a.b/c.html", "/a.b/c");
        check(
            &[StripExtension, Slashes('_')],
            "/guide/intro.html",
            "guide_intro",
        );
        check(&[Slashes('.')], "a/b", "a.b");
        check(&[ResolveOnBase], "../x.png#y", "https://h/x.png");
        check(&[ResolveOnPage], "x.png", "https://h/docs/x.png");
        check(&[ResolveOnPage, Encode], "/x", "https%3A%2F%2Fh%2Fx");
        check(&[ResolveOnBase], "javascript:void(0)", "-");
        check(&[ResolveOnBase], "data:,x", "-");
        check(&[Slashes('_')], "///", "-");
    }

    #[test]
    fn encoding_is_undone_by_decoding() {
        for text in ["", "a", "%", "%%41", "ä/ö?ü#", "\u{10ffff}\0"] {
            assert_eq!(decoded(&encoded(text)).as_deref(), Some(text));
        }
    }
}
