//! What the proxy itself has to show: what it is, and the certificate of its authority.

use super::Proxy;
use crate::layout::When;
use crate::markup::{Markup, page};
use crate::respond::{Notice, Reply};
use axum::http::StatusCode;
use axum::http::header;

/// Where the certificate is.
const CERTIFICATE: &str = "/ca.pem";

/// Answers a request that was sent to the proxy as to any other server.
pub(super) fn own(proxy: &Proxy, path: &str) -> Reply {
    match path {
        "/" => introduction(proxy),
        CERTIFICATE => Reply::new(StatusCode::OK, proxy.authority.pem().to_owned())
            .with(header::CONTENT_TYPE, "application/x-x509-ca-cert")
            .with(
                header::CONTENT_DISPOSITION,
                "attachment; filename=\"varve-ca.pem\"",
            )
            .with(header::CACHE_CONTROL, "no-store"),
        _ => Notice::nothing().page(),
    }
}

fn introduction(proxy: &Proxy) -> Reply {
    let time = match proxy.time {
        When::Latest => "the latest captures".to_owned(),
        When::At(time) | When::Around(time) => format!("captures near {}", time.http_date()),
    };
    let archive = format!("{}/", proxy.serving.names.origin());
    let body = Markup::new("<h1>A web archive as a proxy</h1><p>A browser that uses this address ")
        .html("as its proxy for http and https sees ")
        .text(time)
        .html(", as they were, and nothing else. A request with <code>Accept-Datetime</code> ")
        .html("sees those near that time.</p><p>For https the browser has to trust ")
        .html("<a href=\"/ca.pem\">the certificate of this proxy</a>. Let it do so in a profile ")
        .html("that is used for nothing else.</p><p>The archive itself is at <a href=\"")
        .text(&archive)
        .html("\">")
        .text(&archive)
        .html("</a>.</p>");
    Reply::new(StatusCode::OK, page("Varve", "", &body))
        .with(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .with(header::CACHE_CONTROL, "no-store")
        .with(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .with(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        )
}
