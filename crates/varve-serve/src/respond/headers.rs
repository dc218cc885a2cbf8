//! Headers of captured responses: those that are safe are sent, all others only told.
//!
//! The list is of what is allowed. Whatever else a server sent, known to us or not, arrives under
//! `X-Archive-Orig-`, where no browser acts on it.

use crate::layout::MapAt;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use url::Url;
use varve_model::HttpHead;
use varve_page::{Use, rewrite_link_header, rewrite_location, rewrite_refresh};

/// Before the names of headers that are only told.
const TOLD: &str = "X-Archive-Orig-";
/// Headers of a response that are told.
const MAX_TOLD: usize = 100;
/// Bytes of all of them.
const MAX_TOLD_BYTES: usize = 16 << 10;
/// Bytes of one name, and of one value.
const MAX_NAME: usize = 64;
const MAX_VALUE: usize = 4 << 10;

/// Headers that mean the same in replay.
const SENT: [HeaderName; 3] = [
    header::CONTENT_TYPE,
    header::CONTENT_LANGUAGE,
    header::CONTENT_DISPOSITION,
];

/// Types that say what to do with other addresses: they would lead out of the archive, or hold pages
/// that nobody rewrites.
const CONTAINERS: [&str; 4] = [
    "application/signed-exchange",
    "application/webbundle",
    "multipart/",
    "message/rfc822",
];

/// The headers of an answer, from those that were captured. `base` is where they came from.
pub(crate) fn replayed(captured: &HttpHead, base: &Url, map: &MapAt) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for name in SENT {
        if let Some(value) = captured.get(name.as_str()).and_then(|it| safe_value(&it)) {
            headers.insert(name, value);
        }
    }
    if is_container(&headers) {
        let unknown = HeaderValue::from_static("application/octet-stream");
        headers.insert(header::CONTENT_TYPE, unknown);
    }
    if is_nosniff(captured) {
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
    }
    for (name, value) in mapped(captured, base, map) {
        if let Some(value) = safe_value(value.as_bytes()) {
            headers.append(name, value);
        }
    }
    tell(captured, &mut headers);
    headers
}

/// The headers that hold URLs, with replay URLs in them. What leads nowhere is left out.
fn mapped(captured: &HttpHead, base: &Url, map: &MapAt) -> Vec<(HeaderName, String)> {
    let text = |name: &str| {
        let value = captured.get(name)?;
        Some(String::from_utf8_lossy(&value).into_owned())
    };
    let mut found = Vec::new();
    for (name, wire) in [
        (header::LOCATION, "Location"),
        (header::CONTENT_LOCATION, "Content-Location"),
    ] {
        let url = text(wire).and_then(|value| rewrite_location(&value, base, map, Use::Navigate));
        found.extend(url.map(|url| (name, url)));
    }
    let refresh = text("Refresh").and_then(|value| rewrite_refresh(&value, base, map));
    found.extend(refresh.map(|value| (header::REFRESH, value)));
    for value in captured.get_all("Link").take(MAX_TOLD) {
        let value = String::from_utf8_lossy(&value).into_owned();
        let links = rewrite_link_header(&value, base, map);
        found.extend(links.map(|value| (header::LINK, value)));
    }
    found
}

/// Tells everything that was captured, in names of ours.
pub(crate) fn tell(captured: &HttpHead, headers: &mut HeaderMap) {
    let mut bytes = 0;
    let fields = captured.fields().filter(|(name, _)| !is_sent(name));
    for (name, value) in fields.take(MAX_TOLD) {
        let Some((name, value)) = told_name(name).zip(safe_value(&value)) else {
            continue;
        };
        bytes += name.as_str().len() + value.len();
        if bytes > MAX_TOLD_BYTES {
            break;
        }
        headers.append(name, value);
    }
}

fn is_sent(name: &[u8]) -> bool {
    SENT.iter()
        .any(|sent| sent.as_str().as_bytes().eq_ignore_ascii_case(name))
}

pub(super) fn told_name(name: &[u8]) -> Option<HeaderName> {
    let text = std::str::from_utf8(name).ok()?;
    let short = text.len() <= MAX_NAME;
    short.then(|| HeaderName::from_bytes(format!("{TOLD}{text}").as_bytes()).ok())?
}

/// A value that is one line, of letters that no recipient takes for anything else.
fn safe_value(value: &[u8]) -> Option<HeaderValue> {
    let fits = value.len() <= MAX_VALUE
        && value
            .iter()
            .all(|byte| matches!(byte, b'\t' | b' '..=b'~' | 0x80..));
    fits.then(|| HeaderValue::from_bytes(value).ok())?
}

fn is_container(headers: &HeaderMap) -> bool {
    let declared = headers.get(header::CONTENT_TYPE);
    let declared = declared.map(|it| it.as_bytes().trim_ascii_start());
    declared.is_some_and(|it| {
        let starts = |kind: &&str| {
            it.get(..kind.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(kind.as_bytes()))
        };
        CONTAINERS.iter().any(starts)
    })
}

/// Browsers that were told not to guess did not.
fn is_nosniff(captured: &HttpHead) -> bool {
    captured
        .get("X-Content-Type-Options")
        .is_some_and(|value| value.trim_ascii().eq_ignore_ascii_case(b"nosniff"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::layout::{HostLayout, Layout};
    use proptest::prelude::*;
    use varve_model::Timestamp;

    fn replay(fields: &[(&str, &str)]) -> HeaderMap {
        let captured = HttpHead::from_parts("HTTP/1.1 200 OK", fields);
        replay_head(&captured)
    }

    fn replay_head(captured: &HttpHead) -> HeaderMap {
        let base = Url::parse("https://h/d/").unwrap();
        let time = Timestamp::parse("20260101000000").unwrap();
        let layout = Layout::Host(HostLayout::new("replay.localhost", 8080));
        replayed(captured, &base, &MapAt::new(layout, time, base.clone()))
    }

    #[test]
    fn what_is_dangerous_is_only_told() {
        for name in [
            "Set-Cookie",
            "Clear-Site-Data",
            "Service-Worker-Allowed",
            "Strict-Transport-Security",
            "NEL",
            "Report-To",
            "Content-Security-Policy",
            "X-Frame-Options",
            "Alt-Svc",
            "Access-Control-Allow-Origin",
            "SourceMap",
            "Cache-Control",
            "ETag",
            "X-Unknown",
            "Permissions-Policy",
            "Origin-Agent-Cluster",
            "Supports-Loading-Mode",
            "Last-Modified",
        ] {
            let headers = replay(&[(name, "x")]);
            assert!(!headers.contains_key(name), "{name}");
            assert_eq!(headers.get(format!("{TOLD}{name}")).unwrap(), "x", "{name}");
        }
    }

    #[test]
    fn what_is_safe_is_sent() {
        let headers = replay(&[
            ("Content-Type", "text/html; charset=iso-8859-2"),
            ("Content-Language", "de"),
            ("X-Content-Type-Options", "NoSniff"),
        ]);
        assert_eq!(
            headers.get("content-type").unwrap(),
            "text/html; charset=iso-8859-2"
        );
        assert_eq!(headers.get("content-language").unwrap(), "de");
        assert_eq!(headers.get("x-content-type-options").unwrap(), "nosniff");
    }

    #[test]
    fn containers_are_not_opened() {
        for (sent, shown) in [
            (
                "application/signed-exchange;v=b3",
                "application/octet-stream",
            ),
            (" Multipart/Related; boundary=x", "application/octet-stream"),
            ("text/html", "text/html"),
        ] {
            let headers = replay(&[("Content-Type", sent)]);
            assert_eq!(headers.get("content-type").unwrap(), shown, "{sent}");
        }
    }

    #[test]
    fn urls_in_headers_stay_inside() {
        for (name, value, expected) in [
            ("Location", "/x?y", "http://h.https~/x?y"),
            ("Location", " http://o:81/ ", "http://o.http-81~/"),
            ("Location", "javascript:alert(1)", ""),
            ("Content-Location", "a.html", "http://h.https~/d/a.html"),
            ("Refresh", "5; url=/x", "5; url=http://h.https~/x"),
            ("Link", "<https://o>; rel=preconnect", ""),
            (
                "Link",
                "</a.css>; rel=preload; as=style",
                "<http://h.https~/a.css>; rel=\"preload\"; as=\"style\"",
            ),
        ] {
            let headers = replay(&[(name, value)]);
            let found = headers
                .get(name)
                .map_or("", |value| value.to_str().unwrap());
            let found = found.replace(".20260101000000.replay.localhost:8080", "~");
            assert_eq!(found, expected, "{name}: {value}");
        }
    }

    #[test]
    fn too_much_is_left_out() {
        let long = "x".repeat(MAX_VALUE + 1);
        let many: Vec<(&str, &str)> = vec![("A", "b"); 1000];
        assert_eq!(replay(&[("A", &long)]).len(), 0);
        assert_eq!(
            replay(&many).get_all("x-archive-orig-a").iter().count(),
            MAX_TOLD
        );
    }

    proptest! {
        #[test]
        fn no_captured_bytes_make_another_header(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let raw = [b"HTTP/1.1 200 OK\r\n".as_slice(), &bytes, b"\r\n\r\n"].concat();
            if let Some((head, _)) = HttpHead::parse(&raw) {
                for (name, value) in replay_head(&head).iter() {
                    let known = SENT.contains(name) || name == header::X_CONTENT_TYPE_OPTIONS
                        || [header::LOCATION, header::LINK, header::REFRESH, header::CONTENT_LOCATION].contains(name);
                    prop_assert!(known || name.as_str().starts_with("x-archive-orig-"), "{name}");
                    prop_assert!(!value.as_bytes().iter().any(|b| matches!(b, b'\r' | b'\n' | 0)));
                }
            }
        }
    }
}
