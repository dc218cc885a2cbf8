//! Visits as learning sees them: within limits, and with URLs as texts.

use std::collections::BTreeMap;

use url::Url;

use super::fill::Filled;
use super::inputs::Inputs;
use super::parts::without_fragment;
use super::shape::MAX_URL;

/// Most URLs of a visit that are looked at.
const MAX_URLS: usize = 256;

/// What was seen on one visit to a page.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// What the page gave its scripts.
    pub inputs: &'a Inputs,
    /// What they asked for that nothing else explains.
    pub urls: &'a [Url],
}

/// The same with its URLs as texts, each once.
pub(super) struct Visit<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) urls: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl<'a> Visit<'a> {
    pub(super) fn new(observed: &Observed<'a>) -> Visit<'a> {
        let mut urls = Vec::new();
        let mut places = BTreeMap::new();
        for url in observed.urls.iter().take(MAX_URLS) {
            let text = without_fragment(url);
            let known = places.contains_key(&text);
            if !known && text.len() <= MAX_URL && text.is_ascii() {
                places.insert(text.clone(), urls.len());
                urls.push(text);
            }
        }
        Visit {
            inputs: observed.inputs,
            urls,
            places,
        }
    }

    /// Which of the URLs this one was.
    pub(super) fn find(&self, filled: &Filled) -> Option<usize> {
        // What was filled in may hold what parsers write in another way.
        let found = self.places.get(&filled.text).copied();
        found.or_else(|| match &filled.shape {
            Some(shape) => self.urls.iter().position(|url| shape.matches_text(url)),
            None => {
                let url = Url::parse(&filled.text).ok()?;
                self.places.get(&without_fragment(&url)).copied()
            }
        })
    }

    pub(super) fn has(&self, url: &str) -> bool {
        self.places.contains_key(url)
    }
}
