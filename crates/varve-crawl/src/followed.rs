//! Links that became targets, as pages wrote them.
//!
//! What a menu repeats on every page need not be looked at again: it waits in the frontier, or was
//! visited. Nothing gets lost by that, for a page is settled together with its links; one that is
//! not settled is visited again.

use crate::frontier::UrlKey;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use url::Url;

/// When there are more, all are forgotten: the frontier knows them anyway.
const MOST: usize = 1 << 20;

/// A memory of links.
#[derive(Default)]
pub(crate) struct Followed(Mutex<HashSet<UrlKey>>);

impl Followed {
    /// Those that did not become targets yet, as far as they are URLs.
    pub(crate) fn others<'a>(&self, links: impl Iterator<Item = &'a str>) -> Vec<Url> {
        let followed = self.lock();
        let others = links.filter(|link| !followed.contains(&written(link)));
        others.filter_map(|link| Url::parse(link).ok()).collect()
    }

    /// These became targets.
    pub(crate) fn add<'a>(&self, urls: impl Iterator<Item = &'a Url>) {
        let mut followed = self.lock();
        if followed.len() >= MOST {
            followed.clear();
        }
        followed.extend(urls.map(|url| written(url.as_str())));
    }

    /// Looks at all links again.
    pub(crate) fn forget(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<UrlKey>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A link without the part that no server sees.
fn written(link: &str) -> UrlKey {
    UrlKey::of(link.split_once('#').map_or(link, |(url, _)| url))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn links_are_looked_at_until_they_became_targets() {
        let followed = Followed::default();
        let menu = ["http://a.example/", "http://a.example/b#top", "no link"];
        let others = |expected: &[&str]| {
            let others = followed.others(menu.into_iter());
            let others: Vec<&str> = others.iter().map(Url::as_str).collect();
            assert_eq!(others, expected);
        };
        others(&["http://a.example/", "http://a.example/b#top"]);
        followed.add([Url::parse("http://a.example/b").unwrap()].iter());
        others(&["http://a.example/"]);
        followed.forget();
        others(&["http://a.example/", "http://a.example/b#top"]);
    }
}
