//! A file that is sent, whole or in the part that is asked for.

use crate::respond::{Asking, Reply, Stored};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;
use std::io;
use std::sync::Arc;
use varve_store::fs::{ReadAt, read_full_at};

/// Bytes that are read and sent at once.
const PIECE: u64 = 256 << 10;

/// Something to send.
pub(super) struct Download {
    pub(super) file: Arc<dyn ReadAt>,
    pub(super) length: u64,
    pub(super) content_type: &'static str,
    /// What it is called where it is put.
    pub(super) name: String,
    /// What tells its bytes from all others.
    pub(super) tag: String,
}

impl Download {
    /// The answer to a request with these headers.
    pub(super) fn reply(self, asked: &HeaderMap) -> Reply {
        let text = |name: HeaderName| asked.get(name)?.to_str().ok();
        let tag = format!("\"{}\"", self.tag);
        let mut reply = Reply::new(StatusCode::OK, Bytes::new())
            .with(header::ETAG, &tag)
            .with(header::CACHE_CONTROL, "no-cache");
        if text(header::IF_NONE_MATCH).is_some_and(|known| names(known, &tag)) {
            reply.status = StatusCode::NOT_MODIFIED;
            return reply;
        }
        reply.say(header::ACCEPT_RANGES, "bytes");
        // A part of another version is no use to those who have a part of that one.
        let same = text(header::IF_RANGE).is_none_or(|known| known.trim() == tag);
        let range = text(header::RANGE).filter(|_| same).and_then(Asking::parse);
        let whole = Stored::whole(self.length);
        let (skip, length) = match range.map(|range| whole.part(range)) {
            None => (0, self.length),
            Some(Some(part)) => {
                reply.status = StatusCode::PARTIAL_CONTENT;
                reply.say(header::CONTENT_RANGE, &whole.content_range(part));
                (part.skip, part.length)
            }
            Some(None) => {
                reply.status = StatusCode::RANGE_NOT_SATISFIABLE;
                reply.say(header::CONTENT_RANGE, &format!("bytes */{}", self.length));
                return reply;
            }
        };
        reply.say(header::CONTENT_TYPE, self.content_type);
        reply.say(header::CONTENT_LENGTH, &length.to_string());
        let disposition = format!(
            "attachment; filename=\"{}\"",
            super::names::plain(&self.name)
        );
        reply.say(header::CONTENT_DISPOSITION, &disposition);
        reply.in_pieces(Box::new(Pieces {
            file: self.file,
            at: skip,
            end: skip + length,
        }))
    }
}

/// Whether a list of tags has this one, or all.
fn names(list: &str, tag: &str) -> bool {
    list.split(',')
        .map(|known| known.trim().trim_start_matches("W/"))
        .any(|known| known == tag || known == "*")
}

/// A part of a file, piece by piece.
struct Pieces {
    file: Arc<dyn ReadAt>,
    at: u64,
    end: u64,
}

impl Iterator for Pieces {
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<io::Result<Bytes>> {
        let wanted = PIECE.min(self.end - self.at) as usize;
        if wanted == 0 {
            return None;
        }
        let mut piece = vec![0; wanted];
        let read = read_full_at(self.file.as_ref(), &mut piece, self.at);
        let ended = || io::Error::from(io::ErrorKind::UnexpectedEof);
        Some(match read {
            Ok(read) if read == wanted => {
                self.at += wanted as u64;
                Ok(piece.into())
            }
            Ok(_) => Err(ended()),
            Err(error) => Err(error),
        })
    }
}

/// The type of an archive file of this name.
pub(super) fn type_of(name: &str) -> &'static str {
    let ends = |end: &&str| name.ends_with(*end);
    match [".warc", ".warc.gz", ".warc.zst"].iter().any(ends) {
        true => "application/warc",
        false => "application/octet-stream",
    }
}
