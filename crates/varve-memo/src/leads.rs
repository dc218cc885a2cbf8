//! Leads: where the pages of a site lead by themselves. A link that a script makes is nothing new if
//! some other page has it in its text.

use crate::sketch::Sketch;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use url::Url;

/// Most of them that are remembered; what comes later counts as new when a script makes it.
const MOST: usize = 200_000;

/// Where pages lead, by hashes: a few that are mistaken for others do no harm.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leads(HashSet<u64>);

impl Leads {
    /// Notes where a page is, and where it leads.
    pub(crate) fn add(&mut self, sketch: &Sketch) {
        for url in sketch.links.iter().chain([sketch.url()]) {
            if self.0.len() < MOST {
                self.0.insert(number(before_fragment(url)));
            }
        }
    }

    /// Whether a page leads there.
    pub(crate) fn have(&self, link: &str) -> bool {
        self.0.contains(&number(link))
    }
}

fn before_fragment(url: &Url) -> &str {
    let whole = url.as_str();
    whole.split_once('#').map_or(whole, |(before, _)| before)
}

fn number(link: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    link.hash(&mut hasher);
    hasher.finish()
}
