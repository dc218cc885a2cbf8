//! What a body is: what was declared, what was asked for, and the first bytes.
//!
//! In the spirit of the MIME Sniffing standard: a declaration is believed where browsers believe
//! it, what a style sheet or script was asked for is one whatever the server says, and a missing
//! or meaningless declaration is replaced by a look at the bytes.

use crate::{Destination, Document, Kind};

/// How many bytes are looked at.
const LOOK: usize = 1445;

/// Finds out what a document is.
pub fn kind_of(document: &Document<'_>) -> Kind {
    let start = &document.bytes[..document.bytes.len().min(LOOK)];
    let declared = document.content_type.and_then(declared);
    // An error page in place of what was asked for.
    if declared == Some(Kind::Html) && looks_like_html(start) {
        return Kind::Html;
    }
    match document.destination {
        Destination::Style => Kind::Css,
        Destination::Script => Kind::Script,
        Destination::Module => match declared {
            Some(kind @ (Kind::Json | Kind::Css)) => kind,
            _ => Kind::Script,
        },
        Destination::Manifest => Kind::Manifest,
        Destination::Json => Kind::Json,
        Destination::Font => Kind::Font,
        Destination::Media => media(start, declared),
        Destination::Image => image(start, declared),
        Destination::Document | Destination::Later | Destination::Other => {
            free(document, start, declared)
        }
    }
}

/// A body that nothing in particular was expected of.
fn free(document: &Document<'_>, start: &[u8], declared: Option<Kind>) -> Kind {
    match declared {
        Some(Kind::Xml | Kind::Feed) => xml(start).unwrap_or(Kind::Xml),
        Some(Kind::Text) if is_url_list(document) => Kind::Sitemap,
        Some(kind) => kind,
        None => undeclared(start),
    }
}

fn image(start: &[u8], declared: Option<Kind>) -> Kind {
    let vector = declared == Some(Kind::Svg) || xml(start) == Some(Kind::Svg);
    if vector && magic(start).is_none() {
        Kind::Svg
    } else {
        Kind::Image
    }
}

/// Subtitles and playlists are text.
fn media(start: &[u8], declared: Option<Kind>) -> Kind {
    if declared == Some(Kind::Text) || start.starts_with(b"WEBVTT") || start.starts_with(b"#EXTM3U")
    {
        Kind::Text
    } else {
        Kind::Media
    }
}

/// What a content type says; nothing if it is missing, unknown or meaningless.
fn declared(content_type: &str) -> Option<Kind> {
    let essence = content_type.split([';', ',']).next().unwrap_or_default();
    let essence = essence.trim().to_ascii_lowercase();
    let kind = match essence.as_str() {
        "text/html" => Kind::Html,
        "application/xhtml+xml" => Kind::Xhtml,
        "text/css" => Kind::Css,
        "application/manifest+json" => Kind::Manifest,
        "application/json" | "text/json" => Kind::Json,
        "image/svg+xml" => Kind::Svg,
        "application/rss+xml" | "application/atom+xml" | "application/rdf+xml" => Kind::Feed,
        "text/xml" | "application/xml" => Kind::Xml,
        "application/pdf" => Kind::Pdf,
        "text/plain" | "text/vtt" | "text/markdown" | "text/csv" => Kind::Text,
        "application/vnd.apple.mpegurl" | "application/x-mpegurl" => Kind::Text,
        "application/ogg" => Kind::Media,
        "application/octet-stream" | "unknown/unknown" | "application/unknown" | "*/*" => {
            return None;
        }
        _ if is_javascript(&essence) => Kind::Script,
        _ if essence.ends_with("+json") => Kind::Json,
        _ if essence.ends_with("+xml") => Kind::Xml,
        _ => by_type(&essence)?,
    };
    Some(kind)
}

fn by_type(essence: &str) -> Option<Kind> {
    match essence.split_once('/')?.0 {
        "image" => Some(Kind::Image),
        "audio" | "video" => Some(Kind::Media),
        "font" => Some(Kind::Font),
        "text" => Some(Kind::Text),
        "application" if essence.contains("font") => Some(Kind::Font),
        "application" => Some(Kind::Other),
        _ => None,
    }
}

/// Whether a MIME type names JavaScript, with all the names it ever had.
pub(crate) fn is_javascript(essence: &str) -> bool {
    let Some((kind, name)) = essence.split_once('/') else {
        return false;
    };
    let name = name.strip_prefix("x-").unwrap_or(name);
    matches!(kind, "text" | "application")
        && (matches!(name, "javascript" | "ecmascript" | "jscript" | "livescript")
            || name
                .strip_prefix("javascript1.")
                .is_some_and(|v| v.len() == 1))
}

fn undeclared(start: &[u8]) -> Kind {
    if let Some(kind) = magic(start) {
        return kind;
    }
    if looks_like_html(start) {
        return Kind::Html;
    }
    if let Some(kind) = xml(start) {
        return kind;
    }
    match skip_blank(start).first() {
        Some(b'{' | b'[') => Kind::Json,
        _ if start.iter().any(|&b| is_binary(b)) && !is_utf16(start) => Kind::Other,
        _ => Kind::Text,
    }
}

fn is_binary(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

fn is_utf16(start: &[u8]) -> bool {
    start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff")
}

/// Kinds that give themselves away.
fn magic(start: &[u8]) -> Option<Kind> {
    const SIGNS: &[(&[u8], Kind)] = &[
        (b"\x89PNG\r\n\x1a\n", Kind::Image),
        (b"GIF8", Kind::Image),
        (b"\xff\xd8\xff", Kind::Image),
        (b"BM", Kind::Image),
        (b"\0\0\x01\0", Kind::Image),
        (b"%PDF-", Kind::Pdf),
        (b"wOFF", Kind::Font),
        (b"wOF2", Kind::Font),
        (b"OTTO", Kind::Font),
        (b"\0\x01\0\0", Kind::Font),
        (b"ttcf", Kind::Font),
        (b"OggS", Kind::Media),
        (b"ID3", Kind::Media),
        (b"\x1a\x45\xdf\xa3", Kind::Media),
        (b"PK\x03\x04", Kind::Other),
        (b"\x1f\x8b", Kind::Other),
    ];
    let at = |range, sign: &[u8]| start.get::<std::ops::Range<usize>>(range) == Some(sign);
    if at(0..4, b"RIFF") {
        return Some(if at(8..12, b"WEBP") {
            Kind::Image
        } else {
            Kind::Media
        });
    }
    if at(4..8, b"ftyp") {
        let still = at(8..12, b"avif") || at(8..12, b"heic");
        return Some(if still { Kind::Image } else { Kind::Media });
    }
    let sign = SIGNS.iter().find(|(sign, _)| start.starts_with(sign));
    sign.map(|&(_, kind)| kind)
}

fn skip_blank(start: &[u8]) -> &[u8] {
    start
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(start)
        .trim_ascii_start()
}

/// The signatures of the standard: a well-known tag, or a comment, at the start.
fn looks_like_html(start: &[u8]) -> bool {
    const TAGS: &[&str] = &[
        "!doctype html",
        "html",
        "head",
        "script",
        "iframe",
        "h1",
        "div",
        "font",
        "table",
        "a",
        "style",
        "title",
        "b",
        "body",
        "br",
        "p",
        "meta",
        "link",
        "noscript",
    ];
    let Some(rest) = skip_blank(start).strip_prefix(b"<") else {
        return false;
    };
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    rest.starts_with(b"!--")
        || TAGS.iter().any(|tag| {
            let name = rest.get(..tag.len());
            name.is_some_and(|name| name.eq_ignore_ascii_case(tag.as_bytes()))
                && rest.get(tag.len()).is_none_or(ends)
        })
}

/// The kind of XML by its first element; `None` if it is not XML.
fn xml(start: &[u8]) -> Option<Kind> {
    // Most of what is asked is an image or a script: that is seen without reading it as text.
    if skip_blank(start).first().is_some_and(|byte| *byte != b'<') {
        return None;
    }
    let text = String::from_utf8_lossy(skip_blank(start));
    let mut rest = text.as_ref();
    let mut is_xml = false;
    loop {
        rest = rest.trim_start().strip_prefix('<')?;
        if let Some(instruction) = rest.strip_prefix('?') {
            is_xml |= instruction.starts_with("xml");
            rest = &rest[rest.find("?>")? + 2..];
        } else if rest.starts_with("!--") {
            rest = &rest[rest.find("-->")? + 3..];
        } else if rest.starts_with('!') {
            rest = &rest[rest.find('>')? + 1..];
        } else {
            break;
        }
    }
    let end = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/');
    let name = &rest[..end.unwrap_or(rest.len())];
    match name.rsplit(':').next().unwrap_or_default() {
        "rss" | "feed" | "RDF" => Some(Kind::Feed),
        "urlset" | "sitemapindex" => Some(Kind::Sitemap),
        "svg" => Some(Kind::Svg),
        "html" => Some(Kind::Xhtml),
        _ => is_xml.then_some(Kind::Xml),
    }
}

/// A plain-text sitemap: its name says so, or there is a URL on every line.
fn is_url_list(document: &Document<'_>) -> bool {
    let text = String::from_utf8_lossy(&document.bytes[..document.bytes.len().min(LOOK)]);
    let mut lines = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .peekable();
    let is_url = |line: &str| line.starts_with("http://") || line.starts_with("https://");
    document.url.path().to_ascii_lowercase().contains("sitemap")
        && lines.peek().is_some_and(|line| is_url(line.trim()))
}

#[cfg(test)]
mod tests;
