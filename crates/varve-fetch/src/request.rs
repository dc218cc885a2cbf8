//! What to ask of a server.

use bytes::Bytes;
use url::Url;

/// One request. Fields are sent in this order and spelling, after `Host` if they bring none.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method, such as `GET`.
    pub method: String,
    /// The URL, without its fragment on the wire.
    pub url: Url,
    /// The header fields. Hop-by-hop fields are the caller's to leave out; over HTTP/2 the ones
    /// that it forbids are dropped.
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// The body; `Content-Length` is among the fields if it is to be sent.
    pub body: Bytes,
}

impl Request {
    /// A GET without any fields.
    pub fn get(url: Url) -> Request {
        Request {
            method: "GET".into(),
            url,
            fields: Vec::new(),
            body: Bytes::new(),
        }
    }

    /// The first value of a field.
    pub fn field(&self, name: &str) -> Option<&[u8]> {
        self.fields
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| value.as_slice())
    }
}
