//! The walls: what every answer says, so that archived content reaches nothing but its own time.
//!
//! A policy that denies by default goes on everything that a replay origin answers: pages, parts,
//! raw bytes, errors and our own scripts. Nothing of the live web is a source, nothing but the
//! archive may frame it (but see [`is_nameless`]), no cookie is ours, and powerful features are off.

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
    /// A document without the shim: nothing would keep its scripts inside, so they do not run.
    Still,
    /// Archived bytes as they are: never a document with rights.
    Raw,
}

/// Where an answer goes.
pub(crate) struct Asker<'a> {
    pub(crate) layout: &'a Layout,
    /// Where our own pages are.
    pub(crate) ui: &'a str,
    /// The time of what is asked for.
    pub(crate) time: Option<Timestamp>,
    /// A frame of a page without a name, see [`is_nameless`].
    pub(crate) nameless: bool,
}

/// Whether this is for a frame in a page that says nothing of itself. Archived pages in a frame with
/// `sandbox` are such, and no list of ancestors can name them. Others can hide behind the same:
/// framed by a stranger, an archived page is as powerless as ever, and as closed to it.
pub(crate) fn is_nameless(request: &HeaderMap) -> bool {
    let says = |name: &str, values: &[&str]| {
        let said = request.get(name).and_then(|value| value.to_str().ok());
        said.is_some_and(|said| values.contains(&said))
    };
    says("sec-fetch-dest", &["iframe", "frame", "object", "embed"])
        && says("sec-fetch-site", &["cross-site"])
        && !request.contains_key(header::REFERER)
}

/// Puts the walls around an answer of a replay origin. What it says about them itself is replaced.
pub(crate) fn seal(headers: &mut HeaderMap, asker: &Asker<'_>, nature: Nature) {
    let Asker { layout, ui, .. } = *asker;
    let policy = match nature {
        Nature::Archived => policy(asker),
        Nature::Still => format!("{}; sandbox allow-same-origin", policy(asker)),
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
            Nature::Archived | Nature::Still => "cross-origin",
            Nature::Raw => "same-origin",
        },
    );
    say(
        HeaderName::from_static("connection-allowlist"),
        &allowed(layout),
    );
    say(HeaderName::from_static("origin-agent-cluster"), "?1");
    say(HeaderName::from_static("x-dns-prefetch-control"), "off");
    if nature == Nature::Raw {
        say(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    }
    headers.remove(header::SET_COOKIE);
}

/// What browsers that know this header may connect to at all, be it by going there, by WebRTC or by
/// looking up a name, which no policy says. Redirects are ours, and lead nowhere else.
fn allowed(layout: &Layout) -> String {
    match layout {
        Layout::Host(_) => {
            let sources = layout.sources(None);
            format!("(response-origin \"{sources}\");redirects=allow")
        }
        Layout::Path(_) => "(response-origin);redirects=allow".to_owned(),
    }
}

/// Whether browsers may take something of this type for a document with scripts: markup, or
/// whatever they have to guess.
pub(crate) fn may_run(content_type: Option<&HeaderValue>) -> bool {
    let declared = content_type.and_then(|it| it.to_str().ok()).unwrap_or("");
    let essence = declared.split([';', ',']).next().unwrap_or("").trim();
    let essence = essence.to_ascii_lowercase();
    let Some((_, subtype)) = essence.split_once('/') else {
        return true;
    };
    matches!(subtype, "html" | "xml" | "xsl" | "unknown" | "*") || subtype.ends_with("+xml")
}

/// The policy for archived content: itself, its own time, and what it makes itself.
fn policy(asker: &Asker<'_>) -> String {
    let Asker {
        layout, ui, time, ..
    } = *asker;
    let own = match (layout, time) {
        (Layout::Host(_), Some(_)) => format!("'self' {}", layout.sources(time)),
        _ => "'self'".to_owned(),
    };
    let mut parts = vec![
        format!("default-src {own} 'unsafe-inline' 'unsafe-eval' data: blob:"),
        format!("connect-src {own} data: blob:"),
        // What the modules of workers import counts as workers, too.
        format!("worker-src {own} blob: data:"),
        format!("frame-src {own} data: blob:"),
        // A form may lead to a page of another time, by a redirect of ours.
        format!("form-action 'self' {}", layout.sources(None)),
        format!("base-uri {own}"),
    ];
    if !asker.nameless {
        parts.push(format!("frame-ancestors {own} {ui}"));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::layout::{HostLayout, PathLayout};

    fn policy_of(layout: &Layout, nature: Nature) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(header::SET_COOKIE, HeaderValue::from_static("a=1"));
        let asker = Asker {
            layout,
            ui: "http://127.0.0.1:8080",
            time: Timestamp::parse("20260101000000").ok(),
            nameless: false,
        };
        seal(&mut headers, &asker, nature);
        assert!(!headers.contains_key(header::SET_COOKIE));
        let policy = headers.get(header::CONTENT_SECURITY_POLICY).unwrap();
        policy.to_str().unwrap().to_owned()
    }

    #[test]
    fn what_may_run_is_known_by_its_type() {
        for (content_type, runs) in [
            ("text/html; charset=utf-8", true),
            ("Text/XML", true),
            ("image/svg+xml", true),
            ("application/rss+xml;x=y", true),
            ("", true),
            ("x", true),
            ("application/unknown", true),
            ("text/plain", false),
            ("image/png", false),
            ("application/pdf", false),
            ("application/json", false),
            ("text/javascript", false),
        ] {
            let value = HeaderValue::from_str(content_type).unwrap();
            assert_eq!(may_run(Some(&value)), runs, "{content_type}");
        }
        assert!(may_run(None));
    }

    #[test]
    fn documents_without_the_shim_do_not_run() {
        let path = Layout::Path(PathLayout::new("http://127.0.0.1:8081"));
        let policy = policy_of(&path, Nature::Still);
        assert!(policy.ends_with("; sandbox allow-same-origin"), "{policy}");
        assert!(!policy_of(&path, Nature::Archived).contains("sandbox"));
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
            for nature in [Nature::Archived, Nature::Still, Nature::Raw] {
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
