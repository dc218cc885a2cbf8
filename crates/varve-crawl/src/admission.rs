//! What is let into the frontier: links become targets, or are left out for a reason.

use crate::followed::Followed;
use crate::frontier::{Found, Target, UrlKey};
use crate::live::Control;
use crate::rules::canonical::canonical;
use crate::rules::scope::{Scope, Verdict};
use crate::rules::traps::{Closed, PageSeen, Traps};
use crate::visit::{PageDone, PageVisit, SOFT_404, is_saved};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use url::Url;

/// The note in which the frontier keeps what was found to be endless.
pub(crate) const CLOSED: &str = "closed";

/// Links that are looked at on one page.
const MAX_LINKS: usize = 50_000;
/// URLs of which it is remembered that some page mentioned them, or a redirect led there. When
/// there are more, all are forgotten: then a page may be visited twice.
const MENTIONED: usize = 1 << 20;

/// Priorities: the lower, the sooner. Pages that are far away come last.
const SITEMAP_FILE: u8 = 1;
const LINK: u8 = 2;
const FURTHEST: u8 = 250;

/// The gate of the frontier.
pub(crate) struct Admission {
    scope: RwLock<Scope>,
    control: Arc<Control>,
    traps: Mutex<Traps>,
    closed: Mutex<Vec<Closed>>,
    mentioned: Mutex<HashSet<UrlKey>>,
    followed: Followed,
}

/// The page that links are found on.
pub(crate) struct From<'a> {
    pub(crate) target: &'a Target,
    /// Where it really is.
    pub(crate) url: &'a Url,
    pub(crate) found: Found,
}

/// The key of a URL in the seen-set.
pub(crate) fn key(url: &Url) -> UrlKey {
    UrlKey::of(&canonical(url))
}

impl Admission {
    pub(crate) fn new(scope: Scope, control: Arc<Control>) -> Admission {
        Admission {
            scope: RwLock::new(scope),
            control,
            traps: Mutex::default(),
            closed: Mutex::default(),
            mentioned: Mutex::default(),
            followed: Followed::default(),
        }
    }

    /// Where a seed led belongs as the seed does.
    pub(crate) fn add_seed(&self, url: &Url) {
        let mut scope = self.scope.write().unwrap_or_else(PoisonError::into_inner);
        scope.add_seed(url);
    }

    /// Why a target that was let in is not to be visited after all.
    pub(crate) fn refuses(&self, target: &Target) -> Option<&'static str> {
        if self.control.excluded(&target.url) {
            return Some("scope.excluded");
        }
        let admitted = lock(&self.traps).admit(&target.url, target.via.as_ref());
        admitted.err().map(|trap| trap.as_str())
    }

    /// The links of a page that was visited. What is missing (although it says that all is well)
    /// leads nowhere.
    pub(crate) fn links(&self, target: &Target, visit: &PageVisit) -> Vec<Target> {
        if visit.reason == SOFT_404 || visit.status.is_some_and(|status| status >= 400) {
            return Vec::new();
        }
        if target.found == Found::Seed && visit.final_url != target.url {
            self.add_seed(&visit.final_url);
        }
        let from = From {
            target,
            url: &visit.final_url,
            found: Found::Link,
        };
        let links = visit.links.iter().take(MAX_LINKS);
        let links = self.followed.others(links.map(|link| link.url.as_str()));
        let targets = self.admit(&from, links.iter());
        self.followed.add(targets.iter().map(|target| &target.url));
        targets
    }

    /// Where a page redirects to, as a target in its place; if that belongs to the crawl.
    pub(crate) fn onward(&self, target: &Target, next: &Url) -> Option<Target> {
        let scope = self.scope.read().unwrap_or_else(PoisonError::into_inner);
        // One that is out of scope leads no further than it would as a link.
        let hops = match scope.admits(next, target.depth, target.hops) {
            Verdict::In => 0,
            Verdict::Hop => target.hops + 1,
            Verdict::Out(_) => return None,
        };
        let mut traps = lock(&self.traps);
        let key = UrlKey::of(&traps.key(next));
        let wanted = !self.control.excluded(next) && traps.admit(next, Some(&target.url)).is_ok();
        let from = From {
            target,
            url: &target.url,
            found: Found::Link,
        };
        wanted.then(|| self::target(&from, next, key, (target.depth, hops)))
    }

    /// Which of these nobody mentioned before.
    pub(crate) fn first_mentioned(&self, links: &[Target]) -> Vec<Url> {
        let mut mentioned = lock(&self.mentioned);
        let new = links.iter().filter(|link| insert(&mut mentioned, link.key));
        new.map(|link| link.url.clone()).collect()
    }

    /// Says so of a page that is missing, although its status does not.
    pub(crate) fn judge(&self, url: &Url, mut visit: PageVisit) -> PageVisit {
        let is_judged = visit.is_read && visit.is_success() && is_saved(&visit.reason);
        if is_judged && lock(&self.traps).is_missing(url, &visit.text) {
            visit.reason = SOFT_404.to_owned();
        }
        visit
    }

    /// A URL that the site of a page cannot have, if it should be asked for one now.
    pub(crate) fn probe(&self, page: &Url, chance: u64) -> Option<Url> {
        let scope = self.scope.read().unwrap_or_else(PoisonError::into_inner);
        // Where no links are followed, nobody gets lost.
        let probe = match scope.follows_links() {
            true => lock(&self.traps).probe(page, chance)?,
            false => return None,
        };
        (!self.control.excluded(&probe)).then_some(probe)
    }

    /// What a site says in place of "not found".
    pub(crate) fn asked_for_nothing(&self, probe: &Url, text: &str) {
        lock(&self.traps).asked_for_nothing(probe, text);
    }

    /// Learns from a page that was saved; gives what is closed from now on, and all that is.
    pub(crate) fn learn(
        &self,
        url: &Url,
        visit: &PageVisit,
        done: &PageDone,
        new_urls: &[Url],
    ) -> Option<(Vec<Closed>, String)> {
        let seen = PageSeen {
            url,
            text: Some(visit.text.as_str()).filter(|_| visit.is_read),
            digest: None,
            new_embeds: done.account.new_embeds,
            new_urls,
        };
        let new = lock(&self.traps).observe(&seen);
        if new.is_empty() {
            return None;
        }
        // What is closed may be known by another key from now on.
        self.followed.forget();
        let mut closed = lock(&self.closed);
        closed.extend(new.iter().cloned());
        let all = serde_json::to_string(&*closed).unwrap_or_default();
        Some((new, all))
    }

    /// What was closed before an interruption stays closed.
    pub(crate) fn restore(&self, note: Option<&str>) {
        let known: Vec<Closed> = note
            .and_then(|note| serde_json::from_str(note).ok())
            .unwrap_or_default();
        let mut traps = lock(&self.traps);
        known.iter().for_each(|closed| traps.restore(closed));
        *lock(&self.closed) = known;
    }

    /// The links that belong to the crawl, each once.
    pub(crate) fn admit<'u>(
        &self,
        from: &From<'_>,
        links: impl Iterator<Item = &'u Url>,
    ) -> Vec<Target> {
        let scope = self.scope.read().unwrap_or_else(PoisonError::into_inner);
        let mut traps = lock(&self.traps);
        let mut seen = HashSet::from([key(from.url), from.target.key]);
        let mut targets = Vec::new();
        // What a sitemap lists is as near as what a seed links to.
        let depth = match from.found {
            Found::Sitemap => 1,
            _ => from.target.depth.saturating_add(1),
        };
        for link in links.take(MAX_LINKS) {
            let hops = match scope.admits(link, depth, from.target.hops) {
                Verdict::In => 0,
                Verdict::Hop => from.target.hops + 1,
                Verdict::Out(_) => continue,
            };
            let key = UrlKey::of(&traps.key(link));
            let wanted = !self.control.excluded(link) && traps.admit(link, Some(from.url)).is_ok();
            if wanted && seen.insert(key) {
                targets.push(target(from, link, key, (depth, hops)));
            }
        }
        targets
    }

    /// A sitemap of a host that belongs to the crawl.
    pub(crate) fn sitemap_file(&self, via: &Url, url: Url, nesting: u32) -> Target {
        Target {
            depth: nesting,
            priority: SITEMAP_FILE,
            via: Some(via.clone()),
            found: Found::SitemapFile,
            ..Target::seed(url.clone(), key(&url))
        }
    }

    /// Whether pages of this host may belong to the crawl, so that its sitemaps are of interest.
    pub(crate) fn may_hold_pages(&self, url: &Url) -> bool {
        let scope = self.scope.read().unwrap_or_else(PoisonError::into_inner);
        scope.follows_links() && scope.admits(url, 1, 0) == Verdict::In
    }
}

/// Remembers a URL; whether that is new. When there are too many, all are forgotten.
pub(crate) fn insert(urls: &mut HashSet<UrlKey>, key: UrlKey) -> bool {
    if urls.len() >= MENTIONED {
        urls.clear();
    }
    urls.insert(key)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn target(from: &From<'_>, link: &Url, key: UrlKey, (depth, hops): (u32, u32)) -> Target {
    let mut url = link.clone();
    url.set_fragment(None);
    Target {
        depth,
        hops,
        priority: LINK
            .saturating_add(depth.min(FURTHEST.into()) as u8)
            .min(FURTHEST),
        via: Some(from.url.clone()),
        found: from.found,
        ..Target::seed(url, key)
    }
}
