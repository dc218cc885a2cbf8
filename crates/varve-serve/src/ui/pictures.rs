//! Pictures that a crawl took of pages: `urn:thumbnail:URL` and `urn:view:URL`.
//!
//! They are the only bytes of an archive on the origin of our own pages. What is sent is an image
//! by its first bytes, and said to be that and nothing else.

use super::shell;
use crate::archive::Opened;
use crate::interfaces::Bad;
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::{StatusCode, header};
use std::io::Read;
use std::sync::Arc;
use varve_model::Timestamp;
use varve_store::http::DecodeLimits;
use varve_store::index::{Hit, Query, Sort};

/// A picture is of a capture if they are no further apart than a visit takes, in milliseconds.
const SAME_VISIT: u64 = 600_000;
/// Longer pictures are not shown.
const MAX_BYTES: u64 = 64 << 20;

/// Which picture of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picture {
    /// Its top, small.
    Thumbnail,
    /// All of it.
    Whole,
}

impl Picture {
    fn name(self, url: &str) -> String {
        match self {
            Picture::Thumbnail => format!("urn:thumbnail:{url}"),
            Picture::Whole => format!("urn:view:{url}"),
        }
    }

    /// Where it is.
    pub(super) fn path(self, time: Timestamp, url: &str) -> String {
        let time = time.digits14();
        match self {
            Picture::Thumbnail => format!("/thumbnail/{time}/{url}"),
            Picture::Whole => format!("/picture/{time}/{url}"),
        }
    }

    /// Whether there is one of a page in a collection.
    pub(super) fn is_in(self, opened: &Opened, time: Timestamp, url: &str) -> bool {
        self.look_in(opened, time, url).is_some()
    }

    /// Whether there is one of a page.
    pub(super) fn is_saved(self, serving: &Serving, time: Timestamp, url: &str) -> bool {
        self.look(serving, time, url).is_some()
    }

    /// Answers with the picture.
    pub(super) fn reply(self, serving: &Serving, rest: &str) -> Result<Reply, Bad> {
        let asked = shell::asked(rest)?;
        let found = self.look(serving, asked.when.moment(), asked.url.as_str());
        let picture = found.and_then(|(opened, hit)| read(&opened, &hit));
        let image = picture.and_then(|bytes| Some((image_type(&bytes)?, bytes)));
        Ok(match image {
            Some((kind, bytes)) => Reply::new(StatusCode::OK, bytes)
                .with(header::CONTENT_TYPE, kind)
                .with(header::CACHE_CONTROL, "private, max-age=3600"),
            None => Reply::new(StatusCode::NOT_FOUND, "There is no picture.\n")
                .with(header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        })
    }

    fn look(self, serving: &Serving, time: Timestamp, url: &str) -> Option<(Arc<Opened>, Hit)> {
        let all = serving.archive.now().into_iter();
        let found = all.filter_map(|opened| {
            let hit = self.look_in(&opened, time, url)?;
            Some((opened, hit))
        });
        found.min_by_key(|(_, hit)| far(hit, time))
    }

    fn look_in(self, opened: &Opened, time: Timestamp, url: &str) -> Option<Hit> {
        let query = Query {
            url: self.name(url),
            sort: Sort::Closest(time),
            limit: Some(1),
            ..Query::default()
        };
        let hits = Opened::hits(opened.index(), &query).ok()?;
        hits.into_iter().find(|hit| far(hit, time) <= SAME_VISIT)
    }
}

fn far(hit: &Hit, time: Timestamp) -> u64 {
    let at = hit.capture.timestamp.unix_millis();
    at.abs_diff(time.unix_millis())
}

fn read(opened: &Opened, hit: &Hit) -> Option<Vec<u8>> {
    let record = opened.collection().read(hit).ok()?;
    let is_short = record.head().content_length() <= MAX_BYTES;
    let limits = DecodeLimits {
        bytes: MAX_BYTES,
        ..DecodeLimits::default()
    };
    let mut bytes = Vec::new();
    is_short.then(|| record.decoded(limits).read_to_end(&mut bytes).ok())??;
    Some(bytes)
}

/// What the first bytes say.
fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some("image/webp"),
        _ => None,
    }
}
