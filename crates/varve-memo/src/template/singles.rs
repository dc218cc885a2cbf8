//! Patterns of single URLs, from two visits to different pages.

use std::collections::{BTreeMap, BTreeSet};

use super::align::{Shared, align};
use super::fill::MAX_CANDIDATES;
use super::form::Form;
use super::learn::Habits;
use super::observed::Visit;
use super::pieces::{Extractor, Pattern};
use super::shape::common;

/// With how many URLs of another visit a URL is aligned: with those most like it.
const MATES: usize = 3;
/// Most different pairs of values of two visits that are looked at.
const MAX_SHARED: usize = 512;

/// A value in the form of that number.
type Formed = (usize, Form, String);

/// The values of a page that stand in some URL of a visit, by the input and form that gives them.
/// Both come in the order in which they are preferred.
pub(super) type Occurring = Vec<(String, Vec<Formed>)>;

/// Finds the values of a visit's page in its URLs.
pub(super) fn occurring(visit: &Visit<'_>) -> Occurring {
    let text = visit.urls.join("\n");
    let forms: Vec<Form> = Form::of_singles().collect();
    let mut found = Occurring::new();
    for name in visit.inputs.single_names() {
        let Some(value) = visit.inputs.single(&name) else {
            continue;
        };
        let written = forms.iter().enumerate().filter_map(|(nth, form)| {
            let text = form.apply(&value, visit.inputs)?;
            Some((nth, form.clone(), text))
        });
        let mut seen: BTreeMap<String, bool> = BTreeMap::new();
        let occurs = |value: &Formed| {
            let known = seen.entry(value.2.clone());
            *known.or_insert_with(|| {
                memchr::memmem::find(text.as_bytes(), value.2.as_bytes()).is_some()
            })
        };
        let values: Vec<_> = written.filter(occurs).collect();
        if !values.is_empty() {
            found.push((name, values));
        }
    }
    found
}

/// The values of two visits that belong to the same inputs and differ.
pub(super) fn shared(a: &Occurring, b: &Occurring) -> Vec<Shared> {
    let mut groups: BTreeMap<(&str, &str), Vec<(usize, Extractor)>> = BTreeMap::new();
    let b: BTreeMap<&str, &[_]> = b
        .iter()
        .map(|(input, values)| (input.as_str(), values.as_slice()))
        .collect();
    for (input, values) in a {
        let others: BTreeMap<usize, &str> = match b.get(input.as_str()) {
            Some(others) => others
                .iter()
                .map(|(nth, _, text)| (*nth, text.as_str()))
                .collect(),
            None => continue,
        };
        // A form that gives nothing else than a simpler one is not needed.
        let mut seen = BTreeSet::new();
        for (nth, form, text) in values {
            let Some(other) = others.get(nth) else {
                continue;
            };
            if text != other && seen.insert((text, other)) {
                let extractor = Extractor {
                    input: input.clone(),
                    form: form.clone(),
                };
                groups
                    .entry((text, other))
                    .or_default()
                    .push((*nth, extractor));
            }
        }
    }
    let mut shared: Vec<Shared> = groups.into_iter().map(group).collect();
    shared.sort_by_key(|shared| std::cmp::Reverse(shared.a.len() + shared.b.len()));
    shared.truncate(MAX_SHARED);
    shared
}

fn group(((a, b), mut extractors): ((&str, &str), Vec<(usize, Extractor)>)) -> Shared {
    // What needs no change, or the least, explains enough.
    let least = extractors
        .iter()
        .map(|(_, found)| found.form.changes())
        .min();
    extractors.retain(|(_, found)| Some(found.form.changes()) == least);
    extractors.sort_by_key(|(form, _)| *form);
    extractors.truncate(MAX_CANDIDATES);
    Shared {
        a: a.to_owned(),
        b: b.to_owned(),
        extractors: extractors.into_iter().map(|(_, found)| found).collect(),
    }
}

/// Patterns by which a URL of the first visit and one of the second may have been made.
pub(super) fn candidates(
    url: &str,
    other: &Visit<'_>,
    shared: &[Shared],
    habits: &Habits,
) -> Vec<Pattern> {
    if other.has(url) {
        return Vec::new();
    }
    let allowed = |kind, at| habits.may_vary(kind, url, at);
    let mates = mates(url, other);
    let alignments = mates.flat_map(|mate| align(url, mate, shared, &allowed));
    alignments
        .map(Pattern::new)
        .filter(|pattern| pattern.holes().next().is_some())
        .collect()
}

/// The URLs that have most in common with this one at their ends.
fn mates<'v>(url: &str, other: &'v Visit<'_>) -> impl Iterator<Item = &'v str> {
    let back = |mate: &str| {
        let pairs = url.bytes().rev().zip(mate.bytes().rev());
        pairs.take_while(|(x, y)| x == y).count()
    };
    let mut mates: Vec<&str> = other.urls.iter().map(String::as_str).collect();
    mates.sort_by_cached_key(|mate| std::cmp::Reverse(common(url, mate) + back(mate)));
    mates.into_iter().take(MATES)
}
