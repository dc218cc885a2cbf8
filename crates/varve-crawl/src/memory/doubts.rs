//! Doubts: pages that went without a browser, until a look at one of them finds nothing missing.

use std::collections::HashMap;
use url::Url;
use varve_memo::{Outcome, Recall};

/// The first looks at a site: after so many pages each.
const FIRST_LOOKS: [u64; 5] = [1, 3, 7, 13, 21];
/// After those, one page in so many is looked at, by chance.
const ONE_IN: u64 = 100;
/// Most pages of a site that are remembered to be in doubt.
const MAX_PAGES: usize = 5_000;
/// Most sites that are remembered.
const MAX_SITES: usize = 10_000;

/// Pages that rely on the memo, by site.
#[derive(Default)]
pub(super) struct Doubts(HashMap<String, Doubt>);

#[derive(Default)]
struct Doubt {
    /// How many pages went without a browser.
    pages: u64,
    /// Those since the last look that found nothing.
    open: Vec<Url>,
    recall: Recall,
}

impl Doubts {
    /// A page goes without a browser; whether to look at it all the same.
    pub(super) fn rely(&mut self, site: &str, page: &Url) -> bool {
        let doubt = self.of(site);
        doubt.pages += 1;
        let pages = doubt.pages;
        self.remember(site, page);
        FIRST_LOOKS.contains(&pages) || chance(page).is_multiple_of(ONE_IN)
    }

    /// A page goes without a browser for what it is, whatever was learned; whether to look at it.
    pub(super) fn accept(&mut self, site: &str, page: &Url) -> bool {
        self.remember(site, page);
        chance(page).is_multiple_of(ONE_IN)
    }

    /// If something is found missing, this page may lack it, too.
    fn remember(&mut self, site: &str, page: &Url) {
        let doubt = self.of(site);
        if doubt.open.len() < MAX_PAGES {
            doubt.open.push(page.clone());
        }
    }

    /// A look found this.
    pub(super) fn looked(&mut self, site: &str, outcome: &Outcome) {
        let recall = &mut self.of(site).recall;
        recall.add(outcome.bytes, outcome.missed_bytes);
    }

    /// Nothing was missing: those before were right, too.
    pub(super) fn settle(&mut self, site: &str) {
        self.of(site).open.clear();
    }

    /// Something was missing: these may lack it as well.
    pub(super) fn take(&mut self, site: &str) -> Vec<Url> {
        std::mem::take(&mut self.of(site).open)
    }

    pub(super) fn recalls(&self) -> Vec<(String, Recall)> {
        let looked_at = self.0.iter().filter(|(_, doubt)| doubt.recall.pages > 0);
        let mut recalls: Vec<_> = looked_at
            .map(|(site, doubt)| (site.clone(), doubt.recall))
            .collect();
        recalls.sort_by(|a, b| a.0.cmp(&b.0));
        recalls
    }

    fn of(&mut self, site: &str) -> &mut Doubt {
        if self.0.len() >= MAX_SITES && !self.0.contains_key(site) {
            self.0.clear();
        }
        self.0.entry(site.to_owned()).or_default()
    }
}

/// A number that has nothing to do with what the page is like, and is the same each time.
fn chance(page: &Url) -> u64 {
    let hash = blake3::hash(page.as_str().as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn page(number: usize) -> Url {
        Url::parse(&format!("https://garden.example/{number}")).unwrap()
    }

    #[test]
    fn a_site_is_looked_at_early_and_then_now_and_then() {
        let mut doubts = Doubts::default();
        let looks: Vec<usize> = (1..=2000)
            .filter(|number| doubts.rely("garden", &page(*number)))
            .collect();
        for early in FIRST_LOOKS {
            assert!(looks.contains(&(early as usize)), "{early}");
        }
        let later = looks.iter().filter(|number| **number > 21).count();
        assert!((5..60).contains(&later), "{later}");
    }

    #[test]
    fn pages_are_in_doubt_until_a_look_finds_nothing() {
        let mut doubts = Doubts::default();
        for number in 0..3 {
            doubts.rely("garden", &page(number));
        }
        doubts.settle("garden");
        for number in 3..5 {
            doubts.rely("garden", &page(number));
        }
        assert_eq!(doubts.take("garden"), [page(3), page(4)]);
        assert!(doubts.take("garden").is_empty());
    }
}
