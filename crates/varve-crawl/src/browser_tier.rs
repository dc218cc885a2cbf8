//! The browser tier: a page in Chromium behind the recording proxy.

use crate::CrawlError;
use crate::account::Handlers;
use crate::http_tier::HttpTier;
use crate::ledger::Ledger;
use crate::lessons::Lessons;
use crate::memory::Taught;
use crate::options::{CrawlOptions, Tier};
use crate::ran::Ran;
use crate::records;
use crate::samples::{Manner, Samples, UNFILTERED, gone};
use crate::scribe::Entry;
use crate::visit::{PageLink, PageVisit};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use url::Url;
use varve_browser::proxy::{DeadEnd, RecordingProxy, Screen, VisitId};
use varve_browser::{
    Browser, BrowserOptions, Handled, KnownHandlers, Running, Stacks, Visit, VisitOptions,
};
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
    /// Event handlers that were run, if what can run is to be learned.
    known_handlers: Option<Arc<KnownHandlers>>,
    ran: Ran,
    lessons: Lessons,
    samples: Samples,
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
                scripts: true,
                handlers: None,
                coverage: None,
                stacks: match options.decides() {
                    true => Stacks::Long,
                    false => Stacks::Short,
                },
                watch_reads: options.decides(),
                cookies: options.session.cookies.clone(),
                storage: options.session.storage.clone(),
            },
            filter: options.filter.clone(),
            known_handlers: options.learn.then(Arc::default),
            ran: Ran::default(),
            lessons: Lessons::default(),
            samples: Samples::new(ledger.earlier(), options.sample),
            ledger,
        })
    }

    /// Visits a page, and tells what that taught; `known` are the responses to its navigation, if
    /// somebody asked before.
    pub(crate) async fn visit(
        &self,
        visit: VisitId,
        url: &Url,
        known: Vec<Arc<Exchange>>,
    ) -> (PageVisit, Taught) {
        let nothing = |reason| (PageVisit::failed(url, reason), Taught::default());
        let live = self.ledger.live();
        live.page_tier(visit.0, Tier::Browser);
        let started = records::timestamp(SystemTime::now());
        let manner = match self.filter {
            Some(_) => self.samples.manner(url).await,
            None => Manner::Unfiltered,
        };
        let filter = self.filter.clone();
        let filter = filter.filter(|_| manner == Manner::Filtered);
        let curriculum = self.known_handlers.as_ref().map(|known| {
            let curriculum = self.lessons.begin(url);
            let running = match curriculum.lesson {
                Some(_) => Running::New(known.clone()),
                None => Running::NewCode(known.clone()),
            };
            (curriculum, running)
        });
        let options = VisitOptions {
            coverage: curriculum.as_ref().map(|(it, _)| it.detail),
            handlers: curriculum.as_ref().map(|(_, running)| running.clone()),
            ..self.options.clone()
        };
        let seen = self.look_through(filter, visit, url, known, &options);
        let Some(seen) = seen.await else {
            return nothing("browser.proxy");
        };
        let is_lesson = curriculum.is_some_and(|(it, _)| it.lesson.is_some());
        let mut document = seen.final_url.clone();
        document.set_fragment(None);
        let trouble = self.ledger.trouble(visit, &document);
        if let Some(reason) = trouble.filter(|_| is_our_own(&seen)) {
            return nothing(reason);
        }
        let taught = Taught::of(&seen);
        if let Some(picture) = &seen.thumbnail {
            live.page_thumbnail(visit.0, picture);
        }
        self.attach(url, started, &seen, is_lesson);
        if let Manner::Sample(before) = manner {
            self.judge_filter(url, started, gone(&before, &seen));
        }
        let visit = PageVisit {
            final_url: seen.final_url.clone(),
            status: seen.status,
            title: Some(seen.title.clone()).filter(|title| !title.is_empty()),
            reason: match trouble {
                Some(reason) if seen.outcome.is_ok() => reason.to_owned(),
                _ => seen.outcome.reason().into_owned(),
            },
            links: links(&seen),
            handlers: seen.handled.as_ref().map(Handlers::of).unwrap_or_default(),
            is_read: true,
            text: seen.text,
            leads_to: None,
            phase: None,
        };
        (visit, taught)
    }

    /// Looks at a URL, without keeping more than what servers said; nothing if there is no proxy
    /// to be had.
    pub(crate) async fn look(
        &self,
        visit: VisitId,
        url: &Url,
        known: Vec<Arc<Exchange>>,
    ) -> Option<Visit> {
        self.look_through(self.filter.clone(), visit, url, known, &self.options)
            .await
    }

    async fn look_through(
        &self,
        filter: Option<Arc<Filter>>,
        visit: VisitId,
        url: &Url,
        known: Vec<Arc<Exchange>>,
        options: &VisitOptions,
    ) -> Option<Visit> {
        let port = self.proxy.open(visit).await.ok()?;
        if let Some(filter) = filter {
            port.screen(url, screen(filter));
        }
        for exchange in known {
            port.offer(exchange);
        }
        let seen = self.browser.visit(url, &port, options).await;
        let late = seen.took >= self.options.deadline;
        port.close(if late { Duration::ZERO } else { LAST_REQUESTS })
            .await;
        Some(seen)
    }

    pub(crate) async fn stop(self) {
        self.browser.stop().await;
    }

    /// Writes down what a visit without the filter told: exceptions that the page threw with it.
    fn judge_filter(&self, url: &Url, date: Timestamp, gone: Vec<String>) {
        let scribe = self.ledger.scribe();
        let (ts, url) = (date.w3c(), url.as_str());
        let does_harm = !gone.is_empty();
        let said = json!({
            "ts": ts, "kind": "sample", "url": url,
            "exceptions_gone": gone, "unfiltered_from_now_on": does_harm,
        });
        if does_harm {
            scribe.write(Entry::Attachment(Box::new(Attachment {
                kind: AttachmentKind::Metadata,
                uri: format!("urn:{UNFILTERED}:{url}"),
                date,
                content_type: "application/json".into(),
                body: said.to_string().into_bytes().into(),
            })));
        }
        scribe.write(Entry::Log(said));
    }

    /// Writes what the visit saw beside what the servers sent.
    fn attach(&self, url: &Url, date: Timestamp, seen: &Visit, is_lesson: bool) {
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
        let ran_some = seen.handled.as_ref().is_some_and(|it| !it.ran.is_empty());
        let news = self.ran.news(&seen.scripts, is_lesson || ran_some);
        let of_interest = |it: &Handled| it.ran.values().chain(it.alike.values()).sum();
        let handlers = seen.handled.as_ref().filter(|_| is_lesson);
        let handlers = handlers.map(of_interest);
        self.lessons.learned(url, handlers, news.is_telling);
        if let Some(record) = news.record {
            about("varve:ran", record.to_string().into_bytes());
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
