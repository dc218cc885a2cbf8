//! The host layout: `http://{host}.{scheme}[-{port}].{time}.{replay host}[:port]/path?query`.
//!
//! `https://www.example.org/a?b` at 2026-01-01 is at
//! `http://www.example.org.https.20260101000000.replay.localhost:8080/a?b`. An IPv6 address is a
//! label of its eight numbers, `v6-0-0-0-0-0-0-0-1`. Paths and queries are the archived ones.

use super::RAW;
use super::asked::{Asked, When};
use crate::names::PublicOrigin;
use std::net::Ipv6Addr;
use url::{Host, Url};
use varve_model::{Modifier, Timestamp};

/// No host name is longer.
const MAX_HOST: usize = 253;
/// No label of a host name is longer.
const MAX_LABEL: usize = 63;
/// What a label begins with that stands for an IPv6 address.
const V6: &str = "v6-";

/// An origin for each archived origin and time, below one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostLayout {
    /// The name that all replay hosts end with.
    under: String,
    /// The same with the port, as it stands in URLs.
    authority: String,
    /// What all replay URLs begin with: `http://` or `https://`.
    scheme: &'static str,
}

impl HostLayout {
    /// Replay hosts below `under`, such as `replay.localhost`, on this port.
    pub fn new(under: &str, port: u16) -> HostLayout {
        let under = under.trim_matches('.').to_ascii_lowercase();
        let authority = match port {
            80 => under.clone(),
            _ => format!("{under}:{port}"),
        };
        HostLayout {
            under,
            authority,
            scheme: "http://",
        }
    }

    /// The same where others see them with the scheme and the port of this origin.
    pub(crate) fn behind(self, public: &PublicOrigin) -> HostLayout {
        HostLayout {
            authority: format!("{}{}", self.under, public.port_suffix()),
            scheme: match public.scheme() {
                "https" => "https://",
                _ => "http://",
            },
            ..self
        }
    }

    /// The name that all replay hosts end with, and the port.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Whether a `Host` is the replay host or below it.
    pub(super) fn covers(&self, host: &str) -> bool {
        let name = without_port(host).to_ascii_lowercase();
        let name = name.trim_end_matches('.');
        name == self.under
            || name
                .strip_suffix(self.under.as_str())
                .is_some_and(|rest| rest.ends_with('.'))
    }

    pub(super) fn parse(&self, host: &str, target: &str) -> Option<Asked> {
        let (name, time) = self.split(host)?;
        let (path, modifier) = match target.strip_prefix(RAW) {
            Some(path) => (path, Some(Modifier::Identity)),
            None => (target, None),
        };
        let path = path.starts_with('/').then_some(path)?;
        let url = Url::parse(&format!("{}{path}", origin_of(&name)?)).ok()?;
        // One origin has one name: `127.1` and the default port are not said.
        (name_of(&url)? == name).then_some(Asked {
            url,
            when: When::At(time),
            modifier,
        })
    }

    pub(super) fn url(&self, url: &Url, time: Timestamp) -> Option<String> {
        let path = &url[url::Position::BeforePath..];
        Some(format!("{}{path}", self.origin(url, time)?))
    }

    pub(super) fn raw_url(&self, url: &Url, time: Timestamp) -> Option<String> {
        let path = &url[url::Position::BeforePath..];
        Some(format!("{}{RAW}{path}", self.origin(url, time)?))
    }

    /// The replay origin of a URL at a time.
    fn origin(&self, url: &Url, time: Timestamp) -> Option<String> {
        let name = name_of(url)?;
        let host = format!("{name}.{}.{}", time.digits14(), self.authority);
        let fits = host.len() <= MAX_HOST && name.split('.').all(|label| label.len() <= MAX_LABEL);
        fits.then(|| [self.scheme, &host].concat())
    }

    pub(super) fn is_origin_of(&self, origin: &str, time: Timestamp) -> bool {
        let Some(host) = origin.strip_prefix(self.scheme) else {
            return false;
        };
        let is_ours = host.ends_with(&self.authority);
        is_ours && self.split(host).is_some_and(|(_, at)| at == time)
    }

    pub(super) fn sources(&self, time: Option<Timestamp>) -> String {
        match time {
            Some(time) => format!("{}*.{}.{}", self.scheme, time.digits14(), self.authority),
            None => format!("{}*.{}", self.scheme, self.authority),
        }
    }

    /// The name of the archived origin and the time that a host name holds.
    fn split(&self, host: &str) -> Option<(String, Timestamp)> {
        let name = without_port(host).to_ascii_lowercase();
        let rest = name.strip_suffix(self.under.as_str())?.strip_suffix('.')?;
        let (name, time) = rest.rsplit_once('.')?;
        let time = (time.len() == 14).then(|| Timestamp::parse(time).ok())??;
        origin_of(name).map(|_| (name.to_owned(), time))
    }
}

/// The archived origin that a name such as `www.example.org.https` stands for.
fn origin_of(name: &str) -> Option<String> {
    let (host, scheme) = name.rsplit_once('.')?;
    let host = archived_host(host)?;
    let (scheme, port) = match scheme.split_once('-') {
        Some((scheme, port)) => (scheme, format!(":{port}")),
        None => (scheme, String::new()),
    };
    matches!(scheme, "http" | "https").then(|| format!("{scheme}://{host}{port}"))
}

fn without_port(host: &str) -> &str {
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

/// `www.example.org.https`; `None` for what no host name can say.
fn name_of(url: &Url) -> Option<String> {
    let scheme = url.scheme();
    let host = match url.host()? {
        Host::Domain(name) => plain_name(name)?.to_owned(),
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => v6_label(address),
    };
    let port = url.port().map_or(String::new(), |port| format!("-{port}"));
    matches!(scheme, "http" | "https").then(|| format!("{host}.{scheme}{port}"))
}

/// A name made of ordinary labels, none of which could be taken for an address.
fn plain_name(name: &str) -> Option<&str> {
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    let whole = name.split('.').all(|label| !label.is_empty());
    (whole && name.bytes().all(plain) && v6_address(name).is_none()).then_some(name)
}

fn archived_host(name: &str) -> Option<String> {
    match v6_address(name) {
        Some(address) => Some(format!("[{address}]")),
        None => plain_name(name).map(str::to_owned),
    }
}

fn v6_label(address: Ipv6Addr) -> String {
    let numbers = address.segments().map(|number| format!("{number:x}"));
    format!("{V6}{}", numbers.join("-"))
}

fn v6_address(label: &str) -> Option<Ipv6Addr> {
    let mut numbers = [0; 8];
    let mut parts = label.strip_prefix(V6)?.split('-');
    for number in &mut numbers {
        let part = parts.next().filter(|part| part.len() <= 4)?;
        *number = u16::from_str_radix(part, 16).ok()?;
    }
    parts.next().is_none().then(|| Ipv6Addr::from(numbers))
}
