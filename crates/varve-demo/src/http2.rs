//! HTTP/2 by the `h2` crate: the same routes, the same log.

use crate::hosts;
use crate::log::{Entry, Logged, Protocol, Scheme};
use crate::reply::{Answer, Body, End, Field, Pieces, Reply};
use crate::request::Request;
use crate::routes;
use crate::web::Shared;
use bytes::Bytes;
use h2::server::SendResponse;
use h2::{RecvStream, SendStream};
use http::{HeaderMap, HeaderName, HeaderValue, Response};
use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;

/// Limits of a connection and of a request.
const STREAMS: u32 = 256;
const HEAD_LIMIT: u32 = 64 << 10;
const BODY_LIMIT: usize = 8 << 20;
const SEND_BUFFER: usize = 1 << 20;
/// How long a client may leave us waiting for its body or for room to send.
const STALL: Duration = Duration::from_secs(60);
const LONGEST_STREAM: Duration = Duration::from_secs(3600);

/// Serves a connection to its end, its streams side by side.
pub(crate) async fn serve<S>(stream: S, shared: &Arc<Shared>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut connection = h2::server::Builder::new()
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEAD_LIMIT)
        .max_send_buffer_size(SEND_BUFFER)
        .initial_window_size(1 << 20)
        .initial_connection_window_size(4 << 20)
        .handshake::<_, Bytes>(stream)
        .await
        .map_err(io::Error::other)?;
    let mut streams = JoinSet::new();
    while let Some(accepted) = connection.accept().await {
        let (request, respond) = accepted.map_err(io::Error::other)?;
        while streams.try_join_next().is_some() {}
        let shared = shared.clone();
        streams.spawn(async move {
            // A stream that failed is the client's loss and stands in the log as incomplete.
            let _ = one_exchange(request, respond, &shared).await;
        });
    }
    Ok(())
}

async fn one_exchange(
    request: http::Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
    shared: &Arc<Shared>,
) -> Result<(), h2::Error> {
    let began = Instant::now();
    let (parts, incoming) = request.into_parts();
    let Some(body) = receive(incoming).await? else {
        respond.send_reset(h2::Reason::ENHANCE_YOUR_CALM);
        return Ok(());
    };
    let request = neutral(&parts, body);
    let reply = match routes::answer(&request, shared) {
        Answer::Reply(reply) => reply,
        Answer::WebSocket => Reply::with(400, "text/plain", "WebSockets speak HTTP/1.1 here.\n"),
    };
    let entry = shared.log.open(Logged {
        began,
        scheme: Scheme::Https,
        host: request.host.clone(),
        protocol: Protocol::Http2,
        method: request.method.clone(),
        target: request.target.clone(),
        request_head: lines(&request_line(&parts), &parts.headers),
        request_body: request.body.to_vec(),
        informational: Vec::new(),
        response_head: Vec::new(),
        response_body: Vec::new(),
        response_trailers: Vec::new(),
        complete: false,
        messages: Vec::new(),
    });
    send(&mut respond, &request.method, reply, &entry).await
}

/// The body, or nothing if it is too long or does not come.
async fn receive(mut body: RecvStream) -> Result<Option<Bytes>, h2::Error> {
    let mut received = Vec::new();
    loop {
        let Ok(next) = tokio::time::timeout(STALL, body.data()).await else {
            return Ok(None);
        };
        let Some(data) = next else {
            return Ok(Some(received.into()));
        };
        let data = data?;
        body.flow_control().release_capacity(data.len())?;
        received.extend_from_slice(&data);
        if received.len() > BODY_LIMIT {
            return Ok(None);
        }
    }
}

fn neutral(parts: &http::request::Parts, body: Bytes) -> Request {
    let authority = parts.uri.authority().map(|authority| authority.as_str());
    let host_field = parts
        .headers
        .get("host")
        .and_then(|host| host.to_str().ok());
    let target = parts
        .uri
        .path_and_query()
        .map_or("/", |target| target.as_str());
    Request {
        scheme: Scheme::Https,
        host: hosts::normalise(authority.or(host_field).unwrap_or_default()),
        method: parts.method.to_string(),
        target: target.to_owned(),
        fields: parts
            .headers
            .iter()
            .map(|(name, value)| (name.to_string(), latin1(value)))
            .collect(),
        body,
    }
}

fn latin1(value: &HeaderValue) -> String {
    value
        .as_bytes()
        .iter()
        .map(|&byte| char::from(byte))
        .collect()
}

fn request_line(parts: &http::request::Parts) -> String {
    let target = parts
        .uri
        .path_and_query()
        .map_or("/", |target| target.as_str());
    let host = parts
        .uri
        .authority()
        .map_or("", |authority| authority.as_str());
    format!("{} {target} HTTP/2\r\nhost: {host}\r\n", parts.method)
}

/// Fields as lines, under a first line, with an empty line at the end.
fn lines(first: &str, fields: &HeaderMap) -> Vec<u8> {
    let mut lines = first.as_bytes().to_vec();
    for (name, value) in fields {
        lines.extend_from_slice(name.as_str().as_bytes());
        lines.extend_from_slice(b": ");
        lines.extend_from_slice(value.as_bytes());
        lines.extend_from_slice(b"\r\n");
    }
    lines.extend_from_slice(b"\r\n");
    lines
}

async fn send(
    respond: &mut SendResponse<Bytes>,
    method: &str,
    reply: Reply,
    entry: &Entry,
) -> Result<(), h2::Error> {
    tokio::time::sleep(reply.after).await;
    if !reply.hints.is_empty() {
        let hints = response(103, &reply.hints);
        entry.informational(&lines("HTTP/2 103\r\n", hints.headers()));
        respond.send_informational(hints)?;
    }
    let mut head = response(reply.status, &reply.fields);
    if let Body::Whole(bytes) = &reply.body {
        head.headers_mut()
            .insert("content-length", bytes.len().into());
    }
    let status_line = format!("HTTP/2 {}\r\n", reply.status);
    entry.head(&lines(&status_line, head.headers()));
    let body = if method == "HEAD" {
        Body::None
    } else {
        reply.body
    };
    let bytes = match body {
        Body::None => Bytes::new(),
        Body::Whole(bytes) | Body::UntilClose(bytes) => bytes,
        Body::Pieces(pieces) => {
            let mut stream = respond.send_response(head, false)?;
            return send_pieces(&mut stream, pieces, entry).await;
        }
    };
    entry.body(&bytes);
    entry.complete(true);
    let sent = async {
        let mut stream = respond.send_response(head, bytes.is_empty())?;
        if bytes.is_empty() {
            Ok(())
        } else {
            send_data(&mut stream, bytes, Then::End).await
        }
    };
    let sent = sent.await;
    if sent.is_err() {
        entry.complete(false);
    }
    sent
}

/// A head. HTTP/2 has no fields about the connection.
fn response(status: u16, fields: &[Field]) -> Response<()> {
    let mut response = Response::new(());
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap_or_default();
    *response.headers_mut() = header_map(fields);
    response
}

fn header_map(fields: &[Field]) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in fields {
        let connection = ["connection", "keep-alive", "transfer-encoding"];
        let name = name.to_ascii_lowercase();
        if connection.contains(&name.as_str()) {
            continue;
        }
        let name = HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.trim().as_bytes())) {
            map.append(name, value);
        }
    }
    map
}

async fn send_pieces(
    stream: &mut SendStream<Bytes>,
    body: Pieces,
    entry: &Entry,
) -> Result<(), h2::Error> {
    for piece in body.pieces {
        tokio::time::sleep(piece.after).await;
        entry.body(&piece.bytes);
        send_data(stream, piece.bytes, Then::More).await?;
    }
    if body.end == End::StaysOpen {
        let reset = poll_fn(|context| stream.poll_reset(context));
        let _ = tokio::time::timeout(LONGEST_STREAM, reset).await;
        return Ok(());
    }
    let trailers = header_map(&body.trailers);
    entry.complete(true);
    if trailers.is_empty() {
        return stream.send_data(Bytes::new(), true);
    }
    entry.trailers(&lines("", &trailers));
    stream.send_trailers(trailers)
}

/// What follows some bytes of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    More,
    End,
}

/// Sends bytes as the client's window allows.
async fn send_data(
    stream: &mut SendStream<Bytes>,
    mut bytes: Bytes,
    then: Then,
) -> Result<(), h2::Error> {
    while !bytes.is_empty() {
        stream.reserve_capacity(bytes.len());
        let capacity =
            tokio::time::timeout(STALL, poll_fn(|context| stream.poll_capacity(context)));
        let Ok(Some(capacity)) = capacity.await else {
            stream.send_reset(h2::Reason::CANCEL);
            return Err(h2::Reason::CANCEL.into());
        };
        let part = bytes.split_to(capacity?.min(bytes.len()));
        stream.send_data(part, then == Then::End && bytes.is_empty())?;
    }
    Ok(())
}
