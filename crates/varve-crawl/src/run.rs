//! A crawl from its seeds to its summary.

use crate::browser_tier::BrowserTier;
use crate::http_tier::{Answer, HttpTier};
use crate::ledger::Ledger;
use crate::live::{Control, HostView, Live, QueueCounts, State};
use crate::options::{CrawlOptions, Tier, TierChoice};
use crate::records;
use crate::scribe::{Entry, Scribe};
use crate::visit::{PageDone, PageVisit};
use crate::{CrawlError, Summary};
use serde_json::json;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Instant, SystemTime};
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::JoinSet;
use url::Url;
use varve_browser::Client;
use varve_browser::proxy::VisitId;
use varve_fetch::{Exchange, FetchError, FetchOptions, Fetcher, Reuse};
use varve_page::Kind;
use varve_store::collection::{Attachment, AttachmentKind, Collection, RecordOptions};
use varve_store::world::{RealWorld, World, record_id};

/// How much of what was recorded is kept at hand for other pages.
const REUSE_BYTES: u64 = 512 << 20;
/// So many of the pages that wait are shown by host.
const COUNTED: usize = 1_000;

/// Saves the seeds into a new layer of the collection. What happens is told to `live`; what people
/// wish meanwhile is asked of `control`.
pub async fn crawl(
    collection: &Collection,
    options: CrawlOptions,
    live: Arc<Live>,
    control: Arc<Control>,
) -> Result<Summary, CrawlError> {
    let started = Instant::now();
    let recorder = collection.record(RecordOptions::default())?;
    let (scribe, thread) = Scribe::start(recorder, live.clone()).map_err(CrawlError::Thread)?;
    let crawl = Arc::new(Crawl::new(options, scribe, live.clone(), control).await?);
    let pages = crawl.clone().run().await;
    live.state(State::Finishing);
    let failure = crawl.ledger.scribe().failure();
    // All pages are done with, or one of their tasks was lost.
    let Some(crawl) = Arc::into_inner(crawl) else {
        return Err(CrawlError::Lost);
    };
    crawl.close().await;
    let sealed = tokio::task::spawn_blocking(move || thread.seal())
        .await
        .map_err(|_| CrawlError::Lost)?;
    live.state(State::Done);
    let layer = sealed.map_err(CrawlError::Store)?;
    if let Some(error) = failure {
        return Err(CrawlError::Store(error));
    }
    Ok(Summary::new(pages?, layer, started.elapsed()))
}

struct Crawl {
    options: CrawlOptions,
    http: HttpTier,
    browser: OnceCell<BrowserTier>,
    ledger: Arc<Ledger>,
    live: Arc<Live>,
    control: Arc<Control>,
}

impl Crawl {
    async fn new(
        options: CrawlOptions,
        scribe: Scribe,
        live: Arc<Live>,
        control: Arc<Control>,
    ) -> Result<Crawl, CrawlError> {
        let fetcher = Fetcher::new(FetchOptions {
            policy: options.policy.clone(),
            map_hosts: options.map_hosts.clone(),
            trust: options.trust.clone(),
            limits: options.limits,
            spool_dir: options.spool_dir.clone(),
        })?;
        let ledger = Arc::new(Ledger::new(scribe, live.clone()));
        let user_agent = user_agent(&options.client).await;
        let http = HttpTier::new(
            fetcher,
            Reuse::new(REUSE_BYTES),
            ledger.clone(),
            options.client.clone(),
            user_agent,
        );
        Ok(Crawl {
            options,
            http,
            browser: OnceCell::new(),
            ledger,
            live,
            control,
        })
    }

    async fn run(self: Arc<Crawl>) -> Result<Vec<PageDone>, CrawlError> {
        let slots = Arc::new(Semaphore::new(self.options.workers.max(1)));
        let mut pages = JoinSet::new();
        let mut waiting = VecDeque::from(self.options.seeds.clone());
        while let Some(url) = waiting.pop_front() {
            self.tell_queue(&waiting);
            let Ok(slot) = slots.clone().acquire_owned().await else {
                break;
            };
            if !self.may_go_on().await {
                break;
            }
            if self.control.excluded(&url) {
                self.live.page_skipped("excluded");
                continue;
            }
            let crawl = self.clone();
            pages.spawn(async move {
                let done = crawl.page(&url).await;
                drop(slot);
                done
            });
        }
        // One that fails does not cut the others short: what they have is theirs to hand over.
        let mut done = Vec::new();
        while let Some(page) = pages.join_next().await {
            done.push(page.unwrap_or(Err(CrawlError::Lost)));
        }
        done.into_iter().collect()
    }

    /// Returns when nobody wants a pause; whether another page is wanted then.
    async fn may_go_on(&self) -> bool {
        if self.control.is_paused() {
            self.live.state(State::Paused);
            self.control.unpaused().await;
            self.live.state(State::Running);
        }
        !self.control.is_stopping()
            && self.ledger.scribe().failure().is_none()
            && self.control.limits().reached(&self.live).is_none()
    }

    /// Shows what waits, by host.
    fn tell_queue(&self, waiting: &VecDeque<Url>) {
        let mut hosts: BTreeMap<&str, u64> = BTreeMap::new();
        // Counting all of a long list for every page would take longer than the pages.
        for url in waiting.iter().take(COUNTED) {
            *hosts.entry(url.host_str().unwrap_or("")).or_default() += 1;
        }
        self.live.queue(QueueCounts {
            queued: waiting.len() as u64,
            hosts: hosts.len() as u64,
            seen: self.options.seeds.len() as u64,
        });
        let views = hosts.into_iter().map(|(host, queued)| HostView {
            host: host.to_owned(),
            queued,
            ..HostView::default()
        });
        self.live.hosts(views.collect());
    }

    /// Visits a page, writes down what became of it, and returns when all is saved.
    async fn page(&self, url: &Url) -> Result<PageDone, CrawlError> {
        let (started, date) = (Instant::now(), SystemTime::now());
        let id = self.ledger.begin(url);
        let underway = self.live.page_begins(id.0, url);
        let visited = self.visit(id, url).await;
        let account = self.ledger.end(id);
        let (tier, visit) = visited?;
        self.attach_text(url, date, &visit.text);
        let done = PageDone::new(url, tier, visit, account, started.elapsed());
        self.write_down(&done, date);
        self.ledger
            .scribe()
            .commit()
            .await
            .map_err(CrawlError::Store)?;
        underway.done(&done);
        Ok(done)
    }

    async fn visit(&self, id: VisitId, url: &Url) -> Result<(Tier, PageVisit), CrawlError> {
        if self.options.tier == TierChoice::Always(Tier::Browser) && !names_a_file(url) {
            let visit = self.in_browser(id, url, Vec::new()).await?;
            if visit.reason != "browser.download" {
                return Ok((Tier::Browser, visit));
            }
        }
        let deadline = tokio::time::Instant::now() + self.options.page_timeout;
        let opened = self.http.open(id, url, deadline);
        let answer = match opened.await {
            Ok(answer) => answer,
            Err(error) => return Ok((Tier::Http, unreached(url, &error))),
        };
        if self.wants_browser(&answer) {
            let mut known = answer.redirects;
            known.push(answer.exchange);
            let visit = self.in_browser(id, url, known).await?;
            return Ok((Tier::Browser, visit));
        }
        let visit = self.http.complete(id, &answer, deadline).await;
        Ok((Tier::Http, visit))
    }

    async fn in_browser(
        &self,
        id: VisitId,
        url: &Url,
        known: Vec<Arc<Exchange>>,
    ) -> Result<PageVisit, CrawlError> {
        let browser = self.browser().await?;
        let deadline = tokio::time::Instant::now() + self.options.page_timeout;
        let visit = browser.visit(id, url, known).await;
        let media = self.ledger.media_in_parts(id);
        self.http.complete_media(id, url, media, deadline).await;
        Ok(visit)
    }

    fn wants_browser(&self, answer: &Answer) -> bool {
        match self.options.tier {
            TierChoice::Always(Tier::Http) => false,
            // The browser would only offer to download anything else.
            TierChoice::Always(Tier::Browser) => answer.page.kind == Kind::Html,
            TierChoice::Auto => answer.page.kind == Kind::Html && answer.page.has_scripts,
        }
    }

    async fn browser(&self) -> Result<&BrowserTier, CrawlError> {
        self.browser
            .get_or_try_init(|| {
                BrowserTier::start(
                    &self.options,
                    self.http.fetcher.clone(),
                    self.http.reuse.clone(),
                    self.ledger.clone(),
                )
            })
            .await
    }

    fn attach_text(&self, url: &Url, date: SystemTime, text: &str) {
        if text.is_empty() {
            return;
        }
        let attachment = Attachment {
            kind: AttachmentKind::Resource,
            uri: format!("urn:text:{url}"),
            date: records::timestamp(date),
            content_type: "text/plain; charset=utf-8".into(),
            body: text.as_bytes().to_vec().into(),
        };
        let entry = Entry::Attachment(Box::new(attachment));
        self.ledger.scribe().write(entry);
    }

    fn write_down(&self, done: &PageDone, date: SystemTime) {
        let scribe = self.ledger.scribe();
        let ts = records::timestamp(date).w3c();
        scribe.write(Entry::Log(json!({
            "ts": ts,
            "kind": "page",
            "url": done.url,
            "final_url": done.final_url,
            "tier": done.tier,
            "status": done.status,
            "reason": done.reason,
            "title": done.title,
            "links": done.links,
            "requested": done.account.requested,
            "recorded": done.account.recorded.count,
            "reused": done.account.reused,
            "failed": done.account.failed,
            "bytes": done.account.recorded.bytes,
            "ms": done.took.as_millis() as u64,
        })));
        if done.account.recorded.count > 0 {
            scribe.write(Entry::Page(json!({
                "id": record_id(RealWorld.random()),
                "url": done.url,
                "ts": ts,
                "title": done.title.as_ref().unwrap_or(&done.url),
                "tier": done.tier,
            })));
        }
    }

    async fn close(self) {
        if let Some(browser) = self.browser.into_inner() {
            browser.stop().await;
        }
    }
}

/// URLs that by their name are no pages. The browser would download them, and not keep them.
fn names_a_file(url: &Url) -> bool {
    const FILES: [&str; 28] = [
        "7z", "avi", "bz2", "csv", "doc", "docx", "epub", "gif", "gz", "jpeg", "jpg", "mkv", "mov",
        "mp3", "mp4", "odt", "ogg", "pdf", "png", "ppt", "pptx", "rar", "tar", "webm", "webp",
        "xls", "xlsx", "zip",
    ];
    let name = url.path().rsplit('/').next().unwrap_or("");
    let extension = name
        .rsplit_once('.')
        .map(|(_, end)| end.to_ascii_lowercase());
    extension.is_some_and(|end| FILES.contains(&end.as_str()))
}

fn unreached(url: &Url, error: &FetchError) -> PageVisit {
    PageVisit {
        final_url: url.clone(),
        status: None,
        title: None,
        text: String::new(),
        links: Vec::new(),
        reason: error.reason().to_owned(),
    }
}

/// Servers shall see one visitor, in whatever tier. Without a Chromium there is only one tier.
async fn user_agent(client: &Client) -> String {
    const WITHOUT: &str = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) \
                           Chrome/140.0.0.0 Safari/537.36";
    varve_browser::user_agent(client)
        .await
        .unwrap_or_else(|_| WITHOUT.to_owned())
}
