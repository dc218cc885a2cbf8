//! How templates are learned, by examples; and by chance.

#![allow(clippy::unwrap_used)]

mod examples;
mod properties;

use std::collections::BTreeMap;
use url::Url;

use super::{Expansion, Inputs, Observed, Template, learn};

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// A page with singles and lists, and what its scripts asked for.
#[derive(Debug)]
struct Seen {
    inputs: Inputs,
    urls: Vec<Url>,
}

fn seen(page: &str, singles: &[(&str, &str)], lists: &[(&str, &[&str])], urls: &[&str]) -> Seen {
    let mut inputs = Inputs::of(url(page));
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    inputs.singles = singles.iter().map(own).collect();
    inputs.lists = lists
        .iter()
        .map(|(name, values)| {
            let values = values.iter().map(|value| (*value).to_owned());
            ((*name).to_owned(), values.collect())
        })
        .collect::<BTreeMap<_, _>>();
    Seen {
        inputs,
        urls: urls.iter().map(|text| url(text)).collect(),
    }
}

fn learned(visits: &[Seen]) -> Vec<Template> {
    let visits: Vec<Observed<'_>> = visits
        .iter()
        .map(|seen| Observed {
            inputs: &seen.inputs,
            urls: &seen.urls,
        })
        .collect();
    learn(&visits)
}

/// What is foretold for a page, sorted. Unsure readings have a question mark.
fn foretold(templates: &[Template], page: &Inputs) -> Vec<String> {
    let mut found = Vec::new();
    for template in templates {
        match template.expand(page) {
            Expansion::Urls(urls) => found.extend(urls.iter().map(Url::to_string)),
            Expansion::Unsure(urls) => found.extend(urls.iter().map(|url| format!("? {url}"))),
            Expansion::Missing(name) => found.push(format!("- {name}")),
        }
    }
    found.sort();
    found
}

/// All but the last visit are learned from; the last must be foretold from its inputs.
fn check(visits: Vec<Seen>) {
    let (last, first) = visits.split_last().unwrap();
    let templates = learned(first);
    let mut expected: Vec<String> = last.urls.iter().map(Url::to_string).collect();
    expected.sort();
    assert_eq!(
        foretold(&templates, &last.inputs),
        expected,
        "{templates:#?}"
    );
    for url in &last.urls {
        assert!(
            templates.iter().any(|template| template.matches(url)),
            "{url}"
        );
    }
}
