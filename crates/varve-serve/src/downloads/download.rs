//! A file that is sent, whole or in the part that is asked for.

use crate::respond::{Asking, Reply, Stored};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;
use std::io;
use std::sync::Arc;
use varve_model::Timestamp;
use varve_store::fs::{ReadAt, read_full_at};

/// Bytes that are read and sent at once.
const PIECE: u64 = 256 << 10;

/// Something to send.
pub(crate) struct Download {
    pub(crate) file: Arc<dyn ReadAt>,
    pub(crate) length: u64,
    pub(crate) content_type: &'static str,
    /// What it is called where it is put, if it is to be put somewhere.
    pub(crate) name: Option<String>,
    /// What tells its bytes from all others.
    pub(crate) tag: String,
    /// When it became what it is, where that tells it from all others, too.
    pub(crate) modified: Option<Timestamp>,
}

impl Download {
    /// The answer to a request with these headers.
    pub(crate) fn reply(self, asked: &HeaderMap) -> Reply {
        let text = |name: HeaderName| asked.get(name)?.to_str().ok();
        let tag = format!("\"{}\"", self.tag);
        let mut reply = Reply::new(StatusCode::OK, Bytes::new())
            .with(header::ETAG, &tag)
            .with(header::CACHE_CONTROL, "no-cache");
        let modified = self.modified.map(Timestamp::http_date);
        if let Some(modified) = &modified {
            reply.say(header::LAST_MODIFIED, modified);
        }
        let is_known = match text(header::IF_NONE_MATCH) {
            Some(known) => names(known, &tag),
            // Clocks are set back, too: only the very date counts.
            None => modified.is_some() && text(header::IF_MODIFIED_SINCE) == modified.as_deref(),
        };
        if is_known {
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
        if let Some(name) = &self.name {
            let name = super::names::plain(name);
            let disposition = format!("attachment; filename=\"{name}\"");
            reply.say(header::CONTENT_DISPOSITION, &disposition);
        }
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
