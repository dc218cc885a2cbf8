//! Doubts: pages that went without a browser, until a look at one of them finds nothing missing.

use std::collections::HashMap;
use url::Url;
use varve_memo::{Outcome, Recall};

/// The first looks at a site: after so many pages each.
const FIRST_LOOKS: [u64; 5] = [1, 3, 7, 13, 21];
/// After those, one page in so many is looked at, by chance.
const ONE_IN: u64 = 100;
/// Of those that only seem to need no browser, more are.
const ONE_GUESS_IN: u64 = 10;
/// Most pages of a site that are remembered to be in doubt.
const MAX_PAGES: usize = 5_000;
/// Most sites that are remembered.
const MAX_SITES: usize = 10_000;

/// Pages that rely on the memo, by site.
#[derive(Default)]
pub(super) struct Doubts(HashMap<String, Doubt>);

#[derive(Default)]
struct Doubt {
    foretold: Group,
    guessed: Group,
    recall: Recall,
}

/// Pages that went without a browser for the same reason.
#[derive(Default)]
struct Group {
    /// How many.
    pages: u64,
    /// Those since the last look that found nothing.
    open: Vec<Url>,
}

/// Why a page goes without a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// What it needs is known.
    Foretold,
    /// It seems to need nothing that is not.
    Guessed,
}

impl Doubts {
    /// A page goes without a browser; whether to look at it all the same.
    pub(super) fn rely(&mut self, site: &str, page: &Url, ground: Ground) -> bool {
        let one_in = match ground {
            Ground::Foretold => ONE_IN,
            Ground::Guessed => ONE_GUESS_IN,
        };
        let group = self.of(site).group(ground);
        group.pages += 1;
        group.remember(page);
        FIRST_LOOKS.contains(&group.pages) || chance(page).is_multiple_of(one_in)
    }

    /// A page goes without a browser for what it is, whatever was learned; whether to look at it.
    pub(super) fn accept(&mut self, site: &str, page: &Url) -> bool {
        self.of(site).foretold.remember(page);
        chance(page).is_multiple_of(ONE_IN)
    }

    /// A look found this.
    pub(super) fn looked(&mut self, site: &str, outcome: &Outcome) {
        let recall = &mut self.of(site).recall;
        recall.add(outcome.bytes, outcome.missed_bytes);
    }

    /// Nothing was missing: those before were right, too.
    pub(super) fn settle(&mut self, site: &str, ground: Ground) {
        self.of(site).group(ground).open.clear();
    }

    /// Something was missing: these may lack it as well. Where less is known than was thought, all may.
    pub(super) fn take(&mut self, site: &str, ground: Ground) -> Vec<Url> {
        let doubt = self.of(site);
        let mut open = std::mem::take(&mut doubt.guessed.open);
        if ground == Ground::Foretold {
            open.append(&mut doubt.foretold.open);
        }
        open
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

impl Doubt {
    fn group(&mut self, ground: Ground) -> &mut Group {
        match ground {
            Ground::Foretold => &mut self.foretold,
            Ground::Guessed => &mut self.guessed,
        }
    }
}

impl Group {
    /// If something is found missing, this page may lack it, too.
    fn remember(&mut self, page: &Url) {
        if self.open.len() < MAX_PAGES {
            self.open.push(page.clone());
        }
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
            .filter(|number| doubts.rely("garden", &page(*number), Ground::Foretold))
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
            doubts.rely("garden", &page(number), Ground::Foretold);
        }
        doubts.settle("garden", Ground::Foretold);
        for number in 3..5 {
            doubts.rely("garden", &page(number), Ground::Foretold);
        }
        assert_eq!(doubts.take("garden", Ground::Foretold), [page(3), page(4)]);
        assert!(doubts.take("garden", Ground::Foretold).is_empty());
    }

    #[test]
    fn what_is_foretold_and_what_is_guessed_say_nothing_about_each_other() {
        let mut doubts = Doubts::default();
        doubts.rely("garden", &page(1), Ground::Foretold);
        doubts.rely("garden", &page(2), Ground::Guessed);
        doubts.settle("garden", Ground::Foretold);
        doubts.rely("garden", &page(3), Ground::Foretold);
        assert_eq!(doubts.take("garden", Ground::Guessed), [page(2)]);
        assert_eq!(doubts.take("garden", Ground::Foretold), [page(3)]);
    }

    #[test]
    fn guesses_are_looked_at_more_often() {
        let looks = |ground| {
            let mut doubts = Doubts::default();
            let pages = (0..1000).map(page);
            pages
                .filter(|page| doubts.rely("garden", page, ground))
                .count()
        };
        assert!(looks(Ground::Guessed) > 4 * looks(Ground::Foretold));
    }
}
