//! HTTP/2 heads as HTTP/1.1 text.
//!
//! The status line is `HTTP/1.1 200 OK`, not `HTTP/2 200`: the tools that read archives (warcio,
//! pywb and others) expect a version with a dot and a reason, and the protocol that was spoken
//! stands in [`Exchange::protocol`](crate::Exchange::protocol). Field names stay in lower case,
//! as they were received. Fields are in the order received, except that those of the same name
//! stand together: this is how the `http` crate keeps them.

use crate::http1::push_field;
use crate::request::Request;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use http::{Method, StatusCode, Uri};
use url::Position;
use varve_model::HttpHead;

/// Fields that say how an HTTP/1.1 connection is used. HTTP/2 forbids them.
const CONNECTION_FIELDS: [&str; 7] = [
    "connection",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "upgrade",
];

/// A request's head.
pub(super) struct Outgoing {
    /// For the `h2` crate.
    pub(super) head: http::Request<()>,
    /// For the archive.
    pub(super) rendered: Vec<u8>,
}

/// Makes a request's head. The error says what cannot be sent.
pub(super) fn outgoing(request: &Request, origin: &str) -> Result<Outgoing, String> {
    let target = &request.url[Position::BeforePath..Position::AfterQuery];
    let authority = request.field("host").unwrap_or(origin.as_bytes());
    let uri = Uri::builder()
        .scheme("https")
        .authority(authority)
        .path_and_query(target)
        .build()
        .map_err(|error| error.to_string())?;
    let method = Method::from_bytes(request.method.as_bytes());
    let mut head = http::Request::new(());
    *head.method_mut() = method.map_err(|error| error.to_string())?;
    *head.uri_mut() = uri;
    let mut rendered = format!("{} {target} HTTP/1.1\r\n", request.method).into_bytes();
    push_field(&mut rendered, b"host", authority);
    for (name, value) in &request.fields {
        let name = HeaderName::from_bytes(name).map_err(|error| error.to_string())?;
        if is_forbidden(&name, value) {
            continue;
        }
        push_field(&mut rendered, name.as_str().as_bytes(), value);
        let value = HeaderValue::from_bytes(value).map_err(|error| error.to_string())?;
        head.headers_mut().append(name, value);
    }
    rendered.extend_from_slice(b"\r\n");
    Ok(Outgoing { head, rendered })
}

/// The head of a response.
pub(super) fn response(status: StatusCode, fields: &HeaderMap) -> HttpHead {
    let reason = status.canonical_reason().unwrap_or_default();
    let fields: Vec<_> = fields.iter().map(|(n, v)| (n.as_str(), v)).collect();
    HttpHead::from_parts(format!("HTTP/1.1 {} {reason}", status.as_str()), &fields)
}

fn is_forbidden(name: &HeaderName, value: &[u8]) -> bool {
    CONNECTION_FIELDS.contains(&name.as_str())
        || (name == "te" && !value.eq_ignore_ascii_case(b"trailers"))
}
