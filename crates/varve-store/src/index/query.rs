//! Questions to an index: the captures of a URL, a host or a range of keys, filtered, collapsed
//! and in the order asked for.
//!
//! A [`Query`] is what the CDX servers of the field understand, in plain fields; reading it from
//! the words of a request is left to others. Answers come one by one in bounded memory, whichever
//! order is wanted: a reverse answer walks backwards, one by nearness walks away from the moment.
//! The steps are those of pywb: range, time, filters, collapsing, order, then offset and limit.

mod answer;
mod closest;
mod collapse;
mod field;
mod filter;
mod nearness;
mod scan;

use crate::Result;
pub use answer::Hits;
pub use collapse::Collapse;
pub use field::Field;
pub use filter::Filter;
use scan::Plan;
use varve_model::{Capture, KeyRange, Surt, Timestamp, UrlMatch, key_range};

/// A capture and the tag of the Layer that holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The Layer's tag.
    pub layer: usize,
    /// What the index says.
    pub capture: Capture,
}

/// The order of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// By key, then by time.
    #[default]
    Ascending,
    /// The other way round.
    Reverse,
    /// From near to far: by distance from a moment.
    Closest(Timestamp),
}

/// A question to an index. `Query::default()` asks for the captures of no URL: set `url`, or
/// `keys` for a range of keys (`KeyRange { start: String::new(), end: None }` is everything).
#[derive(Clone, Debug)]
pub struct Query {
    /// The URL asked for.
    pub url: String,
    /// Which URLs besides it; [`UrlMatch::infer`] reads the `*` of `example.com/*`.
    pub matching: UrlMatch,
    /// A range of keys, asked for instead of `url`.
    pub keys: Option<KeyRange>,
    /// No captures before this: [`Timestamp::earliest_of`] reads partial digits.
    pub from: Option<Timestamp>,
    /// No captures after this: [`Timestamp::latest_of`] reads partial digits.
    pub to: Option<Timestamp>,
    /// The order.
    pub sort: Sort,
    /// How many captures at most.
    pub limit: Option<usize>,
    /// How many captures are left out before the first.
    pub offset: usize,
    /// What every capture must pass.
    pub filters: Vec<Filter>,
    /// Which neighbours count as one; several are applied one after the other.
    pub collapse: Vec<Collapse>,
    /// Which fields are wanted; empty for all. See [`Query::row`].
    pub fields: Vec<Field>,
    /// How many lines may be looked at before the answer ends with an error, so that a filter
    /// that matches nothing does not read a whole archive for a stranger.
    pub scan_limit: Option<u64>,
}

impl Default for Query {
    fn default() -> Query {
        Query {
            url: String::new(),
            matching: UrlMatch::Exact,
            keys: None,
            from: None,
            to: None,
            sort: Sort::Ascending,
            limit: None,
            offset: 0,
            filters: Vec::new(),
            collapse: Vec::new(),
            fields: Vec::new(),
            scan_limit: None,
        }
    }
}

impl Query {
    /// The fields of a capture that are asked for (all that it has, if none are), by name.
    pub fn row(&self, capture: &Capture) -> Vec<(String, String)> {
        let all;
        let fields = match self.fields.as_slice() {
            [] => {
                all = all_fields(capture);
                all.as_slice()
            }
            some => some,
        };
        let mut row = Vec::with_capacity(fields.len());
        for field in fields {
            if let Some(text) = field.text(capture) {
                row.push((field.name().to_owned(), text.into_owned()));
            }
        }
        row
    }

    /// The one key that is asked for, if it is only one.
    fn single_key(&self) -> Option<Surt> {
        let single = self.keys.is_none() && self.matching == UrlMatch::Exact;
        single.then(|| Surt::from_url(&self.url))
    }

    /// The lines to look at. Of a single key those outside the time asked for are left out.
    fn plan(&self) -> Plan {
        let (start, end) = match (self.single_key(), &self.keys) {
            (Some(key), _) => {
                let start = self.from.map_or(String::new(), Timestamp::digits14);
                let end = self.to.map(|to| format!("{key} {}!", to.digits17()));
                (format!("{key} {start}"), end.or(Some(format!("{key}!"))))
            }
            (None, Some(keys)) => (keys.start.clone(), keys.end.clone()),
            (None, None) => {
                let range = key_range(&self.url, self.matching);
                (range.start, range.end)
            }
        };
        Plan {
            start,
            end,
            query: self.clone().into(),
        }
    }

    /// How many captures the answer needs before its offset and limit are applied.
    fn needed(&self) -> Option<usize> {
        self.limit.map(|limit| limit.saturating_add(self.offset))
    }
}

fn all_fields(capture: &Capture) -> Vec<Field> {
    let own = [
        "urlkey",
        "timestamp",
        "url",
        "mime",
        "status",
        "digest",
        "length",
        "offset",
    ];
    let extra = capture.extra.iter().map(|(name, _)| name.as_str());
    let names = own.into_iter().chain(["filename"]).chain(extra);
    names.map(Field::named).collect()
}

/// Hits on their way through the steps of a query.
type HitSource = Box<dyn Iterator<Item = Result<Hit>> + Send>;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
