//! Why something is not done, told in the form that whoever asks can read.

use crate::markup::Markup;
use crate::respond::Reply;
use crate::ui::shell;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap};
use serde_json::{Value, json};
use std::time::Duration;

/// What is answered instead.
#[derive(Debug)]
pub(super) struct Refused {
    status: StatusCode,
    why: String,
    come_again: Option<Duration>,
}

impl Refused {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Refused {
        Refused {
            status,
            why: why.into(),
            come_again: None,
        }
    }

    /// A parameter makes no sense.
    pub(super) fn bad(why: impl Into<String>) -> Refused {
        Refused::new(StatusCode::BAD_REQUEST, why)
    }

    /// Nobody has shown the token.
    pub(super) fn not_signed_in() -> Refused {
        let why = "sign in at /admin, or send the token as Authorization: Bearer TOKEN";
        Refused::new(StatusCode::UNAUTHORIZED, why)
    }

    /// It may be done later.
    pub(super) fn after(mut self, wait: Duration) -> Refused {
        self.come_again = Some(wait);
        self
    }

    /// Whether it may be done later.
    pub(super) fn is_for_now(&self) -> bool {
        self.come_again.is_some()
    }

    pub(super) fn why(&self) -> &str {
        &self.why
    }

    pub(super) fn reply(self, form: Form) -> Reply {
        let reply = match form {
            Form::Page => page(self.status, &self.why),
            Form::Json => json_reply(self.status, &json!({"message": self.why})),
        };
        self.head(reply)
    }

    /// The same on a page of another kind.
    pub(super) fn over(self, page: fn(Option<(StatusCode, &str)>) -> Reply) -> Reply {
        let reply = page(Some((self.status, &self.why)));
        self.head(reply)
    }

    fn head(&self, mut reply: Reply) -> Reply {
        if self.status == StatusCode::UNAUTHORIZED {
            reply.say(header::WWW_AUTHENTICATE, "Bearer realm=\"varve\"");
        }
        if let Some(wait) = self.come_again {
            let seconds = wait.as_secs_f64().ceil().max(1.0);
            reply.say(header::RETRY_AFTER, &format!("{seconds:.0}"));
        }
        reply
    }
}

fn page(status: StatusCode, why: &str) -> Reply {
    let body = Markup::new("<h1>This was not done</h1><p>")
        .text(why)
        .html("</p><p><a href=\"/admin\">To the administration</a></p>");
    let mut reply = shell::shell("This was not done", "", &body);
    reply.status = status;
    reply
}

/// What is answered in: people see pages, programs read JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Page,
    Json,
}

impl Form {
    /// Browsers say that they would like HTML.
    pub(super) fn wanted(headers: &HeaderMap) -> Form {
        let accepted = headers.get_all(header::ACCEPT).iter();
        let mut accepted = accepted.filter_map(|accept| accept.to_str().ok());
        match accepted.any(|accept| accept.contains("text/html")) {
            true => Form::Page,
            false => Form::Json,
        }
    }
}

pub(super) fn json_reply(status: StatusCode, told: &Value) -> Reply {
    Reply::new(status, format!("{told}\n"))
        .with(header::CONTENT_TYPE, "application/json")
        .with(header::CACHE_CONTROL, "no-store")
}
