//! How a response is passed on to the browser.
//!
//! HTTP/1 responses go as they are, byte for byte. Those of HTTP/2 that do not tell their length
//! are sent in chunks. The browser's connection is kept only where nobody can doubt where the
//! response ends.

use super::fields::has_token;
use super::refusal::Then;
use bytes::{BufMut, Bytes, BytesMut};
use varve_fetch::{Exchange, Framing, Protocol};
use varve_model::HttpHead;

/// How one response is sent.
pub(super) struct Delivery {
    /// The head to send.
    pub(super) head: Vec<u8>,
    form: Form,
    framing: Framing,
    wish: Then,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    AsIs,
    InChunks,
}

/// What becomes of the browser's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It can be used again.
    KeepAlive,
    /// It is closed in good order. A body that lacks something shows that by itself.
    Close,
    /// It is reset, because closing would look like the end of the body.
    Reset,
}

impl Delivery {
    /// How to send a response with this head.
    pub(super) fn new(
        head: &HttpHead,
        protocol: Protocol,
        framing: Framing,
        wish: Then,
    ) -> Delivery {
        let form = match (protocol, framing) {
            (Protocol::Http2, Framing::UntilClose | Framing::Chunked) => Form::InChunks,
            _ => Form::AsIs,
        };
        let mut bytes = head.as_bytes().to_vec();
        if form == Form::InChunks {
            bytes.truncate(bytes.len() - 2);
            bytes.extend_from_slice(b"Transfer-Encoding: chunked\r\n\r\n");
        }
        Delivery {
            wish: if keeps(head) { wish } else { Then::Close },
            head: bytes,
            form,
            framing,
        }
    }

    /// How to send a recorded response again.
    pub(super) fn again(exchange: &Exchange, wish: Then) -> Option<Delivery> {
        let (head, _) = HttpHead::parse(&exchange.response_head)?;
        let framing = framing(exchange, &head);
        Some(Delivery::new(&head, exchange.protocol, framing, wish))
    }

    /// A piece of the body as it is sent.
    pub(super) fn piece(&self, piece: Bytes) -> Bytes {
        if self.form == Form::AsIs {
            return piece;
        }
        let mut chunk = BytesMut::with_capacity(piece.len() + 16);
        chunk.put_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        chunk.put_slice(&piece);
        chunk.put_slice(b"\r\n");
        chunk.freeze()
    }

    /// What follows the last piece.
    pub(super) fn end(&self) -> &'static [u8] {
        match self.form {
            Form::AsIs => b"",
            Form::InChunks => b"0\r\n\r\n",
        }
    }

    /// What becomes of the connection after the whole response.
    pub(super) fn whole(&self) -> Fate {
        let ends_by_closing = self.form == Form::AsIs && self.framing == Framing::UntilClose;
        match self.wish {
            Then::KeepAlive if !ends_by_closing => Fate::KeepAlive,
            _ => Fate::Close,
        }
    }

    /// What becomes of the connection after a part of the response.
    pub(super) fn short(&self) -> Fate {
        match (self.form, self.framing) {
            (Form::AsIs, Framing::UntilClose) => Fate::Reset,
            _ => Fate::Close,
        }
    }
}

/// Whether a connection can be kept after a response, as far as its head tells: it says so, and
/// tells its length in one way only.
fn keeps(head: &HttpHead) -> bool {
    let coded = head.get_all("transfer-encoding").count();
    let measured = head.get_all("content-length").count();
    match head.start_line().starts_with(b"HTTP/1.1") {
        true => coded + measured <= 1 && !has_token(head, "connection", "close"),
        false => coded == 0 && measured <= 1 && has_token(head, "connection", "keep-alive"),
    }
}

/// How the end of a recorded body is known.
fn framing(exchange: &Exchange, head: &HttpHead) -> Framing {
    let bodiless = matches!(head.status(), Some(100..=199 | 204 | 304));
    if bodiless || exchange.method == "HEAD" {
        Framing::Empty
    } else if has_token(head, "transfer-encoding", "chunked") {
        Framing::Chunked
    } else if head.get("content-length").is_some() {
        Framing::Length(exchange.body.len())
    } else {
        Framing::UntilClose
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn delivery(head: &str, protocol: Protocol, framing: Framing) -> Delivery {
        let text = head.replace('\n', "\r\n") + "\r\n\r\n";
        let (head, _) = HttpHead::parse(text.as_bytes()).unwrap();
        Delivery::new(&head, protocol, framing, Then::KeepAlive)
    }

    #[test]
    fn connections_are_kept_where_the_end_is_clear() {
        for (head, framing, whole, short) in [
            (
                "HTTP/1.1 200 OK\nContent-Length: 5",
                Framing::Length(5),
                Fate::KeepAlive,
                Fate::Close,
            ),
            (
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked",
                Framing::Chunked,
                Fate::KeepAlive,
                Fate::Close,
            ),
            (
                "HTTP/1.1 204 No Content",
                Framing::Empty,
                Fate::KeepAlive,
                Fate::Close,
            ),
            (
                "HTTP/1.1 200 OK",
                Framing::UntilClose,
                Fate::Close,
                Fate::Reset,
            ),
            (
                "HTTP/1.1 200 OK\nContent-Length: 5\nConnection: close",
                Framing::Length(5),
                Fate::Close,
                Fate::Close,
            ),
            (
                "HTTP/1.0 200 OK\nContent-Length: 5",
                Framing::Length(5),
                Fate::Close,
                Fate::Close,
            ),
            (
                "HTTP/1.0 200 OK\nContent-Length: 5\nConnection: keep-alive",
                Framing::Length(5),
                Fate::KeepAlive,
                Fate::Close,
            ),
            (
                "HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked",
                Framing::Chunked,
                Fate::Close,
                Fate::Close,
            ),
            (
                "HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 5",
                Framing::Length(5),
                Fate::Close,
                Fate::Close,
            ),
        ] {
            let delivery = delivery(head, Protocol::Http1, framing);
            assert_eq!(
                (delivery.whole(), delivery.short()),
                (whole, short),
                "{head}"
            );
            assert_eq!(delivery.end(), b"");
        }
    }

    #[test]
    fn bodies_of_http2_without_a_length_go_in_chunks() {
        let delivery = delivery(
            "HTTP/1.1 200\nserver: x",
            Protocol::Http2,
            Framing::UntilClose,
        );
        let head = b"HTTP/1.1 200\r\nserver: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(delivery.head, head);
        let piece = delivery.piece(Bytes::from_static(b"0123456789abcdef"));
        assert_eq!(piece, "10\r\n0123456789abcdef\r\n");
        assert_eq!(delivery.end(), b"0\r\n\r\n");
        assert_eq!(
            (delivery.whole(), delivery.short()),
            (Fate::KeepAlive, Fate::Close)
        );
    }

    #[test]
    fn bodies_of_http2_with_a_length_go_as_they_are() {
        let delivery = delivery(
            "HTTP/1.1 200\ncontent-length: 3",
            Protocol::Http2,
            Framing::Length(3),
        );
        assert_eq!(delivery.head, b"HTTP/1.1 200\r\ncontent-length: 3\r\n\r\n");
        assert_eq!(delivery.piece(Bytes::from_static(b"abc")), "abc");
        assert_eq!(delivery.whole(), Fate::KeepAlive);
    }
}
