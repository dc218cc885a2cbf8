//! The index as other tools ask for it: CDX servers in two dialects, chosen by the path.
//!
//! pywb's and the Internet Archive's name the same things differently, filter by other rules and
//! answer in other shapes. What both have is here; each dialect is a file of its own.

mod pywb;
mod wayback;

pub(super) use pywb::pywb;
pub(super) use wayback::wayback;

use super::parameters::{Bad, Parameters};
use crate::respond::Reply;
use axum::http::StatusCode;
use axum::http::header;
use bytes::Bytes;
use std::io;
use std::time::{Duration, Instant};
use varve_model::{Capture, Timestamp, UrlMatch};
use varve_store::StoreError;
use varve_store::index::{Hit, Hits, Query, Sort};

/// Captures that are told if nobody says how many.
const LIMIT: usize = 100_000;
/// Lines of an index that are looked at for one answer.
const MAX_LINES: u64 = 50_000_000;
/// How long an answer may take.
const MAX_TIME: Duration = Duration::from_secs(120);
/// Bytes of a piece of an answer.
const PIECE: usize = 32 << 10;
/// Before digests in our own index.
const SHA1: &str = "sha1:";
/// Captures of a block, in which pages are counted.
const BLOCK: usize = 3000;

/// What both dialects ask for in the same words.
fn common(asked: &Parameters) -> Result<Query, Bad> {
    let url = asked.url()?;
    let (url, matching) = match asked.get("matchType") {
        None => UrlMatch::infer(url),
        Some("exact") => (url.to_owned(), UrlMatch::Exact),
        Some("prefix") => (url.to_owned(), UrlMatch::Prefix),
        Some("host") => (url.to_owned(), UrlMatch::Host),
        Some("domain") => (url.to_owned(), UrlMatch::Domain),
        Some(other) => {
            let why = format!("{other:?} is not one of exact, prefix, host and domain");
            return Err(Bad::new("matchType", why));
        }
    };
    let from = asked.moment("from", Timestamp::earliest_of)?;
    Ok(Query {
        url,
        matching,
        from: from.or(asked.moment("from_ts", Timestamp::earliest_of)?),
        to: asked.moment("to", Timestamp::latest_of)?,
        sort: order(asked)?,
        scan_limit: Some(MAX_LINES),
        ..Query::default()
    })
}

fn order(asked: &Parameters) -> Result<Sort, Bad> {
    let closest = asked.moment("closest", Timestamp::earliest_of)?;
    let reverse = asked.flag("reverse");
    match (asked.get("sort"), closest) {
        (None | Some("closest"), Some(at)) => Ok(Sort::Closest(at)),
        (Some("closest"), None) => Err(Bad::new("closest", "sort=closest needs a moment")),
        (Some("reverse"), _) => Ok(Sort::Reverse),
        (None, None) if reverse => Ok(Sort::Reverse),
        (None | Some("default" | "ascending"), _) => Ok(Sort::Ascending),
        (Some(other), _) => {
            let why = format!("{other:?} is not one of reverse and closest");
            Err(Bad::new("sort", why))
        }
    }
}

/// What a store says about a part of a query.
fn refused(parameter: &'static str) -> impl FnOnce(StoreError) -> Bad {
    move |error| Bad::new(parameter, error.to_string())
}

/// Both dialects name digests without saying how they were made: by SHA-1.
fn bare(capture: &mut Capture) {
    if let Some(digest) = &mut capture.digest
        && digest.starts_with(SHA1)
    {
        digest.drain(..SHA1.len());
    }
}

/// What stands around the lines of an answer.
#[derive(Default)]
struct Frame {
    /// Before the first.
    begin: String,
    /// After the last.
    end: String,
    /// In place of all, if there are none.
    nothing: String,
}

/// Captures as the lines of an answer, piece by piece.
struct Lines<H, W> {
    hits: H,
    write: W,
    frame: Frame,
    began: Instant,
    any: bool,
    over: bool,
}

impl<H, W> Lines<H, W>
where
    H: Iterator<Item = Result<Hit, StoreError>>,
    W: FnMut(&mut String, &Capture),
{
    fn fill(&mut self, piece: &mut String) -> io::Result<()> {
        while piece.len() < PIECE && !self.over {
            match self.hits.next() {
                Some(Ok(mut hit)) => {
                    bare(&mut hit.capture);
                    if !std::mem::replace(&mut self.any, true) {
                        piece.push_str(&self.frame.begin);
                    }
                    (self.write)(piece, &hit.capture);
                }
                // Too much was asked: an answer that breaks off is not taken for a whole one.
                Some(Err(error @ StoreError::Query(_))) => return Err(io::Error::other(error)),
                // A line that cannot be read is a line less; `varve audit` says which.
                Some(Err(_)) => {}
                None => {
                    self.over = true;
                    piece.push_str(match self.any {
                        true => &self.frame.end,
                        false => &self.frame.nothing,
                    });
                }
            }
            if self.began.elapsed() > MAX_TIME {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        Ok(())
    }
}

impl<H, W> Iterator for Lines<H, W>
where
    H: Iterator<Item = Result<Hit, StoreError>>,
    W: FnMut(&mut String, &Capture),
{
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<io::Result<Bytes>> {
        let mut piece = String::new();
        if let Err(error) = self.fill(&mut piece) {
            self.over = true;
            return Some(Err(error));
        }
        (!piece.is_empty()).then(|| Ok(piece.into()))
    }
}

/// Whether the first lines of an answer are at hand: no capture has to be passed over for one.
fn is_at_hand(query: &Query) -> bool {
    let of_all_times = query.from.is_none() && query.to.is_none();
    query.filters.is_empty()
        && query.collapse.is_empty()
        && (query.offset == 0 && query.sort == Sort::Ascending)
        && (of_all_times || query.matching == UrlMatch::Exact)
}

/// An answer of lines. If they are `at_hand`, the first are written at once, which are all that most
/// answers have; the rest while they are sent.
fn lines(
    hits: impl Iterator<Item = Result<Hit, StoreError>> + Send + 'static,
    at_hand: bool,
    content_type: &str,
    frame: Frame,
    write: impl FnMut(&mut String, &Capture) + Send + 'static,
) -> Reply {
    let mut lines = Lines {
        hits,
        write,
        frame,
        began: Instant::now(),
        any: false,
        over: false,
    };
    let reply = |body| Reply::new(StatusCode::OK, body).with(header::CONTENT_TYPE, content_type);
    if !at_hand {
        return reply(Bytes::new()).in_pieces(Box::new(lines));
    }
    match lines.next() {
        Some(Ok(all)) if lines.over => reply(all),
        None => reply(Bytes::new()),
        first => reply(Bytes::new()).in_pieces(Box::new(first.into_iter().chain(lines))),
    }
}

/// A page of the answer, if one is asked for: its captures are those that the others do not have.
fn page(asked: &Parameters, query: &mut Query) -> Result<(), Bad> {
    let Some(page) = asked.number::<usize>("page")? else {
        return Ok(());
    };
    let captures = page_size(asked)?.saturating_mul(BLOCK);
    query.offset = query.offset.saturating_add(page.saturating_mul(captures));
    query.limit = Some(query.limit.unwrap_or(usize::MAX).min(captures));
    Ok(())
}

/// Blocks of a page.
fn page_size(asked: &Parameters) -> Result<usize, Bad> {
    match asked.number("pageSize")? {
        Some(0) => Err(Bad::new("pageSize", "a page has at least one block")),
        size => Ok(size.unwrap_or(1)),
    }
}

/// How many blocks all captures make.
fn blocks(hits: Hits) -> Result<usize, Bad> {
    let mut captures = 0_usize;
    for hit in hits {
        match hit {
            Ok(_) => captures += 1,
            Err(error @ StoreError::Query(_)) => return Err(refused("url")(error)),
            Err(_) => {}
        }
    }
    Ok(captures.div_ceil(BLOCK))
}
