//! The smallest crawl that obeys all rules: one request at a time, from pure functions.

use std::collections::{BTreeMap, HashSet, VecDeque};
use url::Url;
use varve_crawl::rules::canonical::canonical;
use varve_crawl::rules::robots::Robots;
use varve_crawl::rules::scope::{Reach, Scope, ScopeRules, Verdict};
use varve_crawl::rules::sitemap::{SitemapFile, Sitemaps, is_named_like_a_sitemap};
use varve_crawl::rules::traps::{Closed, PageSeen, Traps};
use varve_demo::generated::Generated;
use varve_page::{Destination, Document, Page, Role, Viewport, analyse};

/// After so many requests a crawl has failed: it is lost in a trap.
const MAX_REQUESTS: usize = 20_000;

/// How many redirects are followed.
const MAX_REDIRECTS: usize = 20;

/// In which order waiting URLs are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    OldestFirst,
    NewestFirst,
    /// As chance has it.
    Shuffled,
}

/// A crawl of one generated host.
pub(crate) struct Walker<'a> {
    host: &'a dyn Fn(&Url) -> Generated,
    order: Order,
    scope: Scope,
    robots: Robots,
    traps: Traps,
    waiting: VecDeque<(Url, Option<Url>)>,
    seen: HashSet<String>,
    embeds: HashSet<Url>,
    chance: u64,
    /// The paths of all requests.
    pub(crate) requests: Vec<String>,
    pub(crate) closed: Vec<Closed>,
    /// Refused and missing URLs, by reason.
    pub(crate) refused: BTreeMap<&'static str, usize>,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(seed: &Url, order: Order, host: &'a dyn Fn(&Url) -> Generated) -> Walker<'a> {
        let rules = ScopeRules {
            reach: Reach::Host,
            ..ScopeRules::default()
        };
        let mut walker = Walker {
            host,
            order,
            scope: Scope::new(&rules, [seed]).unwrap(),
            robots: Robots::allow_all(),
            traps: Traps::new(),
            waiting: VecDeque::from([(seed.clone(), None)]),
            seen: HashSet::new(),
            embeds: HashSet::new(),
            chance: 1,
            requests: Vec::new(),
            closed: Vec::new(),
            refused: BTreeMap::new(),
        };
        let robots = walker.fetch(&seed.join("/robots.txt").unwrap()).unwrap();
        walker.robots = Robots::from_status(robots.status, robots.body.as_bytes());
        walker
    }

    /// Crawls until nothing waits.
    pub(crate) fn run(&mut self, seed: &Url) {
        self.seen.insert(canonical(seed));
        while let Some((url, via)) = self.next() {
            assert!(self.requests.len() < MAX_REQUESTS, "lost at {url}");
            if let Err(reason) = self.traps.admit(&url, via.as_ref()) {
                *self.refused.entry(reason.as_str()).or_default() += 1;
                continue;
            }
            if let Some(answer) = self.fetch(&url)
                && answer.status == 200
            {
                self.visit(&url, &answer);
            }
        }
    }

    /// Asks, and follows redirects; each is a request.
    fn fetch(&mut self, url: &Url) -> Option<Generated> {
        let mut at = url.clone();
        for _ in 0..MAX_REDIRECTS {
            self.requests.push(at.path().to_owned());
            let answer = (self.host)(&at);
            match &answer.location {
                Some(location) => at = at.join(location).unwrap(),
                None => return Some(answer),
            }
        }
        None
    }

    /// Queues what the host's sitemaps name.
    pub(crate) fn sitemaps(&mut self, seed: &Url) {
        let mut sitemaps = Sitemaps::default();
        let mut files: VecDeque<SitemapFile> = sitemaps.begin(seed, &self.robots).into();
        while let Some(file) = files.pop_front() {
            if sitemaps.is_over() {
                break;
            }
            let Some(answer) = self.fetch(&file.url) else {
                continue;
            };
            let page = understand(&file.url, &answer);
            let (nested, urls): (Vec<Url>, Vec<Url>) = page
                .references
                .iter()
                .filter(|reference| reference.role == Role::Link)
                .map(|reference| reference.url.clone())
                .take(sitemaps.allowance())
                .partition(is_named_like_a_sitemap);
            files.extend(nested.iter().filter_map(|url| sitemaps.nested(&file, url)));
            let new = urls.iter().filter(|url| self.queue(url, &file.url)).count();
            sitemaps.read(urls.len(), new);
        }
    }

    fn visit(&mut self, url: &Url, answer: &Generated) {
        let page = understand(url, answer);
        let missing = self.traps.is_missing(url, &page.text);
        if missing {
            *self.refused.entry("soft404").or_default() += 1;
        }
        let mut new_urls = Vec::new();
        let mut new_embeds = 0;
        for reference in &page.references {
            match reference.role {
                Role::Link if !missing && self.queue(&reference.url, url) => {
                    new_urls.push(reference.url.clone());
                }
                Role::Embed(Destination::Image) if self.embeds.insert(reference.url.clone()) => {
                    new_embeds += 1;
                }
                _ => {}
            }
        }
        self.closed.extend(self.traps.observe(&PageSeen {
            url,
            text: Some(&page.text),
            digest: None,
            new_embeds,
            new_urls: &new_urls,
        }));
    }

    /// Queues a URL that a page mentions; tells whether it was.
    fn queue(&mut self, url: &Url, via: &Url) -> bool {
        if self.scope.admits(url, 0, 0) != Verdict::In || !self.robots.allows(url) {
            return false;
        }
        if self.seen.contains(&self.traps.key(url)) {
            return false;
        }
        if let Err(reason) = self.traps.admit(url, Some(via)) {
            *self.refused.entry(reason.as_str()).or_default() += 1;
            return false;
        }
        self.seen.insert(self.traps.key(url));
        self.waiting.push_back((url.clone(), Some(via.clone())));
        true
    }

    fn next(&mut self) -> Option<(Url, Option<Url>)> {
        match self.order {
            Order::OldestFirst => self.waiting.pop_front(),
            Order::NewestFirst => self.waiting.pop_back(),
            Order::Shuffled => {
                self.chance = self
                    .chance
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let at = (self.chance >> 33) as usize % self.waiting.len().max(1);
                self.waiting.swap_remove_back(at)
            }
        }
    }
}

fn understand(url: &Url, answer: &Generated) -> Page {
    let document = Document {
        content_type: Some(answer.kind),
        ..Document::new(url, answer.body.as_bytes())
    };
    analyse(&document, &Viewport::default())
}
