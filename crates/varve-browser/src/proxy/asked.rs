//! What the browser asks of the proxy: a tunnel, or a resource.

use super::fields::{Purpose, has_token, onward};
use super::wire::{BrowserStream, ReadError, Wire};
use url::Url;
use varve_fetch::Request;
use varve_model::HttpHead;

/// What a request's body may take; it is held in memory.
const BODY_BYTES: usize = 16 << 20;
/// Lines after the chunks of a body.
const TRAILERS: usize = 100;

/// Where a connection leads, and so how its requests name their URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// To the proxy itself: URLs are whole.
    Proxy,
    /// Through a tunnel to a server: paths only.
    Tunnel {
        /// `http` or `https`.
        scheme: &'static str,
        /// Host and port as in CONNECT.
        authority: String,
    },
}

/// What the browser asks for.
#[derive(Debug)]
pub(super) enum Asked {
    /// A tunnel to this host and port.
    Tunnel(String),
    /// A resource.
    Resource(Wanted),
}

/// A resource that the browser wants.
#[derive(Debug)]
pub(super) struct Wanted {
    /// As the server gets it.
    pub(super) request: Request,
    /// What for.
    pub(super) purpose: Purpose,
    /// Whether the browser wants to use its connection again.
    pub(super) keep_alive: bool,
}

/// Reads the next request, its body included.
pub(super) async fn read<S: BrowserStream>(
    wire: &mut Wire<S>,
    place: &Place,
) -> Result<Asked, ReadError> {
    let head = wire.head().await?;
    let method = head.method().unwrap_or_default();
    if method.is_empty() || !method.iter().all(|byte| is_token(*byte)) {
        return Err(ReadError::Malformed("this is no request"));
    }
    let target = head.target().unwrap_or_default();
    let target = str::from_utf8(target).map_err(|_| ReadError::Malformed("the URL is no text"))?;
    if method == b"CONNECT" {
        return tunnel(target, place).map(Asked::Tunnel);
    }
    let url = resource(target, place)?;
    let method = String::from_utf8_lossy(method).into_owned();
    let Some(body) = body(wire, &head).await? else {
        let url = Box::new(url);
        return Err(ReadError::TooMuch { url, method });
    };
    let purpose = Purpose::of(&head);
    Ok(Asked::Resource(Wanted {
        request: Request {
            method,
            url,
            fields: onward(&head, purpose, &body),
            body: body.into(),
        },
        purpose,
        keep_alive: keeps_alive(&head),
    }))
}

/// The host and port of a CONNECT.
fn tunnel(target: &str, place: &Place) -> Result<String, ReadError> {
    if *place != Place::Proxy {
        return Err(ReadError::Malformed("a tunnel within a tunnel"));
    }
    let numbered = target
        .rsplit_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
    match numbered && Url::parse(&format!("https://{target}/")).is_ok() {
        true => Ok(target.to_owned()),
        false => Err(ReadError::Malformed("CONNECT needs a host and a port")),
    }
}

/// The URL of a request.
fn resource(target: &str, place: &Place) -> Result<Url, ReadError> {
    let whole = match place {
        Place::Tunnel { scheme, authority } if target.starts_with('/') => {
            format!("{scheme}://{authority}{target}")
        }
        Place::Tunnel { scheme, authority } if target == "*" => format!("{scheme}://{authority}"),
        _ => target.to_owned(),
    };
    let mut url = Url::parse(&whole).map_err(|_| ReadError::Malformed("this is no URL"))?;
    url.set_fragment(None);
    match url.scheme() {
        "http" | "https" => Ok(url),
        _ => Err(ReadError::Malformed("only http and https are spoken here")),
    }
}

/// The body of a request; `None` if it is too long.
async fn body<S: BrowserStream>(
    wire: &mut Wire<S>,
    head: &HttpHead,
) -> Result<Option<Vec<u8>>, ReadError> {
    let chunked = head.get("transfer-encoding").is_some();
    let length = match head.get("content-length") {
        Some(text) if !chunked => length(&text)?,
        _ => 0,
    };
    if length > BODY_BYTES {
        return Ok(None);
    }
    if (chunked || length > 0) && has_token(head, "expect", "100-continue") {
        wire.send(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
    }
    if chunked {
        return chunks(wire).await;
    }
    let mut body = Vec::new();
    wire.take(length, &mut body).await?;
    Ok(Some(body))
}

fn length(text: &[u8]) -> Result<usize, ReadError> {
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let text = str::from_utf8(text).unwrap_or_default();
    match digits {
        // What does not fit a number is too long anyhow.
        true => Ok(text.parse().unwrap_or(usize::MAX)),
        false => Err(ReadError::Malformed("Content-Length is no number")),
    }
}

/// Reads chunks (RFC 9112, section 7.1) up to and including the trailers, which are dropped.
async fn chunks<S: BrowserStream>(wire: &mut Wire<S>) -> Result<Option<Vec<u8>>, ReadError> {
    let mut body = Vec::new();
    loop {
        let size = chunk_size(&wire.line().await?)?;
        if size > BODY_BYTES - body.len() {
            return Ok(None);
        }
        if size == 0 {
            break;
        }
        wire.take(size, &mut body).await?;
        if !wire.line().await?.is_empty() {
            return Err(ReadError::Malformed("a chunk longer than its size"));
        }
    }
    for _ in 0..TRAILERS {
        if wire.line().await?.is_empty() {
            return Ok(Some(body));
        }
    }
    Err(ReadError::TooLong("the request's trailer"))
}

fn chunk_size(line: &[u8]) -> Result<usize, ReadError> {
    let size = line.split(|byte| *byte == b';').next().unwrap_or_default();
    let size = size.trim_ascii();
    let digits = !size.is_empty() && size.iter().all(u8::is_ascii_hexdigit);
    let text = str::from_utf8(size).unwrap_or_default();
    match digits {
        // What does not fit a number is too long anyhow.
        true => Ok(usize::from_str_radix(text, 16).unwrap_or(usize::MAX)),
        false => Err(ReadError::Malformed("a chunk without a size")),
    }
}

fn keeps_alive(head: &HttpHead) -> bool {
    let says =
        |word| has_token(head, "connection", word) || has_token(head, "proxy-connection", word);
    match head.start_line().ends_with(b"HTTP/1.0") {
        true => says("keep-alive"),
        false => !says("close"),
    }
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests;
