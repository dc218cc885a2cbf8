//! The ledger: everything that both tiers receive passes here, is written down and counted.

use crate::account::Account;
use crate::earlier::EarlierLayers;
use crate::embeds::Embeds;
use crate::live::Live;
use crate::records;
use crate::scribe::{Entry, Scribe};
use crate::session::Session;
use serde_json::json;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use url::Url;
use varve_browser::proxy::{Failure, Origin, Sink, VisitId, WebSocketLog};
use varve_fetch::{Exchange, Truncation, Unchanged};
use varve_model::HttpHead;
use varve_page::{Destination, Document, Kind, kind_of};
use varve_store::collection::{Attachment, AttachmentKind, Known};

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
}

/// How a server answered when a page was asked for.
#[derive(Clone, Debug)]
pub(crate) struct FirstAnswer {
    pub(crate) took: Duration,
    pub(crate) status: Option<u16>,
    /// The value of `Retry-After`.
    pub(crate) retry_after: Option<String>,
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

    /// What was stored before counts by its digest, unless it cannot be read.
    fn known(&self, url: &Url) -> Known {
        let earlier = self.earlier.as_ref();
        match earlier.is_some_and(|earlier| earlier.is_damaged(url)) {
            true => Known::Unreadable,
            false => Known::ByDigest,
        }
    }

    /// Writes a line about an answer; `held` is what it stands for.
    fn log_exchange(&self, page: Option<String>, exchange: &Exchange, held: &Exchange) {
        let head = HttpHead::parse(&held.response_head).map(|(head, _)| head);
        self.scribe.write(Entry::Log(json!({
            "ts": records::timestamp(exchange.started).w3c(),
            "url": exchange.url.as_str(),
            "method": exchange.method,
            "status": status(exchange),
            "reason": exchange.truncated.map_or("ok", Truncation::reason),
            "mime": head.as_ref().and_then(content_type),
            "bytes": exchange.body.len(),
            "ms": exchange.took.as_millis() as u64,
            "page": page,
        })));
    }
}

impl Sink for Ledger {
    fn exchange(&self, visit: VisitId, exchange: Arc<Exchange>, origin: Origin) {
        let kind = kind_name(&exchange);
        let is_new = origin == Origin::Fetched && self.embeds.is_new(kind, &exchange.body);
        let page = self.count(visit, |open| {
            let truncated = exchange.truncated.map(Truncation::reason);
            open.note(&exchange.url, truncated);
            if open.answer.is_none() && exchange.url == open.page {
                open.answer = Some(first_answer(&exchange));
            }
            if kind == "media" && exchange.method == "GET" && open.media.len() < TROUBLES {
                let whole = truncated.is_none() && status(&exchange) == Some(200);
                *open.media.entry(exchange.url.clone()).or_default() |= whole;
            }
            match origin {
                Origin::Reused => open.account.reuse(),
                Origin::Fetched => {
                    let bytes = exchange.body.len();
                    open.account.record(kind, bytes, truncated.is_some());
                    open.account.new_embeds += usize::from(is_new);
                }
            }
        });
        match origin {
            Origin::Reused => self.live.request_reused(),
            Origin::Fetched => self.live.request_recorded(exchange.body.len()),
        }
        // What was recorded before is in the log already.
        if origin == Origin::Fetched {
            self.log_exchange(page, &exchange, &exchange);
            let mut record = records::exchange(&exchange, &self.session);
            record.known = self.known(&exchange.url);
            self.scribe.write(Entry::Exchange(Box::new(record)));
        }
    }

    fn unchanged(&self, visit: VisitId, unchanged: Unchanged) {
        let Unchanged { answer, held, .. } = &unchanged;
        let kind = kind_name(held);
        let is_new = self.embeds.is_new(kind, &held.body);
        let page = self.count(visit, |open| {
            open.note(&answer.url, None);
            if open.answer.is_none() && answer.url == open.page {
                open.answer = Some(first_answer(answer));
            }
            if kind == "media" && open.media.len() < TROUBLES {
                open.media.insert(answer.url.clone(), true);
            }
            open.account.unchanged(kind, answer.body.len());
            open.account.new_embeds += usize::from(is_new);
        });
        self.live.request_recorded(answer.body.len());
        self.log_exchange(page, answer, held);
        let exchange = Box::new(records::unchanged(&unchanged, &self.session));
        self.scribe.write(Entry::Exchange(exchange));
    }

    fn web_socket(&self, visit: VisitId, exchange: Arc<Exchange>, messages: WebSocketLog) {
        let mut lines = Vec::new();
        // Writing to memory does not fail.
        let _ = messages.write_json_lines(&mut lines);
        let attachment = Attachment {
            kind: AttachmentKind::Resource,
            uri: format!("urn:varve:websocket:{}", exchange.url),
            date: records::timestamp(exchange.started),
            content_type: "application/jsonl".into(),
            body: lines.into(),
        };
        self.exchange(visit, exchange, Origin::Fetched);
        self.scribe.write(Entry::Attachment(Box::new(attachment)));
    }

    fn failed(&self, visit: VisitId, failure: Failure) {
        let page = self.count(visit, |open| {
            open.note(&failure.url, Some(failure.reason));
            open.account.fail(failure.reason);
        });
        self.live.request_failed(failure.reason);
        self.scribe.write(Entry::Log(json!({
            "ts": records::timestamp(SystemTime::now()).w3c(),
            "url": failure.url.as_str(),
            "method": failure.method,
            "reason": failure.reason,
            "message": failure.message,
            "page": page,
        })));
    }
}

fn first_answer(exchange: &Exchange) -> FirstAnswer {
    let head = HttpHead::parse(&exchange.response_head).map(|(head, _)| head);
    let retry_after = head.as_ref().and_then(|head| head.get("Retry-After"));
    FirstAnswer {
        took: exchange.took,
        status: head.as_ref().and_then(HttpHead::status),
        retry_after: retry_after.map(|value| String::from_utf8_lossy(&value).into_owned()),
    }
}

fn status(exchange: &Exchange) -> Option<u16> {
    HttpHead::parse(&exchange.response_head)?.0.status()
}

fn content_type(head: &HttpHead) -> Option<String> {
    let value = head.get("Content-Type")?;
    let text = String::from_utf8_lossy(&value);
    Some(text.split(';').next().unwrap_or("").trim().to_owned())
}

/// What kind of content came, for the summary.
fn kind_name(exchange: &Exchange) -> &'static str {
    let declared =
        HttpHead::parse(&exchange.response_head).and_then(|(head, _)| content_type(&head));
    let document = Document {
        content_type: declared.as_deref(),
        destination: Destination::Other,
        ..Document::new(&exchange.url, &[])
    };
    match kind_of(&document) {
        Kind::Html | Kind::Xhtml => "html",
        Kind::Css => "css",
        Kind::Script => "script",
        Kind::Json | Kind::Manifest => "json",
        Kind::Svg | Kind::Image => "image",
        Kind::Font => "font",
        Kind::Media => "media",
        Kind::Pdf => "pdf",
        Kind::Feed | Kind::Sitemap | Kind::Xml | Kind::Text => "text",
        Kind::Other => "other",
    }
}
