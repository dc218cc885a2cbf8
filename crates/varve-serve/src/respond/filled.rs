//! Rewritten bodies with what belongs to one request alone: the shim's configuration.

use super::Purpose;
use super::content::Content;
use super::reply::{Reply, ReplyBody};
use super::rewriting::Rewritten;
use super::shim_config::Sent;
use super::shown::Shown;
use crate::layout::OURS;
use crate::serving::Serving;
use axum::http::header;
use bytes::Bytes;
use url::Url;
use varve_js::shim::worker_shim;

impl Shown<'_> {
    /// The answer from what was rewritten, now or before.
    pub(super) fn fill(&self, reply: &mut Reply, facts: &Content, rewritten: &Rewritten) {
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
    }

    /// The script of a worker, after what it has to know.
    fn with_prelude(&self, facts: &Content, rewritten: &Rewritten) -> Bytes {
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

    /// Whether nothing archived is around it: it fills a window, or a frame of ours.
    pub(super) fn is_topmost(&self) -> bool {
        let from = self.ask.header("referer").unwrap_or("");
        self.serving.names.is_ours(from)
            || matches!(self.ask.purpose, Purpose::Page | Purpose::Unknown)
    }

    fn sent<T>(&self, facts: &Content, say: impl FnOnce(&Sent<'_>) -> T) -> T {
        let from = self.ask.header("referer").unwrap_or("");
        say(&Sent {
            layout: &self.serving.layout,
            time: self.time,
            url: &self.ask.asked.url,
            top: self.is_topmost(),
            referrer: referrer(self.serving, from),
            captured: &facts.head,
            date: facts.date,
            client: self.client.as_deref(),
            ui: &self.serving.names.origin(),
        })
    }
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

/// The archived URL of a replay URL that led here.
fn referrer(serving: &Serving, from: &str) -> Option<Url> {
    let url = Url::parse(from).ok()?;
    let host = match url.port() {
        Some(port) => format!("{}:{port}", url.host_str()?),
        None => url.host_str()?.to_owned(),
    };
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    Some(serving.layout.parse(&host, target)?.url)
}
