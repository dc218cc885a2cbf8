//! A capture that was found, as an answer.

use super::content::{Content, Trouble};
use super::filled::referrer;
use super::reply::{Reply, ReplyBody};
use super::rewriting::{Language, Place};
use super::stream::Long;
use super::{Ask, Notice, Purpose, headers, memento, page_time};
use crate::archive::RecordedClient;
use crate::cors;
use crate::isolation::{Nature, may_run};
use crate::layout::{MapAt, When};
use crate::lookup::{Found, Match};
use crate::serving::Serving;
use axum::http::StatusCode;
use axum::http::header;
use bytes::Bytes;
use std::borrow::Cow;
use std::sync::Arc;
use url::Url;
use varve_page::{Document, Use};

/// Longer documents are not rewritten.
const MAX_REWRITTEN: usize = 32 << 20;

/// Shows what was found.
pub(crate) fn show(serving: &Serving, ask: &Ask, found: &Found) -> Result<Reply, Trouble> {
    if let Some(reply) = own_time(serving, ask, found) {
        return Ok(reply);
    }
    let content = Content::open(found)?;
    if ask.wants_raw() {
        return raw(serving, ask, found, content);
    }
    let shown = Shown {
        serving,
        ask,
        found,
        time: page_time(ask, found),
        client: client(ask.purpose, found),
        map: MapAt::new(
            serving.layout.clone(),
            page_time(ask, found),
            ask.asked.url.clone(),
        ),
    };
    let mut reply = shown.reply(content)?;
    memento::tell(&mut reply, serving, ask, found);
    Ok(reply)
}

/// A page is shown at the time of its own capture, so that its parts are looked for near it.
fn own_time(serving: &Serving, ask: &Ask, found: &Found) -> Option<Reply> {
    let own = found.hit.capture.timestamp.to_seconds();
    let elsewhen = match ask.asked.when {
        // Others than browsers get what they ask for, and are told where it is.
        When::At(time) => ask.header("sec-fetch-dest") == Some("document") && time != own,
        When::Around(_) | When::Latest => true,
    };
    if !elsewhen || !ask.only_asks() {
        return None;
    }
    let url = match ask.wants_raw() {
        true => serving.layout.raw_url(&ask.asked.url, own)?,
        false => serving
            .layout
            .url(&ask.asked.url, own, used_for(ask.purpose))?,
    };
    if let Some(from) = referrer(serving, ask) {
        serving.led.remember(&ask.asked.url, own, from);
    }
    Some(Reply::redirect(StatusCode::FOUND, &url))
}

/// Who captured it, where the answer depends on that.
fn client(purpose: Purpose, found: &Found) -> Option<Arc<RecordedClient>> {
    match purpose {
        Purpose::Page | Purpose::Frame | Purpose::Unknown => found.opened.client_of(&found.hit),
        Purpose::Style | Purpose::Worker => found.opened.client_in(found.hit.layer),
        _ => None,
    }
}

fn used_for(purpose: Purpose) -> Use {
    match purpose {
        Purpose::Frame => Use::Frame,
        Purpose::Style => Use::Style,
        Purpose::Script => Use::Script,
        Purpose::Worker => Use::Worker,
        Purpose::Image => Use::Image,
        _ => Use::Navigate,
    }
}

/// The bytes as they were captured, which nothing executes.
fn raw(
    serving: &Serving,
    ask: &Ask,
    found: &Found,
    mut content: Content,
) -> Result<Reply, Trouble> {
    let captured = content.head.clone();
    let body = match content.whole(MAX_REWRITTEN) {
        Ok(body) => ReplyBody::Whole(body.into()),
        Err(Trouble::TooLong) => long(Content::open(found)?),
        Err(trouble) => return Err(trouble),
    };
    let status = StatusCode::from_u16(content.status).unwrap_or(StatusCode::OK);
    let plain = status.is_success() || status.is_client_error() || status.is_server_error();
    let status = if plain { status } else { StatusCode::OK };
    let mut reply = Reply::new(status, Bytes::new());
    reply.body = body;
    reply.nature = Nature::Raw;
    if let Some(kind) = captured.get("Content-Type") {
        reply.say(header::CONTENT_TYPE, &String::from_utf8_lossy(&kind));
    }
    headers::tell(&captured, &mut reply.headers);
    memento::tell(&mut reply, serving, ask, found);
    Ok(reply)
}

fn long(content: Content) -> ReplyBody {
    let part = None;
    ReplyBody::Long(Box::new(Long { content, part }))
}

/// What is known while a capture is made an answer.
pub(super) struct Shown<'a> {
    pub(super) serving: &'a Serving,
    pub(super) ask: &'a Ask,
    pub(super) found: &'a Found,
    pub(super) time: varve_model::Timestamp,
    /// Who captured it.
    pub(super) client: Option<Arc<RecordedClient>>,
    map: MapAt,
}

impl Shown<'_> {
    fn reply(&self, content: Content) -> Result<Reply, Trouble> {
        let url = &self.ask.asked.url;
        let status = StatusCode::from_u16(content.status)
            .ok()
            .filter(|status| !status.is_informational())
            .ok_or_else(|| Trouble::Damaged("it has no status".to_owned()))?;
        let mut reply = Reply::new(status, Bytes::new());
        reply.headers = headers::replayed(&content.head, url, &self.map);
        reply.say(header::CACHE_CONTROL, "no-cache");
        cors::allow(
            &mut reply.headers,
            &self.ask.headers,
            &self.serving.layout,
            self.time,
            &content.head,
            self.ask.purpose,
        );
        if status.is_redirection() {
            return Ok(self.redirect(reply, &content));
        }
        if status == StatusCode::NO_CONTENT || status == StatusCode::RESET_CONTENT {
            return Ok(reply);
        }
        let mut reply = self.body(reply, content)?;
        let runs = may_run(reply.headers.get(header::CONTENT_TYPE));
        if self.ask.purpose.may_be_document() && !reply.has_shim && runs {
            reply.nature = Nature::Still;
        }
        Ok(reply)
    }

    /// A redirect leads to the archived target, or says where it would have led.
    fn redirect(&self, reply: Reply, content: &Content) -> Reply {
        let leads = reply.headers.contains_key(header::LOCATION);
        match content.head.get("Location") {
            Some(target) if !leads => {
                let target = String::from_utf8_lossy(&target).into_owned();
                Notice::leads_outside(&target)
                    .about(self.ask)
                    .reply(self.ask)
            }
            _ => reply,
        }
    }

    fn body(&self, mut reply: Reply, mut content: Content) -> Result<Reply, Trouble> {
        let etag = self.etag(&content);
        if self.may_rewrite()
            && let Some(rewritten) = self.kept(&content)
        {
            self.fill(&mut reply, &content, &rewritten);
            return Ok(self.unless_known(reply, &etag));
        }
        match content.whole(MAX_REWRITTEN) {
            Ok(body) => {
                let reply = self.whole(reply, &content, body);
                return Ok(self.unless_known(reply, &etag));
            }
            Err(Trouble::TooLong) => {}
            Err(trouble) => return Err(trouble),
        }
        if self.language(&content.head, &[]) == Some(Language::Document) {
            return Err(Trouble::TooLong);
        }
        self.in_pieces(&mut reply)?;
        Ok(reply)
    }

    /// Whether what is asked for may be in a language that is rewritten.
    fn may_rewrite(&self) -> bool {
        let purpose = self.ask.purpose;
        purpose.may_be_document()
            || matches!(purpose, Purpose::Style | Purpose::Script | Purpose::Worker)
    }

    fn language(&self, head: &varve_model::HttpHead, body: &[u8]) -> Option<Language> {
        let content_type = content_type(head);
        let document = self.document(content_type.as_deref(), body);
        let mode = self.ask.header("sec-fetch-mode").unwrap_or("");
        Language::of(&document, self.ask.purpose, mode)
    }

    pub(super) fn document<'d>(
        &'d self,
        content_type: Option<&'d str>,
        bytes: &'d [u8],
    ) -> Document<'d> {
        Document {
            url: &self.ask.asked.url,
            content_type,
            destination: self.ask.purpose.destination(),
            within: None,
            bytes,
        }
    }

    /// A script that calls back calls the name that is asked for now.
    fn with_asked_callback(&self, body: Vec<u8>) -> Vec<u8> {
        let Ok(captured) = Url::parse(&self.found.hit.capture.url) else {
            return body;
        };
        match varve_page::rename_jsonp(&body, &captured, &self.ask.asked.url) {
            Cow::Owned(renamed) => renamed,
            Cow::Borrowed(_) => body,
        }
    }

    /// A body that is all there: rewritten, or the part of it that is asked for.
    fn whole(&self, mut reply: Reply, facts: &Content, body: Vec<u8>) -> Reply {
        let Some(language) = self.language(&facts.head, &body) else {
            self.part(&mut reply, facts, body);
            return reply;
        };
        let body = match self.found.matched {
            Match::Exact => body,
            _ => self.with_asked_callback(body),
        };
        let content_type = content_type(&facts.head);
        let document = self.document(content_type.as_deref(), &body);
        let press = &self.serving.press;
        let key = self.key(facts);
        let made = self.serving.cache.get_or_make(&key, || {
            let place = Place {
                map: &self.map,
                client: self.client.as_deref().and_then(|it| it.viewport.as_ref()),
                topmost: self.is_topmost(),
            };
            Ok::<_, std::convert::Infallible>(press.rewrite(language, &document, &place))
        });
        let Ok(rewritten) = made;
        if rewritten.left_all && self.is_general() {
            self.serving
                .cache
                .put(&self.general_key(facts), rewritten.clone());
        }
        self.fill(&mut reply, facts, &rewritten);
        reply
    }
}

pub(super) fn content_type(head: &varve_model::HttpHead) -> Option<String> {
    let value = head.get("Content-Type")?;
    Some(String::from_utf8_lossy(&value).into_owned())
}
