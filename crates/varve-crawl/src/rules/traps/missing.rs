//! Soft 404: pages that are not there, but whose status does not say so.
//!
//! A site that is asked for something that cannot exist shows what its "not found" looks like.
//! Without asking, a text that comes back under many different paths is taken for it. A site that
//! answers everything with the same text, as scripts without a browser do, is not judged.

use super::recent::Recent;
use super::template::{hash, site};
use super::text::ApartFromUrl;
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

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
    /// What the page that cannot exist said.
    asked: Option<ApartFromUrl>,
    /// By text: the paths that it was seen under.
    paths: BTreeMap<u64, BTreeSet<u64>>,
    /// Texts that were seen under too many.
    everywhere: BTreeSet<u64>,
}

impl Missing {
    pub(super) fn new() -> Missing {
        Missing {
            sites: Recent::new(MAX_SITES),
        }
    }

    /// A URL that no site has. `chance` is any number that the site cannot foresee.
    pub(super) fn probe(origin: &Url, chance: u64) -> Option<Url> {
        origin.join(&format!("/{chance:016x}.html")).ok()
    }

    /// The site answered with success to the URL that it does not have.
    pub(super) fn asked(&mut self, url: &Url, text: &str) {
        let says = ApartFromUrl::of(url, text);
        self.change(url, |site| site.asked = says);
    }

    /// Whether a page says what missing pages of its site say.
    pub(super) fn is_missing(&self, url: &Url, text: &str) -> bool {
        let Some(site) = self.sites.get(hash(&site(url))) else {
            return false;
        };
        ApartFromUrl::of(url, text).is_some_and(|says| {
            let as_asked =
                |asked: ApartFromUrl| says.path == asked.path || says.words == asked.words;
            let known = site.everywhere.contains(&says.path) || site.asked.is_some_and(as_asked);
            known && !site.is_first(says)
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
        let probe = Missing::probe(&url("/x"), 0x0123_4567_89ab_cdef).unwrap();
        assert_eq!(probe.path(), "/0123456789abcdef.html");
        assert!(!missing.is_missing(&url("/rose"), &sorry("/rose")));
        missing.asked(&probe, &sorry(probe.path()));
        assert!(missing.is_missing(&url("/rose"), &sorry("/rose")));
        assert!(!missing.is_missing(&url("/"), HOME));
        assert!(!missing.is_missing(
            &url("/iris"),
            "The iris is a plant that grows in wet places"
        ));
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
