//! Everything that both tiers receive: written down and counted.

use super::heads::{content_type, first_answer, kind_name, status};
use super::{Ledger, TROUBLES};
use crate::records;
use crate::scribe::Entry;
use serde_json::json;
use std::sync::Arc;
use std::time::SystemTime;
use url::Url;
use varve_browser::proxy::{Failure, Origin, Sink, VisitId, WebSocketLog};
use varve_fetch::{Exchange, Truncation, Unchanged};
use varve_model::HttpHead;
use varve_store::collection::{Attachment, AttachmentKind, Known};

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
            open.receive(&exchange, &exchange);
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
            open.receive(answer, held);
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

impl super::Open {
    /// Notes what came: an answer, and what it stands for.
    fn receive(&mut self, answer: &Exchange, held: &Exchange) {
        let is_good = matches!(status(held), Some(200..=299));
        if is_good && answer.method == "GET" && self.received.len() < TROUBLES {
            let bytes = held.body.len();
            self.received.insert(answer.url.clone(), bytes);
        }
    }
}

impl Ledger {
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
