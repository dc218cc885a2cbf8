//! What the head of a request means.

use super::write::{Persistence, Version};
use crate::hosts;
use crate::log::Scheme;
use crate::request::Request;
use bytes::Bytes;

/// Fields of a request at most.
const FIELDS_LIMIT: usize = 200;

/// Why what came is not a request that is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Malformed,
    HeadTooLarge,
    BodyTooLarge,
    UnknownVersion,
}

impl Fault {
    pub(super) fn status(self) -> u16 {
        match self {
            Fault::Malformed => 400,
            Fault::HeadTooLarge => 431,
            Fault::BodyTooLarge => 413,
            Fault::UnknownVersion => 505,
        }
    }
}

/// A request's head.
#[derive(Debug)]
pub(super) struct Head {
    /// As received, with the empty line.
    pub(super) bytes: Vec<u8>,
    method: String,
    target: String,
    version: Version,
    fields: Vec<(String, String)>,
}

/// How a body's end is told.
pub(super) enum Length {
    Known(usize),
    Chunked,
}

impl Head {
    pub(super) fn version(&self) -> Version {
        self.version
    }

    pub(super) fn persistence(&self) -> Persistence {
        if self.lists("connection", "close") {
            Persistence::Close
        } else {
            Persistence::KeepAlive
        }
    }

    pub(super) fn expects_continue(&self) -> bool {
        self.lists("expect", "100-continue")
    }

    /// The request, with an absolute target brought to its path.
    pub(super) fn request(&self, scheme: Scheme, body: Bytes) -> Request {
        let mut target = self.target.as_str();
        let mut authority = self.field("host").unwrap_or_default();
        if let Some(rest) = target.strip_prefix("http://") {
            let end = rest.find('/').unwrap_or(rest.len());
            authority = &rest[..end];
            target = if end == rest.len() { "/" } else { &rest[end..] };
        }
        Request {
            scheme,
            host: hosts::normalise(authority),
            method: self.method.clone(),
            target: target.to_owned(),
            fields: self.fields.clone(),
            body,
        }
    }

    fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        let (_, value) = fields.find(|(field, _)| field.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    fn lists(&self, name: &str, word: &str) -> bool {
        self.field(name).is_some_and(|list| {
            list.split(',')
                .any(|item| item.trim().eq_ignore_ascii_case(word))
        })
    }

    pub(super) fn length(&self) -> Result<Length, Fault> {
        if let Some(coding) = self.field("transfer-encoding") {
            let chunked = coding.eq_ignore_ascii_case("chunked");
            return if chunked {
                Ok(Length::Chunked)
            } else {
                Err(Fault::Malformed)
            };
        }
        let Some(length) = self.field("content-length") else {
            return Ok(Length::Known(0));
        };
        length
            .parse()
            .map(Length::Known)
            .map_err(|_| Fault::Malformed)
    }
}

/// Reads a head.
pub(super) fn parse(bytes: Vec<u8>) -> Result<Head, Fault> {
    // Latin-1: a byte is a character, so nothing is lost.
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    let mut lines = text.trim_end_matches("\r\n").split("\r\n");
    let words: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let [method, target, version] = words[..] else {
        return Err(Fault::Malformed);
    };
    let version = match version {
        "HTTP/1.1" => Version::Http11,
        "HTTP/1.0" => Version::Http10,
        _ => return Err(Fault::UnknownVersion),
    };
    if method.is_empty() || !target.starts_with(['/', 'h', '*']) {
        return Err(Fault::Malformed);
    }
    let fields: Option<Vec<_>> = lines.take(FIELDS_LIMIT + 1).map(field).collect();
    let fields = fields.ok_or(Fault::Malformed)?;
    if fields.len() > FIELDS_LIMIT {
        return Err(Fault::HeadTooLarge);
    }
    Ok(Head {
        method: method.to_owned(),
        target: target.to_owned(),
        version,
        fields,
        bytes,
    })
}

fn field(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    let token = !name.is_empty() && !name.contains([' ', '\t']);
    token.then(|| (name.to_owned(), value.trim().to_owned()))
}
