//! What a page was given: how its parts were found, how far they are from it in time, and what was
//! missing. It is told beside the page.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use url::Url;

/// URLs that are named; of more only the number is known.
const MAX_NAMED: usize = 100;
/// Letters of a URL that are told.
const MAX_URL: usize = 500;

/// How one part of a page was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    /// By a capture, found by this rule, so many seconds from the page's time.
    Found { rule: &'static str, drift: i64 },
    /// Not at all.
    Missing,
}

/// The answers that one page got.
#[derive(Debug, Default)]
pub(crate) struct Given(Mutex<Sums>);

#[derive(Debug, Default)]
struct Sums {
    found: BTreeMap<&'static str, u64>,
    /// The capture that is furthest in time.
    furthest: Option<(i64, String)>,
    missing: u64,
    named: Vec<String>,
}

impl Given {
    pub(crate) fn note(&self, url: &Url, answered: Answered) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match answered {
            Answered::Found { rule, drift } => {
                *sums.found.entry(rule).or_default() += 1;
                let before = sums.furthest.as_ref().map_or(0, |(drift, _)| drift.abs());
                if drift.abs() > before {
                    sums.furthest = Some((drift, short(url)));
                }
            }
            Answered::Missing => {
                let name = short(url);
                if !sums.named.contains(&name) {
                    sums.missing += 1;
                    if sums.named.len() < MAX_NAMED {
                        sums.named.push(name);
                    }
                }
            }
        }
    }

    /// All of it, for our bar.
    pub(crate) fn told(&self) -> Value {
        let sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let furthest = sums
            .furthest
            .as_ref()
            .map(|(seconds, url)| json!({"seconds": seconds, "url": url}));
        json!({
            "found": sums.found,
            "furthest": furthest,
            "missing": {"count": sums.missing, "urls": sums.named},
        })
    }
}

fn short(url: &Url) -> String {
    url.as_str().chars().take(MAX_URL).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_a_page_was_given_adds_up() {
        let given = Given::default();
        let url = |n: usize| Url::parse(&format!("https://h/{n}")).unwrap();
        let found = |rule, drift| Answered::Found { rule, drift };
        given.note(&url(1), found("exact", 0));
        given.note(&url(2), found("exact", -90));
        given.note(&url(3), found("query", 60));
        for n in 0..200 {
            given.note(&url(n), Answered::Missing);
            given.note(&url(n), Answered::Missing);
        }
        let told = given.told();
        assert_eq!(told["found"], json!({"exact": 2, "query": 1}));
        assert_eq!(
            told["furthest"],
            json!({"seconds": -90, "url": "https://h/2"})
        );
        // Beyond those that are named, one that is asked for again counts again.
        assert_eq!(told["missing"]["urls"].as_array().unwrap().len(), MAX_NAMED);
        assert_eq!(told["missing"]["count"], 300);
    }
}
