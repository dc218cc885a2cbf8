//! Templates, and what they give for a page.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use url::Url;

use super::choose::MAX_PATTERNS;
use super::fill::Filling;
use super::inputs::Inputs;
use super::parts::without_fragment;
use super::pieces::Pattern;
use super::shape::MAX_URL;

/// Most URLs that a template gives for one page.
const MAX_URLS: usize = 1024;

/// How scripts make URLs of a page's inputs: patterns that explain all visits so far, the one
/// that is believed most first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Template {
    patterns: Vec<Pattern>,
    support: u32,
}

/// What a template gives for a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Expansion {
    /// These URLs: one, or one for each value of a list (none, if it has none).
    Urls(Vec<Url>),
    /// Inputs or patterns that explained all visits so far do not agree on this page: what
    /// scripts would ask for is among these URLs, what is believed most first.
    Unsure(Vec<Url>),
    /// The page lacks this input.
    Missing(String),
}

impl Template {
    pub(super) fn new(patterns: Vec<Pattern>, support: u32) -> Template {
        Template { patterns, support }
    }

    /// What it is made of: each pattern explains all visits that were learned from.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// How many visits it was found to foretell.
    pub fn support(&self) -> u32 {
        self.support
    }

    /// Whether a URL could be one of its own, whatever the page. A template without literals
    /// could give any.
    pub fn matches(&self, url: &Url) -> bool {
        let text = without_fragment(url);
        let could = |pattern: &Pattern| pattern.matches_text(&text);
        text.len() <= MAX_URL && self.patterns.iter().take(MAX_PATTERNS).any(could)
    }

    /// The URLs that scripts make of these inputs.
    pub fn expand(&self, inputs: &Inputs) -> Expansion {
        let mut readings: BTreeSet<Vec<Url>> = BTreeSet::new();
        let mut urls: Vec<Url> = Vec::new();
        let mut missing = None;
        for pattern in self.patterns.iter().take(MAX_PATTERNS) {
            match readings_of(pattern, inputs) {
                Ok(found) => {
                    urls.extend(found.iter().flatten().cloned());
                    readings.extend(found);
                }
                Err(name) => missing = missing.or(Some(name)),
            }
        }
        let mut seen = BTreeSet::new();
        urls.retain(|url| seen.insert(url.clone()));
        urls.truncate(MAX_URLS);
        match (readings.len(), missing) {
            (0, missing) => Expansion::Missing(missing.unwrap_or_default().to_owned()),
            (1, None) => Expansion::Urls(urls),
            _ => Expansion::Unsure(urls),
        }
    }
}

/// What a pattern gives, for each way to read it.
fn readings_of<'p>(pattern: &'p Pattern, inputs: &Inputs) -> Result<Vec<Vec<Url>>, &'p str> {
    let filling = Filling::new(pattern, inputs)?;
    let urls = |reading: &Vec<usize>| {
        let written = filling.write(reading);
        let urls = written.iter().filter_map(|filled| requested(&filled.text));
        urls.take(MAX_URLS).collect()
    };
    Ok(filling.readings().iter().map(urls).collect())
}

fn requested(text: &str) -> Option<Url> {
    let mut url = Url::parse(text).ok()?;
    url.set_fragment(None);
    matches!(url.scheme(), "http" | "https").then_some(url)
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.patterns.first() {
            Some(first) => write!(f, "{first}"),
            None => Ok(()),
        }
    }
}
