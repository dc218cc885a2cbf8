//! A request as it is written, and the part of it that is not written yet.

use crate::connect::Origin;
use crate::request::Request;
use crate::trouble::Trouble;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::AsyncWrite;
use url::Position;

/// The head of a request, `Host` first unless the fields bring one.
pub(crate) fn head(request: &Request, origin: &Origin) -> Result<Vec<u8>, Trouble> {
    check(request)?;
    let url = &request.url;
    let target = &url[Position::BeforePath..Position::AfterQuery];
    let fields: usize = request
        .fields
        .iter()
        .map(|(n, v)| n.len() + v.len() + 4)
        .sum();
    let mut head = Vec::with_capacity(request.method.len() + target.len() + fields + 64);
    for part in [&request.method, " ", target, " HTTP/1.1\r\n"] {
        head.extend_from_slice(part.as_bytes());
    }
    if request.field("host").is_none() {
        push_field(&mut head, b"Host", origin.authority().as_bytes());
    }
    for (name, value) in &request.fields {
        push_field(&mut head, name, value);
    }
    head.extend_from_slice(b"\r\n");
    Ok(head)
}

/// Adds a field line.
pub(crate) fn push_field(head: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    head.extend_from_slice(name);
    head.extend_from_slice(b": ");
    head.extend_from_slice(value);
    head.extend_from_slice(b"\r\n");
}

/// Nothing in a request may end a line of it, or it could hold another request.
fn check(request: &Request) -> Result<(), Trouble> {
    let word = |bytes: &[u8]| {
        let good = |byte: &u8| byte.is_ascii_graphic() && *byte != b':';
        !bytes.is_empty() && bytes.iter().all(good)
    };
    let fail = |what: &str, bytes: &[u8]| {
        Trouble::Request(format!("{what} {:?}", String::from_utf8_lossy(bytes)))
    };
    if !word(request.method.as_bytes()) {
        return Err(fail("there is no method", request.method.as_bytes()));
    }
    for (name, value) in &request.fields {
        if !word(name) {
            return Err(fail("no field can be called", name));
        }
        if value.iter().any(|byte| matches!(byte, b'\r' | b'\n' | 0)) {
            return Err(fail("no field can have the value", value));
        }
    }
    Ok(())
}

/// What is still to be written of a request.
pub(super) struct Outgoing<'a> {
    head: &'a [u8],
    body: &'a [u8],
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Writing,
    Flushing,
    Sent,
    /// The server takes no more; it may have answered all the same.
    Refused,
}

impl<'a> Outgoing<'a> {
    /// A whole request.
    pub(super) fn new(head: &'a [u8], body: &'a [u8]) -> Outgoing<'a> {
        let state = State::Writing;
        Outgoing { head, body, state }
    }

    /// Whether all of it was sent.
    pub(super) fn sent(&self) -> bool {
        self.state == State::Sent
    }

    /// Whether there is nothing more to do.
    pub(super) fn over(&self) -> bool {
        matches!(self.state, State::Sent | State::Refused)
    }

    /// Writes some more. Ready after every progress.
    pub(super) fn poll_write(
        &mut self,
        stream: &mut (impl AsyncWrite + Unpin),
        cx: &mut Context<'_>,
    ) -> Poll<()> {
        match ready!(self.poll_progress(Pin::new(stream), cx)) {
            Ok(next) => self.state = next,
            Err(_) => self.state = State::Refused,
        }
        Poll::Ready(())
    }

    fn poll_progress<S: AsyncWrite>(
        &mut self,
        mut stream: Pin<&mut S>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<State>> {
        while self.state == State::Writing && !(self.head.is_empty() && self.body.is_empty()) {
            let both = [IoSlice::new(self.head), IoSlice::new(self.body)];
            let written = ready!(stream.as_mut().poll_write_vectored(cx, &both))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            let of_head = written.min(self.head.len());
            self.head = &self.head[of_head..];
            self.body = &self.body[written - of_head..];
            if !(self.head.is_empty() && self.body.is_empty()) {
                return Poll::Ready(Ok(State::Writing));
            }
        }
        self.state = State::Flushing;
        ready!(stream.poll_flush(cx))?;
        Poll::Ready(Ok(State::Sent))
    }
}
