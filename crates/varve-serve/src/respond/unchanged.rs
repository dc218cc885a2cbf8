//! A capture as it was, for a browser that asks for its own URL: nothing is rewritten.
//!
//! Headers go out as they were captured, but for those of one connection, and for those that a
//! browser would keep and act on when it is no longer the archive that answers.

use super::content::{Content, Trouble};
use super::headers::told_name;
use super::parts::Extent;
use super::reply::{Reply, ReplyBody};
use super::{Ask, Notice, Purpose, memento};
use crate::lookup::{self, Found};
use crate::serving::Serving;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use bytes::Bytes;
use varve_model::HttpHead;

/// Longer bodies are read while they are sent.
const MAX_HELD: usize = 32 << 20;
/// Headers of an answer, and the bytes of all of them.
const MAX_HEADERS: usize = 200;
const MAX_BYTES: usize = 128 << 10;

/// Of one connection, or of how a body was sent over it.
const PASSING: [&str; 16] = [
    "accept-ranges",
    "connection",
    "content-encoding",
    "content-length",
    "content-range",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authentication-info",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "trailers",
    "transfer-encoding",
    "upgrade",
    "x-varve-notice",
];

/// What browsers keep for later, when the archive is gone: how to connect, what to report, whom a
/// visitor is known as, what need not be asked for again. And what would ask users for passwords.
const LASTING: [&str; 20] = [
    "accept-ch",
    "age",
    "alt-svc",
    "authentication-info",
    "cache-control",
    "clear-site-data",
    "critical-ch",
    "expect-ct",
    "expires",
    "nel",
    "pragma",
    "public-key-pins",
    "public-key-pins-report-only",
    "report-to",
    "service-worker-allowed",
    "set-cookie",
    "set-cookie2",
    "strict-transport-security",
    "use-as-dictionary",
    "www-authenticate",
];

/// Answers a request for an archived URL with what was captured; `note` is told what that is.
pub(crate) fn unchanged(serving: &Serving, ask: &Ask, note: impl FnOnce(&Found)) -> Reply {
    let notice = |notice: Notice| notice.about(ask).reply(ask);
    let wish = ask.wish();
    match lookup::find(&serving.archive.now(), &wish) {
        Err(error) => notice(Notice::of(Trouble::from(error))),
        Ok(None) => notice(Notice::nothing_of(serving, wish.url.as_str(), wish.time)),
        Ok(Some(found)) => {
            note(&found);
            let shown = show(serving, ask, &found);
            shown.unwrap_or_else(|trouble| notice(Notice::of(trouble)))
        }
    }
}

fn show(serving: &Serving, ask: &Ask, found: &Found) -> Result<Reply, Trouble> {
    let mut content = Content::open(found)?;
    let facts = content.facts.clone();
    let status = StatusCode::from_u16(facts.status)
        .ok()
        .filter(|status| !status.is_informational())
        .ok_or_else(|| Trouble::Damaged("it has no status".to_owned()))?;
    let mut reply = Reply::new(status, Bytes::new());
    reply.headers = captured(&facts.head);
    allow(&mut reply.headers, ask);
    let extent = Extent { ask, found };
    match content.whole(MAX_HELD) {
        Ok(body) => extent.part(&mut reply, &facts, &body.into()),
        Err(Trouble::TooLong) => extent.in_pieces(&mut reply)?,
        Err(trouble) => return Err(trouble),
    }
    if matches!(
        reply.status,
        StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT
    ) {
        reply.body = ReplyBody::Whole(Bytes::new());
    }
    reply.say(header::CACHE_CONTROL, "no-store");
    memento::name(&mut reply, found, &serving.names.origin(), "");
    let differs = HeaderValue::from_static("accept-datetime");
    reply.headers.append(header::VARY, differs);
    Ok(reply)
}

/// The captured headers that are sent; the others are told under another name.
fn captured(head: &HttpHead) -> HeaderMap {
    let named = head.get("Connection").unwrap_or_default();
    let named = String::from_utf8_lossy(&named).to_ascii_lowercase();
    let named: Vec<&str> = named.split(',').map(str::trim).collect();
    let (mut headers, mut bytes) = (HeaderMap::new(), 0);
    for (name, value) in head.fields().take(MAX_HEADERS) {
        let known = HeaderName::from_bytes(name).ok();
        let value = HeaderValue::from_bytes(value.trim_ascii()).ok();
        let Some((known, value)) = known.zip(value) else {
            continue;
        };
        let passes = PASSING.contains(&known.as_str()) || named.contains(&known.as_str());
        let lasts = LASTING.contains(&known.as_str());
        let sent = if passes || lasts {
            told_name(name)
        } else {
            Some(known)
        };
        bytes += name.len() + value.len();
        if bytes > MAX_BYTES {
            break;
        }
        if let Some(name) = sent {
            headers.append(name, value);
        }
    }
    headers
}

/// Lets the origin that asks read the answer where another was let at capture, and use what only
/// displays: the crawler may have asked for it in another way than the page.
fn allow(headers: &mut HeaderMap, ask: &Ask) {
    let Some(origin) = ask.headers.get(header::ORIGIN) else {
        return;
    };
    let said = headers.get(header::ACCESS_CONTROL_ALLOW_ORIGIN);
    let displays = !matches!(ask.purpose, Purpose::Data | Purpose::Unknown);
    let same = said.is_some_and(|said| said == "*" || said == origin);
    if same || (said.is_none() && !displays) {
        return;
    }
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
        HeaderValue::from_static("true"),
    );
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn sent(fields: &[(&str, &str)]) -> HeaderMap {
        captured(&HttpHead::from_parts("HTTP/1.1 200 OK", fields))
    }

    #[test]
    fn what_would_outlive_the_archive_is_only_told() {
        for name in PASSING.iter().chain(&LASTING) {
            let headers = sent(&[(name, "x")]);
            assert!(!headers.contains_key(*name), "{name}");
            let told = format!("x-archive-orig-{name}");
            assert_eq!(headers.get(told).unwrap(), "x", "{name}");
        }
        let headers = sent(&[("Connection", "close, X-Hop"), ("X-Hop", "1")]);
        assert!(!headers.contains_key("x-hop"));
    }

    #[test]
    fn everything_else_is_as_it_was() {
        let policy = "default-src 'self'; report-uri /x";
        for (name, value) in [
            ("Content-Type", "text/html; charset=iso-8859-2"),
            ("Content-Security-Policy", policy),
            ("ETag", "\"e\""),
            ("Location", "http://elsewhere/"),
            ("X-Unknown", "caf\u{e9}"),
            ("Access-Control-Allow-Origin", "*"),
        ] {
            let headers = sent(&[(name, value)]);
            assert_eq!(headers.get(name).unwrap().as_bytes(), value.as_bytes());
        }
        let links = sent(&[("Link", "<a>"), ("Link", "<b>")]);
        assert_eq!(links.get_all("link").iter().count(), 2);
    }

    proptest! {
        #[test]
        fn no_captured_bytes_make_another_header(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let raw = [b"HTTP/1.1 200 OK\r\n".as_slice(), &bytes, b"\r\n\r\n"].concat();
            if let Some((head, _)) = HttpHead::parse(&raw) {
                for (name, value) in captured(&head).iter() {
                    prop_assert!(!PASSING.contains(&name.as_str()), "{name}");
                    prop_assert!(!LASTING.contains(&name.as_str()), "{name}");
                    prop_assert!(!value.as_bytes().iter().any(|b| matches!(b, b'\r' | b'\n' | 0)));
                }
            }
        }
    }
}
