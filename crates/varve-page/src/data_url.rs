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

/// Looks into a `data:` URL. Its own relative URLs mean nothing, absolute ones count.
pub(crate) fn find(url: &str, destination: Destination, collector: &mut Collector<'_>) {
    let url = url.trim_matches(|c: char| c <= ' ');
    if url.len() > MAX_LENGTH {
        return;
    }
    let Some((head, body)) = url[5..].split_once(',') else {
        return;
    };
    let head = head.to_ascii_lowercase();
    let mime = head.split(';').next().unwrap_or_default().trim();
    let wanted = matches!(
        (mime, destination),
        ("text/css", Destination::Style)
            | (
                "image/svg+xml",
                Destination::Image | Destination::Document | Destination::Other
            )
            | ("text/html", Destination::Document | Destination::Other)
    );
    // An image in an image loads nothing, so SVG is looked into only where it is a document.
    if !wanted || (mime == "image/svg+xml" && destination == Destination::Image) {
        return;
    }
    let bytes = percent_decoded(body.as_bytes());
    let bytes = if head.trim_end().ends_with("base64") {
        base64(&bytes)
    } else {
        bytes
    };
    let text = UTF_8.decode(&bytes).0;
    let source = html::Source {
        text: &text,
        at: None,
    };
    collector.nested(Surroundings::Live, |collector| {
        if let Ok(nowhere) = url::Url::parse("data:,") {
            collector.base = nowhere;
        }
        match mime {
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

fn percent_decoded(text: &[u8]) -> Vec<u8> {
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
