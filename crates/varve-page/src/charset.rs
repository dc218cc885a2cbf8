//! Bytes to text: byte order mark, `Content-Type`, what the document declares, then a guess.

use std::borrow::Cow;

use chardetng::EncodingDetector;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

use crate::{Document, Kind};

/// How far declarations inside the document are searched for. The standard says 1024; pages put
/// long comments before them.
const PRESCAN: usize = 4096;

/// How much of a document is enough for a guess.
const GUESS: usize = 256 << 10;

/// A document's text.
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) encoding: &'static Encoding,
}

/// Decodes a document of the given kind. A byte order mark is taken off.
pub(crate) fn decode<'a>(document: &Document<'a>, kind: Kind) -> Decoded<'a> {
    let bytes = document.bytes;
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, &bytes[length..]),
        None => (without_mark(document, kind), bytes),
    };
    Decoded {
        text: encoding.decode_without_bom_handling(bytes).0,
        encoding,
    }
}

fn without_mark(document: &Document<'_>, kind: Kind) -> &'static Encoding {
    if matches!(kind, Kind::Json | Kind::Manifest) {
        return UTF_8;
    }
    document
        .content_type
        .and_then(parameter)
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .or_else(|| declared(document.bytes, kind))
        .unwrap_or_else(|| guess(document, kind))
}

/// The value of the `charset` parameter of a content type.
fn parameter(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        name.trim().eq_ignore_ascii_case("charset").then_some(value)
    })
}

/// What the document says about itself.
fn declared(bytes: &[u8], kind: Kind) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(PRESCAN)];
    let label = match kind {
        Kind::Html => meta(start).or_else(|| xml_declaration(start)),
        Kind::Xhtml | Kind::Svg | Kind::Feed | Kind::Sitemap | Kind::Xml => xml_declaration(start),
        Kind::Css => start
            .strip_prefix(b"@charset \"")
            .and_then(|rest| rest.get(..memchr(b'"', rest)?)),
        _ => None,
    }?;
    let encoding = Encoding::for_label(label)?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        // It could not have been read if it were.
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

/// `<?xml version="1.0" encoding="x"?>`.
fn xml_declaration(start: &[u8]) -> Option<&[u8]> {
    let declaration = start.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    quoted_after(declaration, b"encoding")
}

fn quoted_after<'a>(text: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let rest = text[memmem::find(text, name)? + name.len()..].trim_ascii_start();
    let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
    let (&quote, rest) = rest.split_first()?;
    matches!(quote, b'"' | b'\'').then_some(rest.get(..memchr(quote, rest)?)?)
}

/// The label in the first `<meta>` that has one. Comments are skipped.
fn meta(start: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    while let Some(next) = memchr(b'<', &start[at..]) {
        at += next;
        let rest = &start[at..];
        if rest.starts_with(b"<!--") {
            at += memmem::find(&rest[2..], b"-->")? + 5;
        } else if rest
            .get(1..5)
            .is_some_and(|name| name.eq_ignore_ascii_case(b"meta"))
        {
            let tag = &rest[..memchr(b'>', rest).unwrap_or(rest.len())];
            if let Some(label) = label_in(tag) {
                return Some(label);
            }
            at += 5;
        } else {
            at += 1;
        }
    }
    None
}

/// What follows `charset=` in a tag, be it the attribute or inside of `content`.
fn label_in(tag: &[u8]) -> Option<&[u8]> {
    let lower = tag.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let at = from + memmem::find(&lower[from..], b"charset")? + b"charset".len();
        from = at;
        let rest = tag[at..].trim_ascii_start();
        let Some(rest) = rest.strip_prefix(b"=") else {
            continue;
        };
        let rest = rest.trim_ascii_start();
        let rest = rest
            .strip_prefix(b"\"")
            .or(rest.strip_prefix(b"'"))
            .unwrap_or(rest);
        let end = rest.iter().position(|b| b" \t\r\n\x0c;\"'/>".contains(b));
        return Some(&rest[..end.unwrap_or(rest.len())]);
    }
}

/// UTF-8 if it is, or if the kind says so; otherwise what the bytes look like.
fn guess(document: &Document<'_>, kind: Kind) -> &'static Encoding {
    let by_default_utf8 = !matches!(kind, Kind::Html | Kind::Text | Kind::Css | Kind::Script);
    if by_default_utf8 || std::str::from_utf8(document.bytes).is_ok() {
        return UTF_8;
    }
    let sample = &document.bytes[..document.bytes.len().min(GUESS)];
    let mut detector = EncodingDetector::new();
    detector.feed(sample, sample.len() == document.bytes.len());
    let tld = document
        .url
        .domain()
        .and_then(|host| host.rsplit('.').next());
    let tld = tld.filter(|tld| tld.bytes().all(|b| b.is_ascii_lowercase()));
    detector.guess(tld.map(str::as_bytes), true)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::decode;
    use crate::{Document, Kind};

    #[track_caller]
    fn check(content_type: Option<&str>, bytes: &[u8], kind: Kind, name: &str, text: &str) {
        let url = Url::parse("https://example.jp/").ok();
        let Some(url) = &url else { return };
        let document = Document {
            content_type,
            ..Document::new(url, bytes)
        };
        let decoded = decode(&document, kind);
        assert_eq!(decoded.encoding.name(), name);
        assert!(decoded.text.contains(text), "{}", decoded.text);
    }

    #[test]
    fn who_says_what_a_document_is_written_in() {
        let html = Kind::Html;
        check(None, b"plain", html, "UTF-8", "plain");
        check(None, "grün".as_bytes(), html, "UTF-8", "grün");
        check(
            Some("text/html; charset=windows-1251"),
            b"\xcf",
            html,
            "windows-1251",
            "П",
        );
        check(
            Some("text/html;Charset=\"Shift_JIS\""),
            b"\x93\xfa\x96{",
            html,
            "Shift_JIS",
            "日本",
        );
        check(
            Some("text/html; charset=latin1"),
            b"\xef\xbb\xbf\xc3\xa9",
            html,
            "UTF-8",
            "é",
        );
        check(None, b"\xff\xfea\0b\0", html, "UTF-16LE", "ab");
        check(None, b"\xfe\xff\0a\0b", html, "UTF-16BE", "ab");
        check(
            None,
            b"<meta charset=iso-8859-2>\xb1",
            html,
            "ISO-8859-2",
            "ą",
        );
        check(
            None,
            b"<META\nCHARSET = 'koi8-r'/>\xc1",
            html,
            "KOI8-R",
            "а",
        );
        let equiv = b"<meta http-equiv=Content-Type content='text/html; charset=gbk'>\xd6\xd0";
        check(None, equiv, html, "GBK", "中");
        check(
            None,
            b"<!-- <meta charset=gbk> --><meta charset=big5>\xa4\xa4",
            html,
            "Big5",
            "中",
        );
        check(None, b"<meta charset=utf-16><p>a", html, "UTF-8", "<p>a");
        check(
            None,
            b"<?xml version='1.0' encoding='iso-8859-1'?>\xe9",
            Kind::Feed,
            "windows-1252",
            "é",
        );
        check(
            None,
            b"@charset \"windows-1252\"; a{content:'\xe9'}",
            Kind::Css,
            "windows-1252",
            "é",
        );
        let guessed = b"\x93\xfa\x96{\x8c\xea\x82\xcc\x83y\x81[\x83W\x82\xc5\x82\xb7\x81B\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd";
        check(None, guessed, html, "Shift_JIS", "日本語のページです");
    }
}
