//! Files as a request wants them: changed since, a part of, compressed.

use crate::date;
use crate::files::File;
use crate::reply::{Body, Reply};
use crate::request::Request;

/// When every file was last changed: 2026-10-12 06:00 UTC.
const CHANGED: u64 = 1_791_784_800;

/// How much of a file a request without an end to its range gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Portion {
    /// All the rest.
    Rest,
    /// At most so many bytes, as servers of large films do.
    AtMost(usize),
}

/// Answers a GET or HEAD for a file.
pub(crate) fn serve(file: &File, request: &Request, portion: Portion) -> Reply {
    if !["GET", "HEAD"].contains(&request.method.as_str()) {
        return Reply::with(405, "text/plain", "GET it, please.\n").field("Allow", "GET, HEAD");
    }
    if is_unchanged(file, request) {
        return validators(Reply::new(304), file);
    }
    let length = file.bytes.len();
    let range = request
        .field("range")
        .filter(|_| range_applies(file, request));
    match range.and_then(|range| parse_range(range, length, portion)) {
        Some(Range::Satisfiable { first, last }) => {
            let part = file.bytes.slice(first..=last);
            let reply = Reply::with(206, file.kind, part)
                .field("Content-Range", format!("bytes {first}-{last}/{length}"));
            validators(reply, file)
        }
        Some(Range::Unsatisfiable) => Reply::with(416, "text/plain", "There is no such part.\n")
            .field("Content-Range", format!("bytes */{length}")),
        None => whole(file, request),
    }
}

fn whole(file: &File, request: &Request) -> Reply {
    let mut reply = validators(Reply::with(200, file.kind, file.bytes.clone()), file);
    if !file.is_text() {
        return reply.field("Accept-Ranges", "bytes");
    }
    reply = reply.field("Vary", "Accept-Encoding");
    let (coding, bytes) = if request.lists("accept-encoding", "br") {
        ("br", file.brotli())
    } else if request.lists("accept-encoding", "gzip") {
        ("gzip", file.gzip())
    } else {
        return reply;
    };
    reply.body = Body::Whole(bytes);
    reply.field("Content-Encoding", coding)
}

fn validators(reply: Reply, file: &File) -> Reply {
    let lasting = if file.kind.starts_with("text/html") {
        "no-cache"
    } else {
        "max-age=3600"
    };
    reply
        .field("ETag", file.etag.clone())
        .field("Last-Modified", date::format(CHANGED))
        .field("Cache-Control", lasting)
}

fn is_unchanged(file: &File, request: &Request) -> bool {
    match request.field("if-none-match") {
        Some(tags) => tags.split(',').any(|tag| {
            let tag = tag.trim();
            tag == "*" || tag.trim_start_matches("W/") == file.etag
        }),
        None => request.field("if-modified-since") == Some(&date::format(CHANGED)),
    }
}

fn range_applies(file: &File, request: &Request) -> bool {
    match request.field("if-range") {
        Some(validator) => validator == file.etag || validator == date::format(CHANGED),
        None => true,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Range {
    /// From the first to the last byte, both included.
    Satisfiable {
        first: usize,
        last: usize,
    },
    Unsatisfiable,
}

/// A single range. Several at once, other units and nonsense are ignored, which the standard allows.
fn parse_range(range: &str, length: usize, portion: Portion) -> Option<Range> {
    let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| text.parse::<usize>().ok();
    let (first, last) = match (first, last) {
        ("", suffix) => {
            let suffix = number(suffix)?.min(length);
            (length - suffix, length.checked_sub(1))
        }
        (first, "") => {
            let first = number(first)?;
            let last = match portion {
                Portion::Rest => length,
                Portion::AtMost(most) => length.min(first.saturating_add(most)),
            };
            (first, last.checked_sub(1))
        }
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return None;
            }
            (first, length.checked_sub(1).map(|end| end.min(last)))
        }
    };
    Some(match last {
        Some(last) if first <= last && first < length => Range::Satisfiable { first, last },
        _ => Range::Unsatisfiable,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_in_the_standard() {
        let satisfiable = |first, last| Some(Range::Satisfiable { first, last });
        let none = Some(Range::Unsatisfiable);
        for (range, portion, expected) in [
            ("bytes=0-", Portion::Rest, satisfiable(0, 99)),
            ("bytes=0-", Portion::AtMost(10), satisfiable(0, 9)),
            ("bytes=95-", Portion::AtMost(10), satisfiable(95, 99)),
            ("bytes=10-19", Portion::AtMost(1), satisfiable(10, 19)),
            ("bytes=90-1000", Portion::Rest, satisfiable(90, 99)),
            ("bytes=-5", Portion::Rest, satisfiable(95, 99)),
            ("bytes=-500", Portion::Rest, satisfiable(0, 99)),
            ("bytes=100-", Portion::Rest, none),
            ("bytes=100-200", Portion::Rest, none),
            ("bytes=-0", Portion::Rest, none),
            ("bytes=5-4", Portion::Rest, None),
            ("bytes=1-2,4-5", Portion::Rest, None),
            ("bytes=x-", Portion::Rest, None),
            ("lines=0-", Portion::Rest, None),
            ("bytes=99999999999999999999-", Portion::Rest, None),
        ] {
            assert_eq!(parse_range(range, 100, portion), expected, "{range}");
        }
        assert_eq!(parse_range("bytes=0-", 0, Portion::Rest), none);
    }
}
