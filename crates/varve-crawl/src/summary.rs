//! What a crawl did, in numbers that can be checked.

use crate::account::Account;
use crate::visit::PageDone;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use varve_memo::Recall;
use varve_store::collection::LayerEntry;

/// So many pages are named in a summary, and so many that could not be saved. The log has all.
const NAMED: usize = 1_000;

/// Why a crawl ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// There was nothing left to visit.
    Finished,
    /// A limit was reached: its name.
    Limit(&'static str),
    /// Somebody wanted it.
    Stopped,
    /// The disk was full and remained so.
    DiskFull,
}

impl Ended {
    /// A stable word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Ended::Finished => "finished",
            Ended::Limit(name) => name,
            Ended::Stopped => "interrupted",
            Ended::DiskFull => "disk.full",
        }
    }

    /// Whether there is nothing to go on with.
    pub(crate) fn is_final(self) -> bool {
        matches!(self, Ended::Finished | Ended::Limit(_))
    }
}

/// What a crawl did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// The layer that holds it, if anything was written.
    pub layer: Option<String>,
    /// How long its files are.
    pub stored_bytes: u64,
    /// Pages saved.
    pub saved: u64,
    /// Pages visited that could not be saved.
    pub failed: u64,
    /// Pages that somebody named and that were left out.
    pub refused_seeds: u64,
    /// Pages left out, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Pages that this crawl had saved before it was interrupted.
    pub saved_before: u64,
    /// Pages that still wait.
    pub waiting: u64,
    /// Why it ended: `finished`, `interrupted`, `disk.full` or a limit.
    pub ended: &'static str,
    /// The first pages visited, and the first that could not be saved.
    pub pages: Vec<PageDone>,
    /// What was asked for and what came, of all pages.
    pub account: Account,
    /// What was decided about pages, where the crawl decides.
    pub tiers: Tiers,
    /// How long it took.
    pub seconds: f64,
}

/// What was decided about pages.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Tiers {
    /// Pages without scripts, or with none that could ask for anything, which were read.
    pub read: u64,
    /// Pages whose scripts' requests were known from other pages.
    pub foretold: u64,
    /// Pages with new scripts that seemed to need no browser.
    pub guessed: u64,
    /// Pages that were visited in a browser.
    pub browser: u64,
    /// Why those were, by reason.
    pub why: BTreeMap<&'static str, u64>,
    /// Pages that were looked at in a browser to see whether they lack anything, and how many of
    /// them lack nothing.
    pub looked_at: u64,
    /// Those among them that lack nothing.
    pub complete: u64,
    /// The share of what a browser asks for that those pages had, in bytes.
    pub recall: Option<f64>,
    /// What the mean of all pages is not below, with 95 % confidence.
    pub recall_at_least: Option<f64>,
    /// The share by site, the lowest first.
    pub sites: Vec<SiteRecall>,
}

/// How much of what a browser asks for the pages of a site had without one.
#[derive(Clone, Debug, Serialize)]
pub struct SiteRecall {
    /// The site.
    pub site: String,
    /// Pages that were looked at.
    pub looked_at: u64,
    /// The share, in bytes.
    pub recall: f64,
    /// What the mean of all pages is not below, with 95 % confidence.
    pub at_least: f64,
}

impl Tiers {
    fn add(&mut self, page: &PageDone) {
        match page.phase {
            Some("read") => self.read += 1,
            Some("foretold") => self.foretold += 1,
            Some("guessed") => self.guessed += 1,
            Some(_) => self.browser += 1,
            None => {}
        }
        if let Some(why) = page.why {
            *self.why.entry(why).or_default() += 1;
        }
    }

    /// Adds what looks told, by site.
    pub(crate) fn looked(&mut self, recalls: Vec<(String, Recall)>) {
        let mut all = Recall::default();
        for (site, recall) in recalls {
            all.merge(&recall);
            self.sites.push(SiteRecall {
                site,
                looked_at: recall.pages,
                recall: recall.of_bytes().unwrap_or(1.0),
                at_least: recall.at_least().unwrap_or(0.0),
            });
        }
        self.sites.sort_by(|a, b| a.recall.total_cmp(&b.recall));
        self.sites.truncate(NAMED);
        (self.looked_at, self.complete) = (all.pages, all.complete);
        (self.recall, self.recall_at_least) = (all.of_bytes(), all.at_least());
    }
}

impl Summary {
    pub(crate) fn new(tally: Tally, layer: Option<LayerEntry>, took: Duration) -> Summary {
        let mut pages = tally.pages;
        pages.extend(tally.more_failed);
        Summary {
            stored_bytes: layer.as_ref().map_or(0, |layer| layer.bytes),
            layer: layer.map(|layer| layer.id),
            saved: tally.saved,
            failed: tally.failed,
            refused_seeds: tally.refused_seeds,
            skipped: tally.skipped,
            pages,
            account: tally.account,
            tiers: tally.tiers,
            seconds: took.as_secs_f64(),
            ..Summary::default()
        }
    }

    /// Pages that could not be saved, the first of them.
    pub fn failed_pages(&self) -> impl Iterator<Item = &PageDone> {
        self.pages.iter().filter(|page| !page.is_saved())
    }

    /// Whether not a single response was recorded: an archive of nothing.
    pub fn is_empty(&self) -> bool {
        self.account.recorded.count + self.account.reused + self.saved_before == 0
    }
}

/// What pages add up to. Bounded, however many there are.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    saved: u64,
    failed: u64,
    refused_seeds: u64,
    skipped: BTreeMap<String, u64>,
    pages: Vec<PageDone>,
    more_failed: Vec<PageDone>,
    account: Account,
    tiers: Tiers,
}

impl Tally {
    /// A page was visited.
    pub(crate) fn add(&mut self, page: PageDone) {
        self.account.add(&page.account);
        self.tiers.add(&page);
        match page.is_saved() {
            true => self.saved += 1,
            false => self.failed += 1,
        }
        if self.pages.len() < NAMED {
            self.pages.push(page);
        } else if !page.is_saved() && self.more_failed.len() < NAMED {
            self.more_failed.push(page);
        }
    }

    /// A page was left out.
    pub(crate) fn skip(&mut self, reason: String, is_seed: bool) {
        self.refused_seeds += u64::from(is_seed);
        *self.skipped.entry(reason).or_default() += 1;
    }

    /// Requests that belong to no page.
    pub(crate) fn add_account(&mut self, account: &Account) {
        self.account.add(account);
    }
}
