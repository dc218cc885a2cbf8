//! HTTP/2 as a client: one connection, many requests at once.
//!
//! What the archive holds is HTTP/1.1 text (see `heads.rs`). The frames themselves are not
//! kept; the content of the DATA frames is the body.

mod body;
mod heads;

pub(crate) use body::Body;

use crate::connect::Connected;
use crate::limits::Limits;
use crate::request::Request;
use crate::trouble::Trouble;
use bytes::Bytes;
use h2::client::{ResponseFuture, SendRequest};
use h2::{Reason, RecvStream, SendStream};
use heads::Outgoing;
use http::Response;
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::timeout;
use varve_model::HttpHead;

/// How much a server may send before we have read it: per response, and on a connection.
const WINDOW: u32 = 1 << 20;
const CONNECTION_WINDOW: u32 = 8 << 20;
/// More informational responses than this are a flood.
const INFORMATIONAL: usize = 32;

/// A connection that can be shared.
#[derive(Clone)]
pub(crate) struct Handle {
    sender: SendRequest<Bytes>,
    pub(crate) peer: SocketAddr,
    closed: Arc<AtomicBool>,
}

/// What came back.
pub(crate) struct Answer {
    /// The request's head as HTTP/1.1 would have it.
    pub(crate) request_head: Vec<u8>,
    /// The heads of informational responses.
    pub(crate) informational: Vec<Vec<u8>>,
    /// The response's head as HTTP/1.1 would have it.
    pub(crate) head: HttpHead,
    /// The length it announces.
    pub(crate) length: Option<u64>,
    /// The body; `None` if there is none.
    pub(crate) body: Option<Body>,
}

impl Handle {
    /// Begins to speak HTTP/2 on a connection, in a task that lives as long as it is used.
    pub(crate) async fn start(connected: Connected, limits: &Limits) -> Result<Handle, Trouble> {
        let mut builder = h2::client::Builder::new();
        builder
            .enable_push(false)
            .initial_window_size(WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            // Twice, so that we see most heads that are too long, and can say so.
            .max_header_list_size(u32::try_from(limits.head_bytes * 2).unwrap_or(u32::MAX));
        let starting = timeout(limits.tls, builder.handshake(connected.stream));
        let started = starting.await.map_err(|_| Trouble::Time)?;
        let (sender, connection) = started.map_err(|error| trouble(&error))?;
        let closed = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&closed);
        tokio::spawn(async move {
            // Those who wait for a response learn of errors themselves.
            let _ = connection.await;
            flag.store(true, Ordering::Release);
        });
        Ok(Handle {
            sender,
            peer: connected.peer,
            closed,
        })
    }

    /// Whether the connection is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Sends a request and waits for the head of its response.
    pub(crate) async fn ask(
        self,
        request: &Request,
        authority: &str,
        limits: &Limits,
    ) -> Result<Answer, Trouble> {
        let Outgoing { head, rendered } =
            heads::outgoing(request, authority).map_err(Trouble::Request)?;
        let asking = self.exchange(head, request.body.clone(), limits.stall);
        let answered = timeout(limits.first_byte, asking).await;
        let (informational, response) = answered.map_err(|_| Trouble::Time)??;
        let (parts, stream) = response.into_parts();
        let head = heads::response(parts.status, &parts.headers);
        let fields = parts.headers.len();
        let bytes = informational.iter().map(Vec::len).sum::<usize>() + head.as_bytes().len();
        if fields > limits.head_fields || bytes > limits.head_bytes {
            return Err(Trouble::Limit(format!("{fields} fields, {bytes} bytes")));
        }
        let length = parts.headers.get(http::header::CONTENT_LENGTH);
        let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
        let body = (!stream.is_end_stream()).then(|| Body::new(stream));
        Ok(Answer {
            request_head: rendered,
            informational,
            head,
            length,
            body,
        })
    }

    async fn exchange(
        self,
        head: http::Request<()>,
        body: Bytes,
        stall: Duration,
    ) -> Result<(Vec<Vec<u8>>, Response<RecvStream>), Trouble> {
        // Only before it is ready are we sure that nothing was sent.
        let ready = self.sender.ready().await;
        let mut sender = ready.map_err(|_| Trouble::Refused)?;
        let (mut response, stream) = sender
            .send_request(head, body.is_empty())
            .map_err(|error| trouble(&error))?;
        if !body.is_empty() {
            tokio::spawn(upload(stream, body, stall));
        }
        let mut informational = Vec::new();
        let response = poll_fn(|cx| poll_response(&mut response, cx, &mut informational)).await?;
        Ok((informational, response))
    }
}

/// The final response, with informational ones set aside.
fn poll_response(
    response: &mut ResponseFuture,
    cx: &mut Context<'_>,
    informational: &mut Vec<Vec<u8>>,
) -> Poll<Result<Response<RecvStream>, Trouble>> {
    while let Poll::Ready(Some(Ok(early))) = response.poll_informational(cx) {
        if informational.len() == INFORMATIONAL {
            let flood = format!("more than {INFORMATIONAL} informational responses");
            return Poll::Ready(Err(Trouble::Limit(flood)));
        }
        let head = heads::response(early.status(), early.headers());
        informational.push(head.as_bytes().to_vec());
    }
    let response = ready!(Pin::new(response).poll(cx));
    Poll::Ready(response.map_err(|error| trouble(&error)))
}

/// Sends a request's body as fast as the server takes it; gives up when it takes nothing.
async fn upload(mut stream: SendStream<Bytes>, mut body: Bytes, stall: Duration) {
    while !body.is_empty() {
        stream.reserve_capacity(body.len());
        let room = timeout(stall, poll_fn(|cx| stream.poll_capacity(cx))).await;
        let Ok(Some(Ok(room))) = room else {
            stream.send_reset(Reason::CANCEL);
            return;
        };
        let piece = body.split_to(room.min(body.len()));
        if stream.send_data(piece, body.is_empty()).is_err() {
            return;
        }
    }
}

/// What an error means for the request that got it.
fn trouble(error: &h2::Error) -> Trouble {
    match error.reason() {
        Some(Reason::REFUSED_STREAM) if error.is_remote() => Trouble::Refused,
        Some(Reason::HTTP_1_1_REQUIRED) if error.is_remote() => Trouble::WantsHttp1,
        Some(Reason::ENHANCE_YOUR_CALM) if error.is_library() => Trouble::Limit(error.to_string()),
        Some(Reason::NO_ERROR) if error.is_remote() && error.is_go_away() => Trouble::Leaving,
        _ if error.is_library() => Trouble::Malformed(error.to_string()),
        _ => Trouble::Closed { answered: false },
    }
}
