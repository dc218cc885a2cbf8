//! What a crawl asks of a host besides pages: its robots.txt and its sitemaps.

use crate::CrawlError;
use crate::admission::From;
use crate::crawl::{Crawl, Visited};
use crate::frontier::{Found, Frontier, HostRules, Lease, Moment, Outcome, host_of};
use crate::hosts::{RobotsAnswer, Verdict};
use crate::http_tier::Answer;
use crate::ledger::FirstAnswer;
use crate::options::{RobotsPolicy, SitemapPolicy};
use crate::rules::politeness::{Response, retry_after};
use crate::rules::robots::{MAX_FILE, Robots};
use crate::rules::sitemap::{SitemapFile, is_named_like_a_sitemap, unpack};
use serde_json::json;
use std::sync::Arc;
use std::time::SystemTime;
use url::Url;
use varve_page::{Document, Kind, Page, Role, Viewport, analyse};

/// Of a robots.txt no more is fetched, of a sitemap no more.
const ROBOTS_BYTES: u64 = 1 << 20;
const SITEMAP_BYTES: u64 = 64 << 20;

impl Crawl {
    /// Whether the host of a page lets us visit it. The first who asks fetches its robots.txt.
    pub(crate) async fn ask_robots(&self, url: &Url) -> Result<Verdict, CrawlError> {
        if self.options.robots == RobotsPolicy::Ignored {
            return Ok(Verdict::Welcome);
        }
        let origin = url.origin().ascii_serialization();
        let place = self.hosts.robots(&origin, Moment::now());
        let answer = place.get_or_try_init(|| self.fetch_robots(url)).await?;
        Ok(match answer {
            RobotsAnswer::Unreached(reason) => Verdict::Later(reason),
            RobotsAnswer::Says(robots) => match robots.refusal(url) {
                None => Verdict::Welcome,
                Some(reason @ "robots.unreachable") => Verdict::Later(reason),
                Some(reason) => Verdict::Refused(reason),
            },
        })
    }

    /// Why robots.txt keeps us from a page that something leads to, if it does. Of hosts that cannot
    /// be reached the page itself will tell.
    pub(crate) async fn is_kept_from(&self, url: &Url) -> Option<&'static str> {
        match self.ask_robots(url).await {
            Ok(Verdict::Refused(reason) | Verdict::Later(reason @ "robots.unreachable")) => {
                Some(reason)
            }
            // A crawl that cannot ask will say why.
            Ok(Verdict::Welcome | Verdict::Later(_)) | Err(_) => None,
        }
    }

    async fn fetch_robots(&self, page: &Url) -> Result<RobotsAnswer, CrawlError> {
        let Ok(url) = page.join("/robots.txt") else {
            return Ok(RobotsAnswer::Says(Arc::new(Robots::allow_all())));
        };
        let id = self.ledger.begin(&url);
        let errand = self.errand(id).at_most(ROBOTS_BYTES);
        let opened = self.http.open(&errand, &url).await;
        self.add_chore(&self.ledger.end(id));
        let robots = match opened {
            Err(error) => return Ok(RobotsAnswer::Unreached(error.reason())),
            Ok(answer) => {
                let status = answer.head.status().unwrap_or(0);
                Robots::from_status(status, &answer.body(MAX_FILE as u64))
            }
        };
        self.welcome(page, &robots).await?;
        Ok(RobotsAnswer::Says(Arc::new(robots)))
    }

    /// Does what a robots.txt asks for: slows down, and looks at the sitemaps that it names.
    async fn welcome(&self, page: &Url, robots: &Robots) -> Result<(), CrawlError> {
        let Some(host) = host_of(page) else {
            return Ok(());
        };
        let floor = self.control.delay();
        let rules = self.hosts.be_polite(&host, floor, robots.crawl_delay());
        self.set_rules(&host, rules).await?;
        let wanted = self.options.sitemaps == SitemapPolicy::Followed;
        if wanted && self.admission.may_hold_pages(page) {
            let files = self
                .hosts
                .sitemaps(&host, |sitemaps| sitemaps.begin(page, robots));
            let targets = files
                .into_iter()
                .map(|file| self.admission.sitemap_file(page, file.url, 0));
            self.state.frontier.add(targets.collect()).await?;
        }
        Ok(())
    }

    /// Reads a sitemap: it leads to pages, and to other sitemaps.
    pub(crate) async fn sitemap_file(&self, lease: Lease) -> Result<Visited, CrawlError> {
        let url = lease.target.url.clone();
        if let Verdict::Refused(_) | Verdict::Later(_) = self.ask_robots(&url).await? {
            return self.end_sitemap(lease, Vec::new()).await;
        }
        let id = self.ledger.begin(&url);
        let errand = self.errand(id).at_most(SITEMAP_BYTES);
        let opened = self.http.open(&errand, &url).await;
        self.add_chore(&self.ledger.end(id));
        if !self.save().await? {
            self.release(lease).await?;
            return Ok(Visited::Later);
        }
        let listed = match &opened {
            Ok(answer) => listed(answer),
            Err(_) => Vec::new(),
        };
        self.end_sitemap(lease, listed).await
    }

    async fn end_sitemap(&self, lease: Lease, listed: Vec<Url>) -> Result<Visited, CrawlError> {
        let (target, host) = (lease.target.clone(), lease.host.clone());
        let allowance = self.hosts.sitemaps(&host, |sitemaps| sitemaps.allowance());
        let within = SitemapFile {
            url: target.url.clone(),
            nesting: u8::try_from(target.depth).unwrap_or(u8::MAX),
        };
        let mut targets = Vec::new();
        let mut pages = Vec::new();
        for url in listed.into_iter().take(allowance) {
            if !is_named_like_a_sitemap(&url) {
                pages.push(url);
                continue;
            }
            let nested = self
                .hosts
                .sitemaps(&host, |sitemaps| sitemaps.nested(&within, &url));
            if let Some(file) = nested {
                let depth = file.nesting.into();
                targets.push(self.admission.sitemap_file(&target.url, file.url, depth));
            }
        }
        let from = From {
            target: &target,
            url: &target.url,
            found: Found::Sitemap,
        };
        targets.extend(self.admission.admit(&from, pages.iter()));
        let counted = targets.len();
        let added = self
            .state
            .frontier
            .settle(lease, Outcome::Saved, targets)
            .await?;
        let new = usize::try_from(added.new).unwrap_or(usize::MAX);
        self.hosts
            .sitemaps(&host, |sitemaps| sitemaps.read(counted, new));
        Ok(Visited::Chore)
    }

    /// Adapts to how a host answered.
    pub(crate) async fn keep_pace(
        &self,
        host: &str,
        answer: Option<FirstAnswer>,
    ) -> Result<(), CrawlError> {
        let Some(answer) = answer else {
            return Ok(());
        };
        let now = crate::records::timestamp(SystemTime::now()).unix_millis();
        let asked = answer.retry_after.as_deref();
        let response = Response {
            took: answer.took,
            status: answer.status,
            retry_after: asked.and_then(|value| retry_after(value, now)),
        };
        let rules = self.hosts.observe(host, self.control.delay(), response);
        self.set_rules(host, rules).await
    }

    async fn set_rules(&self, host: &str, rules: Option<HostRules>) -> Result<(), CrawlError> {
        if let Some(rules) = rules {
            let rules = HostRules {
                in_flight: self.pages_per_host(),
                ..rules
            };
            self.state.frontier.host_rules(host, rules).await?;
        }
        Ok(())
    }

    /// Writes down that a page was left out.
    pub(crate) fn note_skip(&self, url: &Url, reason: &str) {
        let line = json!({
            "ts": crate::records::timestamp(SystemTime::now()).w3c(),
            "kind": "page",
            "url": url.as_str(),
            "reason": reason,
        });
        self.ledger.scribe().write(crate::scribe::Entry::Log(line));
    }
}

/// What a sitemap lists, packed or not.
fn listed(answer: &Answer) -> Vec<Url> {
    if answer.page.kind == Kind::Sitemap {
        return links(&answer.page);
    }
    let body = answer.body(SITEMAP_BYTES);
    let unpacked = unpack(&body);
    let document = Document {
        content_type: Some("application/xml"),
        ..Document::new(&answer.exchange.url, &unpacked)
    };
    let page = analyse(&document, &Viewport::default());
    match page.kind {
        Kind::Sitemap => links(&page),
        _ => Vec::new(),
    }
}

fn links(page: &Page) -> Vec<Url> {
    let references = page.references.iter();
    let links = references.filter(|reference| reference.role == Role::Link);
    links.map(|reference| reference.url.clone()).collect()
}
