//! What the archive's own pages may be called in URLs.

use std::net::{IpAddr, SocketAddr};

/// The names of the origin that is not archived content.
#[derive(Clone, Debug)]
pub(crate) struct OurNames {
    names: Vec<String>,
    /// Whether only those who name us are answered: on loopback another name means that a site
    /// has its own name lead here.
    strict: bool,
}

impl OurNames {
    pub(crate) fn new(address: SocketAddr) -> OurNames {
        let port = match address.port() {
            80 => String::new(),
            port => format!(":{port}"),
        };
        let ip = match address.ip() {
            ip if ip.is_unspecified() => "localhost".to_owned(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let mut names = vec![format!("{ip}{port}"), format!("localhost{port}")];
        names.dedup();
        OurNames {
            names,
            strict: address.ip().is_loopback(),
        }
    }

    /// Whether a request with this `Host` is for us.
    pub(crate) fn answer_to(&self, host: &str) -> bool {
        !self.strict
            || self
                .names
                .iter()
                .any(|name| name.eq_ignore_ascii_case(host))
    }

    /// The origin under which we introduce ourselves.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.names[0])
    }

    /// All our origins, as sources in a policy.
    pub(crate) fn sources(&self) -> String {
        let origins = self.names.iter().map(|name| format!("http://{name}"));
        origins.collect::<Vec<_>>().join(" ")
    }

    /// Whether a URL, such as a referrer, is one of ours.
    pub(crate) fn is_ours(&self, url: &str) -> bool {
        let rest = url.strip_prefix("http://").unwrap_or("");
        let host = rest.split('/').next().unwrap_or("");
        self.names
            .iter()
            .any(|name| name.eq_ignore_ascii_case(host))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn on_loopback_only_our_names_count() {
        let check = |address: &str, host: &str, expected: bool| {
            let names = OurNames::new(address.parse().unwrap());
            assert_eq!(names.answer_to(host), expected, "{address} {host}");
        };
        check("127.0.0.1:8080", "127.0.0.1:8080", true);
        check("127.0.0.1:8080", "LOCALHOST:8080", true);
        check("127.0.0.1:8080", "127.0.0.1", false);
        check("127.0.0.1:8080", "rebound.test:8080", false);
        check("127.0.0.1:80", "localhost", true);
        check("[::1]:8080", "[::1]:8080", true);
        check("0.0.0.0:8080", "archive.example", true);
        let names = OurNames::new("0.0.0.0:8080".parse().unwrap());
        assert_eq!(names.origin(), "http://localhost:8080");
        assert!(names.is_ours("http://localhost:8080/web/x"));
        assert!(!names.is_ours("http://localhost:8080.evil.test/"));
    }
}
