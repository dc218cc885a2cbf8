//! What to crawl and how: plain values, resolved once.

use crate::live::CrawlLimits;
use crate::rules::scope::Scope;
use crate::session::Session;
use regex::RegexSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use url::Url;
use varve_browser::Client;
use varve_fetch::{AddressPolicy, Limits, MapHost, Trust};
use varve_filter::Filter;
pub use varve_memo::Technique;

/// How a page is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// Over HTTP, without running its scripts.
    Http,
    /// In Chromium.
    Browser,
}

impl Tier {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Http => "http",
            Tier::Browser => "browser",
        }
    }
}

/// Who decides on the tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TierChoice {
    /// All pages alike.
    Always(Tier),
    /// Pages go to the browser where that is needed to know what their scripts ask for, all else
    /// over HTTP.
    Auto,
}

/// How to crawl.
#[derive(Clone, Debug)]
pub struct CrawlOptions {
    /// Where to begin.
    pub seeds: Vec<Url>,
    /// What belongs to the crawl.
    pub scope: Scope,
    /// Whether sitemaps are looked for.
    pub sitemaps: SitemapPolicy,
    /// Whether robots.txt counts.
    pub robots: RobotsPolicy,
    /// Hosts are left in peace at least so long between two pages.
    pub delay: Duration,
    /// How many requests one host has to answer at once.
    pub per_host: usize,
    /// When it ends by itself.
    pub ends: CrawlLimits,
    /// How often what fails in passing is tried again.
    pub retries: u32,
    /// How long to wait for room on a full disk.
    pub disk_wait: Duration,
    /// How pages are fetched.
    pub tier: TierChoice,
    /// Of what a browser would ask for, pages that go without one shall have this share. If a look
    /// at one of them finds less, those like it are visited again.
    pub min_recall: f64,
    /// What of the memo is left out, to see what it is good for.
    pub without: Vec<Technique>,
    /// Which of several variants of pictures, styles and fonts pages without a browser get.
    pub variants: Variants,
    /// How many pages are in flight at once.
    pub workers: usize,
    /// How long one page may take.
    pub page_timeout: Duration,
    /// Whether pictures of pages are taken.
    pub screenshots: bool,
    /// Whether visits tell which functions of scripts ran, and run the handlers of events for that.
    pub learn: bool,
    /// Who we are to servers and scripts.
    pub client: Client,
    /// The user's own cookies, local storage and fields.
    pub session: Session,
    /// URLs that are never asked for.
    pub block: RegexSet,
    /// Which scripts of third parties are not asked for.
    pub filter: Option<Arc<Filter>>,
    /// One page in so many of a recrawl is visited without it, to see whether it does harm; none if
    /// this is 0.
    pub sample: u32,
    /// Which addresses may be contacted.
    pub policy: AddressPolicy,
    /// Hosts that are somewhere else.
    pub map_hosts: Vec<MapHost>,
    /// Which certificates are believed.
    pub trust: Trust,
    /// What one exchange may take.
    pub limits: Limits,
    /// Where large bodies wait for the disk.
    pub spool_dir: PathBuf,
}

/// Which of several variants a page gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variants {
    /// Those that a browser with the crawl's viewport loads.
    Viewport,
    /// All of them, for replay on other devices.
    All,
}

impl CrawlOptions {
    /// Whether what visits teach decides which pages need one. What pages show to somebody who is
    /// logged in is not kept.
    pub(crate) fn decides(&self) -> bool {
        self.tier == TierChoice::Auto && self.session.is_empty()
    }
}

/// Whether robots.txt counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotsPolicy {
    /// What it forbids is not visited.
    Obeyed,
    /// It is not asked for.
    Ignored,
}

/// Whether sitemaps are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SitemapPolicy {
    /// Those that robots.txt names, or the usual one.
    Followed,
    /// None.
    Ignored,
}
