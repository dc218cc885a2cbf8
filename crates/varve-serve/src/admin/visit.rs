//! One request to administration, from who asks to what is done.

use super::doorman::{Who, check_origin, cookie_of, no_cookie};
use super::intake::Intake;
use super::log::Author;
use super::refused::{Form, Refused, json_reply};
use super::{Admin, page, receive, takedown};
use crate::archive::{Change, Unchanged};
use crate::interfaces::{Bad, Parameters};
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::header::{self, HeaderMap};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use serde_json::json;
use std::net::IpAddr;
use std::sync::Arc;

/// What is typed into a form without files is not longer.
const LONGEST_FORM: u64 = 64 << 10;

/// One request, before it is known who asks.
pub(super) struct Visit<'a> {
    pub(super) serving: &'a Arc<Serving>,
    pub(super) admin: &'a Admin,
    pub(super) form: Form,
    pub(super) from: IpAddr,
    pub(super) parts: Parts,
}

impl Visit<'_> {
    /// Sees to it that it is somebody who may, and does what is asked.
    pub(super) async fn answer(&self, host: &str, intake: &mut Intake) -> Result<Reply, Refused> {
        let is_post = self.parts.method == Method::POST;
        if !is_post && self.parts.method != Method::GET && self.parts.method != Method::HEAD {
            return Err(not_so());
        }
        if is_post {
            check_origin(&self.parts.headers, host)?;
        }
        let path = self.parts.uri.path();
        let path = path.strip_prefix("/admin").unwrap_or(path);
        match (path, is_post) {
            ("/sign-in", true) => return self.sign_in(intake).await,
            ("/sign-in", false) => return Ok(to_admin("")),
            _ => {}
        }
        let doorman = &self.admin.doorman;
        let who = doorman.who(&self.parts.headers, self.from).await;
        let who = who.inspect_err(|refused| self.note_stranger(refused))?;
        let Some(who) = who else {
            return match path {
                "" if !is_post => Ok(page::sign_in(None)),
                _ => Err(Refused::not_signed_in()),
            };
        };
        match (path, is_post) {
            ("", false) => self.overview(&who).await,
            ("/sign-out", true) => self.sign_out(&who, intake).await,
            ("/import", true) => receive::receive(self, &who, intake).await,
            ("/jobs", false) => Ok(self.jobs()),
            ("/access", false) => self.rules().await,
            ("/access", true) => self.change(&who, intake).await,
            ("" | "/sign-out" | "/import" | "/jobs", _) => Err(not_so()),
            (path, false) => self.job(path.strip_prefix("/jobs/")),
            _ => Err(nothing()),
        }
    }

    async fn sign_in(&self, intake: &mut Intake) -> Result<Reply, Refused> {
        let asked = self.typed(intake).await?;
        let token = asked.get("token").unwrap_or("");
        let signed_in = self.admin.doorman.sign_in(token, self.from).await;
        match signed_in {
            Ok(session) => {
                self.note(&Who::Session(session.clone()).name(), "signed in", "done");
                let cookie = cookie_of(&session, &self.parts.headers);
                Ok(to_admin("").with(header::SET_COOKIE, &cookie))
            }
            Err(refused) => {
                self.note_stranger(&refused);
                match self.form {
                    Form::Page => Ok(refused.over(page::sign_in)),
                    Form::Json => Err(refused),
                }
            }
        }
    }

    async fn sign_out(&self, who: &Who, intake: &mut Intake) -> Result<Reply, Refused> {
        let asked = self.typed(intake).await?;
        who.check_form(asked.get("csrf").unwrap_or(""))?;
        if let Who::Session(session) = who {
            self.admin.doorman.sign_out(session);
        }
        self.note(&who.name(), "signed out", "done");
        Ok(to_admin("").with(header::SET_COOKIE, &no_cookie(&self.parts.headers)))
    }

    async fn overview(&self, who: &Who) -> Result<Reply, Refused> {
        let Who::Session(session) = who else {
            let why = "this page is for browsers; programs ask /admin/jobs and /admin/access";
            return Err(Refused::new(StatusCode::NOT_FOUND, why));
        };
        let asked = Parameters::parse(self.parts.uri.query().unwrap_or(""));
        let (serving, session) = (self.serving.clone(), session.clone());
        blocking(move || {
            let admin = serving.admin.as_ref().ok_or_else(nothing)?;
            let done = asked.get("done");
            Ok(page::overview(&serving, admin, &session, done))
        })
        .await
    }

    fn jobs(&self) -> Reply {
        let jobs = self.admin.jobs.list();
        let jobs: Vec<_> = jobs.iter().map(|job| job.json()).collect();
        json_reply(StatusCode::OK, &json!({"jobs": jobs}))
    }

    fn job(&self, number: Option<&str>) -> Result<Reply, Refused> {
        let number: Option<u64> = number.and_then(|number| number.parse().ok());
        let jobs = self.admin.jobs.list();
        let job = jobs.iter().find(|job| Some(job.number) == number);
        let job = job.ok_or_else(nothing)?;
        Ok(json_reply(StatusCode::OK, &job.json()))
    }

    async fn rules(&self) -> Result<Reply, Refused> {
        let serving = self.serving.clone();
        blocking(move || {
            let written = serving.archive.rules().written();
            let written = written.ok_or_else(|| unchanged(&Unchanged::NoList))?;
            let written = written.map_err(|error| unchanged(&error.into()))?;
            Ok(json_reply(StatusCode::OK, &json!({"rules": written})))
        })
        .await
    }

    /// A rule more, or one less.
    async fn change(&self, who: &Who, intake: &mut Intake) -> Result<Reply, Refused> {
        let asked = self.typed(intake).await?;
        who.check_form(asked.get("csrf").unwrap_or(""))?;
        let (change, did, done) = match asked.get("action").unwrap_or("add") {
            "add" => (Change::Add, "added a rule", "?done=add#access"),
            "remove" => (Change::Remove, "removed a rule", "?done=remove#access"),
            _ => return Err(Refused::bad("action: it is add or remove")),
        };
        let rule = match change {
            Change::Add => takedown::rule(&asked).map_err(|bad| told(&bad))?,
            Change::Remove => {
                let missing = || Refused::bad("rule: say which line of the list to remove");
                asked.get("rule").ok_or_else(missing)?.trim().to_owned()
            }
        };
        let (serving, wanted) = (self.serving.clone(), rule.clone());
        let changed = blocking(move || {
            let changed = serving.archive.rules().change(change, &wanted);
            changed.map_err(|error| unchanged(&error))
        })
        .await;
        let outcome = match &changed {
            Ok(()) => "done",
            Err(refused) => refused.why(),
        };
        self.write(&who.name(), did, &json!({"rule": rule}), outcome);
        changed?;
        Ok(match self.form {
            Form::Page => to_admin(done),
            Form::Json => json_reply(StatusCode::OK, &json!({"rule": rule, "done": did})),
        })
    }

    /// What was typed into a form without files.
    async fn typed(&self, intake: &mut Intake) -> Result<Parameters, Refused> {
        let kind = content_type(&self.parts.headers);
        if !kind.starts_with("application/x-www-form-urlencoded") {
            let why = "send application/x-www-form-urlencoded, as forms do";
            return Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
        }
        intake.allow(&self.parts.headers, LONGEST_FORM)?;
        let bytes = intake.whole().await?;
        Ok(Parameters::parse(&String::from_utf8_lossy(&bytes)))
    }

    /// Writes down that somebody did not know the token; not when they come too often, or the log
    /// would be what they fill.
    fn note_stranger(&self, refused: &Refused) {
        if !refused.is_for_now() {
            self.note("nobody", "showed a token", refused.why());
        }
    }

    /// Writes down what was done.
    pub(super) fn note(&self, who: &str, did: &str, outcome: &str) {
        self.write(who, did, &json!(null), outcome);
    }

    /// Writes down what was done, and to what.
    pub(super) fn write(&self, who: &str, did: &str, what: &serde_json::Value, outcome: &str) {
        let author = Author {
            name: who,
            from: self.from,
        };
        self.admin.log.write(&author, did, what, outcome);
    }
}

pub(super) fn content_type(headers: &HeaderMap) -> &str {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.and_then(|kind| kind.to_str().ok()).unwrap_or("")
}

/// Does what waits for the disk, where nobody else has to wait for it.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        let why = "something went wrong inside the server";
        Err(Refused::new(StatusCode::INTERNAL_SERVER_ERROR, why))
    })
}

/// Leads back to the page, so that nothing is sent twice.
pub(super) fn to_admin(rest: &str) -> Reply {
    Reply::redirect(StatusCode::SEE_OTHER, &format!("/admin{rest}"))
}

fn told(bad: &Bad) -> Refused {
    Refused::bad(format!("{}: {}", bad.parameter, bad.why))
}

fn unchanged(why: &Unchanged) -> Refused {
    let status = match why {
        Unchanged::NoList | Unchanged::Mistake(_) | Unchanged::AlreadyThere => StatusCode::CONFLICT,
        Unchanged::NotThere => StatusCode::NOT_FOUND,
        Unchanged::NoRule(_) => StatusCode::BAD_REQUEST,
        Unchanged::Io(_) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Refused::new(status, why.to_string())
}

fn not_so() -> Refused {
    let why = "this cannot be asked in this way";
    Refused::new(StatusCode::METHOD_NOT_ALLOWED, why)
}

fn nothing() -> Refused {
    Refused::new(StatusCode::NOT_FOUND, "there is no such thing here")
}
