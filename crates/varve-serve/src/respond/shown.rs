//! A capture that was found, as an answer.

use super::captured::Captured;
use super::content::{Content, Facts, Trouble, is_set_aside};
use super::filled::referrer;
use super::parts::Extent;
use super::ready::{Prepared, Ready};
use super::reply::{Reply, ReplyBody};
use super::rewriting::{Language, Place};
use super::stream::Long;
use super::{Ask, Notice, Purpose, headers, memento, page_time};
use crate::archive::RecordedClient;
use crate::cache::PATIENCE;
use crate::cors;
use crate::isolation::{Nature, may_run};
use crate::layout::{MapAt, When};
use crate::lookup::{Found, Match};
use crate::serving::Serving;
use axum::http::StatusCode;
use axum::http::header;
use bytes::Bytes;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use url::Url;
use varve_page::{Document, Use};

/// Longer documents are not rewritten.
const MAX_REWRITTEN: usize = 32 << 20;
/// Bodies of more bytes, as stored or as they were meant, are not done at once.
const SHORT: usize = 256 << 10;

/// How much may be done for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// What is done before anything else would have begun: little is read, nobody waited for.
    Short,
    /// Whatever it takes.
    Full,
}

/// Shows what was found; what was prepared for that is kept under `key`, if there is one.
pub(crate) fn show(
    serving: &Serving,
    ask: &Ask,
    found: &Found,
    key: Option<String>,
    effort: Effort,
) -> Result<Reply, Trouble> {
    if let Some(reply) = own_time(serving, ask, found) {
        return Ok(reply);
    }
    let content = Content::open(found)?;
    if ask.wants_raw() {
        return raw(serving, ask, found, content);
    }
    let client = match serving.means.pinning {
        true => client(ask.purpose, found, effort)?,
        false => None,
    };
    let shown = Shown {
        effort,
        ..Shown::new(serving, ask, found, client)
    };
    let mut reply = shown.reply(content, key)?;
    let around = memento::around(serving, ask, found);
    memento::tell(&mut reply, serving, ask, found, &around);
    Ok(reply)
}

/// Shows what was prepared for an earlier request that asked the same.
pub(super) fn show_again(serving: &Serving, ask: &Ask, ready: &Ready) -> Option<Reply> {
    let shown = Shown::new(serving, ask, &ready.found, ready.client.clone());
    let reply = shown.begun(&ready.facts).ok()?;
    let mut reply = shown.complete(reply, &ready.facts, &ready.body);
    let around = (ready.around).get_or_init(|| memento::around(serving, ask, &ready.found));
    memento::tell(&mut reply, serving, ask, &ready.found, around);
    Some(reply)
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
fn client(
    purpose: Purpose,
    found: &Found,
    effort: Effort,
) -> Result<Option<Arc<RecordedClient>>, Trouble> {
    let (opened, layer) = (&found.opened, found.hit.layer);
    match (purpose, effort) {
        (Purpose::Page | Purpose::Frame | Purpose::Unknown, Effort::Full) => {
            Ok(opened.client_of(&found.hit))
        }
        (Purpose::Page | Purpose::Frame | Purpose::Unknown, Effort::Short) => {
            Err(Trouble::NotShort)
        }
        (Purpose::Style | Purpose::Worker, Effort::Full) => Ok(opened.client_in(layer)),
        (Purpose::Style | Purpose::Worker, Effort::Short) => {
            opened.known_client_in(layer).ok_or(Trouble::NotShort)
        }
        _ => Ok(None),
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
    let facts = content.facts.clone();
    let body = match content.whole(MAX_REWRITTEN) {
        Ok(body) => ReplyBody::Whole(body.into()),
        Err(Trouble::TooLong) => long(Content::open(found)?),
        Err(trouble) => return Err(trouble),
    };
    let status = StatusCode::from_u16(facts.status).unwrap_or(StatusCode::OK);
    let plain = status.is_success() || status.is_client_error() || status.is_server_error();
    let status = if plain { status } else { StatusCode::OK };
    let mut reply = Reply::new(status, Bytes::new());
    reply.body = body;
    reply.nature = Nature::Raw;
    if let Some(kind) = facts.head.get("Content-Type") {
        reply.say(header::CONTENT_TYPE, &String::from_utf8_lossy(&kind));
    }
    headers::tell(&facts.head, &mut reply.headers);
    let around = memento::around(serving, ask, found);
    memento::tell(&mut reply, serving, ask, found, &around);
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
    effort: Effort,
}

impl<'a> Shown<'a> {
    fn new(
        serving: &'a Serving,
        ask: &'a Ask,
        found: &'a Found,
        client: Option<Arc<RecordedClient>>,
    ) -> Shown<'a> {
        let (time, base) = (page_time(ask, found), ask.asked.url.clone());
        Shown {
            serving,
            ask,
            found,
            time,
            client,
            map: MapAt::new(serving.layout.clone(), time, base),
            effort: Effort::Full,
        }
    }

    fn extent(&self) -> Extent<'a> {
        Extent {
            ask: self.ask,
            found: self.found,
        }
    }

    fn reply(&self, content: Content, key: Option<String>) -> Result<Reply, Trouble> {
        let facts = content.facts.clone();
        let mut reply = self.begun(&facts)?;
        if reply.status.is_redirection() {
            return Ok(self.redirect(reply, &facts));
        }
        if reply.status == StatusCode::NO_CONTENT || reply.status == StatusCode::RESET_CONTENT {
            return Ok(reply);
        }
        let Some(body) = self.prepared(content)? else {
            self.extent().in_pieces(&mut reply)?;
            self.judge(&mut reply);
            return Ok(reply);
        };
        // What stands in for something may be another next time.
        let itself = matches!(self.found.matched, Match::Exact | Match::Canonical);
        if let Some(key) = key.filter(|_| facts.status == 200 && itself) {
            let ready = Ready {
                found: self.found.clone(),
                facts: facts.clone(),
                client: self.client.clone(),
                body: body.clone(),
                around: OnceLock::new(),
            };
            self.serving.ready.put(&key, Arc::new(ready));
        }
        Ok(self.complete(reply, &facts, &body))
    }

    /// An answer without its body.
    fn begun(&self, facts: &Facts) -> Result<Reply, Trouble> {
        let status = StatusCode::from_u16(facts.status)
            .ok()
            .filter(|status| !status.is_informational())
            .ok_or_else(|| Trouble::Damaged("it has no status".to_owned()))?;
        let mut reply = Reply::new(status, Bytes::new());
        reply.headers = headers::replayed(&facts.head, &self.ask.asked.url, &self.map);
        reply.say(header::CACHE_CONTROL, "no-cache");
        cors::allow(
            &mut reply.headers,
            &self.ask.headers,
            &self.serving.layout,
            self.time,
            &facts.head,
            self.ask.purpose,
        );
        Ok(reply)
    }

    /// The answer with its body, or without it for those who have it.
    fn complete(&self, mut reply: Reply, facts: &Facts, body: &Prepared) -> Reply {
        match body {
            Prepared::Rewritten(rewritten) => self.fill(&mut reply, facts, rewritten),
            Prepared::AsItWas(body) => self.extent().part(&mut reply, facts, body),
        }
        let mut reply = self.unless_known(reply, &self.etag(facts));
        self.judge(&mut reply);
        reply
    }

    /// Documents in which nothing keeps scripts inside do not run.
    fn judge(&self, reply: &mut Reply) {
        let runs = may_run(reply.headers.get(header::CONTENT_TYPE));
        if self.ask.purpose.may_be_document() && !reply.has_shim && runs {
            reply.nature = Nature::Still;
        }
    }

    /// A redirect leads to the archived target, or says where it would have led.
    fn redirect(&self, reply: Reply, facts: &Facts) -> Reply {
        let leads = reply.headers.contains_key(header::LOCATION);
        match facts.head.get("Location") {
            Some(target) if !leads => {
                let target = String::from_utf8_lossy(&target).into_owned();
                Notice::leads_outside(&target)
                    .about(self.ask)
                    .reply(self.ask)
            }
            _ => reply,
        }
    }

    /// The body, rewritten where it is to be; none if it is too long to be held.
    fn prepared(&self, mut content: Content) -> Result<Option<Prepared>, Trouble> {
        let facts = content.facts.clone();
        if self.may_rewrite()
            && let Some(rewritten) = self.kept(&facts)
        {
            return Ok(Some(Prepared::Rewritten(rewritten)));
        }
        let limit = match self.effort {
            Effort::Short if content.stored_length() > SHORT as u64 => {
                return Err(Trouble::NotShort);
            }
            Effort::Short => SHORT,
            Effort::Full => MAX_REWRITTEN,
        };
        match content.as_stored(limit) {
            Ok(body) if content.is_parted() && !self.runs(&facts, &body) => {
                let body = content.joined(body)?;
                return Ok(Some(self.whole(&facts, body)));
            }
            Ok(body) if content.is_parted() => {
                let body = content.with_hot(body)?;
                if !is_set_aside(&body) {
                    return Ok(Some(self.whole(&facts, body)));
                }
                // How long it is nobody knows yet.
                if self.effort == Effort::Short {
                    return Err(Trouble::NotShort);
                }
                let body = self.fetched(&content, body)?;
                return Ok(Some(self.whole(&facts, body)));
            }
            Ok(body) => return Ok(Some(self.whole(&facts, body))),
            Err(Trouble::TooLong) if self.effort == Effort::Short => return Err(Trouble::NotShort),
            Err(Trouble::TooLong) => {}
            Err(trouble) => return Err(trouble),
        }
        match self.language(&facts.head, &[]) {
            Some(Language::Document) => Err(Trouble::TooLong),
            _ => Ok(None),
        }
    }

    /// A script that was set aside as a whole because it never ran. Pages ask for such scripts as
    /// they did at capture, and need not run them now either; so only if it is gone that is told.
    fn fetched(&self, content: &Content, stored: Vec<u8>) -> Result<Vec<u8>, Trouble> {
        let whole = content.joined(stored)?;
        if let Some(key) = content.parts_key().filter(|_| is_set_aside(&whole)) {
            let page = referrer(self.serving, self.ask);
            self.serving.whole_scripts.missed(self.serving, key, page);
        }
        Ok(whole)
    }

    /// Whether what is asked for may be in a language that is rewritten.
    fn may_rewrite(&self) -> bool {
        let purpose = self.ask.purpose;
        purpose.may_be_document()
            || matches!(purpose, Purpose::Style | Purpose::Script | Purpose::Worker)
    }

    /// Whether the scripts in a body are run, where stubs do what the whole would.
    fn runs(&self, facts: &Facts, body: &[u8]) -> bool {
        let language = self.language(&facts.head, body);
        matches!(language, Some(Language::Script(_) | Language::Document))
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

    /// A body that is all there.
    fn whole(&self, facts: &Facts, body: Vec<u8>) -> Prepared {
        let Some(language) = self.language(&facts.head, &body) else {
            return Prepared::AsItWas(body.into());
        };
        let body = match self.found.matched {
            Match::Exact => body,
            _ => self.with_asked_callback(body),
        };
        let content_type = content_type(&facts.head);
        let document = self.document(content_type.as_deref(), &body);
        let press = &self.serving.press;
        let key = self.key(facts);
        let patience = match self.effort {
            Effort::Short => Duration::ZERO,
            Effort::Full => PATIENCE,
        };
        let made = self.serving.cache.get_or_make(&key, patience, || {
            let map = Captured::new(&self.map, self.serving.archive.now());
            let place = Place {
                map: &map,
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
        Prepared::Rewritten(rewritten)
    }
}

pub(super) fn content_type(head: &varve_model::HttpHead) -> Option<String> {
    let value = head.get("Content-Type")?;
    Some(String::from_utf8_lossy(&value).into_owned())
}
