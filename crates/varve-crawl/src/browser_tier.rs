//! The browser tier: a page in Chromium behind the recording proxy.

use crate::CrawlError;
use crate::http_tier::HttpTier;
use crate::ledger::Ledger;
use crate::options::{CrawlOptions, Tier};
use crate::ran::Ran;
use crate::records;
use crate::scribe::Entry;
use crate::visit::{PageLink, PageVisit};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use url::Url;
use varve_browser::proxy::{DeadEnd, RecordingProxy, Screen, VisitId};
use varve_browser::{Browser, BrowserOptions, Stacks, Visit, VisitOptions};
use varve_fetch::Exchange;
use varve_filter::Filter;
use varve_model::Timestamp;
use varve_store::collection::{Attachment, AttachmentKind};

/// How long requests that are still running when a page is left may go on, if it is left in time.
const LAST_REQUESTS: Duration = Duration::from_secs(2);

/// Chromium and the proxy in front of it.
pub(crate) struct BrowserTier {
    browser: Browser,
    proxy: RecordingProxy,
    /// Where the browser's own calls end.
    _dead_end: DeadEnd,
    options: VisitOptions,
    filter: Option<Arc<Filter>>,
    ran: Ran,
    ledger: Arc<Ledger>,
}

/// A filter as the proxy asks it.
fn screen(filter: Arc<Filter>) -> Screen {
    Arc::new(move |script, page| {
        let rule = filter.decide(script, page).blocked();
        rule.map(|rule| rule.to_string())
    })
}

impl BrowserTier {
    pub(crate) async fn start(
        options: &CrawlOptions,
        http: &HttpTier,
        ledger: Arc<Ledger>,
    ) -> Result<BrowserTier, CrawlError> {
        let (fetcher, reuse) = (http.fetcher.clone(), http.reuse.clone());
        let earlier = http.earlier.clone();
        let proxy = RecordingProxy::new(fetcher, reuse, earlier, ledger.clone())?;
        let dead_end = proxy.dead_end().await.map_err(CrawlError::Port)?;
        let browser = Browser::start(BrowserOptions {
            key_pin: Some(proxy.key_pin()),
            client: options.client.clone(),
            ..BrowserOptions::new(dead_end.address(), std::env::temp_dir())
        })
        .await?;
        Ok(BrowserTier {
            browser,
            proxy,
            _dead_end: dead_end,
            options: VisitOptions {
                deadline: options.page_timeout,
                at_least: Duration::ZERO,
                scroll: true,
                screenshot: options.screenshots,
                handlers: options.learn,
                coverage: options.learn,
                stacks: Stacks::Short,
                cookies: options.session.cookies.clone(),
                storage: options.session.storage.clone(),
            },
            filter: options.filter.clone(),
            ran: Ran::default(),
            ledger,
        })
    }

    /// Visits a page; `known` are the responses to its navigation, if somebody asked before.
    pub(crate) async fn visit(
        &self,
        visit: VisitId,
        url: &Url,
        known: Vec<Arc<Exchange>>,
    ) -> PageVisit {
        let live = self.ledger.live();
        live.page_tier(visit.0, Tier::Browser);
        let started = records::timestamp(SystemTime::now());
        let Some(seen) = self.look(visit, url, known).await else {
            return PageVisit::failed(url, "browser.proxy");
        };
        let mut document = seen.final_url.clone();
        document.set_fragment(None);
        let trouble = self.ledger.trouble(visit, &document);
        if let Some(reason) = trouble.filter(|_| is_our_own(&seen)) {
            return PageVisit::failed(url, reason);
        }
        if let Some(picture) = &seen.thumbnail {
            live.page_thumbnail(visit.0, picture);
        }
        self.attach(url, started, &seen);
        PageVisit {
            final_url: seen.final_url.clone(),
            status: seen.status,
            title: Some(seen.title.clone()).filter(|title| !title.is_empty()),
            reason: match trouble {
                Some(reason) if seen.outcome.is_ok() => reason.to_owned(),
                _ => seen.outcome.reason().into_owned(),
            },
            links: links(&seen),
            is_read: true,
            text: seen.text,
            leads_to: None,
        }
    }

    /// Looks at a URL, without keeping more than what servers said; nothing if there is no proxy
    /// to be had.
    pub(crate) async fn look(
        &self,
        visit: VisitId,
        url: &Url,
        known: Vec<Arc<Exchange>>,
    ) -> Option<Visit> {
        let port = self.proxy.open(visit).await.ok()?;
        if let Some(filter) = self.filter.clone() {
            port.screen(url, screen(filter));
        }
        for exchange in known {
            port.offer(exchange);
        }
        let seen = self.browser.visit(url, &port, &self.options).await;
        let late = seen.took >= self.options.deadline;
        port.close(if late { Duration::ZERO } else { LAST_REQUESTS })
            .await;
        Some(seen)
    }

    pub(crate) async fn stop(self) {
        self.browser.stop().await;
    }

    /// Writes what the visit saw beside what the servers sent.
    fn attach(&self, url: &Url, date: Timestamp, seen: &Visit) {
        let write = |kind, uri: String, content_type: &str, bytes: Vec<u8>| {
            let attachment = Attachment {
                kind,
                uri,
                date,
                content_type: content_type.into(),
                body: bytes.into(),
            };
            let entry = Entry::Attachment(Box::new(attachment));
            self.ledger.scribe().write(entry);
        };
        let attach = |kind, name: &str, content_type: &str, bytes: Vec<u8>| {
            write(kind, format!("urn:{name}:{url}"), content_type, bytes);
        };
        let resource = AttachmentKind::Resource;
        if let Some(picture) = &seen.screenshot {
            attach(resource, "view", "image/png", picture.clone());
        }
        if let Some(picture) = &seen.thumbnail {
            attach(resource, "thumbnail", "image/jpeg", picture.clone());
        }
        for made in &seen.made {
            let (url, content_type) = (made.url.clone(), &made.content_type);
            write(resource, url, content_type, made.body.clone());
        }
        let about = |name: &str, what: Vec<u8>| {
            attach(AttachmentKind::Metadata, name, "application/json", what);
        };
        if let Some(news) = self.ran.news(&seen.scripts) {
            about("varve:ran", news.to_string().into_bytes());
        }
        about("varve:visit", serde_json::to_vec(seen).unwrap_or_default());
    }
}

/// Whether the page is what the proxy answers when a server does not.
fn is_our_own(seen: &Visit) -> bool {
    matches!(seen.status, Some(502 | 504))
}

fn links(seen: &Visit) -> Vec<PageLink> {
    seen.links
        .iter()
        .map(|link| PageLink {
            url: link.url.to_string(),
            context: link.rel.clone(),
        })
        .collect()
}
