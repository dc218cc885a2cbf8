//! HTTP/1.1 by hand, so that every byte is known: requests one after the other on a connection.

mod head;
mod read;
mod write;

use crate::log::{Entry, Logged, Protocol, Scheme};
use crate::reply::{Answer, Reply, reason};
use crate::routes;
use crate::web::Shared;
use crate::websocket;
use head::{Fault, Head};
use read::Reader;
use std::io;
use std::sync::Arc;
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use write::{Persistence, Version};

/// Answers requests until one side wants no more.
pub(crate) async fn serve<S>(stream: S, scheme: Scheme, shared: &Arc<Shared>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut reader = Reader::new(stream);
    loop {
        let head = match reader.head().await? {
            Ok(Some(head)) => head,
            Ok(None) => return Ok(()),
            Err(fault) => return refuse(&mut reader, fault).await,
        };
        if one_exchange(&mut reader, head, scheme, shared).await? == Persistence::Close {
            return reader.stream().shutdown().await;
        }
    }
}

async fn one_exchange<S>(
    reader: &mut Reader<S>,
    head: Head,
    scheme: Scheme,
    shared: &Arc<Shared>,
) -> io::Result<Persistence>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let began = Instant::now();
    let mut continued = None;
    if head.expects_continue() {
        let interim = b"HTTP/1.1 100 Continue\r\n\r\n";
        reader.stream().write_all(interim).await?;
        continued = Some(interim.to_vec());
    }
    let body = match reader.body(&head).await? {
        Ok(body) => body,
        Err(fault) => {
            refuse(reader, fault).await?;
            return Ok(Persistence::Close);
        }
    };
    let (version, mut persistence) = (head.version(), head.persistence());
    let request = head.request(scheme, body.content);
    let answer = routes::answer(&request, shared);
    let protocol = match answer {
        Answer::WebSocket => Protocol::WebSocket,
        Answer::Reply(_) => Protocol::Http1,
    };
    let entry = shared.log.open(Logged {
        began,
        scheme,
        host: request.host.clone(),
        protocol,
        method: request.method.clone(),
        target: request.target.clone(),
        request_head: head.bytes,
        request_body: body.wire,
        informational: continued.into_iter().collect(),
        response_head: Vec::new(),
        response_body: Vec::new(),
        response_trailers: Vec::new(),
        complete: false,
        messages: Vec::new(),
    });
    match answer {
        Answer::Reply(reply) => {
            if version == Version::Http10 {
                persistence = Persistence::Close;
            }
            write::send(reader, &request.method, version, reply, persistence, &entry).await
        }
        Answer::WebSocket => {
            switch(reader, &request, &entry).await?;
            Ok(Persistence::Close)
        }
    }
}

async fn switch<S>(
    reader: &mut Reader<S>,
    request: &crate::request::Request,
    entry: &Entry,
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let Some(reply) = websocket::handshake(request) else {
        let reply = Reply::with(400, "text/plain", "A WebSocket handshake, please.\n");
        let (version, close) = (Version::Http11, Persistence::Close);
        return write::send(reader, &request.method, version, reply, close, entry)
            .await
            .map(|_| ());
    };
    let head = write::head(&reply, Version::Http11, Persistence::KeepAlive, "");
    entry.head(&head);
    reader.stream().write_all(&head).await?;
    let (stream, already_read) = reader.parts();
    websocket::converse(stream, already_read, entry).await
}

/// Answers what is not a request. It has no place in the log: nothing was asked for.
async fn refuse<S>(reader: &mut Reader<S>, fault: Fault) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let status = fault.status();
    let text = format!("{} {}\n", status, reason(status));
    let reply = format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        reason(status),
        text.len()
    );
    reader.stream().write_all(reply.as_bytes()).await?;
    reader.stream().shutdown().await?;
    reader.drain().await;
    Ok(())
}
