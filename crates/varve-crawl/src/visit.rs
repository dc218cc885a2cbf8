//! What became of one page, in either tier.

use crate::account::{Account, Handlers};
use crate::options::Tier;
use crate::phase::Phase;
use serde::Serialize;
use std::time::Duration;
use url::Url;

/// The reason of a page that was saved, but is not there although its status says so.
pub(crate) const SOFT_404: &str = "ok.soft404";

/// A link that a page holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageLink {
    /// Where it leads.
    pub url: String,
    /// Where it stands, such as `a@href`.
    pub context: String,
}

/// What a tier learned of a page.
#[derive(Clone, Debug)]
pub(crate) struct PageVisit {
    pub(crate) final_url: Url,
    pub(crate) status: Option<u16>,
    pub(crate) title: Option<String>,
    pub(crate) text: String,
    /// Whether the text is all that a reader would see: scripts ran, or there are none.
    pub(crate) is_read: bool,
    pub(crate) links: Vec<PageLink>,
    pub(crate) handlers: Handlers,
    pub(crate) reason: String,
    /// The page that it redirects to, where that one has a visit of its own. Then nothing but the
    /// redirect was fetched.
    pub(crate) leads_to: Option<Url>,
    /// What was decided about it, if anything was.
    pub(crate) phase: Option<Phase>,
}

impl PageVisit {
    /// Whether its server said that all is well.
    pub(crate) fn is_success(&self) -> bool {
        self.status
            .is_some_and(|status| (200..300).contains(&status))
    }

    /// The visit of a page that did not come.
    pub(crate) fn failed(url: &Url, reason: &str) -> PageVisit {
        PageVisit {
            final_url: url.clone(),
            status: None,
            title: None,
            text: String::new(),
            is_read: false,
            links: Vec::new(),
            handlers: Handlers::default(),
            reason: reason.to_owned(),
            leads_to: None,
            phase: None,
        }
    }

    /// The visit of a page that redirects to one that has a visit of its own.
    pub(crate) fn leading_to(url: &Url, status: Option<u16>, next: Url) -> PageVisit {
        PageVisit {
            status,
            leads_to: Some(next),
            ..PageVisit::failed(url, "ok")
        }
    }
}

/// A page that is done with.
#[derive(Clone, Debug, Serialize)]
pub struct PageDone {
    /// The URL asked for.
    pub url: String,
    /// Where that led.
    pub final_url: String,
    /// How it was fetched.
    pub tier: &'static str,
    /// What was decided about it: `read`, `foretold`, `guessed` or `browser`.
    pub phase: Option<&'static str>,
    /// Why it was visited in a browser.
    pub why: Option<&'static str>,
    /// The status of its response.
    pub status: Option<u16>,
    /// `ok`, or why not: a stable word.
    pub reason: String,
    /// Its title.
    pub title: Option<String>,
    /// How many links it holds.
    pub links: usize,
    /// What was asked for and what came.
    pub account: Account,
    /// How long it took.
    #[serde(rename = "ms", serialize_with = "as_millis")]
    pub took: Duration,
}

impl PageDone {
    /// Whether the page was saved.
    pub fn is_saved(&self) -> bool {
        is_saved(&self.reason)
    }

    pub(crate) fn new(
        url: &Url,
        tier: Tier,
        visit: &PageVisit,
        account: Account,
        took: Duration,
    ) -> PageDone {
        PageDone {
            url: url.to_string(),
            final_url: visit.final_url.to_string(),
            tier: tier.name(),
            phase: visit.phase.map(Phase::name),
            why: visit.phase.and_then(Phase::why),
            status: visit.status,
            reason: visit.reason.clone(),
            title: visit.title.clone(),
            links: visit.links.len(),
            account: Account {
                handlers: visit.handlers.clone(),
                ..account
            },
            took,
        }
    }
}

/// Whether a page was saved that ended for this reason.
pub(crate) fn is_saved(reason: &str) -> bool {
    reason == "ok" || reason.starts_with("ok.")
}

fn as_millis<S: serde::Serializer>(took: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(took.as_millis() as u64)
}
