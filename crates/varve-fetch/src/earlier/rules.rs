//! What may be asked conditionally; see the top of `earlier.rs`.

use crate::request::Request;
use crate::reuse::{may_keep, may_share};
use varve_model::HttpHead;

/// Longer validators are nobody's.
const MAX_VALIDATOR: usize = 1024;

/// Fields by which requests make conditions.
const CONDITIONAL: [&str; 5] = [
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
];

/// Fields to add to a request.
pub(super) type Conditions = Vec<(Vec<u8>, Vec<u8>)>;

/// Whether conditions may be added to a request.
pub(super) fn may_ask(request: &Request) -> bool {
    let mut conditional = CONDITIONAL.iter();
    may_share(request) && !conditional.any(|name| request.field(name).is_some())
}

/// The conditions under which a request may be answered by a response that is held; `None` if
/// it must not be. `asked` is the request that the response answered.
pub(super) fn conditions(
    head: &HttpHead,
    asked: Option<&HttpHead>,
    request: &Request,
) -> Option<Conditions> {
    let good = head.status() == Some(200) && may_keep(head);
    if !good || !is_same_variant(head, asked, request) || !opens_to(head, request) {
        return None;
    }
    let condition = |name: &str, validator: &str| {
        let value = head.get(validator).filter(|value| is_plain(value))?;
        Some((name.as_bytes().to_vec(), value.into_owned()))
    };
    let tag = condition("If-None-Match", "ETag");
    let date = condition("If-Modified-Since", "Last-Modified");
    let conditions: Conditions = tag.into_iter().chain(date).collect();
    (!conditions.is_empty()).then_some(conditions)
}

/// Whether a response depends on nothing that was asked differently.
fn is_same_variant(head: &HttpHead, asked: Option<&HttpHead>, request: &Request) -> bool {
    head.get_all("vary").all(|names| {
        let mut names = names.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
        names.all(|name| match (asked, str::from_utf8(name)) {
            (_, Ok("")) => true,
            (Some(asked), Ok(name)) => same_values(asked, request, name),
            _ => false,
        })
    })
}

fn same_values(asked: &HttpHead, request: &Request, name: &str) -> bool {
    let named = |known: &[u8]| known.eq_ignore_ascii_case(name.as_bytes());
    let now = request.fields.iter().filter(|(known, _)| named(known));
    let then = asked.get_all(name);
    then.eq(now.map(|(_, value)| value.as_slice()))
}

/// Whether a recorded response is open to whom asks for it now. Many servers name the origin that
/// asked and forget to say that their answer depends on it.
pub fn opens_to(head: &HttpHead, request: &Request) -> bool {
    let Some(origin) = request.field("origin") else {
        return true;
    };
    let allowed = head.get("access-control-allow-origin");
    allowed.is_some_and(|allowed| *allowed == *b"*" || *allowed == *origin)
}

fn is_plain(value: &[u8]) -> bool {
    let plain = |byte: &u8| !byte.is_ascii_control();
    !value.is_empty() && value.len() <= MAX_VALIDATOR && value.iter().all(plain)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use url::Url;

    fn head(text: &str) -> HttpHead {
        let text = text.replace('\n', "\r\n") + "\r\n\r\n";
        HttpHead::parse(text.as_bytes()).unwrap().0
    }

    fn request(fields: &[(&str, &str)]) -> Request {
        let bytes = |text: &str| text.as_bytes().to_vec();
        Request {
            fields: fields.iter().map(|(n, v)| (bytes(n), bytes(v))).collect(),
            ..Request::get(Url::parse("http://a.test/").unwrap())
        }
    }

    /// The conditions as lines.
    fn check(held: &str, asked: Option<&str>, fields: &[(&str, &str)], expected: Option<&str>) {
        let asked = asked.map(|fields| head(&format!("GET / HTTP/1.1\n{fields}")));
        let conditions = conditions(&head(held), asked.as_ref(), &request(fields));
        let lines = conditions.map(|conditions| {
            let line = |(name, value): &(Vec<u8>, Vec<u8>)| {
                let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
                format!("{}: {}", text(name), text(value))
            };
            conditions.iter().map(line).collect::<Vec<_>>().join("\n")
        });
        assert_eq!(lines.as_deref(), expected, "{held}");
    }

    #[test]
    fn validators_become_conditions() {
        let tag = Some("If-None-Match: W/\"x\"");
        check("HTTP/1.1 200 OK\nETag: W/\"x\"", None, &[], tag);
        let both = Some("If-None-Match: \"x\"\nIf-Modified-Since: Mon, 12 Oct 2026 06:00:00 GMT");
        check(
            "HTTP/1.1 200 OK\nLast-Modified: Mon, 12 Oct 2026 06:00:00 GMT\nETag: \"x\"",
            None,
            &[],
            both,
        );
        check("HTTP/1.1 200 OK\nX: y", None, &[], None);
        check("HTTP/1.1 200 OK\nETag: \"\u{1}\"", None, &[], None);
    }

    #[test]
    fn only_what_may_be_kept_is_asked_about() {
        for field in ["Set-Cookie: a=b", "Cache-Control: no-store", "Vary: *"] {
            let held = format!("HTTP/1.1 200 OK\nETag: \"x\"\n{field}");
            check(&held, Some("A: b"), &[], None);
        }
        check("HTTP/1.1 404 Not Found\nETag: \"x\"", None, &[], None);
    }

    #[test]
    fn what_a_response_depends_on_must_be_the_same() {
        let held = "HTTP/1.1 200 OK\nETag: \"x\"\nVary: Accept, accept-language";
        let (asked, tag) = (
            Some("accept: a\nAccept-Language: en"),
            "If-None-Match: \"x\"",
        );
        let same = [("Accept", "a"), ("Accept-Language", "en")];
        check(held, asked, &same, Some(tag));
        check(held, None, &same, None);
        check(held, asked, &[("Accept", "a")], None);
        check(
            held,
            asked,
            &[("Accept", "a"), ("Accept-Language", "de")],
            None,
        );
        check(held, Some("X: y"), &[], Some(tag));
    }

    #[test]
    fn other_origins_need_leave() {
        let held = "HTTP/1.1 200 OK\nETag: \"x\"\nAccess-Control-Allow-Origin: https://a.test";
        let tag = Some("If-None-Match: \"x\"");
        check(held, None, &[("Origin", "https://a.test")], tag);
        check(held, None, &[("Origin", "https://b.test")], None);
    }

    #[test]
    fn requests_with_wishes_of_their_own_are_left_alone() {
        assert!(may_ask(&request(&[("Cache-Control", "no-cache")])));
        for (name, value) in [
            ("Range", "bytes=0-"),
            ("if-none-match", "\"y\""),
            ("If-Modified-Since", "Mon, 12 Oct 2026 06:00:00 GMT"),
            ("Accept", "text/event-stream"),
            ("Authorization", "Basic x"),
        ] {
            assert!(!may_ask(&request(&[(name, value)])), "{name}");
        }
        let post = Request {
            method: "POST".into(),
            ..request(&[])
        };
        assert!(!may_ask(&post));
    }
}
