//! The ledger: everything that both tiers receive passes here, is written down and counted.
//!
//! Here are the accounts of the pages under way; `receiving.rs` fills them, with what `heads.rs`
//! reads.

mod heads;
mod receiving;

pub(crate) use heads::FirstAnswer;

use crate::account::Account;
use crate::earlier::EarlierLayers;
use crate::embeds::Embeds;
use crate::live::Live;
use crate::scribe::Scribe;
use crate::session::Session;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;
use varve_browser::proxy::VisitId;

/// Where everything received is written down.
pub(crate) struct Ledger {
    scribe: Scribe,
    session: Session,
    earlier: Option<Arc<EarlierLayers>>,
    live: Arc<Live>,
    embeds: Embeds,
    next: AtomicU64,
    open: Mutex<HashMap<VisitId, Open>>,
}

/// A page that is being visited.
struct Open {
    page: Url,
    account: Account,
    /// URLs whose last response did not come, or not whole, and why.
    troubles: HashMap<Url, &'static str>,
    /// How the server answered when the page was asked for.
    answer: Option<FirstAnswer>,
    /// Films and sounds of which some came (false) or all (true).
    media: HashMap<Url, bool>,
    /// What came, each URL once.
    received: HashMap<Url, u64>,
}

/// Something that came for a page.
pub(crate) struct Received {
    pub(crate) url: Url,
    /// How many bytes came.
    pub(crate) bytes: u64,
}

/// URLs of this length may have been longer.
const LONG_URL: usize = 16_000;
/// More troubles than this are no longer told apart.
const TROUBLES: usize = 10_000;

impl Open {
    /// How the last request for a URL went.
    fn note(&mut self, url: &Url, trouble: Option<&'static str>) {
        match trouble {
            None => drop(self.troubles.remove(url)),
            Some(reason) if self.troubles.len() < TROUBLES => {
                self.troubles.insert(url.clone(), reason);
            }
            Some(_) => {}
        }
    }
}

impl Ledger {
    pub(crate) fn new(
        scribe: Scribe,
        session: Session,
        earlier: Option<Arc<EarlierLayers>>,
        live: Arc<Live>,
    ) -> Ledger {
        Ledger {
            scribe,
            session,
            earlier,
            live,
            embeds: Embeds::default(),
            next: AtomicU64::new(1),
            open: Mutex::default(),
        }
    }

    /// What was captured before.
    pub(crate) fn earlier(&self) -> Option<Arc<EarlierLayers>> {
        self.earlier.clone()
    }

    /// Who writes.
    pub(crate) fn scribe(&self) -> &Scribe {
        &self.scribe
    }

    /// The picture that people see of all this.
    pub(crate) fn live(&self) -> &Arc<Live> {
        &self.live
    }

    /// Opens the account of a page.
    pub(crate) fn begin(&self, page: &Url) -> VisitId {
        let visit = VisitId(self.next.fetch_add(1, Ordering::Relaxed));
        let open = Open {
            page: page.clone(),
            account: Account::default(),
            troubles: HashMap::new(),
            answer: None,
            media: HashMap::new(),
            received: HashMap::new(),
        };
        self.lock().insert(visit, open);
        visit
    }

    /// What was wrong with the last response from a URL, if something was. Of a long URL the
    /// beginning is enough: visits tell no more.
    pub(crate) fn trouble(&self, visit: VisitId, url: &Url) -> Option<&'static str> {
        let open = self.lock();
        let troubles = &open.get(&visit)?.troubles;
        let begins = |known: &Url| {
            url.as_str().len() >= LONG_URL && known.as_str().starts_with(url.as_str())
        };
        let reason = troubles.get(url).or_else(|| {
            let mut long = troubles.iter().filter(|(known, _)| begins(known));
            long.next().map(|(_, reason)| reason)
        });
        reason.copied()
    }

    /// How the server answered when the page was asked for.
    pub(crate) fn answer(&self, visit: VisitId) -> Option<FirstAnswer> {
        self.lock().get(&visit)?.answer.clone()
    }

    /// Films and sounds of the page that did not come whole.
    pub(crate) fn media_in_parts(&self, visit: VisitId) -> Vec<Url> {
        let open = self.lock();
        let media = open.get(&visit).map(|open| open.media.iter());
        let in_parts = media.into_iter().flatten().filter(|(_, whole)| !**whole);
        in_parts.map(|(url, _)| url.clone()).collect()
    }

    /// What came for the page.
    pub(crate) fn received(&self, visit: VisitId) -> Vec<Received> {
        let open = self.lock();
        let received = open.get(&visit).map(|open| open.received.iter());
        let received = received.into_iter().flatten();
        received
            .map(|(url, bytes)| Received {
                url: url.clone(),
                bytes: *bytes,
            })
            .collect()
    }

    /// Closes it.
    pub(crate) fn end(&self, visit: VisitId) -> Account {
        let open = self.lock().remove(&visit);
        open.map(|open| open.account).unwrap_or_default()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<VisitId, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts something for a page and tells which page that is.
    fn count(&self, visit: VisitId, count: impl FnOnce(&mut Open)) -> Option<String> {
        let mut open = self.lock();
        let open = open.get_mut(&visit)?;
        count(open);
        Some(open.page.to_string())
    }
}
