//! Traps: URL spaces without end, left before they cost much, without losing real pages.
//!
//! - `path.rs`: URLs that show it themselves.
//! - `novelty.rs`: spaces of like URLs (`template.rs`) whose pages bring nothing new (`text.rs`).
//! - `parameters/`: sessions and orders of parameters, under which the same page has many URLs.
//! - `missing.rs`: pages that are not there, but do not say so.
//! - here: chains of pages that are found through each other alone.
//!
//! A crawl asks [`Traps::admit`] before a URL is queued and again when its turn comes, and tells
//! [`Traps::observe`] what a visit brought. What is [`Closed`] can be written down and given back
//! after a restart; all else is memory of the recent past, of bounded size.

mod closed;
mod missing;
mod novelty;
mod parameters;
mod path;
mod recent;
mod template;
mod text;

pub use closed::{Closed, ClosedSpace, TrapReason};

use super::canonical::canonical;
use missing::Missing;
use novelty::{Judgement, Novelty, Visit};
use parameters::Parameters;
use recent::Recent;
use template::{Spaces, hash, is_calendar};
use text::Features;
use url::Url;
use varve_model::Digest;

/// Pages of one template that may be found through each other alone, one after the other.
const MAX_CHAIN: u32 = 1_000;

/// URLs whose place in a chain is remembered, and closed spaces.
const MAX_LINKS: usize = 1 << 17;
const MAX_CLOSED: usize = 1 << 16;

/// What a visit brought.
#[derive(Clone, Copy, Debug)]
pub struct PageSeen<'a> {
    /// The page, as it was asked for. It was answered with success.
    pub url: &'a Url,
    /// Its visible text. `None` for what has none (images, downloads), or if it is not known
    /// because the page's scripts did not run.
    pub text: Option<&'a str>,
    /// The digest of its body; `None` too if scripts did not run, since many pages may share the
    /// document that only they tell apart.
    pub digest: Option<Digest>,
    /// Pictures, films and files that belong to it and whose content (by digest) the crawl had
    /// not received before. Beacons and JSON do not count.
    pub new_embeds: usize,
    /// The URLs that it was the first to mention and that were queued.
    pub new_urls: &'a [Url],
}

/// What is known of the traps of all sites.
#[derive(Debug)]
pub struct Traps {
    novelty: Novelty,
    parameters: Parameters,
    missing: Missing,
    /// Closed templates, sections and sites, by hash.
    closed: Recent<TrapReason>,
    /// By URL: how many pages of its template led to it alone.
    chains: Recent<u32>,
}

impl Default for Traps {
    fn default() -> Traps {
        Traps::new()
    }
}

impl Traps {
    /// Nothing is known yet.
    pub fn new() -> Traps {
        Traps {
            novelty: Novelty::new(),
            parameters: Parameters::new(),
            missing: Missing::new(),
            closed: Recent::new(MAX_CLOSED),
            chains: Recent::new(MAX_LINKS),
        }
    }

    /// Whether a URL may be queued that a page mentions (`via`; seeds have none and always may).
    /// Asked again with the same URL it gives the same answer, unless something was closed since.
    pub fn admit(&mut self, url: &Url, via: Option<&Url>) -> Result<(), TrapReason> {
        let Some(via) = via else {
            return Ok(());
        };
        if path::is_made_up(url) {
            return Err(TrapReason::Path);
        }
        let spaces = Spaces::of(url);
        let keys = spaces.keys();
        if let Some(reason) = keys.iter().find_map(|key| self.closed.get(*key)) {
            return Err(*reason);
        }
        let chain = self.chains.get(hash(&via.as_str())).copied();
        if chain.unwrap_or(0) >= MAX_CHAIN && Spaces::of(via).template == spaces.template {
            return Err(TrapReason::Chain);
        }
        self.parameters.admit(url)
    }

    /// The text under which the seen-set should hold a URL: canonical, without what is known not
    /// to count on its host.
    pub fn key(&self, url: &Url) -> String {
        match self.parameters.simplified(url) {
            Some((simple, _)) => simple,
            None => canonical(url),
        }
    }

    /// A page was visited. Gives what is closed from now on.
    pub fn observe(&mut self, page: &PageSeen<'_>) -> Vec<Closed> {
        let spaces = Spaces::of(page.url);
        let leads_to: Vec<[u64; 3]> = page
            .new_urls
            .iter()
            .map(|url| Spaces::of(url).keys())
            .collect();
        let judgement = page.text.map(|text| {
            self.novelty.observe(&Visit {
                spaces: spaces.keys(),
                features: &Features::of(text),
                new_embeds: page.new_embeds,
                leads_to: &leads_to,
            })
        });
        // What cannot be judged gets the benefit of the doubt.
        let own = spaces.keys()[0];
        let judgement = judgement.unwrap_or_else(|| Judgement {
            leads_out: leads_to.iter().any(|keys| keys[0] != own),
            closed: [false; 3],
        });
        let breaks = judgement.leads_out || page.new_embeds > 0;
        self.chain(page, own, &leads_to, breaks);
        let mut closed = self.compare(page);
        closed.extend(self.close(page.url, &spaces, judgement));
        closed
    }

    /// A URL that the site of a page cannot have, if it should be asked for one now: when several
    /// of its pages say the same, and once only. If that is answered with success, the answer goes
    /// to [`Traps::asked_for_nothing`]. `chance` is any number that the site cannot foresee.
    pub fn probe(&mut self, page: &Url, chance: u64) -> Option<Url> {
        self.missing.probe(page, chance)
    }

    /// What a site says in place of "not found".
    pub fn asked_for_nothing(&mut self, probe: &Url, text: &str) {
        self.missing.asked(probe, text);
    }

    /// Whether a page that was answered with success is missing all the same (`soft404`). Its
    /// links should not be followed.
    pub fn is_missing(&self, url: &Url, text: &str) -> bool {
        self.missing.is_missing(url, text)
    }

    /// What was closed before a restart is closed again.
    pub fn restore(&mut self, closed: &Closed) {
        let key = match &closed.space {
            ClosedSpace::Template(template) => hash(&("template", template)),
            ClosedSpace::Section(section) => hash(&("section", section)),
            ClosedSpace::Site(site) => hash(&("site", site)),
            learned => return self.parameters.restore(learned),
        };
        self.closed.insert(key, closed.reason);
    }

    /// Lengthens the chains that go through a page. They begin anew at one that leads elsewhere or
    /// brings pictures: comics are long chains too.
    fn chain(&mut self, page: &PageSeen<'_>, own: u64, leads_to: &[[u64; 3]], breaks: bool) {
        let before = self.chains.get(hash(&page.url.as_str())).copied();
        let next = match breaks {
            true => 0,
            false => before.unwrap_or(0) + 1,
        };
        for (url, keys) in page.new_urls.iter().zip(leads_to) {
            if keys[0] == own {
                self.chains.insert(hash(&url.as_str()), next);
            }
        }
    }

    /// Compares a page with others of its site.
    fn compare(&mut self, page: &PageSeen<'_>) -> Vec<Closed> {
        let says = match page.text {
            // Pictures make it another page, whatever it says.
            Some(_) if page.new_embeds > 0 => None,
            Some(text) => {
                self.missing.observe(page.url, text);
                text::exact(text).filter(|_| !self.missing.is_missing(page.url, text))
            }
            None => page.digest.as_ref().map(hash),
        };
        says.map_or_else(Vec::new, |says| self.parameters.observe(page.url, says))
    }

    fn close(&mut self, url: &Url, spaces: &Spaces, judgement: Judgement) -> Option<Closed> {
        let width = judgement.closed.iter().rposition(|closed| *closed)?;
        let space = match width {
            0 => ClosedSpace::Template(spaces.template.clone()),
            1 => ClosedSpace::Section(spaces.section.clone()),
            _ => ClosedSpace::Site(spaces.site.clone()),
        };
        let reason = match is_calendar(url) {
            true => TrapReason::Calendar,
            false => TrapReason::Pattern,
        };
        let known = self.closed.get(spaces.keys()[width]).is_some();
        let closed = Closed { reason, space };
        self.restore(&closed);
        (!known).then_some(closed)
    }
}

#[cfg(test)]
mod tests;
