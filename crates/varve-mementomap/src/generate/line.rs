//! From a line to the key that it holds.

use super::Format;
use crate::Input;
use crate::bytes::{common_prefix, key_end};
use crate::key::{asked_key, trim};
use serde::Deserialize;
use std::borrow::Cow;
use varve_model::Surt;

/// Which lines count.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Of these media types; `text/` stands for all that begin so. All, if none is named.
    pub mime: Vec<String>,
    /// With these status codes; `2` stands for all that begin so. All, if none is named.
    pub status: Vec<String>,
    /// Captured at this time or later: the digits that it begins with.
    pub since: Option<String>,
}

impl Filter {
    pub(super) fn is_empty(&self) -> bool {
        self.mime.is_empty() && self.status.is_empty() && self.since.is_none()
    }

    fn admits(&self, time: &[u8], mime: Option<&str>, status: Option<&str>) -> bool {
        let one_of = |wanted: &[String], found: Option<&str>| {
            let found = found.unwrap_or("-");
            wanted.is_empty() || wanted.iter().any(|start| found.starts_with(start.as_str()))
        };
        self.since
            .as_ref()
            .is_none_or(|since| time >= since.as_bytes())
            && one_of(&self.mime, mime)
            && one_of(&self.status, status)
    }
}

/// The SURT of a line, its query included; `None` if the line does not count.
pub(crate) fn surt<'a>(line: &'a [u8], format: Format, filter: &Filter) -> Option<Cow<'a, [u8]>> {
    match format {
        Format::Index => index_surt(line, filter),
        Format::Urls => {
            let line = std::str::from_utf8(line).ok()?.trim();
            let counts = !line.is_empty() && !line.starts_with(['#', '!']);
            counts.then(|| url_surt(line)).flatten()
        }
        Format::AccessLog => {
            let (url, status) = logged(line)?;
            let held = status.starts_with(b"2") || status.starts_with(b"3");
            held.then(|| url_surt(url)).flatten()
        }
    }
}

/// The key that a line asks about: as [`surt`], but whatever the answer was.
pub(crate) fn question(line: &[u8], format: Format) -> Option<Cow<'_, str>> {
    match format {
        Format::Index => {
            let surt = index_surt(line, &Filter::default())?;
            let key = std::str::from_utf8(crate::key_of(&surt)).ok()?.to_owned();
            Some(Cow::Owned(key))
        }
        Format::Urls => {
            let line = std::str::from_utf8(line).ok()?.trim();
            let counts = !line.is_empty() && !line.starts_with(['#', '!']);
            counts.then(|| asked_key(line))
        }
        Format::AccessLog => Some(asked_key(logged(line)?.0)),
    }
    .filter(|key| crate::key::is_key(key.as_bytes()))
}

/// The SURT of a URL or of a ready key, if it has a host.
pub(crate) fn url_surt(url: &str) -> Option<Cow<'static, [u8]>> {
    // A ready key stays what it is.
    let surt = match asked_key(url) {
        Cow::Borrowed(_) => Surt::from_key(url.to_owned()),
        Cow::Owned(_) => Surt::from_url(url),
    };
    let bytes = surt.as_str().as_bytes().to_vec();
    bytes.contains(&b')').then_some(Cow::Owned(bytes))
}

fn index_surt<'a>(line: &'a [u8], filter: &Filter) -> Option<Cow<'a, [u8]>> {
    let end = memchr::memchr2(b' ', b'\t', line)?;
    let key = &line[..end];
    if key.is_empty() || key[0] == b'!' {
        return None;
    }
    let has_host = memchr::memchr(b')', key).is_some();
    if has_host && filter.is_empty() {
        return Some(Cow::Borrowed(key));
    }
    let rest = &line[end + 1..];
    let (time, rest) = rest.split_at(memchr::memchr2(b' ', b'\t', rest)?);
    let rest = rest.trim_ascii_start();
    let (url, mime, status) = match rest.first()? {
        b'{' => captured(rest)?,
        _ => columns(rest)?,
    };
    if !filter.admits(time, mime.as_deref(), status.as_deref()) {
        return None;
    }
    // Older indexes have keys of other kinds.
    match has_host {
        true => Some(Cow::Borrowed(key)),
        false => url_surt(&url),
    }
}

/// What a line of an index begins with: a key of a map and its SURT, found in few steps.
pub(super) struct Word<'a> {
    /// With the blank behind the SURT: lines that begin with the same word have the same SURT.
    pub(super) word: &'a [u8],
    pub(super) key: &'a [u8],
    /// Where its host ends.
    pub(super) host: usize,
    /// How much of the key stands at the beginning of the key before it.
    pub(super) shared: usize,
}

/// The first word of a line, if that is a SURT with a host, and plain text. What it shares with
/// `last`, the key counted before it, whose host ends at `host`, was looked at then.
#[inline]
pub(super) fn first_word<'a>(line: &'a [u8], last: &[u8], host: usize) -> Option<Word<'a>> {
    let known = common_prefix(last, line);
    let mut end = known + key_end(&line[known..])?;
    let key = trim(&line[..end]);
    while line[end] == b'?' {
        end += 1 + key_end(&line[end + 1..])?;
    }
    let shared = known.min(key.len());
    let host = match host < shared {
        true => host,
        false => memchr::memchr(b')', key)?,
    };
    let can_stand = host > 0 && line[0] != b'!' && !Input::is_packed(key);
    let blank = matches!(line[end], b' ' | b'\t');
    (can_stand && blank).then_some(Word {
        word: &line[..=end],
        key,
        host,
        shared,
    })
}

type Fields<'a> = (Cow<'a, str>, Option<Cow<'a, str>>, Option<Cow<'a, str>>);

/// What a CDXJ line says in its JSON.
fn captured(json: &[u8]) -> Option<Fields<'_>> {
    #[derive(Deserialize)]
    struct Json<'a> {
        #[serde(borrow, default)]
        url: Cow<'a, str>,
        #[serde(borrow)]
        mime: Option<Cow<'a, str>>,
        status: Option<serde_json::Value>,
    }
    let json: Json<'_> = serde_json::from_slice(json).ok()?;
    let status = json.status.map(|status| match status {
        serde_json::Value::String(text) => Cow::Owned(text),
        other => Cow::Owned(other.to_string()),
    });
    Some((json.url, json.mime, status))
}

/// The same of a CDX line, behind its time: `original mime status ...`.
fn columns(rest: &[u8]) -> Option<Fields<'_>> {
    let text = std::str::from_utf8(rest).ok()?;
    let mut words = text.split_ascii_whitespace().map(Cow::Borrowed);
    Some((words.next()?, words.next(), words.next()))
}

/// The URL and the status of a logged request: `... "GET /web/2014/http://a.com/ HTTP/1.1" 200 ...`.
fn logged(line: &[u8]) -> Option<(&str, &[u8])> {
    let from = memchr::memchr(b'"', line)? + 1;
    let to = from + memchr::memchr(b'"', &line[from..])?;
    let mut words = line[from..to].split(|byte| *byte == b' ');
    let target = std::str::from_utf8(words.nth(1)?).ok()?;
    let at = ["http:/", "https:/"]
        .iter()
        .filter_map(|scheme| target.find(scheme))
        .min()?;
    let status = line[to + 1..].trim_ascii_start();
    Some((&target[at..], status))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const CDX: &str =
        "com,a)/x?q 20140101000000 http://a.com/x?q text/html 200 SHA - - 10 20 f.warc.gz";
    const CDXJ: &str =
        r#"com,a)/y 20150101000000 {"url": "http://a.com/y", "mime": "image/png", "status": 404}"#;

    fn read(line: &str, format: Format, filter: &Filter) -> Option<String> {
        let surt = surt(line.as_bytes(), format, filter)?;
        Some(String::from_utf8(surt.into_owned()).unwrap())
    }

    #[test]
    fn each_kind_of_line_gives_its_key() {
        let log = |request: &str, status: u16| {
            format!("::1 - - [01/Jan/2014:00:00:00 +0000] \"{request}\" {status} 7 \"-\" \"x\"")
        };
        for (line, format, expected) in [
            (CDX, Format::Index, Some("com,a)/x?q")),
            (CDXJ, Format::Index, Some("com,a)/y")),
            (" CDX N b a m s k r M S V g", Format::Index, None),
            ("!meta {}", Format::Index, None),
            (
                "dns:a.com 20140101000000 dns:a.com text/dns - X - - 1 2 f",
                Format::Index,
                None,
            ),
            (
                "a.com/x 20140101000000 http://a.com/X text/html 200 X - - 1 2 f",
                Format::Index,
                Some("com,a)/x"),
            ),
            (
                "http://www.a.com/X?b&a ",
                Format::Urls,
                Some("com,a)/x?a&b"),
            ),
            ("com,a)/X", Format::Urls, Some("com,a)/X")),
            ("# no URL", Format::Urls, None),
            (
                &log("GET /web/2014im_/http://a.com/x HTTP/1.1", 200),
                Format::AccessLog,
                Some("com,a)/x"),
            ),
            (
                &log("GET /web/2014/http://a.com/x HTTP/1.1", 404),
                Format::AccessLog,
                None,
            ),
            (
                &log("GET /favicon.ico HTTP/1.1", 200),
                Format::AccessLog,
                None,
            ),
        ] {
            assert_eq!(
                read(line, format, &Filter::default()).as_deref(),
                expected,
                "{line}"
            );
        }
    }

    #[test]
    fn filters_look_at_type_status_and_time() {
        let filter = |mime: &str, status: &str, since: &str| Filter {
            mime: [mime]
                .iter()
                .filter(|mime| !mime.is_empty())
                .map(|mime| mime.to_string())
                .collect(),
            status: [status]
                .iter()
                .filter(|status| !status.is_empty())
                .map(|status| status.to_string())
                .collect(),
            since: Some(since.to_owned()).filter(|since| !since.is_empty()),
        };
        for (mime, status, since, cdx, cdxj) in [
            ("text/html", "", "", true, false),
            ("image/", "", "", false, true),
            ("", "2", "", true, false),
            ("", "404", "", false, true),
            ("", "", "2014", true, true),
            ("", "", "20140101000001", false, true),
            ("text/html", "200", "2013", true, false),
        ] {
            let filter = filter(mime, status, since);
            assert_eq!(
                read(CDX, Format::Index, &filter).is_some(),
                cdx,
                "{filter:?}"
            );
            assert_eq!(
                read(CDXJ, Format::Index, &filter).is_some(),
                cdxj,
                "{filter:?}"
            );
        }
    }
}
