//! Pages of ours where an archived one cannot be shown: what was asked for, and why not.

use super::content::Trouble;
use super::reply::Reply;
use super::{Ask, Purpose};
use crate::layout::When;
use crate::limits::RETRY_AFTER;
use crate::markup::{Markup, page};
use crate::serving::Serving;
use axum::http::header::{self, HeaderName};
use axum::http::{Method, StatusCode};
use varve_model::{Access, Timestamp};

/// Longer URLs are shown by their beginnings.
const MAX_SHOWN: usize = 2000;

/// Something to tell instead of archived content.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    status: StatusCode,
    title: &'static str,
    why: String,
    about: Option<(String, String)>,
}

impl Notice {
    pub(crate) fn new(status: StatusCode, title: &'static str, why: impl Into<String>) -> Notice {
        Notice {
            status,
            title,
            why: why.into(),
            about: None,
        }
    }

    /// It was never captured.
    pub(crate) fn missing() -> Notice {
        let why = "No capture of this URL is in the archive.";
        Notice::new(StatusCode::NOT_FOUND, "Not in the archive", why)
    }

    /// It may not be shown, whether it was captured or not.
    pub(crate) fn withheld() -> Notice {
        let why = "The rules of this archive do not allow it to show this URL at this time.";
        let status = StatusCode::UNAVAILABLE_FOR_LEGAL_REASONS;
        Notice::new(status, "Not shown", why)
    }

    /// Why there is nothing to show: it was never captured, or must not be shown.
    pub(crate) fn nothing_of(serving: &Serving, url: &str, time: Timestamp) -> Notice {
        match serving.archive.rules().access(url, time) {
            Access::Block => Notice::withheld(),
            Access::Allow | Access::Exclude => Notice::missing(),
        }
    }

    /// The request names nothing archived.
    pub(crate) fn nothing() -> Notice {
        let why = "This address names nothing archived.";
        Notice::new(StatusCode::NOT_FOUND, "Not in the archive", why)
    }

    fn elsewhere(trouble: &Trouble) -> Notice {
        Notice::new(
            StatusCode::NOT_FOUND,
            "Not in the archive",
            trouble.to_string(),
        )
    }

    pub(super) fn damaged(trouble: Trouble) -> Notice {
        let title = "This capture cannot be shown";
        Notice::new(StatusCode::BAD_GATEWAY, title, trouble.to_string())
    }

    /// Why something that is there is not shown.
    pub(super) fn of(trouble: Trouble) -> Notice {
        match trouble {
            Trouble::Elsewhere => Notice::elsewhere(&trouble),
            trouble => Notice::damaged(trouble),
        }
    }

    pub(super) fn leads_outside(target: &str) -> Notice {
        let target: String = target.chars().take(MAX_SHOWN).collect();
        let why = format!("This page led to {target}, which is nothing that an archive holds.");
        Notice::new(StatusCode::NOT_FOUND, "A redirect that leads outside", why)
    }

    /// There is too much to do.
    pub(crate) fn overloaded() -> Notice {
        let why = "The archive has too much to do just now. Try again in a moment.";
        Notice::new(StatusCode::SERVICE_UNAVAILABLE, "Too many requests", why)
    }

    /// It took too long.
    pub(crate) fn late() -> Notice {
        let why = "Showing this takes longer than it may.";
        Notice::new(StatusCode::SERVICE_UNAVAILABLE, "It takes too long", why)
    }

    pub(crate) fn refused(why: &str) -> Notice {
        Notice::new(StatusCode::FORBIDDEN, "Refused", why)
    }

    /// Names the URL and the time that were asked for.
    pub(crate) fn about(mut self, ask: &Ask) -> Notice {
        let when = match ask.asked.when {
            When::At(time) | When::Around(time) => time.http_date(),
            When::Latest => "latest".to_owned(),
        };
        let url = ask.asked.url.as_str().chars().take(MAX_SHOWN).collect();
        self.about = Some((url, when));
        self
    }

    /// The answer: a page where one is shown, a line where not.
    pub(crate) fn reply(self, ask: &Ask) -> Reply {
        match ask.purpose {
            Purpose::Page | Purpose::Frame | Purpose::Unknown => self.page(),
            _ => self.line(&ask.method),
        }
    }

    /// The answer as a page.
    pub(crate) fn page(self) -> Reply {
        let mut body = Markup::new("<h1>").text(self.title).html("</h1>");
        if let Some((url, when)) = &self.about {
            body = body.html("<p>").text(url).html("<br>").text(when);
            body = body.html("</p>");
        }
        let body = body.html("<p>").text(&self.why).html("</p>");
        let html = page(self.title, "", &body);
        let reply = Reply::new(self.status, html);
        self.head(reply.with(header::CONTENT_TYPE, "text/html; charset=utf-8"))
    }

    fn line(self, method: &Method) -> Reply {
        let about = self.about.as_ref();
        let about = about.map_or(String::new(), |(url, when)| format!(" ({url}, {when})"));
        let text = match *method {
            Method::HEAD => String::new(),
            _ => format!("{}: {}{about}\n", self.title, self.why),
        };
        let reply = Reply::new(self.status, text);
        self.head(reply.with(header::CONTENT_TYPE, "text/plain; charset=utf-8"))
    }

    fn head(&self, mut reply: Reply) -> Reply {
        reply.say(header::CACHE_CONTROL, "no-store");
        reply.say(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        reply.say(HeaderName::from_static("x-varve-notice"), "1");
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            reply.say(header::RETRY_AFTER, RETRY_AFTER);
        }
        reply
    }
}
