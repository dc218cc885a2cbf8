//! What may be kept and shared; see the top of `reuse.rs`.

use super::Fields;
use crate::exchange::Exchange;
use crate::request::Request;
use varve_model::HttpHead;

/// The values of a request's fields that a response depends on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Variant {
    fields: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
}

impl Variant {
    /// Whether a request has the same values.
    pub(super) fn answers(&self, request: &Request) -> bool {
        let same =
            |(name, known): &(Vec<u8>, Vec<Vec<u8>>)| values(&request.fields, name).eq(known);
        self.fields.iter().all(same)
    }

    /// How much memory it takes, about.
    pub(super) fn size(&self) -> usize {
        let field = |(name, values): &(Vec<u8>, Vec<Vec<u8>>)| {
            name.len() + values.iter().map(Vec::len).sum::<usize>()
        };
        self.fields.iter().map(field).sum()
    }
}

/// Whether the answer to a request may be one that was given before.
pub(crate) fn may_share(request: &Request) -> bool {
    let apart = ["range", "authorization", "upgrade"];
    request.method == "GET"
        && request.body.is_empty()
        && !apart.iter().any(|name| request.field(name).is_some())
        && !request.field("accept").is_some_and(is_event_stream)
}

/// Whether a response with this head may be kept, if it is completed. Who fetches for others
/// should tell them early when it may not.
pub fn may_keep(head: &HttpHead) -> bool {
    let status = matches!(head.status(), Some(200 | 203 | 301 | 308 | 404 | 410));
    let has = |name, wanted: &[u8]| {
        let mut values = head.get_all(name);
        values.any(|value| list(&value).any(|item| item.eq_ignore_ascii_case(wanted)))
    };
    status
        && head.get("set-cookie").is_none()
        && !has("cache-control", b"no-store")
        && !has("vary", b"*")
        && !head
            .get("content-type")
            .is_some_and(|kind| is_event_stream(&kind))
}

/// Which requests an exchange answers; `None` if it is not to be kept.
pub(super) fn variant(fields: &Fields, exchange: &Exchange) -> Option<Variant> {
    let (head, _) = HttpHead::parse(&exchange.response_head)?;
    if exchange.truncated.is_some() || !may_keep(&head) {
        return None;
    }
    let mut matter = Vec::new();
    for value in head.get_all("vary") {
        for name in list(&value) {
            let values = values(fields, name).cloned().collect();
            matter.push((name.to_vec(), values));
        }
    }
    Some(Variant { fields: matter })
}

fn values<'a>(fields: &'a Fields, name: &'a [u8]) -> impl Iterator<Item = &'a Vec<u8>> {
    fields
        .iter()
        .filter(move |(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

/// Whether a `Content-Type` or `Accept` is that of a stream of events.
pub(crate) fn is_event_stream(value: &[u8]) -> bool {
    let kind = value.split(|byte| matches!(byte, b';' | b',')).next();
    kind.is_some_and(|kind| kind.trim_ascii().eq_ignore_ascii_case(b"text/event-stream"))
}

fn list(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let items = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    items.filter(|item| !item.is_empty())
}
