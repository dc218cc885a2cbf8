//! robots.txt after RFC 9309: what a site asks crawlers not to fetch.
//!
//! `lines.rs` reads the file, `pattern.rs` compares paths. Reading takes time linear in the file,
//! and a question time linear in the URL for each rule: wildcards are matched without going back.

mod lines;
mod pattern;

use super::canonical::is_web;
use pattern::{Pattern, comparable};
use std::time::Duration;
use url::Url;

/// The name by which robots.txt files call this crawler.
pub const PRODUCT: &str = "varve";

/// How much of a file is read. RFC 9309 asks for at least 500 KiB.
pub const MAX_FILE: usize = 512 << 10;

/// How many redirects of robots.txt are followed; RFC 9309 asks for at least five.
pub const MAX_REDIRECTS: usize = 5;

/// The longest `Crawl-delay` that is believed. Longer ones mean "do not come", and for that there
/// is `Disallow`.
const MAX_CRAWL_DELAY: Duration = Duration::from_secs(60);

/// How many sitemaps a file can name.
const MAX_SITEMAPS: usize = 1_000;

/// What a site asks of this crawler.
#[derive(Clone, Debug, PartialEq)]
pub struct Robots {
    policy: Policy,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<Url>,
}

#[derive(Clone, Debug, PartialEq)]
enum Policy {
    /// The file could not be had, and not because there is none: nothing may be fetched.
    Unreachable,
    /// The rules of our group, those that win over others first.
    Rules(Vec<Rule>),
}

#[derive(Clone, Debug, PartialEq)]
struct Rule {
    pattern: Pattern,
    allow: bool,
}

impl Robots {
    /// Everything is allowed: there is no file.
    pub fn allow_all() -> Robots {
        Robots::new(Policy::Rules(Vec::new()))
    }

    /// Nothing is allowed: the server did not answer, or not with sense.
    pub fn unreachable() -> Robots {
        Robots::new(Policy::Unreachable)
    }

    /// Whether the server answered with an error: nobody can say what is allowed.
    pub fn is_unreachable(&self) -> bool {
        self.policy == Policy::Unreachable
    }

    /// What an answer to the request for robots.txt means. Redirects were followed by the caller;
    /// one that is left here was one too many, and counts as "there is none".
    pub fn from_status(status: u16, body: &[u8]) -> Robots {
        match status {
            200..=299 => Robots::parse(body),
            429 | 500.. => Robots::unreachable(),
            _ => Robots::allow_all(),
        }
    }

    /// Reads a file. Any bytes are one.
    pub fn parse(bytes: &[u8]) -> Robots {
        let (ours, sitemaps) = lines::read(bytes);
        let mut rules = ours.rules;
        // The longest pattern decides, and among equals the one that allows.
        rules.sort_by_key(|rule| (std::cmp::Reverse(rule.pattern.len()), !rule.allow));
        Robots {
            policy: Policy::Rules(rules),
            crawl_delay: ours.crawl_delay,
            sitemaps,
        }
    }

    /// Whether a URL of this site may be fetched.
    pub fn allows(&self, url: &Url) -> bool {
        self.refusal(url).is_none()
    }

    /// Why a URL may not be fetched: a stable word, or nothing if it may.
    pub fn refusal(&self, url: &Url) -> Option<&'static str> {
        if !is_web(url) || url.path() == "/robots.txt" {
            return None;
        }
        let rules = match &self.policy {
            Policy::Unreachable => return Some("robots.unreachable"),
            Policy::Rules(rules) => rules,
        };
        if rules.is_empty() {
            return None;
        }
        let path = comparable(url);
        let decisive = rules.iter().find(|rule| rule.pattern.matches(&path));
        decisive
            .is_some_and(|rule| !rule.allow)
            .then_some("robots.disallowed")
    }

    /// How long the site wants to be left alone between requests (at most a minute).
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// The sitemaps it names.
    pub fn sitemaps(&self) -> &[Url] {
        &self.sitemaps
    }

    fn new(policy: Policy) -> Robots {
        Robots {
            policy,
            crawl_delay: None,
            sitemaps: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
