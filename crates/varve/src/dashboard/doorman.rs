//! Who may come in: requests that name this very server, and orders from its own page only.
//!
//! Pages of other sites can send requests to loopback. They cannot read our page, and so do not
//! know its token; a name of theirs that resolves to loopback (DNS rebinding) is not our name.

use super::Desk;
use anyhow::{Context, Result};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// Where orders carry the token.
const TOKEN: &str = "x-varve-token";
/// The port that a URL need not name.
const HTTP: u16 = 80;

/// What every answer says.
const HEADERS: [(HeaderName, &str); 8] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// Knows our names and this run's token.
pub(super) struct Doorman {
    names: Vec<String>,
    token: String,
}

impl Doorman {
    pub(super) fn new(address: SocketAddr) -> Result<Doorman> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).context("the machine gives no random numbers")?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Doorman {
            names: names(address),
            token,
        })
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Why a request is refused.
    fn refusal(
        &self,
        method: &Method,
        authority: Option<&str>,
        headers: &HeaderMap,
    ) -> Option<&str> {
        let one = |name: HeaderName| only(headers, &name);
        let names_us = |host: &str| {
            self.names
                .iter()
                .any(|name| name.eq_ignore_ascii_case(host))
        };
        if !one(header::HOST).is_some_and(names_us) || !authority.is_none_or(names_us) {
            return Some("this is not the server that you asked for");
        }
        if *method == Method::GET || *method == Method::HEAD {
            return None;
        }
        if headers.contains_key(header::ORIGIN) {
            let origin = one(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
            if !origin.is_some_and(names_us) {
                return Some("orders are taken from the dashboard's own page only");
            }
        }
        let site = HeaderName::from_static("sec-fetch-site");
        if headers.contains_key(&site) && one(site) != Some("same-origin") {
            return Some("orders are taken from the dashboard's own page only");
        }
        let token = one(HeaderName::from_static(TOKEN)).unwrap_or("");
        let known = bool::from(token.as_bytes().ct_eq(self.token.as_bytes()));
        (!known).then_some("the token is missing or wrong; load the page again")
    }
}

/// Checks a request, and puts our headers on whatever is the answer.
pub(super) async fn guard(State(desk): State<Arc<Desk>>, request: Request, next: Next) -> Response {
    let authority = request
        .uri()
        .authority()
        .map(|authority| authority.as_str());
    let refusal = desk
        .doorman
        .refusal(request.method(), authority, request.headers());
    let mut response = match refusal {
        Some(why) => (StatusCode::FORBIDDEN, format!("{why}\n")).into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// A header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// What we may be called in a URL.
fn names(address: SocketAddr) -> Vec<String> {
    let port = address.port();
    let mut names = vec![address.to_string(), format!("localhost:{port}")];
    if port == HTTP {
        let ip = match address {
            SocketAddr::V4(address) => address.ip().to_string(),
            SocketAddr::V6(address) => format!("[{}]", address.ip()),
        };
        names.extend([ip, "localhost".to_owned()]);
    }
    names
}

#[cfg(test)]
mod tests;
