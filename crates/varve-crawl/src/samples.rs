//! Pages of a recrawl that are visited without the filter, to see whether it does harm.
//!
//! A page that threw an exception when scripts were left out, and throws it no longer when they are
//! there, may need one of them. It is then visited without the filter, now and in later crawls: the
//! layer says so in a record.

use crate::earlier::EarlierLayers;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use url::Url;
use varve_browser::Visit;

/// Pages that did not always throw the same number of exceptions are looked at more often.
const UNSTEADY: u32 = 5;
/// Layers that are asked for a page's exceptions.
const LAYERS: usize = 3;
/// What the record is called that says that a page is visited without the filter.
pub(crate) const UNFILTERED: &str = "varve:unfiltered";

/// How a page is visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As usual.
    Filtered,
    /// Without the filter, to see what that changes: the exceptions with it were these.
    Sample(BTreeSet<String>),
    /// Without the filter, which did harm.
    Unfiltered,
}

/// Decides which pages are samples.
pub(crate) struct Samples {
    earlier: Option<Arc<EarlierLayers>>,
    /// One page in so many is one; none if it is 0.
    one_in: u32,
}

impl Samples {
    pub(crate) fn new(earlier: Option<Arc<EarlierLayers>>, one_in: u32) -> Samples {
        Samples { earlier, one_in }
    }

    /// How a page is to be visited. Reads what earlier layers say of it.
    pub(crate) async fn manner(&self, page: &Url) -> Manner {
        let Some(earlier) = self.earlier.clone().filter(|_| self.one_in > 0) else {
            return Manner::Filtered;
        };
        let (page, one_in) = (page.clone(), self.one_in);
        let reading = tokio::task::spawn_blocking(move || {
            if earlier.says(format!("urn:{UNFILTERED}:{page}")) {
                return Manner::Unfiltered;
            }
            let thrown = earlier.exceptions(&page, LAYERS);
            choose(&page, earlier.layers(), one_in, thrown)
        });
        reading.await.unwrap_or(Manner::Filtered)
    }
}

/// Chooses by chance, but the same in each attempt. `thrown` are the exceptions of earlier visits,
/// the newest first.
fn choose(page: &Url, layers: usize, one_in: u32, thrown: Vec<BTreeSet<String>>) -> Manner {
    let numbers: BTreeSet<usize> = thrown.iter().map(BTreeSet::len).collect();
    let one_in = match numbers.len() {
        0 | 1 => one_in,
        _ => one_in.div_ceil(UNSTEADY),
    };
    let mut hasher = DefaultHasher::new();
    (page.as_str(), layers).hash(&mut hasher);
    let is_one = hasher.finish().is_multiple_of(u64::from(one_in));
    match thrown.into_iter().next() {
        Some(newest) if is_one => Manner::Sample(newest),
        _ => Manner::Filtered,
    }
}

/// The exceptions that a page threw with the filter and does not without.
pub(crate) fn gone(before: &BTreeSet<String>, now: &Visit) -> Vec<String> {
    let now = exceptions(now.console_errors.iter().map(|it| (&*it.source, &*it.text)));
    before.difference(&now).cloned().collect()
}

/// The first lines of exceptions; the others tell where, which may be another place each time.
pub(crate) fn exceptions<'a>(errors: impl Iterator<Item = (&'a str, &'a str)>) -> BTreeSet<String> {
    let thrown = errors.filter(|(source, _)| *source == "exception");
    let first_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    thrown.map(|(_, text)| first_line(text)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn thrown(texts: &[&str]) -> BTreeSet<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn sampled(layers: usize, one_in: u32, visits: &[BTreeSet<String>]) -> usize {
        let page = |number: usize| Url::parse(&format!("https://a.example/{number}")).unwrap();
        let is_one = |number: &usize| {
            let manner = choose(&page(*number), layers, one_in, visits.to_vec());
            manner == Manner::Sample(visits[0].clone())
        };
        (0..10_000).filter(is_one).count()
    }

    #[test]
    fn about_one_page_in_so_many_is_a_sample() {
        let steady = [thrown(&["a"]), thrown(&["b"])];
        let count = sampled(1, 50, &steady);
        assert!((150..250).contains(&count), "{count}");
        assert_eq!(sampled(1, 1, &steady), 10_000);
    }

    #[test]
    fn pages_whose_number_of_exceptions_changes_are_looked_at_more_often() {
        let unsteady = [thrown(&["a"]), thrown(&["a", "b"])];
        let count = sampled(1, 50, &unsteady);
        assert!((850..1_150).contains(&count), "{count}");
    }

    #[test]
    fn pages_that_nobody_visited_before_are_none() {
        let page = Url::parse("https://a.example/").unwrap();
        assert_eq!(choose(&page, 1, 1, Vec::new()), Manner::Filtered);
    }

    #[test]
    fn exceptions_are_told_apart_by_their_first_lines() {
        let errors = [
            (
                "exception",
                "ReferenceError: ga is not defined\n    at x.js:1",
            ),
            (
                "exception",
                "ReferenceError: ga is not defined\n    at x.js:2",
            ),
            ("console", "something else"),
        ];
        let expected = thrown(&["ReferenceError: ga is not defined"]);
        assert_eq!(exceptions(errors.into_iter()), expected);
    }
}
