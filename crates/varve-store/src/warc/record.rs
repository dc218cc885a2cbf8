//! A record to be written: its fields and its block, which may be larger than memory.

use super::density::is_dense;
use super::head::RecordType;
use crate::fs::ReadAt;
use bytes::Bytes;
use std::io;
use std::sync::Arc;
use varve_model::{Digest, DigestAlgorithm, Digester, Timestamp};

const PIECE: usize = 256 * 1024;

/// Bytes of a body, in memory or in a file.
#[derive(Clone, Debug)]
pub enum Body {
    /// In memory.
    Bytes(Bytes),
    /// A part of a file; the recorder spools large bodies.
    File {
        /// The file.
        file: Arc<dyn ReadAt>,
        /// Where the body starts.
        offset: u64,
        /// How long it is.
        length: u64,
    },
}

impl Body {
    /// The length in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::File { length, .. } => *length,
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the bytes look as if they were compressed already.
    pub(super) fn is_dense(&self) -> io::Result<bool> {
        is_dense(self.len(), |at, sample| match self {
            Body::Bytes(bytes) => {
                let rest = &bytes[at as usize..];
                let length = rest.len().min(sample.len());
                sample[..length].copy_from_slice(&rest[..length]);
                Ok(length)
            }
            Body::File { file, offset, .. } => file.read_at(sample, offset + at),
        })
    }

    /// Gives all bytes, in order and in pieces. A file that turns out shorter is an error.
    pub fn each_piece<E: From<io::Error>>(
        &self,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (file, offset, length) = match self {
            Body::Bytes(bytes) => return take(bytes),
            Body::File {
                file,
                offset,
                length,
            } => (file, *offset, *length),
        };
        let mut buffer = vec![0; length.min(PIECE as u64) as usize];
        let mut done = 0;
        while done < length {
            let wanted = (length - done).min(PIECE as u64) as usize;
            let read = file.read_at(&mut buffer[..wanted], offset + done)?;
            if read == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            take(&buffer[..read])?;
            done += read as u64;
        }
        Ok(())
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Body {
        Body::Bytes(bytes.into())
    }
}

/// A record to be written.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// What it is.
    pub record_type: RecordType,
    /// Its identifier, an URI.
    pub id: String,
    /// When it was captured.
    pub date: Timestamp,
    /// The URL that it is about.
    pub target_uri: Option<String>,
    /// The type of its block.
    pub content_type: Option<String>,
    /// Further fields, in order.
    pub fields: Vec<(&'static str, String)>,
    /// The head of the HTTP message in its block, as on the wire; empty for other blocks.
    pub head: Vec<u8>,
    /// The rest of its block.
    pub body: Body,
    /// Whether the body is a payload with a digest of its own.
    pub payload: Payload,
}

/// What the body is to the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Its payload: the digest is computed.
    Body,
    /// Its payload, with this digest.
    Digested(Digest),
    /// Stored elsewhere, with this digest (`revisit`).
    Elsewhere(Digest),
    /// The record has none.
    None,
}

/// The digests of a record to be written.
pub(crate) struct Digests {
    pub(crate) block: Digest,
    pub(crate) payload: Option<Digest>,
}

impl NewRecord {
    /// The length of the block.
    pub fn block_len(&self) -> u64 {
        self.head.len() as u64 + self.body.len()
    }

    pub(crate) fn digests(&self) -> io::Result<Digests> {
        let mut block = Digester::new(DigestAlgorithm::Sha1);
        block.update(&self.head);
        if self.payload != Payload::Body {
            self.body.each_piece(|piece| -> io::Result<()> {
                block.update(piece);
                Ok(())
            })?;
            let payload = match &self.payload {
                Payload::Elsewhere(digest) | Payload::Digested(digest) => Some(*digest),
                _ => None,
            };
            return Ok(Digests {
                block: block.finish(),
                payload,
            });
        }
        let mut payload = Digester::new(DigestAlgorithm::Sha1);
        self.body.each_piece(|piece| -> io::Result<()> {
            block.update(piece);
            payload.update(piece);
            Ok(())
        })?;
        Ok(Digests {
            block: block.finish(),
            payload: Some(payload.finish()),
        })
    }

    /// The header's bytes.
    pub(crate) fn header(&self, digests: &Digests) -> Vec<u8> {
        let mut header = Vec::with_capacity(512);
        header.extend_from_slice(b"WARC/1.1\r\n");
        push(&mut header, "WARC-Type", self.record_type.name());
        push(&mut header, "WARC-Record-ID", &format!("<{}>", self.id));
        push(&mut header, "WARC-Date", &self.date.w3c());
        if let Some(uri) = &self.target_uri {
            push(&mut header, "WARC-Target-URI", &uri.replace(' ', "%20"));
        }
        for (name, value) in &self.fields {
            push(&mut header, name, value);
        }
        if let Some(payload) = &digests.payload {
            push(&mut header, "WARC-Payload-Digest", &payload.to_string());
        }
        push(&mut header, "WARC-Block-Digest", &digests.block.to_string());
        if let Some(content_type) = &self.content_type {
            push(&mut header, "Content-Type", content_type);
        }
        push(&mut header, "Content-Length", &self.block_len().to_string());
        header.extend_from_slice(b"\r\n");
        header
    }
}

/// Adds a field; a value cannot break out of its line.
fn push(header: &mut Vec<u8>, name: &str, value: &str) {
    header.extend_from_slice(name.as_bytes());
    header.extend_from_slice(b": ");
    header.extend(
        value
            .bytes()
            .map(|byte| if byte.is_ascii_control() { b' ' } else { byte }),
    );
    header.extend_from_slice(b"\r\n");
}
