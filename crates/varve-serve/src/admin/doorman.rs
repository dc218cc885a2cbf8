//! Who may come in: those who know the token, by pages of ours or by programs of theirs.
//!
//! A browser shows the token once and has a cookie from then on, which goes nowhere but below
//! `/admin`. Pages of other sites can make a browser send it all the same; they do not know what
//! our forms carry, and browsers say where requests come from.

use super::attempts::{Attempts, Judged};
use super::refused::Refused;
use super::secret::Secret;
use super::sessions::{LASTS, Session, Sessions};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderName};
use std::net::IpAddr;
use std::time::{Duration, Instant};

const COOKIE: &str = "varve_admin";
/// Whoever shows a wrong token waits so long for the answer.
const PAUSE: Duration = Duration::from_millis(300);
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Knows the token, and those who have shown it.
pub(super) struct Doorman {
    secret: Secret,
    sessions: Sessions,
    attempts: Attempts,
}

/// Somebody who may do things.
pub(super) enum Who {
    /// A browser that has signed in.
    Session(Session),
    /// A program that shows the token.
    Program,
}

impl Who {
    /// What it is called in the log.
    pub(super) fn name(&self) -> String {
        match self {
            Who::Session(session) => format!("session {}", session.number),
            Who::Program => "bearer".to_owned(),
        }
    }

    /// Whether what was sent is its own. Programs have no cookies that others could use.
    pub(super) fn check_form(&self, form_token: &str) -> Result<(), Refused> {
        match self {
            Who::Session(session) if !session.sent(form_token) => Err(foreign(
                "this form is not of your session; load /admin again and send it from there",
            )),
            _ => Ok(()),
        }
    }
}

impl Doorman {
    pub(super) fn new(secret: Secret) -> Doorman {
        Doorman {
            secret,
            sessions: Sessions::default(),
            attempts: Attempts::default(),
        }
    }

    /// Who asks, if it is somebody who may.
    pub(super) async fn who(
        &self,
        headers: &HeaderMap,
        from: IpAddr,
    ) -> Result<Option<Who>, Refused> {
        let has_cookie = cookies(headers).next().is_some();
        if headers.contains_key(header::AUTHORIZATION) {
            if has_cookie {
                let why = "send the token or the cookie of a session, and not both";
                return Err(Refused::bad(why));
            }
            let bearer = only(headers, &header::AUTHORIZATION).and_then(bearer);
            self.check_token(bearer.unwrap_or(""), from).await?;
            return Ok(Some(Who::Program));
        }
        let now = Instant::now();
        let session = cookies(headers).find_map(|id| self.sessions.find(id, now));
        Ok(session.map(Who::Session))
    }

    /// Begins a session for whoever shows the token.
    pub(super) async fn sign_in(&self, token: &str, from: IpAddr) -> Result<Session, Refused> {
        self.check_token(token, from).await?;
        self.sessions.begin(Instant::now()).map_err(|_| {
            let why = "the machine gives no random numbers";
            Refused::new(StatusCode::INTERNAL_SERVER_ERROR, why)
        })
    }

    pub(super) fn sign_out(&self, session: &Session) {
        self.sessions.end(session);
    }

    async fn check_token(&self, token: &str, from: IpAddr) -> Result<(), Refused> {
        let is_right = || self.secret.is(token.trim());
        match self.attempts.judge(from, Instant::now(), is_right) {
            Judged::Right => Ok(()),
            Judged::Wrong => {
                tokio::time::sleep(PAUSE).await;
                let why = "this is not the token";
                Err(Refused::new(StatusCode::UNAUTHORIZED, why))
            }
            Judged::TooMany(wait) => {
                let why = "too many wrong tokens; wait a minute";
                Err(Refused::new(StatusCode::TOO_MANY_REQUESTS, why).after(wait))
            }
        }
    }
}

/// Refuses what a page of another site sends. `host` is the name that the request was sent to.
pub(super) fn check_origin(headers: &HeaderMap, host: &str) -> Result<(), Refused> {
    let ours = |origin: &str| {
        let (_, name) = origin.split_once("://").unwrap_or(("", ""));
        (is_secure(origin) || origin.starts_with("http://")) && name.eq_ignore_ascii_case(host)
    };
    let from_us =
        !headers.contains_key(header::ORIGIN) || only(headers, &header::ORIGIN).is_some_and(ours);
    let same = !headers.contains_key(SEC_FETCH_SITE)
        || only(headers, &SEC_FETCH_SITE) == Some("same-origin");
    match from_us && same {
        true => Ok(()),
        false => Err(foreign("pages of other sites cannot change anything here")),
    }
}

/// The header with which a browser keeps a session.
pub(super) fn cookie_of(session: &Session, headers: &HeaderMap) -> String {
    cookie(&session.id, LASTS.as_secs(), headers)
}

/// The header with which it forgets one.
pub(super) fn no_cookie(headers: &HeaderMap) -> String {
    cookie("", 0, headers)
}

fn cookie(value: &str, seconds: u64, headers: &HeaderMap) -> String {
    // A server in front of ours may speak TLS; browsers tell with every form.
    let is_secure = only(headers, &header::ORIGIN).is_some_and(is_secure);
    let secure = if is_secure { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path=/admin; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}

fn is_secure(origin: &str) -> bool {
    origin.starts_with("https://")
}

/// All values of our cookie: archived pages at another port can add some.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let sent = headers.get_all(header::COOKIE).iter();
    let pairs = sent.filter_map(|value| value.to_str().ok());
    let pairs = pairs.flat_map(|value| value.split(';'));
    pairs.filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// The token after the word `Bearer`.
fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

/// A header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

fn foreign(why: &str) -> Refused {
    Refused::new(StatusCode::FORBIDDEN, why)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn headers(fields: &[(&'static str, &str)]) -> HeaderMap {
        let fields = fields
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        let mut headers = HeaderMap::new();
        fields.for_each(|(name, value)| {
            headers.append(name, value);
        });
        headers
    }

    #[test]
    fn other_sites_are_told_apart() {
        let check = |fields: &[(&'static str, &str)], expected: bool| {
            let checked = check_origin(&headers(fields), "archive.test:8080");
            assert_eq!(checked.is_ok(), expected, "{fields:?}");
        };
        check(&[], true);
        check(&[("origin", "http://archive.test:8080")], true);
        check(&[("origin", "https://Archive.test:8080")], true);
        check(&[("origin", "http://archive.test")], false);
        check(&[("origin", "http://archive.test:8080.evil.test")], false);
        check(&[("origin", "ftp://archive.test:8080")], false);
        check(&[("origin", "null")], false);
        check(&[("origin", "")], false);
        let twice = ("origin", "http://archive.test:8080");
        check(&[twice, twice], false);
        check(&[("sec-fetch-site", "same-origin")], true);
        check(&[("sec-fetch-site", "same-site")], false);
        check(&[("sec-fetch-site", "none")], false);
    }

    #[test]
    fn cookies_are_found_among_others() {
        let found = headers(&[
            ("cookie", "a=b; varve_admin=1;varve_admin_x=2"),
            ("cookie", "varve_admin=3"),
        ]);
        assert_eq!(cookies(&found).collect::<Vec<_>>(), ["1", "3"]);
    }

    #[test]
    fn a_cookie_is_for_administration_alone() {
        let told = no_cookie(&headers(&[]));
        let expected = "varve_admin=; Path=/admin; Max-Age=0; HttpOnly; SameSite=Strict";
        assert_eq!(told, expected);
        let told = no_cookie(&headers(&[("origin", "https://archive.test")]));
        assert_eq!(told, format!("{expected}; Secure"));
    }
}
