//! Bodies that are not rewritten: all of them, or the part that is asked for.

use super::Ask;
use super::content::{Content, Facts, Trouble};
use super::range::{Part, Stored};
use super::reply::{Reply, ReplyBody};
use super::stream::Long;
use crate::lookup::Found;
use axum::http::StatusCode;
use axum::http::header;
use bytes::Bytes;

/// What is asked for of a body, and of which one.
pub(super) struct Extent<'a> {
    pub(super) ask: &'a Ask,
    pub(super) found: &'a Found,
}

impl Extent<'_> {
    /// A body that is held: all of it, or the part that is asked for.
    pub(super) fn part(&self, reply: &mut Reply, facts: &Facts, body: &Bytes) {
        let length = body.len() as u64;
        let stored = self.stored(reply, facts, length);
        reply.body = ReplyBody::Whole(body.clone());
        if let Some((skip, length)) = self.cut(reply, stored) {
            let (skip, length) = (skip as usize, length as usize);
            reply.body = ReplyBody::Whole(body.slice(skip..skip + length));
        }
    }

    /// A body that is read while it is sent.
    pub(super) fn in_pieces(&self, reply: &mut Reply) -> Result<(), Trouble> {
        let content = Content::open(self.found)?;
        let length = match content.plain_length() {
            Some(length) => length,
            None => counted(Content::open(self.found)?)?,
        };
        let stored = self.stored(reply, &content.facts, length);
        let cut = self.cut(reply, stored);
        if reply.status == StatusCode::RANGE_NOT_SATISFIABLE {
            return Ok(());
        }
        let part = cut.map(|(skip, length)| Part { skip, length });
        let sent = part.map_or(length, |part| part.length);
        reply.say(header::CONTENT_LENGTH, &sent.to_string());
        reply.body = ReplyBody::Long(Box::new(Long { content, part }));
        Ok(())
    }

    /// Which bytes of its content a body is.
    fn stored(&self, reply: &Reply, facts: &Facts, length: u64) -> Stored {
        match reply.status {
            StatusCode::PARTIAL_CONTENT => {
                Stored::partial(&facts.head, length).unwrap_or(Stored::whole(length))
            }
            _ => Stored::whole(length),
        }
    }

    /// What to skip and how much to send, if not all; says so in the headers.
    fn cut(&self, reply: &mut Reply, stored: Stored) -> Option<(u64, u64)> {
        let success = matches!(reply.status, StatusCode::OK | StatusCode::PARTIAL_CONTENT);
        if !success || !self.ask.only_asks() {
            return None;
        }
        reply.say(header::ACCEPT_RANGES, "bytes");
        let asking = self.ask.range();
        let all = Part {
            skip: 0,
            length: stored.length,
        };
        let part = match asking {
            None if stored.is_whole() => {
                reply.status = StatusCode::OK;
                return None;
            }
            None => Some(all),
            Some(asking) => stored.part(asking),
        };
        match part {
            Some(part) => {
                reply.status = StatusCode::PARTIAL_CONTENT;
                reply.say(header::CONTENT_RANGE, &stored.content_range(part));
                Some((part.skip, part.length))
            }
            None => {
                reply.status = StatusCode::RANGE_NOT_SATISFIABLE;
                let total = stored.total.unwrap_or(stored.length);
                reply.say(header::CONTENT_RANGE, &format!("bytes */{total}"));
                Some((0, 0))
            }
        }
    }
}

/// How long a body is when it is read to its end.
fn counted(content: Content) -> Result<u64, Trouble> {
    std::io::copy(&mut content.reader(), &mut std::io::sink())
        .map_err(|error| Trouble::Damaged(error.to_string()))
}
