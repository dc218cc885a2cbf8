//! Soft 404: pages that are not there, but whose status does not say so.
//!
//! When a text comes back under several different paths, the site is asked for something beside
//! them that cannot exist: so it shows what its "not found" looks like. Whatever it answers, a text
//! that comes back under many paths is taken for it. A site that answers everything with the same
//! text, as scripts without a browser do, is not judged.

use super::recent::Recent;
use super::template::{hash, site};
use super::text::ApartFromUrl;
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// Different paths with the same text before the site is asked for what it cannot have.
const ALIKE: usize = 3;

/// Different paths with the same text before it is taken for "not found".
const PATHS: usize = 12;

/// Texts of a site whose paths are counted.
const MAX_TEXTS: usize = 128;

/// Sites that are remembered.
const MAX_SITES: usize = 1 << 12;

/// What is known of sites' missing pages.
#[derive(Debug)]
pub(super) struct Missing {
    sites: Recent<Site>,
}

#[derive(Debug, Default)]
struct Site {
    /// What the first page said: never taken for "not found".
    first: Option<ApartFromUrl>,
    probe: Probe,
    /// By text: the paths that it was seen under.
    paths: BTreeMap<u64, BTreeSet<u64>>,
    /// Texts that were seen under too many.
    everywhere: BTreeSet<u64>,
}

/// Whether a site was asked for what it cannot have.
#[derive(Clone, Copy, Debug, Default)]
enum Probe {
    /// There was no reason to.
    #[default]
    Unneeded,
    /// Pages are alike: it should be.
    Wanted,
    /// It was, and did not say that all is well.
    Made,
    /// It was, and said this.
    Answered(ApartFromUrl),
}

impl Missing {
    pub(super) fn new() -> Missing {
        Missing {
            sites: Recent::new(MAX_SITES),
        }
    }

    /// A URL beside a page that no site has, if its site should be asked for one now. Each site is
    /// asked once. `chance` is any number that the site cannot foresee.
    pub(super) fn probe(&mut self, page: &Url, chance: u64) -> Option<Url> {
        let key = hash(&site(page));
        if !matches!(self.sites.get(key)?.probe, Probe::Wanted) {
            return None;
        }
        self.change(page, |site| site.probe = Probe::Made);
        let mut beside = page.join(&format!("{chance:016x}.html")).ok()?;
        beside.set_query(None);
        Some(beside)
    }

    /// The site answered with success to the URL that it does not have.
    pub(super) fn asked(&mut self, url: &Url, text: &str) {
        if let Some(says) = ApartFromUrl::of(url, text) {
            self.change(url, |site| site.probe = Probe::Answered(says));
        }
    }

    /// Whether a page says what missing pages of its site say.
    pub(super) fn is_missing(&self, url: &Url, text: &str) -> bool {
        let Some(site) = self.sites.get(hash(&site(url))) else {
            return false;
        };
        // Most sites have nothing to compare with, and long pages take long to compare.
        if site.everywhere.is_empty() && !matches!(site.probe, Probe::Answered(_)) {
            return false;
        }
        ApartFromUrl::of(url, text).is_some_and(|says| {
            let as_asked = match site.probe {
                Probe::Answered(asked) => says.path == asked.path || says.words == asked.words,
                Probe::Unneeded | Probe::Wanted | Probe::Made => false,
            };
            (as_asked || site.everywhere.contains(&says.path)) && !site.is_first(says)
        })
    }

    /// A page was seen that brought no pictures of its own.
    pub(super) fn observe(&mut self, url: &Url, text: &str) {
        if let Some(says) = ApartFromUrl::of(url, text) {
            let path = hash(&url.path());
            self.change(url, |site| site.count(says, path));
        }
    }

    fn change(&mut self, url: &Url, change: impl FnOnce(&mut Site)) {
        let key = hash(&site(url));
        let mut site = self.sites.take(key).unwrap_or_default();
        change(&mut site);
        self.sites.insert(key, site);
    }
}

impl Site {
    fn is_first(&self, says: ApartFromUrl) -> bool {
        self.first
            .is_some_and(|first| first.path == says.path || first.words == says.words)
    }

    fn count(&mut self, says: ApartFromUrl, path: u64) {
        self.first.get_or_insert(says);
        let text = says.path;
        if self.is_first(says) || self.everywhere.contains(&text) {
            return;
        }
        let paths = self.paths.entry(text).or_default();
        paths.insert(path);
        if paths.len() >= ALIKE && matches!(self.probe, Probe::Unneeded) {
            self.probe = Probe::Wanted;
        }
        if paths.len() >= PATHS {
            self.paths.remove(&text);
            if self.everywhere.len() < MAX_TEXTS {
                self.everywhere.insert(text);
            }
        } else if self.paths.len() > MAX_TEXTS {
            // Texts seen once say nothing yet, and most are.
            self.paths.retain(|_, paths| paths.len() > 1);
            if self.paths.len() > MAX_TEXTS {
                self.paths.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse(&format!("http://a.com{path}")).unwrap()
    }

    fn sorry(path: &str) -> String {
        format!("We are sorry, but {path} does not grow here any more")
    }

    const HOME: &str = "Welcome to the garden, where everything grows and all is well";

    #[test]
    fn asking_for_nothing_shows_what_nothing_looks_like() {
        let mut missing = Missing::new();
        missing.observe(&url("/"), HOME);
        missing.observe(&url("/a/rose"), &sorry("/a/rose"));
        missing.observe(&url("/a/iris"), &sorry("/a/iris"));
        let chance = 0x0123_4567_89ab_cdef;
        assert_eq!(missing.probe(&url("/a/iris"), chance), None);
        missing.observe(&url("/a/fern"), &sorry("/a/fern"));
        let probe = missing.probe(&url("/a/fern?x"), chance).unwrap();
        assert_eq!(probe, url("/a/0123456789abcdef.html"));
        assert_eq!(missing.probe(&url("/a/fern"), chance), None, "asked twice");
        assert!(!missing.is_missing(&url("/moss"), &sorry("/moss")));
        missing.asked(&probe, &sorry(probe.path()));
        assert!(missing.is_missing(&url("/moss"), &sorry("/moss")));
        assert!(!missing.is_missing(&url("/"), HOME));
        let iris = "The iris is a plant that grows in wet places";
        assert!(!missing.is_missing(&url("/iris"), iris));
    }

    #[test]
    fn who_is_not_alike_is_not_asked() {
        let mut missing = Missing::new();
        for n in 0..50 {
            let page = url(&format!("/{n}"));
            missing.observe(&page, &format!("{HOME}, for the {n}th time"));
            // The same page under other queries is one page.
            missing.observe(&url(&format!("/same?{n}")), &sorry("/same"));
            assert_eq!(missing.probe(&page, 1), None);
        }
    }

    #[test]
    fn the_same_text_everywhere_is_nothing() {
        let mut missing = Missing::new();
        missing.observe(&url("/"), HOME);
        let paths: Vec<String> = (0..PATHS).map(|n| format!("/rose/{n}")).collect();
        for path in &paths {
            assert!(!missing.is_missing(&url(path), &sorry(path)));
            missing.observe(&url(path), &sorry(path));
            // Another query is no other path.
            missing.observe(&url(&format!("{path}?again")), &sorry(path));
        }
        assert!(missing.is_missing(&url("/new"), &sorry("/new")));
    }

    #[test]
    fn a_site_that_says_one_thing_only_is_not_judged() {
        let mut missing = Missing::new();
        let shell = "You need to enable JavaScript to run this app, sorry";
        missing.observe(&url("/"), shell);
        missing.asked(&url("/none"), shell);
        (0..50).for_each(|n| missing.observe(&url(&format!("/{n}")), shell));
        assert!(!missing.is_missing(&url("/1"), shell));
    }

    #[test]
    fn memory_has_a_limit() {
        let mut missing = Missing::new();
        for n in 0..10_000 {
            let text = format!("{} {n}x", HOME);
            missing.observe(&url(&format!("/{}", n % 3)), &text);
        }
        let site = missing.sites.get(hash(&"a.com")).unwrap();
        assert!(site.paths.len() <= MAX_TEXTS + 1);
    }
}
