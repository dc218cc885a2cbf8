//! The model, in two steps: boosted trees judge the page alone, and a weighted sum joins what they
//! say with what is known of the site. Its numbers are in `model.json`, which
//! `bench/classifier/train.py` writes.

use std::sync::OnceLock;

use serde::Deserialize;

use super::features::Features;

/// Deepest tree that is followed.
const MAX_DEPTH: usize = 16;
/// What is added to probabilities before their odds are taken: nothing is certain.
const DOUBT: f32 = 1e-3;

/// What a page loses without a browser, as far as can be guessed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How likely it is that its scripts fetch something that is found nowhere else.
    pub probability: f32,
    /// How many bytes are lost without a browser: those that such a page loses, times how likely
    /// that is.
    pub bytes: f32,
}

/// A trained model.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Model {
    /// The features that its trees look at: the first ones.
    names: Vec<String>,
    /// Log-odds that a page is deferred, by the page alone.
    deferred: Trees,
    /// The logarithm of the bytes that a deferred page loses.
    bytes: Trees,
    /// How the first step is joined with what is known of the site.
    blend: Blend,
    /// From so many visited pages of the site on, the probability from which on a page belongs
    /// into the browser.
    thresholds: Vec<(u32, f32)>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Trees {
    base: f32,
    trees: Vec<Vec<Node>>,
}

/// A node of a tree: a question with the places of its answers, or a value.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Node {
    Split(usize, f32, usize, usize),
    Leaf([f32; 1]),
}

/// Weights of: the page's log-odds, the same on first contact, the log-odds of the site, and the
/// shares of scripts that are known and that fetched something, and whether any did.
#[derive(Clone, Debug, Default, Deserialize)]
struct Blend {
    bias: f32,
    weights: [f32; 6],
}

impl Model {
    /// The model that this program was built with.
    pub fn embedded() -> &'static Model {
        static MODEL: OnceLock<Model> = OnceLock::new();
        // A test reads it: one that cannot be read is never built.
        MODEL.get_or_init(|| serde_json::from_str(include_str!("model.json")).unwrap_or_default())
    }

    /// What a page with these features loses without a browser.
    pub fn missed(&self, features: &Features) -> Estimate {
        let values = features.values();
        let page = log_odds(probability(self.deferred.sum(&values)));
        let probability = probability(self.blend.sum(page, features));
        Estimate {
            probability,
            bytes: probability * self.bytes.sum(&values).exp_m1().max(0.0),
        }
    }

    /// The probability from which on a page with these features belongs into the browser, if 97 of
    /// 100 pages that lose something are to be visited.
    pub fn threshold(&self, features: &Features) -> f32 {
        let visited = features.visited.exp_m1().round();
        let mut from_most = self.thresholds.iter().rev();
        let reached = from_most.find(|(count, _)| *count as f32 <= visited);
        reached.map_or(0.0, |(_, least)| *least)
    }

    /// The names of the features that its trees look at: the first of [`Features::NAMES`].
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

fn probability(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

fn log_odds(probability: f32) -> f32 {
    ((probability + DOUBT) / (1.0 - probability + DOUBT)).ln()
}

impl Blend {
    fn sum(&self, page: f32, features: &Features) -> f32 {
        let is_first = features.visited <= 0.0;
        let joined = [
            page,
            if is_first { page } else { 0.0 },
            (features.prior / (1.0 - features.prior)).ln(),
            features.known,
            features.fetching,
            if features.fetching > 0.0 { 1.0 } else { 0.0 },
        ];
        let weighted = joined.iter().zip(&self.weights);
        self.bias + weighted.map(|(value, weight)| value * weight).sum::<f32>()
    }
}

impl Trees {
    fn sum(&self, values: &[f32]) -> f32 {
        let leaves = self.trees.iter().map(|tree| leaf(tree, values));
        self.base + leaves.sum::<f32>()
    }
}

fn leaf(tree: &[Node], values: &[f32]) -> f32 {
    let mut at = 0;
    for _ in 0..=MAX_DEPTH {
        match tree.get(at) {
            Some(Node::Leaf([value])) => return *value,
            Some(Node::Split(feature, threshold, left, right)) => {
                let value = values.get(*feature).copied().unwrap_or(0.0);
                at = if value <= *threshold { *left } else { *right };
            }
            None => break,
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::classify::{Around, ScriptCounts, Subject};
    use url::Url;
    use varve_js::{Goal, triage};
    use varve_page::{Document, ScriptSource, Viewport, analyse, inventory};

    fn features(html: &str, external: &[&str], around: Around) -> Features {
        let url = Url::parse("https://garden.example/").unwrap();
        let document = Document::new(&url, html.as_bytes());
        let page = analyse(&document, &Viewport::default());
        let count = |text: &str| ScriptCounts::of(text, &triage(text, Goal::Script));
        let inline = page
            .scripts
            .iter()
            .filter_map(|script| match &script.source {
                ScriptSource::Inline(text) => Some(count(text)),
                ScriptSource::External(_) => None,
            });
        let inline: Vec<ScriptCounts> = inline.collect();
        let external: Vec<ScriptCounts> = external.iter().map(|text| count(text)).collect();
        Features::of(&Subject {
            html,
            page: &page,
            inventory: &inventory(&document),
            inline: &inline,
            external: &external,
            around,
        })
    }

    #[test]
    fn the_embedded_model_is_for_these_features() {
        let model: Model = serde_json::from_str(include_str!("model.json")).unwrap();
        assert_eq!(model.names(), &Features::NAMES[..Features::NAMES.len() - 4]);
        assert!(!model.deferred.trees.is_empty() && !model.bytes.trees.is_empty());
        let trees = model.deferred.trees.iter().chain(&model.bytes.trees);
        for node in trees.flatten() {
            if let Node::Split(feature, ..) = node {
                assert!(*feature < model.names.len());
            }
        }
    }

    #[test]
    fn estimates_are_probabilities_and_bytes() {
        let model = Model::embedded();
        for html in ["", "<script>fetch('a.json')</script>", "<p>text</p>"] {
            let estimate = model.missed(&features(html, &[], Around::default()));
            assert!((0.0..=1.0).contains(&estimate.probability), "{html}");
            assert!(
                estimate.bytes >= 0.0 && estimate.bytes.is_finite(),
                "{html}"
            );
        }
    }

    #[test]
    fn what_other_pages_of_the_site_did_counts_most() {
        let html = "<script src=a.js></script><p>Some text";
        let after = |deferred, fetching| {
            let around = Around {
                visited: 4,
                deferred,
                known: 1,
                fetching,
                ..Around::default()
            };
            let features = features(html, &["document.title = 'x'"], around);
            let model = Model::embedded();
            model.missed(&features).probability >= model.threshold(&features)
        };
        assert!(after(4, 1));
        assert!(!after(0, 0));
    }
}
