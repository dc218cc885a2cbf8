//! What the archive's own pages may be called in URLs.

use std::net::{IpAddr, SocketAddr};
use url::Url;

/// An origin as others see it, where a server that speaks TLS, or has another name, stands before
/// ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicOrigin {
    https: bool,
    /// The name, and the port if it is not the usual one.
    authority: String,
}

impl PublicOrigin {
    /// From a URL that is nothing but an origin: `https://archive.example.org`.
    pub fn parse(text: &str) -> Option<PublicOrigin> {
        let url = Url::parse(text).ok()?;
        let host = url.host_str()?;
        let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let fits = matches!(url.scheme(), "http" | "https") && url.username().is_empty();
        (bare && fits && url.password().is_none()).then(|| PublicOrigin {
            https: url.scheme() == "https",
            authority: match url.port() {
                Some(port) => format!("{host}:{port}"),
                None => host.to_owned(),
            },
        })
    }

    /// `http` or `https`.
    pub(crate) fn scheme(&self) -> &'static str {
        if self.https { "https" } else { "http" }
    }

    /// What stands after the name, as in `:8443`; nothing for the usual port.
    pub(crate) fn port_suffix(&self) -> &str {
        let at = self
            .authority
            .rfind(':')
            .filter(|_| !self.authority.ends_with(']'));
        at.map_or("", |at| &self.authority[at..])
    }

    /// As it stands in URLs.
    pub(crate) fn origin(&self) -> String {
        format!("{}://{}", self.scheme(), self.authority)
    }
}

/// The names of the origin that is not archived content.
#[derive(Clone, Debug)]
pub(crate) struct OurNames {
    /// The one under which we introduce ourselves is the first.
    origins: Vec<PublicOrigin>,
    /// Whether only those who name us are answered: on loopback another name means that a site
    /// has its own name lead here.
    strict: bool,
}

impl OurNames {
    /// The names of who listens here, and is known to others as `public`.
    pub(crate) fn new(address: SocketAddr, public: Option<&PublicOrigin>) -> OurNames {
        let port = match address.port() {
            80 => String::new(),
            port => format!(":{port}"),
        };
        let ip = match address.ip() {
            ip if ip.is_unspecified() => "localhost".to_owned(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let local = [format!("{ip}{port}"), format!("localhost{port}")];
        let local = local.map(|authority| PublicOrigin {
            https: false,
            authority,
        });
        let mut origins: Vec<PublicOrigin> = public.cloned().into_iter().chain(local).collect();
        origins.dedup();
        OurNames {
            origins,
            strict: address.ip().is_loopback(),
        }
    }

    /// Whether a request with this `Host` is for us.
    pub(crate) fn answer_to(&self, host: &str) -> bool {
        let named = |known: &PublicOrigin| known.authority.eq_ignore_ascii_case(host);
        !self.strict || self.origins.iter().any(named)
    }

    /// The origin under which we introduce ourselves.
    pub(crate) fn origin(&self) -> String {
        self.origins[0].origin()
    }

    /// All our origins, as sources in a policy.
    pub(crate) fn sources(&self) -> String {
        let origins = self.origins.iter().map(PublicOrigin::origin);
        origins.collect::<Vec<_>>().join(" ")
    }

    /// Whether a URL, such as a referrer, is one of ours.
    pub(crate) fn is_ours(&self, url: &str) -> bool {
        let Some((scheme, rest)) = url.split_once("://") else {
            return false;
        };
        let host = rest.split('/').next().unwrap_or("");
        let known = |known: &PublicOrigin| {
            known.scheme() == scheme && known.authority.eq_ignore_ascii_case(host)
        };
        self.origins.iter().any(known)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn on_loopback_only_our_names_count() {
        let check = |address: &str, host: &str, expected: bool| {
            let names = OurNames::new(address.parse().unwrap(), None);
            assert_eq!(names.answer_to(host), expected, "{address} {host}");
        };
        check("127.0.0.1:8080", "127.0.0.1:8080", true);
        check("127.0.0.1:8080", "LOCALHOST:8080", true);
        check("127.0.0.1:8080", "127.0.0.1", false);
        check("127.0.0.1:8080", "rebound.test:8080", false);
        check("127.0.0.1:80", "localhost", true);
        check("[::1]:8080", "[::1]:8080", true);
        check("0.0.0.0:8080", "archive.example", true);
        let names = OurNames::new("0.0.0.0:8080".parse().unwrap(), None);
        assert_eq!(names.origin(), "http://localhost:8080");
        assert!(names.is_ours("http://localhost:8080/web/x"));
        assert!(!names.is_ours("http://localhost:8080.evil.test/"));
    }

    #[test]
    fn who_stands_behind_another_server_has_its_name_too() {
        let public = PublicOrigin::parse("https://archive.example").unwrap();
        let names = OurNames::new("127.0.0.1:8080".parse().unwrap(), Some(&public));
        assert_eq!(names.origin(), "https://archive.example");
        assert!(names.answer_to("archive.example") && names.answer_to("127.0.0.1:8080"));
        assert!(!names.answer_to("rebound.test"));
        assert!(names.is_ours("https://archive.example/web/x"));
        assert!(!names.is_ours("http://archive.example/web/x"));
        assert!(
            names
                .sources()
                .starts_with("https://archive.example http://127.0.0.1:8080")
        );
    }

    #[test]
    fn a_public_origin_is_nothing_more() {
        let check = |text: &str, origin: Option<&str>, port: &str| {
            let parsed = PublicOrigin::parse(text);
            assert_eq!(
                parsed.as_ref().map(PublicOrigin::origin).as_deref(),
                origin,
                "{text}"
            );
            assert_eq!(
                parsed.as_ref().map_or("", PublicOrigin::port_suffix),
                port,
                "{text}"
            );
        };
        check(
            "https://archive.example/",
            Some("https://archive.example"),
            "",
        );
        check(
            "https://archive.example:443",
            Some("https://archive.example"),
            "",
        );
        check(
            "http://Archive.example:8443",
            Some("http://archive.example:8443"),
            ":8443",
        );
        check("http://[::1]", Some("http://[::1]"), "");
        check("http://[::1]:81", Some("http://[::1]:81"), ":81");
        check("https://archive.example/path", None, "");
        check("https://user@archive.example", None, "");
        check("ftp://archive.example", None, "");
        check("archive.example", None, "");
    }
}
