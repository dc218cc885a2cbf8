//! What a request to the proxy asks for.

use crate::names::OurNames;
use axum::http::header;
use axum::http::request::Parts;
use axum::http::{Method, uri};
use url::Url;

/// Where a request came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At the proxy's own address.
    Front,
    /// In a tunnel to a host and port.
    Tunnel {
        scheme: &'static str,
        authority: String,
    },
}

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// A way to this host and port.
    Tunnel(String),
    /// Something of the proxy's own: a path.
    Own(String),
    /// An archived URL.
    Archived(Box<Url>),
    /// Nothing that there can be.
    Nothing,
}

impl Asked {
    pub(super) fn of(request: &Parts, place: &Place, ours: &OurNames) -> Asked {
        match place {
            Place::Front if request.method == Method::CONNECT => tunnel(&request.uri),
            Place::Front if request.uri.scheme().is_some() => absolute(&request.uri, ours),
            Place::Front => own(request, ours),
            Place::Tunnel { .. } if request.method == Method::CONNECT => Asked::Nothing,
            Place::Tunnel { scheme, authority } => {
                let target = request.uri.path_and_query().map_or("/", |it| it.as_str());
                archived(&format!("{scheme}://{authority}{target}"))
            }
        }
    }
}

/// Only a host with a port is somewhere to lead to.
fn tunnel(uri: &uri::Uri) -> Asked {
    let authority = uri.authority();
    let whole = authority.filter(|it| {
        let named = !it.host().is_empty() && it.port_u16().is_some_and(|port| port > 0);
        named && !it.as_str().contains('@')
    });
    whole.map_or(Asked::Nothing, |it| Asked::Tunnel(it.as_str().to_owned()))
}

fn absolute(uri: &uri::Uri, ours: &OurNames) -> Asked {
    let url = uri.to_string();
    match ours.is_ours(&url) {
        true => Asked::Own(uri.path().to_owned()),
        false => archived(&url),
    }
}

/// A request that was not sent to a proxy: on loopback it must name us.
fn own(request: &Parts, ours: &OurNames) -> Asked {
    let host = request.headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or("");
    match ours.answer_to(host) {
        true => Asked::Own(request.uri.path().to_owned()),
        false => Asked::Nothing,
    }
}

fn archived(url: &str) -> Asked {
    let parsed = Url::parse(url).ok().filter(|url| {
        let plain = url.username().is_empty() && url.password().is_none();
        matches!(url.scheme(), "http" | "https") && url.has_host() && plain
    });
    parsed.map_or(Asked::Nothing, |mut url| {
        url.set_fragment(None);
        Asked::Archived(Box::new(url))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use axum::http::Request;

    fn asked(method: &str, target: &str, host: &str, place: &Place) -> Asked {
        let request = Request::builder().method(method).uri(target);
        let (parts, ()) = request.header("Host", host).body(()).unwrap().into_parts();
        let ours = OurNames::new("127.0.0.1:8090".parse().unwrap(), None);
        Asked::of(&parts, place, &ours)
    }

    #[test]
    fn urls_tunnels_and_our_own_pages() {
        let url = |url: &str| Asked::Archived(Box::new(Url::parse(url).unwrap()));
        let own = |path: &str| Asked::Own(path.to_owned());
        let to = |authority: &str| Asked::Tunnel(authority.to_owned());
        let us = "127.0.0.1:8090";
        for (method, target, host, expected) in [
            ("GET", "http://h/a?b", "h", url("http://h/a?b")),
            ("GET", "http://h:81/", "x", url("http://h:81/")),
            ("POST", "https://h/", "h", url("https://h/")),
            ("GET", "ftp://h/", "h", Asked::Nothing),
            ("GET", "http://u:p@h/", "h", Asked::Nothing),
            ("GET", "http://127.0.0.1:8090/ca.pem?x", us, own("/ca.pem")),
            ("GET", "/", us, own("/")),
            ("GET", "/", "rebound.test:8090", Asked::Nothing),
            ("CONNECT", "h:443", "h:443", to("h:443")),
            ("CONNECT", "[::1]:443", "x", to("[::1]:443")),
            ("CONNECT", "h", "h", Asked::Nothing),
            ("CONNECT", "h:0", "h", Asked::Nothing),
        ] {
            assert_eq!(
                asked(method, target, host, &Place::Front),
                expected,
                "{target}"
            );
        }
    }

    #[test]
    fn in_a_tunnel_everything_is_of_its_host() {
        let place = Place::Tunnel {
            scheme: "https",
            authority: "h:8443".to_owned(),
        };
        let url = |url: &str| Asked::Archived(Box::new(Url::parse(url).unwrap()));
        for (method, target, expected) in [
            ("GET", "/a?b", url("https://h:8443/a?b")),
            ("GET", "http://other/a", url("https://h:8443/a")),
            ("CONNECT", "other:443", Asked::Nothing),
        ] {
            assert_eq!(asked(method, target, "other", &place), expected, "{target}");
        }
    }
}
