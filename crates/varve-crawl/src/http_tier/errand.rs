//! An errand: what the requests for one page have in common.

use cookie_store::CookieStore;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;
use url::Url;
use varve_browser::proxy::VisitId;
use varve_fetch::{Exchange, Request};

/// One page's errand. As in a browser with a fresh profile, the page and what it needs share
/// cookies, and no other page sees them. Cheap to clone; clones share the cookies.
#[derive(Clone)]
pub(crate) struct Errand {
    pub(crate) visit: VisitId,
    pub(crate) deadline: Instant,
    /// No more is fetched of one response.
    pub(super) max_bytes: u64,
    /// The page, once it is there.
    page: Option<Arc<Url>>,
    cookies: Arc<Mutex<CookieStore>>,
    /// What was fetched for the page before it was known what becomes of it.
    held: Arc<Mutex<HashMap<Url, Arc<Exchange>>>>,
    pub(super) asks: Asks,
}

/// Whom an errand asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// Servers, for what is not at hand. All of it is written down.
    Servers,
    /// Nobody: what is not at hand does not come, and nothing is written down.
    Nobody,
}

impl Errand {
    /// An errand for a page, with the cookies that it begins with.
    pub(crate) fn new(visit: VisitId, deadline: Instant, cookies: CookieStore) -> Errand {
        Errand {
            visit,
            deadline,
            max_bytes: u64::MAX,
            page: None,
            cookies: Arc::new(Mutex::new(cookies)),
            held: Arc::default(),
            asks: Asks::Servers,
        }
    }

    /// The same, for responses of which a part is enough.
    pub(crate) fn at_most(self, max_bytes: u64) -> Errand {
        Errand { max_bytes, ..self }
    }

    /// The same, with more or less time.
    pub(crate) fn until(self, deadline: Instant) -> Errand {
        Errand { deadline, ..self }
    }

    /// The same, without asking anybody.
    pub(super) fn only_known(self) -> Errand {
        Errand {
            asks: Asks::Nobody,
            ..self
        }
    }

    /// Keeps what was fetched, to be used when it is needed.
    pub(super) fn hold(&self, url: &Url, exchange: &Arc<Exchange>) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.insert(url.clone(), exchange.clone());
    }

    /// What was fetched for the page already.
    pub(super) fn held(&self, url: &Url) -> Option<Arc<Exchange>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.get(url).cloned()
    }

    /// All of it.
    pub(crate) fn all_held(&self) -> Vec<Arc<Exchange>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.values().cloned().collect()
    }

    /// The same, for what the page at this URL needs.
    pub(super) fn of_page(self, page: &Url) -> Errand {
        let page = Some(Arc::new(page.clone()));
        Errand { page, ..self }
    }

    /// The page whose needs are seen to.
    pub(super) fn page(&self) -> Option<&Url> {
        self.page.as_deref()
    }

    /// Adds the cookies that belong to a request.
    pub(super) fn add_cookies(&self, request: &mut Request) {
        let cookies = self.lock();
        let values = cookies.get_request_values(&request.url);
        let pairs: Vec<String> = values
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        if !pairs.is_empty() {
            let field = (b"Cookie".to_vec(), pairs.join("; ").into_bytes());
            request.fields.push(field);
        }
    }

    /// Keeps the cookies that a response sets. What is no cookie is passed over.
    pub(super) fn keep_cookies(&self, exchange: &Exchange) {
        let head = super::head_of(exchange);
        let mut cookies = self.lock();
        for value in head.get_all("Set-Cookie") {
            let value = String::from_utf8_lossy(&value);
            let _ = cookies.parse(&value, &exchange.url);
        }
    }

    fn lock(&self) -> MutexGuard<'_, CookieStore> {
        self.cookies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
