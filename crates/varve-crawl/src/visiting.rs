//! Visiting a page in one of the tiers, and writing down what became of it.

use crate::CrawlError;
use crate::browser_tier::BrowserTier;
use crate::crawl::Crawl;
use crate::http_tier::{Answer, Errand, Opened};
use crate::memory::Taught;
use crate::onward::Way;
use crate::options::{Tier, TierChoice};
use crate::phase::Phase;
use crate::records;
use crate::run::Seat;
use crate::scribe::Entry;
use crate::visit::{PageDone, PageVisit};
use serde_json::json;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::time::Instant;
use url::Url;
use varve_browser::proxy::VisitId;
use varve_fetch::Exchange;
use varve_page::Kind;
use varve_store::collection::{Attachment, AttachmentKind};
use varve_store::world::{RealWorld, World, record_id};

impl Crawl {
    /// Visits a page in the tier that it needs; nothing if the crawl ends before that.
    pub(crate) async fn visit(
        &self,
        id: VisitId,
        way: &Way<'_>,
        seat: &mut Option<Seat>,
    ) -> Result<Option<(Tier, PageVisit)>, CrawlError> {
        let url = way.begins();
        if self.options.tier == TierChoice::Always(Tier::Browser) && !names_a_file(url) {
            let visit = self.in_browser(id, url, Vec::new()).await?;
            if visit.reason != "browser.download" {
                return Ok(Some((Tier::Browser, visit)));
            }
        }
        let errand = self.errand(id);
        let answer = match self.http.open_on_the_way(&errand, url, way).await {
            Ok(Opened::Answer(answer)) => *answer,
            Ok(Opened::Elsewhere { status, next }) => {
                let visit = PageVisit::leading_to(url, status, next);
                return Ok(Some((Tier::Http, visit)));
            }
            Err(error) => {
                let visit = PageVisit::failed(url, error.reason());
                return Ok(Some((Tier::Http, visit)));
            }
        };
        if self.decides() {
            return match self.led_on(&errand, answer, way).await {
                Opened::Answer(answer) => {
                    let visiting = self.visit_if_needed(id, url, &errand, *answer, seat);
                    visiting.await
                }
                Opened::Elsewhere { status, next } => {
                    let visit = PageVisit::leading_to(url, status, next);
                    Ok(Some((Tier::Http, visit)))
                }
            };
        }
        if self.wants_browser(&answer) {
            let mut known = answer.redirects;
            known.push(answer.exchange);
            let mut visit = self.in_browser(id, url, known).await?;
            visit.phase = self.chooses().then_some(Phase::Scripted);
            return Ok(Some((Tier::Browser, visit)));
        }
        let mut visit = self.http.complete(&errand, &answer, &[]).await;
        visit.phase = self.chooses().then_some(Phase::Read);
        Ok(Some((Tier::Http, visit)))
    }

    /// Whether the crawl chooses the tier of each page.
    fn chooses(&self) -> bool {
        self.options.tier == TierChoice::Auto
    }

    async fn in_browser(
        &self,
        id: VisitId,
        url: &Url,
        known: Vec<Arc<Exchange>>,
    ) -> Result<PageVisit, CrawlError> {
        let (visit, _) = self.see_in_browser(id, url, known).await?;
        Ok(visit)
    }

    /// Visits a page in the browser; also gives what that taught.
    pub(crate) async fn see_in_browser(
        &self,
        id: VisitId,
        url: &Url,
        known: Vec<Arc<Exchange>>,
    ) -> Result<(PageVisit, Taught), CrawlError> {
        let browser = self.browser().await?;
        let errand = self.errand(id);
        let seen = browser.visit(id, url, known).await;
        let media = self.ledger.media_in_parts(id);
        self.http.complete_media(&errand, url, media).await;
        Ok(seen)
    }

    pub(crate) fn wants_browser(&self, answer: &Answer) -> bool {
        match self.options.tier {
            TierChoice::Always(Tier::Http) => false,
            // The browser would only offer to download anything else.
            TierChoice::Always(Tier::Browser) => answer.page.kind == Kind::Html,
            TierChoice::Auto => answer.page.kind == Kind::Html && answer.page.has_scripts,
        }
    }

    /// An errand for a page that begins now.
    pub(crate) fn errand(&self, id: VisitId) -> Errand {
        let deadline = Instant::now() + self.options.page_timeout;
        Errand::new(id, deadline, self.options.session.jar())
    }

    /// Chromium, which starts when it is first needed.
    pub(crate) async fn browser(&self) -> Result<&BrowserTier, CrawlError> {
        self.browser
            .get_or_try_init(|| BrowserTier::start(&self.options, &self.http, self.ledger.clone()))
            .await
    }

    /// Keeps the text of a page.
    pub(crate) fn attach_text(&self, url: &Url, date: SystemTime, text: &str) {
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

    /// Writes down what became of a page.
    pub(crate) fn write_down(&self, done: &PageDone, date: SystemTime) {
        let scribe = self.ledger.scribe();
        let ts = records::timestamp(date).w3c();
        scribe.write(Entry::Log(json!({
            "ts": ts,
            "kind": "page",
            "url": done.url,
            "final_url": done.final_url,
            "tier": done.tier,
            "phase": done.phase,
            "why": done.why,
            "status": done.status,
            "reason": done.reason,
            "title": done.title,
            "links": done.links,
            "requested": done.account.requested,
            "recorded": done.account.recorded.count,
            "unchanged": done.account.unchanged,
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
