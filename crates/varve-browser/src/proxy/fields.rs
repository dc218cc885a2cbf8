//! Which fields of a browser's request go on to the server.
//!
//! Fields that are about the connection between browser and proxy (RFC 9110, section 7.6.1) end
//! here; all others keep their order and spelling.

use varve_model::HttpHead;

/// Fields about one connection only. `Expect` is met by the proxy itself.
const HOP_BY_HOP: [&str; 9] = [
    "connection",
    "expect",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "transfer-encoding",
    "upgrade",
];

/// Names and values.
pub(super) type Fields = Vec<(Vec<u8>, Vec<u8>)>;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A response.
    Response,
    /// A WebSocket.
    WebSocket,
}

impl Purpose {
    /// What this head asks for.
    pub(super) fn of(head: &HttpHead) -> Purpose {
        let switches = head.method() == Some(b"GET")
            && has_token(head, "upgrade", "websocket")
            && has_token(head, "connection", "upgrade");
        match switches {
            true => Purpose::WebSocket,
            false => Purpose::Response,
        }
    }
}

/// The fields to send on. A body of known length replaces one in chunks.
pub(super) fn onward(head: &HttpHead, purpose: Purpose, body: &[u8]) -> Fields {
    let chunked = head.get("transfer-encoding").is_some();
    let mut fields = Fields::new();
    for (name, value) in head.fields() {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        if is("transfer-encoding") {
            fields.push((
                b"Content-Length".to_vec(),
                body.len().to_string().into_bytes(),
            ));
        } else if stays(head, purpose, name, &value) || is("content-length") && chunked {
            continue;
        } else if is("connection") {
            fields.push((name.to_vec(), b"Upgrade".to_vec()));
        } else {
            fields.push((name.to_vec(), value.into_owned()));
        }
    }
    fields
}

/// Whether a field ends at the proxy.
fn stays(head: &HttpHead, purpose: Purpose, name: &[u8], value: &[u8]) -> bool {
    let is = |known: &&str| name.eq_ignore_ascii_case(known.as_bytes());
    if purpose == Purpose::WebSocket {
        if is(&"connection") || is(&"upgrade") {
            return false;
        }
        // Without extensions the messages can be read by whoever sees them.
        if is(&"sec-websocket-extensions") {
            return true;
        }
    }
    if is(&"te") {
        return !value.eq_ignore_ascii_case(b"trailers");
    }
    let named = || std::str::from_utf8(name).is_ok_and(|name| has_token(head, "connection", name));
    HOP_BY_HOP.iter().any(is) || named()
}

/// Whether a list field holds a word.
pub(super) fn has_token(head: &HttpHead, field: &str, token: &str) -> bool {
    head.get_all(field).any(|value| {
        let mut words = value.split(|byte| *byte == b',');
        words.any(|word| word.trim_ascii().eq_ignore_ascii_case(token.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The fields that go on, as lines.
    fn check(request: &str, expected: &str) {
        let text = request.replace('\n', "\r\n") + "\r\n\r\n";
        let (head, _) = HttpHead::parse(text.as_bytes()).unwrap();
        let fields = onward(&head, Purpose::of(&head), b"four");
        let lines: Vec<String> = fields
            .iter()
            .map(|(name, value)| {
                let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
                format!("{}: {}", text(name), text(value))
            })
            .collect();
        assert_eq!(lines.join("\n"), expected, "{request}");
    }

    #[test]
    fn fields_about_the_connection_end_here() {
        check(
            "GET http://a.test/ HTTP/1.1\nHost: a.test\nProxy-Connection: keep-alive\nX-CaSe: 1\nx-case: 2\nTE: gzip",
            "Host: a.test\nX-CaSe: 1\nx-case: 2",
        );
        check(
            "GET / HTTP/1.1\nHost: a.test\nConnection: close, x-mine\nX-Mine: 1\nTE: trailers\nKeep-Alive: 5\nUpgrade: h2c",
            "Host: a.test\nTE: trailers",
        );
        check(
            "GET / HTTP/1.1\nProxy-Authorization: Basic x\nAuthorization: Basic y\nExpect: 100-continue",
            "Authorization: Basic y",
        );
    }

    #[test]
    fn bodies_in_chunks_get_a_length() {
        check(
            "POST / HTTP/1.1\nHost: a.test\nTransfer-Encoding: chunked\nX: y",
            "Host: a.test\nContent-Length: 4\nX: y",
        );
        check(
            "POST / HTTP/1.1\nContent-Length: 9\nTransfer-Encoding: chunked",
            "Content-Length: 4",
        );
        check("POST / HTTP/1.1\ncontent-length: 4", "content-length: 4");
    }

    #[test]
    fn web_sockets_keep_their_upgrade_and_lose_their_extensions() {
        check(
            "GET /chat HTTP/1.1\nHost: a.test\nConnection: keep-alive, Upgrade\nUpgrade: websocket\nSec-WebSocket-Key: k\nSec-WebSocket-Extensions: permessage-deflate\nSec-WebSocket-Protocol: p",
            "Host: a.test\nConnection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Key: k\nSec-WebSocket-Protocol: p",
        );
    }
}
