//! Asking a site for what it cannot have, to see what its missing pages look like.
//!
//! Some sites answer with success whatever they are asked for. Once several of a site's pages say
//! the same, it is asked for one more that cannot exist: who says that again is a *soft 404*.

use crate::CrawlError;
use crate::crawl::Crawl;
use crate::frontier::host_of;
use crate::hosts::Verdict;
use crate::records;
use crate::scribe::Entry;
use serde_json::json;
use std::time::SystemTime;
use url::Url;
use varve_browser::proxy::VisitId;
use varve_store::world::{RealWorld, World};

/// No more is fetched of the answer.
const PROBE_BYTES: u64 = 4 << 20;

/// What a site answered.
struct Said {
    status: Option<u16>,
    /// The text that a reader would see, if it is known.
    text: Option<String>,
    /// Why there is no answer, if there is none.
    failure: Option<String>,
}

impl Crawl {
    /// Asks the site of a page for what it cannot have, if that is due. It is asked as for a page
    /// (robots.txt and the pause between pages count), but the answer is none.
    pub(crate) async fn probe(&self, page: &Url) -> Result<(), CrawlError> {
        if self.control.is_stopping() || self.control.is_paused() {
            return Ok(());
        }
        let Some(host) = host_of(page) else {
            return Ok(());
        };
        let chance = u128::from_ne_bytes(RealWorld.random()) as u64;
        let Some(url) = self.admission.probe(page, chance) else {
            return Ok(());
        };
        match self.ask_robots(&url).await? {
            Verdict::Welcome => {}
            Verdict::Refused(reason) | Verdict::Later(reason) => {
                self.note_probe(&url, None, reason);
                return Ok(());
            }
        }
        let start = self.hosts.next_start(&host, self.control.delay());
        tokio::time::sleep_until(start.into()).await;
        let id = self.ledger.begin(&url);
        let said = self.look(id, &url).await;
        self.keep_pace(&host, self.ledger.answer(id)).await?;
        self.add_chore(&self.ledger.end(id));
        let said = said?;
        let success = said
            .status
            .is_some_and(|status| (200..300).contains(&status));
        let reason = match (&said.failure, said.text.filter(|_| success)) {
            (Some(failure), _) => failure.as_str(),
            (None, Some(text)) => {
                self.admission.asked_for_nothing(&url, &text);
                "probe.soft404"
            }
            (None, None) => "probe.missing",
        };
        self.note_probe(&url, said.status, reason);
        Ok(())
    }

    /// Looks at a URL in the tier that a page there would be visited in.
    async fn look(&self, id: VisitId, url: &Url) -> Result<Said, CrawlError> {
        let errand = self.errand(id).at_most(PROBE_BYTES);
        let answer = match self.http.open(&errand, url).await {
            Ok(answer) => answer,
            Err(error) => {
                return Ok(Said {
                    status: None,
                    text: None,
                    failure: Some(error.reason().to_owned()),
                });
            }
        };
        if !self.wants_browser(&answer) {
            let is_read = !answer.page.has_scripts;
            return Ok(Said {
                status: answer.head.status(),
                text: is_read.then(|| answer.page.text.clone()),
                failure: None,
            });
        }
        let mut known = answer.redirects;
        known.push(answer.exchange);
        let seen = self.browser().await?.look(id, url, known).await;
        Ok(Said {
            status: seen.as_ref().and_then(|seen| seen.status),
            failure: match &seen {
                Some(seen) if seen.outcome.is_ok() => None,
                Some(seen) => Some(seen.outcome.reason().into_owned()),
                None => Some("browser.proxy".to_owned()),
            },
            text: seen.map(|seen| seen.text),
        })
    }

    fn note_probe(&self, url: &Url, status: Option<u16>, reason: &str) {
        self.ledger.scribe().write(Entry::Log(json!({
            "ts": records::timestamp(SystemTime::now()).w3c(),
            "kind": "probe",
            "url": url.as_str(),
            "status": status,
            "reason": reason,
        })));
    }
}
