//! Rewritten bodies with what belongs to one request alone: the shim's configuration.

use super::content::Facts;
use super::reply::{Reply, ReplyBody};
use super::rewriting::Rewritten;
use super::shim_config::Sent;
use super::shown::Shown;
use super::{Ask, Purpose, archived};
use crate::layout::OURS;
use crate::serving::Serving;
use axum::http::header;
use bytes::Bytes;
use url::Url;
use varve_js::shim::worker_shim;
use varve_model::Timestamp;

impl Shown<'_> {
    /// The answer from what was rewritten, now or before.
    pub(super) fn fill(&self, reply: &mut Reply, facts: &Facts, rewritten: &Rewritten) {
        let body = match self.ask.purpose {
            Purpose::Worker => self.with_prelude(facts, rewritten),
            _ if rewritten.after.is_some() => {
                rewritten.filled(&self.sent(facts, |it| it.attribute()))
            }
            _ => rewritten.before.clone(),
        };
        if let Some(charset) = rewritten.charset {
            state_charset(reply, charset);
        }
        reply.body = ReplyBody::Whole(body);
        reply.has_shim = rewritten.after.is_some();
        if reply.has_shim && self.is_topmost() {
            let came = self.client.as_ref().map_or(&[][..], |it| &it.scripts);
            let (pages, url) = (&self.serving.open_pages, &self.ask.asked.url);
            pages.open(url, self.time, &rewritten.async_scripts, came);
        }
    }

    /// The script of a worker, after what it has to know.
    fn with_prelude(&self, facts: &Facts, rewritten: &Rewritten) -> Bytes {
        let prelude = match rewritten.module {
            true => {
                let config = self.sent(facts, |sent| sent.json());
                let config: String =
                    url::form_urlencoded::byte_serialize(config.as_bytes()).collect();
                let version = self.serving.press.version();
                format!("import \"{OURS}worker.js?v={version}&config={config}\";")
            }
            false => {
                let statement = self.sent(facts, |sent| sent.statement());
                format!("{statement}{}\n", worker_shim())
            }
        };
        [prelude.as_bytes(), &rewritten.before].concat().into()
    }

    pub(super) fn is_topmost(&self) -> bool {
        is_topmost(self.serving, self.ask)
    }

    /// The archived URL that led here. A frame may be sent on to its own time by the shim.
    fn referrer(&self, own: Timestamp) -> Option<Url> {
        let url = &self.ask.asked.url;
        let led = self.serving.led.take(url, self.time);
        let from = led.or_else(|| referrer(self.serving, self.ask))?;
        if own != self.time && self.ask.purpose == Purpose::Frame {
            self.serving.led.remember(url, own, from.clone());
        }
        Some(from)
    }

    fn sent<T>(&self, facts: &Facts, say: impl FnOnce(&Sent<'_>) -> T) -> T {
        let own = self.found.hit.capture.timestamp.to_seconds();
        say(&Sent {
            layout: &self.serving.layout,
            time: self.time,
            own,
            url: &self.ask.asked.url,
            top: self.is_topmost(),
            referrer: self.referrer(own),
            captured: &facts.head,
            date: facts.date,
            is_pinned: self.serving.means.pinning,
            client: self.client.as_deref(),
            ui: &self.serving.names.origin(),
        })
    }
}

/// Whether nothing archived is around what is asked for: it fills a window, or a frame of ours.
pub(crate) fn is_topmost(serving: &Serving, ask: &Ask) -> bool {
    let from = ask.header("referer").unwrap_or("");
    serving.names.is_ours(from) || matches!(ask.purpose, Purpose::Page | Purpose::Unknown)
}

/// States the encoding that a document was read in.
fn state_charset(reply: &mut Reply, charset: &str) {
    let declared = reply.headers.get(header::CONTENT_TYPE);
    let declared = declared.and_then(|it| it.to_str().ok()).unwrap_or("");
    let essence = declared.split([';', ',']).next().unwrap_or("").trim();
    let essence = match essence.is_empty() {
        true => "text/html",
        false => essence,
    };
    reply.say(
        header::CONTENT_TYPE,
        &format!("{essence}; charset={charset}"),
    );
}

/// The archived URL of a replay URL that led here, or as much of it as browsers tell: to other
/// origins only the origin, and nothing to those that are less safe.
pub(super) fn referrer(serving: &Serving, ask: &Ask) -> Option<Url> {
    let to = &ask.asked.url;
    let from = Url::parse(ask.header("referer")?).ok()?;
    let mut url = archived(serving, &from)?.url;
    if url.scheme() == "https" && to.scheme() == "http" {
        return None;
    }
    if url.origin() != to.origin() {
        url.set_path("/");
        url.set_query(None);
    }
    Some(url)
}
