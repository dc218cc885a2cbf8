//! What a page gives scripts to make URLs of, under names.
//!
//! Some inputs are derived from others when they are asked for: `url:...` from the page's URL
//! (see `parts.rs`), `first:LIST` and `last:LIST` from a list, `LIST|url` from values that are
//! CSS `url(...)`, and `LIST|first`, `LIST|last`, `LIST|2x`, `LIST|800w` from those that are
//! `srcset`s: the candidates that have this place or descriptor.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use url::Url;
use varve_page::{Candidate, Descriptor, parse_srcset};

use super::parts;

/// Longest value that is looked at.
pub(super) const MAX_VALUE: usize = 1024;
/// Most single inputs of a page that are looked at.
const MAX_SINGLES: usize = 4096;
/// Most lists of a page that are looked at, derived ones included.
const MAX_LISTS: usize = 128;
/// Most values of a list.
const MAX_VALUES: usize = 512;
/// Values of a list by which is decided which lists are derived from it.
const SAMPLE: usize = 8;

/// What a page gives scripts to make URLs of: named strings, and named lists of strings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// The URL of the page.
    pub url: Url,
    /// What its relative URLs are resolved against.
    pub base: Url,
    /// Strings by name: `meta:og:image`, `json:__NEXT_DATA__.buildId`, `attr:body@data-page`.
    pub singles: BTreeMap<String, String>,
    /// Lists by name: `attr:img@data-src`.
    pub lists: BTreeMap<String, Vec<String>>,
}

impl Inputs {
    /// Inputs of a page of which nothing is known but its URL.
    pub fn of(url: Url) -> Inputs {
        Inputs {
            base: url.clone(),
            url,
            singles: BTreeMap::new(),
            lists: BTreeMap::new(),
        }
    }

    /// The value of a single input. There are no empty ones.
    pub(super) fn single(&self, name: &str) -> Option<Cow<'_, str>> {
        let value = match self.singles.get(name) {
            Some(value) => Some(Cow::Borrowed(value.as_str())),
            None => self.derived(name),
        };
        value.filter(|value| !value.is_empty() && value.len() <= MAX_VALUE)
    }

    fn derived(&self, name: &str) -> Option<Cow<'_, str>> {
        if let Some(list) = name.strip_prefix("first:") {
            return self.lists.get(list)?.first().map(Cow::from);
        }
        if let Some(list) = name.strip_prefix("last:") {
            return self.lists.get(list)?.last().map(Cow::from);
        }
        parts::part(&self.url, &self.base, name).map(Cow::Owned)
    }

    /// The names of all single inputs, given and derived.
    pub(super) fn single_names(&self) -> Vec<String> {
        let given = self.singles.keys().take(MAX_SINGLES).cloned();
        let ends = self.lists.keys().take(MAX_LISTS);
        let ends = ends.flat_map(|list| [format!("first:{list}"), format!("last:{list}")]);
        parts::names(&self.url)
            .into_iter()
            .chain(given)
            .chain(ends)
            .collect()
    }

    /// The values of a list: none if the page has no such list.
    pub(super) fn list(&self, name: &str) -> Vec<&str> {
        if let Some(values) = self.lists.get(name) {
            return usable(values).collect();
        }
        let Some((list, part)) = name.rsplit_once('|') else {
            return Vec::new();
        };
        let Some(values) = self.lists.get(list) else {
            return Vec::new();
        };
        match part {
            "url" => usable(values).filter_map(css_url).collect(),
            _ => usable(values)
                .filter_map(|value| candidate(value, part))
                .collect(),
        }
    }

    /// The names of all lists, given and derived.
    pub(super) fn list_names(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for (list, values) in &self.lists {
            names.insert(list.clone());
            for value in usable(values).take(SAMPLE) {
                if css_url(value).is_some() {
                    names.insert(format!("{list}|url"));
                }
                names.extend(descriptors(value).map(|part| format!("{list}|{part}")));
            }
            if names.len() >= MAX_LISTS {
                break;
            }
        }
        names.into_iter().take(MAX_LISTS).collect()
    }
}

fn usable(values: &[String]) -> impl Iterator<Item = &str> {
    let fits = |value: &&str| !value.is_empty() && value.len() <= MAX_VALUE;
    values
        .iter()
        .take(MAX_VALUES)
        .map(|value| value.trim())
        .filter(fits)
}

/// What is between the brackets of a CSS `url(...)`, wherever in the value that is.
fn css_url(value: &str) -> Option<&str> {
    let (_, after) = value.split_once("url(")?;
    let (inner, _) = after.split_once(')')?;
    Some(inner.trim().trim_matches(['"', '\'']))
}

/// The candidates that a `srcset` offers, if that is what it is.
fn candidates(value: &str) -> Vec<Candidate> {
    let candidates = parse_srcset(value);
    let described = |candidate: &Candidate| candidate.descriptor != Descriptor::None;
    match candidates.iter().any(described) {
        true => candidates,
        false => Vec::new(),
    }
}

fn descriptors(value: &str) -> impl Iterator<Item = String> {
    let candidates = candidates(value);
    let ends = match candidates.is_empty() {
        true => &[][..],
        false => &["first", "last"],
    };
    let written = candidates.into_iter().take(SAMPLE);
    let written = written.filter_map(|candidate| written_as(&candidate));
    ends.iter().map(|end| (*end).to_owned()).chain(written)
}

fn written_as(candidate: &Candidate) -> Option<String> {
    match candidate.descriptor {
        Descriptor::None => None,
        Descriptor::Density(density) => Some(format!("{density}x")),
        Descriptor::Width(width) => Some(format!("{width}w")),
    }
}

fn candidate<'a>(value: &'a str, part: &str) -> Option<&'a str> {
    let candidates = candidates(value);
    let chosen = match part {
        "first" => candidates.first(),
        "last" => candidates.last(),
        _ => candidates
            .iter()
            .find(|candidate| written_as(candidate).is_some_and(|written| written == part)),
    };
    value.get(chosen?.span.clone())
}
