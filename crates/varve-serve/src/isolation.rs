//! The walls: what every answer says, so that archived content reaches nothing but its own time.
//!
//! A policy that denies by default goes on everything that a replay origin answers: pages, parts,
//! raw bytes, errors and our own scripts. Nothing of the live web is a source, nothing but the
//! archive may frame it, no cookie is ours, and powerful features are off.

use crate::layout::Layout;
use axum::http::HeaderMap;
use axum::http::header::{self, HeaderName, HeaderValue};
use varve_model::Timestamp;

/// Features that no archived page gets. Only names that Chromium knows: it complains of others, as
/// it does of the policy's word against WebRTC. That is left to the shim.
const DENIED: &str = "accelerometer=(), camera=(), display-capture=(), \
     geolocation=(), gyroscope=(), hid=(), idle-detection=(), local-fonts=(), magnetometer=(), \
     microphone=(), midi=(), payment=(), publickey-credentials-get=(), screen-wake-lock=(), \
     serial=(), usb=(), window-management=(), xr-spatial-tracking=()";

/// What is answered from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    /// Archived content as it was meant, or something of ours in its place.
    Archived,
    /// Archived bytes as they are: never a document with rights.
    Raw,
}

/// Puts the walls around an answer of a replay origin. What it says about them itself is replaced.
pub(crate) fn seal(
    headers: &mut HeaderMap,
    layout: &Layout,
    ui: &str,
    time: Option<Timestamp>,
    nature: Nature,
) {
    let policy = match nature {
        Nature::Archived => policy(layout, ui, time),
        Nature::Raw => format!("default-src 'none'; sandbox; frame-ancestors {ui}"),
    };
    let mut say = |name: HeaderName, value: &str| {
        // Everything that is put in consists of visible letters.
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    say(header::CONTENT_SECURITY_POLICY, &policy);
    say(header::REFERRER_POLICY, "strict-origin-when-cross-origin");
    say(HeaderName::from_static("permissions-policy"), DENIED);
    say(
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin-allow-popups",
    );
    say(
        HeaderName::from_static("cross-origin-resource-policy"),
        match nature {
            Nature::Archived => "cross-origin",
            Nature::Raw => "same-origin",
        },
    );
    say(HeaderName::from_static("origin-agent-cluster"), "?1");
    say(HeaderName::from_static("x-dns-prefetch-control"), "off");
    if nature == Nature::Raw {
        say(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    }
    headers.remove(header::SET_COOKIE);
}

/// The policy for archived content: itself, its own time, and what it makes itself.
fn policy(layout: &Layout, ui: &str, time: Option<Timestamp>) -> String {
    let own = match (layout, time) {
        (Layout::Host(_), Some(_)) => format!("'self' {}", layout.sources(time)),
        _ => "'self'".to_owned(),
    };
    [
        format!("default-src {own} 'unsafe-inline' 'unsafe-eval' data: blob:"),
        format!("connect-src {own} data: blob:"),
        // What the modules of workers import counts as workers, too.
        format!("worker-src {own} blob: data:"),
        format!("frame-src {own} data: blob:"),
        // A form may lead to a page of another time, by a redirect of ours.
        format!("form-action 'self' {}", layout.sources(None)),
        format!("base-uri {own}"),
        format!("frame-ancestors {own} {ui}"),
    ]
    .join("; ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::layout::{HostLayout, PathLayout};

    fn policy_of(layout: &Layout, nature: Nature) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(header::SET_COOKIE, HeaderValue::from_static("a=1"));
        let time = Timestamp::parse("20260101000000").ok();
        seal(&mut headers, layout, "http://127.0.0.1:8080", time, nature);
        assert!(!headers.contains_key(header::SET_COOKIE));
        let policy = headers.get(header::CONTENT_SECURITY_POLICY).unwrap();
        policy.to_str().unwrap().to_owned()
    }

    #[test]
    fn nothing_but_the_own_time_is_a_source() {
        let host = Layout::Host(HostLayout::new("replay.localhost", 8080));
        let path = Layout::Path(PathLayout::new("http://127.0.0.1:8081"));
        let policy = policy_of(&host, Nature::Archived);
        let own = "'self' http://*.20260101000000.replay.localhost:8080";
        assert!(policy.starts_with(&format!("default-src {own} 'unsafe-inline'")));
        assert!(policy.contains("form-action 'self' http://*.replay.localhost:8080;"));
        for layout in [host, path] {
            for nature in [Nature::Archived, Nature::Raw] {
                let policy = policy_of(&layout, nature);
                for word in policy.split([' ', ';']) {
                    let open = matches!(word, "*" | "http:" | "https:" | "ws:" | "wss:");
                    assert!(!open, "{policy}");
                }
            }
            assert!(policy_of(&layout, Nature::Raw).contains("sandbox"));
        }
    }
}
