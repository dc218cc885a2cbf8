//! Parameters that change nothing: sessions, campaigns, the order of facets.
//!
//! Some are known by name, if their values look like tokens. All others are learned: when two URLs
//! that differ in one parameter show the same text several times over, and hardly ever another, the
//! parameter no longer counts on that host. Of URLs that differ in what does not count, the first
//! is fetched, as it was spelled.

mod learn;

use super::closed::{ClosedSpace, TrapReason};
use super::recent::Recent;
use super::template::{hash, site};
use crate::rules::canonical::canonical;
use learn::Votes;
use std::collections::BTreeSet;
use url::Url;
use varve_model::TrimPolicy;

/// A value of this length, with a digit and without blanks, may be a token.
const TOKEN: usize = 16;

/// Names that may be trimmed on one host.
const MAX_NAMES: usize = 64;

/// Pages, votes, hosts and spellings that are remembered.
const MAX_PAGES: usize = 1 << 17;
const MAX_VOTES: usize = 1 << 14;
const MAX_SITES: usize = 1 << 13;
const MAX_OWNERS: usize = 1 << 17;

/// What is known of parameters.
#[derive(Debug)]
pub(super) struct Parameters {
    /// By what stays of a URL without a parameter: what was left out, and what the page said.
    pages: Recent<(u64, u64)>,
    votes: Recent<Votes>,
    sites: Recent<SiteRules>,
    /// By simplified URL: which spelling of it is fetched.
    owners: Recent<u64>,
}

#[derive(Clone, Debug, Default)]
struct SiteRules {
    ignored: BTreeSet<String>,
    any_order: bool,
}

impl Parameters {
    pub(super) fn new() -> Parameters {
        Parameters {
            pages: Recent::new(MAX_PAGES),
            votes: Recent::new(MAX_VOTES),
            sites: Recent::new(MAX_SITES),
            owners: Recent::new(MAX_OWNERS),
        }
    }

    /// Whether this spelling of a URL is the one to fetch.
    pub(super) fn admit(&mut self, url: &Url) -> Result<(), TrapReason> {
        let Some((simple, reason)) = self.simplified(url) else {
            return Ok(());
        };
        let (key, spelling) = (hash(&simple), hash(&url.as_str()));
        let owner = self.owners.get(key).copied().unwrap_or(spelling);
        self.owners.insert(key, owner);
        match owner == spelling {
            true => Ok(()),
            false => Err(reason),
        }
    }

    /// The URL without what does not count; nothing if all of it does.
    pub(super) fn simplified(&self, url: &Url) -> Option<(String, TrapReason)> {
        let site = site(url);
        let rules = self.sites.get(hash(&site));
        let text = canonical(url);
        let (base, query) = text.split_once('?').unwrap_or((&text, ""));
        let mut simple = TrimPolicy::Session.trim(base);
        let mut left: Vec<&str> = query
            .split('&')
            .filter(|parameter| {
                let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
                let learned = rules.is_some_and(|rules| rules.ignored.contains(name));
                let known = is_session(name) && is_token(value);
                !learned && !known
            })
            .collect();
        let trimmed = simple.len() < base.len() || left.len() < query.split('&').count();
        let any_order = left.len() > 1 && rules.is_some_and(|rules| rules.any_order);
        if any_order {
            left.sort_unstable();
        }
        if !left.is_empty() && left != [""] {
            simple.push('?');
            simple.push_str(&left.join("&"));
        }
        match (trimmed, any_order) {
            (true, _) => Some((simple, TrapReason::Session)),
            // The sorted spelling too, so that the others know of it.
            (false, true) => Some((simple, TrapReason::Order)),
            (false, false) => None,
        }
    }

    /// What was learned before a restart.
    pub(super) fn restore(&mut self, space: &ClosedSpace) {
        match space {
            ClosedSpace::Parameter { site, name } => self.ignore(site, name),
            ClosedSpace::AnyOrder { site } => self.rules(site, |rules| rules.any_order = true),
            ClosedSpace::Template(_) | ClosedSpace::Section(_) | ClosedSpace::Site(_) => {}
        }
    }

    fn ignore(&mut self, site: &str, name: &str) {
        self.rules(site, |rules| {
            if rules.ignored.len() < MAX_NAMES {
                rules.ignored.insert(name.to_owned());
            }
        });
    }

    fn rules(&mut self, site: &str, change: impl FnOnce(&mut SiteRules)) {
        let key = hash(&site);
        let mut rules = self.sites.take(key).unwrap_or_default();
        change(&mut rules);
        self.sites.insert(key, rules);
    }
}

/// Whether the trim policy of the archive calls a parameter a session's.
fn is_session(name: &str) -> bool {
    const BASE: &str = "http://a/";
    !name.is_empty() && TrimPolicy::Session.trim(&format!("{BASE}?{name}=1")) == BASE
}

fn is_token(value: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    value.len() >= TOKEN
        && value.bytes().all(fits)
        && value.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
