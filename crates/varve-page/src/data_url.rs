//! `data:` URLs that hold text worth looking into: style sheets, SVG and HTML.

use encoding_rs::UTF_8;

use crate::collector::{Collector, Surroundings};
use crate::css::{self, Sheet};
use crate::{Destination, Need, html, xml};

/// Longest `data:` URL that is looked into.
const MAX_LENGTH: usize = 1 << 20;

pub(crate) fn is_data(url: &str) -> bool {
    let url = url.trim_start_matches(|c: char| c <= ' ');
    url.get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// What a `data:` URL holds.
pub(crate) struct Held<'u> {
    /// The essence of its type, in lower case.
    pub(crate) mime: String,
    /// Its type with parameters, as written.
    pub(crate) head: &'u str,
    base64: bool,
    body: &'u str,
}

impl Held<'_> {
    /// The text in it.
    pub(crate) fn text(&self) -> String {
        let bytes = percent_decoded(self.body.as_bytes());
        let bytes = if self.base64 { base64(&bytes) } else { bytes };
        UTF_8.decode(&bytes).0.into_owned()
    }
}

/// Opens a `data:` URL, unless it is too long.
pub(crate) fn open(url: &str) -> Option<Held<'_>> {
    let url = url.trim_matches(|c: char| c <= ' ');
    if url.len() > MAX_LENGTH {
        return None;
    }
    let (head, body) = url.get(5..)?.split_once(',')?;
    let lower = head.to_ascii_lowercase();
    let base64 = lower.trim_end().ends_with("base64");
    let mime = lower.split(';').next().unwrap_or_default().trim();
    let head = match base64 {
        true => head[..head.rfind(';').unwrap_or(head.len())].trim_end(),
        false => head,
    };
    Some(Held {
        mime: mime.to_owned(),
        head,
        base64,
        body,
    })
}

/// Looks into a `data:` URL. Its own relative URLs mean nothing, absolute ones count.
pub(crate) fn find(url: &str, destination: Destination, collector: &mut Collector<'_>) {
    let Some(held) = open(url) else { return };
    // An image in an image loads nothing, so SVG is looked into only where it is a document.
    let wanted = matches!(
        (held.mime.as_str(), destination),
        ("text/css", Destination::Style)
            | (
                "image/svg+xml" | "text/html",
                Destination::Document | Destination::Other
            )
    );
    if !wanted {
        return;
    }
    let text = held.text();
    let source = html::Source {
        text: &text,
        at: None,
    };
    collector.nested(Surroundings::Live, |collector| {
        if let Ok(nowhere) = url::Url::parse("data:,") {
            collector.base = nowhere;
        }
        match held.mime.as_str() {
            "text/css" => {
                let sheet = Sheet {
                    text: &text,
                    at: None,
                    need: Need::Needed,
                };
                css::find(&sheet, collector);
            }
            "text/html" => {
                html::find(source, collector);
            }
            _ => {
                xml::find_markup(source, collector);
            }
        }
    });
}

pub(crate) fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| {
        let byte = *text.get(at)?;
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(high << 4 | low);
                at += 3;
            }
            (byte, ..) => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    bytes
}

/// Forgiving: whatever is not of the alphabet is skipped.
fn base64(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for &byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{base64, percent_decoded};

    #[test]
    fn bodies_are_decoded() {
        assert_eq!(percent_decoded(b"a%20b%2"), b"a b%2");
        assert_eq!(base64(b"SGVsbG8="), b"Hello");
        assert_eq!(base64(b"SGVs\nbG8"), b"Hello");
    }
}
