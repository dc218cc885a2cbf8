//! Scheme, host and port: what connections are made for and shared by.

use crate::error::FetchError;
use std::fmt;
use std::net::IpAddr;
use url::{Host, Url};

/// Where a URL is served.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    encrypted: bool,
    host: String,
    address: Option<IpAddr>,
    port: u16,
}

impl Origin {
    /// The origin of a URL. WebSocket URLs have the origin of the HTTP request that opens them.
    pub(crate) fn of(url: &Url) -> Result<Origin, FetchError> {
        let encrypted = match url.scheme() {
            "http" | "ws" => false,
            "https" | "wss" => true,
            _ => return Err(FetchError::Scheme(url.to_string())),
        };
        let address = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            _ => None,
        };
        match (url.host_str(), url.port_or_known_default()) {
            (Some(host), Some(port)) if !host.is_empty() => Ok(Origin {
                encrypted,
                host: host.into(),
                address,
                port,
            }),
            _ => Err(FetchError::Scheme(url.to_string())),
        }
    }

    /// Whether TLS is to be spoken.
    pub(crate) fn encrypted(&self) -> bool {
        self.encrypted
    }

    /// The host as in the URL: IPv6 in brackets, a name perhaps with a dot at its end.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// The host as a name to resolve.
    pub(crate) fn name(&self) -> &str {
        self.host.strip_suffix('.').unwrap_or(&self.host)
    }

    /// The address, if the URL gives one instead of a name.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// The port.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// What `Host` and `:authority` say: the port only where it is not the scheme's own.
    pub(crate) fn authority(&self) -> String {
        let usual = if self.encrypted { 443 } else { 80 };
        match self.port == usual {
            true => self.host.clone(),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.encrypted { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.authority())
    }
}
