//! What to crawl and how: plain values, resolved once.

use std::path::PathBuf;
use std::time::Duration;
use url::Url;
use varve_browser::Client;
use varve_fetch::{AddressPolicy, Limits, MapHost, Trust};

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
    /// Pages with scripts go to the browser, all else over HTTP.
    Auto,
}

/// How to crawl.
#[derive(Clone, Debug)]
pub struct CrawlOptions {
    /// The pages to save.
    pub seeds: Vec<Url>,
    /// How they are fetched.
    pub tier: TierChoice,
    /// How many pages are in flight at once.
    pub workers: usize,
    /// How long one page may take.
    pub page_timeout: Duration,
    /// Whether pictures of pages are taken.
    pub screenshots: bool,
    /// Who we are to servers and scripts.
    pub client: Client,
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
