//! The HTTP tier: a page and what it needs, found by reading and fetched without a browser.

mod dressing;
mod errand;
mod reading;
mod receiving;
mod request;
mod requisites;
mod sketching;
mod tailor;

use crate::account::Handlers;
use crate::ledger::Ledger;
use crate::options::Variants;
use crate::visit::{PageLink, PageVisit};
use errand::Asks;
pub(crate) use errand::Errand;
use requisites::{Needed, Understood};
use sketching::Facts;
pub(crate) use sketching::{Drawing, ScriptNames};
use std::pin::Pin;
use std::sync::Arc;
use tailor::Tailor;
use tokio::time::Instant;
use url::Url;
use varve_browser::Client;
use varve_browser::proxy::{Failure, Origin, Sink};
use varve_fetch::{Begin, Earlier, Exchange, FetchError, Fetcher, Reuse};
use varve_filter::Filter;
use varve_model::HttpHead;
use varve_page::{Destination, Page, Role};

const MAX_REDIRECTS: usize = 20;

/// Fetches pages without a browser. Cheap to clone.
#[derive(Clone)]
pub(crate) struct HttpTier {
    pub(crate) fetcher: Fetcher,
    pub(crate) reuse: Reuse,
    pub(crate) earlier: Option<Arc<dyn Earlier>>,
    ledger: Arc<Ledger>,
    filter: Option<Arc<Filter>>,
    client: Arc<Client>,
    user_agent: Arc<str>,
    understood: Arc<Understood>,
    facts: Arc<Facts>,
    tailor: Arc<Tailor>,
    variants: Variants,
}

/// Decides whether a page is followed to where it redirects.
pub(crate) trait Onward: Sync {
    /// Whether to go on to this URL.
    fn goes_on<'a>(&'a self, next: &'a Url) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>>;
}

/// What came of asking for a page.
pub(crate) enum Opened {
    /// Its response.
    Answer(Box<Answer>),
    /// A redirect that was not followed.
    Elsewhere {
        /// Its status.
        status: Option<u16>,
        /// Where it leads.
        next: Url,
    },
}

/// A response and what was understood of it.
pub(crate) struct Answer {
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) head: HttpHead,
    /// Exchanges before it that redirected here.
    pub(crate) redirects: Vec<Arc<Exchange>>,
    pub(crate) page: Arc<Page>,
    /// Why not all of it was read, if so.
    unread: Option<&'static str>,
}

/// A response at the end of its redirects.
struct Arrived {
    exchange: Arc<Exchange>,
    head: HttpHead,
    redirects: Vec<Arc<Exchange>>,
    /// Where it would have gone on to.
    not_followed: Option<Url>,
}

impl Answer {
    /// The body without its codings, at most so much of it.
    pub(crate) fn body(&self, limit: u64) -> Vec<u8> {
        reading::decode(&self.exchange, &self.head, limit).bytes
    }

    /// The same, where another answer led here.
    pub(crate) fn after(mut self, before: Answer) -> Answer {
        let mut redirects = before.redirects;
        redirects.push(before.exchange);
        redirects.append(&mut self.redirects);
        Answer { redirects, ..self }
    }

    /// What became of the document itself.
    fn reason(&self) -> &'static str {
        if let Some(truncation) = self.exchange.truncated {
            return truncation.reason();
        }
        if let Some(reason) = self.unread {
            return reason;
        }
        let wants_on = is_redirect(&self.head) && self.head.get("Location").is_some();
        match wants_on {
            false => "ok",
            true if self.redirects.len() < MAX_REDIRECTS => "redirect.blocked",
            true => "redirect.loop",
        }
    }
}

impl HttpTier {
    #[expect(clippy::too_many_arguments, reason = "each is a part of it")]
    pub(crate) fn new(
        fetcher: Fetcher,
        reuse: Reuse,
        earlier: Option<Arc<dyn Earlier>>,
        ledger: Arc<Ledger>,
        filter: Option<Arc<Filter>>,
        client: Client,
        user_agent: String,
        variants: Variants,
    ) -> HttpTier {
        HttpTier {
            fetcher,
            reuse,
            earlier,
            ledger,
            filter,
            client: Arc::new(client),
            user_agent: user_agent.into(),
            understood: Arc::default(),
            facts: Arc::default(),
            tailor: Arc::default(),
            variants,
        }
    }

    /// Forgets what was fetched: it could not be kept.
    pub(crate) fn forget(&self) {
        self.reuse.clear();
        self.tailor.clear();
    }

    /// Fetches a page, following all redirects, and reads it.
    pub(crate) async fn open(&self, errand: &Errand, url: &Url) -> Result<Answer, FetchError> {
        let document = Destination::Document;
        let arrived = self.follow(errand, url, document, None, None).await?;
        Ok(self.answer(arrived))
    }

    /// Fetches a page, following redirects as far as `onward` has it, and reads it.
    pub(crate) async fn open_on_the_way(
        &self,
        errand: &Errand,
        url: &Url,
        onward: &dyn Onward,
    ) -> Result<Opened, FetchError> {
        let document = Destination::Document;
        let following = self.follow(errand, url, document, None, Some(onward));
        let arrived = following.await?;
        Ok(match arrived.not_followed {
            Some(next) => Opened::Elsewhere {
                status: arrived.head.status(),
                next,
            },
            None => Opened::Answer(Box::new(self.answer(arrived))),
        })
    }

    fn answer(&self, arrived: Arrived) -> Answer {
        let reading = self.read(&arrived, Destination::Document, None);
        Answer {
            page: Arc::new(reading.page),
            unread: reading.unread,
            exchange: arrived.exchange,
            head: arrived.head,
            redirects: arrived.redirects,
        }
    }

    /// Fetches one URL and where it redirects to.
    async fn follow(
        &self,
        errand: &Errand,
        url: &Url,
        destination: Destination,
        referrer: Option<&Url>,
        onward: Option<&dyn Onward>,
    ) -> Result<Arrived, FetchError> {
        let mut redirects = Vec::new();
        let mut at = url.clone();
        loop {
            let exchange = self.fetch(errand, &at, destination, referrer).await?;
            let head = head_of(&exchange);
            let next = redirect(&head, &at).filter(|_| redirects.len() < MAX_REDIRECTS);
            let goes_on = match (&next, onward) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(next), Some(onward)) => onward.goes_on(next).await,
            };
            match next {
                Some(next) if goes_on => {
                    redirects.push(exchange);
                    at = next;
                }
                not_followed => {
                    return Ok(Arrived {
                        exchange,
                        head,
                        redirects,
                        not_followed,
                    });
                }
            }
        }
    }

    /// Fetches everything that the page needs, `more` included, and tells what became of it.
    pub(crate) async fn complete(
        &self,
        errand: &Errand,
        answer: &Answer,
        more: &[Needed],
    ) -> PageVisit {
        let errand = errand.clone().of_page(&answer.exchange.url);
        let in_time = self.requisites(&errand, answer, more).await.in_time;
        PageVisit {
            final_url: answer.exchange.url.clone(),
            status: answer.head.status(),
            title: answer.page.title.clone(),
            text: answer.page.text.clone(),
            is_read: !answer.page.has_scripts,
            links: links(&answer.page),
            handlers: Handlers::default(),
            reason: match answer.reason() {
                "ok" if !in_time => "timeout.page".into(),
                reason => reason.into(),
            },
            leads_to: None,
            phase: None,
        }
    }

    /// Fetches films and sounds whole that a page was content to have in parts.
    pub(crate) async fn complete_media(&self, errand: &Errand, page: &Url, media: Vec<Url>) {
        for url in media {
            if Instant::now() < errand.deadline {
                let fetching = self.fetch(errand, &url, Destination::Media, Some(page));
                // A failure is in the account.
                let _ = fetching.await;
            }
        }
    }

    async fn fetch(
        &self,
        errand: &Errand,
        url: &Url,
        destination: Destination,
        referrer: Option<&Url>,
    ) -> Result<Arc<Exchange>, FetchError> {
        let visit = errand.visit;
        if destination != Destination::Document
            && let Some(held) = errand.held(url)
        {
            return Ok(held);
        }
        if errand.asks == Asks::Nobody {
            return self.at_hand(errand, url, destination, referrer).await;
        }
        if let Err(error) = self.look(errand, url, destination) {
            self.ledger.failed(visit, failure(url, &error));
            return Err(error);
        }
        let mut request = self.request(url, destination, referrer);
        errand.add_cookies(&mut request);
        let ticket = match self.reuse.get_or_begin(&request).await {
            Begin::Known(exchange) if destination != Destination::Document => {
                self.tailor.came(url, destination, 0);
                self.ledger
                    .exchange(visit, exchange.clone(), Origin::Reused);
                return Ok(exchange);
            }
            Begin::Fetch(ticket) => Some(ticket),
            Begin::Known(_) | Begin::Alone => None,
        };
        match self.receive(request, errand).await {
            Ok(exchange) => {
                self.tailor.came(url, destination, exchange.body.len());
                if let Some(ticket) = ticket {
                    ticket.fill(exchange.clone());
                }
                Ok(exchange)
            }
            Err(error) => {
                self.tailor.failed(url);
                self.ledger.failed(visit, failure(url, &error));
                Err(error)
            }
        }
    }
}

impl HttpTier {
    /// What was fetched before.
    async fn at_hand(
        &self,
        errand: &Errand,
        url: &Url,
        destination: Destination,
        referrer: Option<&Url>,
    ) -> Result<Arc<Exchange>, FetchError> {
        self.look(errand, url, destination)?;
        let mut request = self.request(url, destination, referrer);
        errand.add_cookies(&mut request);
        match self.reuse.get_or_begin(&request).await {
            Begin::Known(exchange) => Ok(exchange),
            Begin::Fetch(_) | Begin::Alone => Err(FetchError::NotAtHand(url.to_string())),
        }
    }

    /// Lets a script be asked for, or says why not.
    fn look(&self, errand: &Errand, url: &Url, destination: Destination) -> Result<(), FetchError> {
        let is_script = matches!(destination, Destination::Script | Destination::Module);
        let filter = self.filter.as_ref().filter(|_| is_script);
        let rule = filter.zip(errand.page()).and_then(|(filter, page)| {
            let decision = filter.decide(url, page);
            decision.blocked()
        });
        match rule {
            None => Ok(()),
            Some(rule) => Err(FetchError::Filtered {
                url: url.to_string(),
                rule: rule.to_string(),
            }),
        }
    }
}

pub(crate) fn head_of(exchange: &Exchange) -> HttpHead {
    match HttpHead::parse(&exchange.response_head) {
        Some((head, _)) => head,
        None => HttpHead::from_parts::<&str, &str>("HTTP/1.1 000", &[]),
    }
}

fn is_redirect(head: &HttpHead) -> bool {
    matches!(head.status(), Some(301 | 302 | 303 | 307 | 308))
}

/// Where a response redirects to.
fn redirect(head: &HttpHead, at: &Url) -> Option<Url> {
    if !is_redirect(head) {
        return None;
    }
    let location = head.get("Location")?;
    let next = at.join(&String::from_utf8_lossy(&location)).ok()?;
    matches!(next.scheme(), "http" | "https").then_some(next)
}

fn links(page: &Page) -> Vec<PageLink> {
    page.references
        .iter()
        .filter(|reference| matches!(reference.role, Role::Link | Role::Frame))
        .map(|reference| PageLink {
            url: reference.url.to_string(),
            context: reference.context.to_owned(),
        })
        .collect()
}

fn failure(url: &Url, error: &FetchError) -> Failure {
    Failure {
        url: url.clone(),
        method: "GET".into(),
        reason: error.reason(),
        message: error.to_string(),
    }
}
