//! The memo: what visits taught, by site, to be kept between crawls.

use crate::lesson::Teaching;
use crate::news::News;
use crate::shared::Shared;
use crate::site::{Decision, Means, Outcome, Site};
use crate::sketch::Sketch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The form in which memos are written. Others are not read.
const VERSION: u32 = 1;
/// Most sites that are kept. When there are more, those asked for longest ago go.
const MAX_SITES: usize = 500;

/// What visits taught, by site.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Memo {
    version: u32,
    /// Counts up with every use.
    moment: u64,
    sites: BTreeMap<String, Kept>,
    shared: Shared,
    #[serde(skip)]
    without: Vec<Technique>,
    /// The share of bytes that pages without a browser should have.
    #[serde(skip)]
    min_recall: f64,
}

/// Something that can be left out, to see what it is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Making URLs of what pages give.
    Templates,
    /// Visiting first what teaches most.
    Cover,
    /// Knowing scripts from other sites.
    Sharing,
    /// Guessing by the looks of a page.
    Classifier,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Kept {
    used: u64,
    site: Site,
}

impl Default for Memo {
    fn default() -> Memo {
        Memo {
            version: VERSION,
            moment: 0,
            sites: BTreeMap::new(),
            shared: Shared::default(),
            without: Vec::new(),
            min_recall: 0.0,
        }
    }
}

impl Memo {
    /// Reads a memo; nothing if it is none, or of another version.
    pub fn read(bytes: &[u8]) -> Option<Memo> {
        let memo: Memo = serde_json::from_slice(bytes).ok()?;
        (memo.version == VERSION).then_some(memo)
    }

    /// The memo as bytes.
    pub fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Leaves something out.
    pub fn do_without(&mut self, techniques: &[Technique]) {
        self.without = techniques.to_vec();
    }

    /// What share of what a browser asks for pages without one should have.
    pub fn aim_at(&mut self, min_recall: f64) {
        self.min_recall = min_recall;
    }

    /// Whether something is left out.
    pub fn is_without(&self, technique: Technique) -> bool {
        self.without.contains(&technique)
    }

    /// What becomes of a page of a site.
    pub fn decide(&mut self, site: &str, sketch: &Sketch) -> Decision {
        let means = Means {
            makes: !self.is_without(Technique::Templates),
            guesses: !self.is_without(Technique::Classifier),
            may_lack: 1.0 - self.min_recall,
        };
        self.with_shared(site, |site, shared| site.decide(sketch, shared, means))
    }

    /// What a visit to a page of a site would show; nothing if that does not matter.
    pub fn news(&mut self, site: &str, sketch: &Sketch) -> Option<News> {
        let matters = !self.is_without(Technique::Cover);
        matters.then(|| self.with_shared(site, |site, shared| site.news(sketch, shared)))
    }

    /// Does something with a site and what is known from all sites.
    fn with_shared<T>(&mut self, site: &str, does: impl FnOnce(&mut Site, &Shared) -> T) -> T {
        if self.is_without(Technique::Sharing) {
            return does(self.site(site), &Shared::default());
        }
        let shared = std::mem::take(&mut self.shared);
        let done = does(self.site(site), &shared);
        self.shared = shared;
        done
    }

    /// Learns from a visit to a page of a site, and says how well that had been foretold.
    pub fn learn(&mut self, site: &str, teaching: Teaching) -> Outcome {
        let templates = !self.is_without(Technique::Templates);
        let learn = |site: &mut Site, shared: &Shared| site.learn(teaching, shared, templates);
        let outcome = self.with_shared(site, learn);
        let lesson = self.sites.get(site).and_then(|kept| kept.site.last());
        if let Some(lesson) = lesson {
            self.shared.learn(site, lesson);
        }
        outcome
    }

    /// What is known of a site.
    pub fn site(&mut self, name: &str) -> &mut Site {
        self.moment += 1;
        if !self.sites.contains_key(name) && self.sites.len() >= MAX_SITES {
            self.forget_oldest();
        }
        let kept = self.sites.entry(name.to_owned()).or_default();
        kept.used = self.moment;
        &mut kept.site
    }

    fn forget_oldest(&mut self) {
        let oldest = self.sites.iter().min_by_key(|(_, kept)| kept.used);
        if let Some(name) = oldest.map(|(name, _)| name.clone()) {
            self.sites.remove(&name);
        }
    }

    /// Forgets a site; whether there was one.
    pub fn forget(&mut self, name: &str) -> bool {
        self.sites.remove(name).is_some()
    }

    /// All sites by name.
    pub fn sites(&mut self) -> impl Iterator<Item = (&str, &mut Site)> {
        let sites = self.sites.iter_mut();
        sites.map(|(name, kept)| (name.as_str(), &mut kept.site))
    }
}
