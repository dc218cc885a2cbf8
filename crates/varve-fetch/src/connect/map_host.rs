//! Sending the requests for some hosts elsewhere: `--map-host 'PATTERN=ADDR:PORT'`.

use std::net::SocketAddr;
use std::str::FromStr;

/// A rule: hosts that match a pattern are contacted at a given address. The request itself does
/// not change, `Host` and TLS names included. The address must pass the policy like any other.
///
/// ```
/// use varve_fetch::MapHost;
/// let rule: MapHost = "*.example.com:443=127.0.0.1:8443".parse()?;
/// assert!(rule.target("www.example.com", 443).is_some());
/// assert!(rule.target("www.example.com", 80).is_none());
/// # Ok::<(), varve_fetch::MapHostError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapHost {
    host: String,
    port: Option<u16>,
    to: SocketAddr,
}

/// Why a rule cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapHostError {
    /// There is no `=`.
    #[error(
        "{0:?} is no mapping: write 'PATTERN=ADDR:PORT', such as '*.example.com=127.0.0.1:8080'"
    )]
    NoEquals(String),
    /// The pattern has no host.
    #[error("the mapping {0:?} names no host before the '='; write '*' for all hosts")]
    NoHost(String),
    /// The pattern's port is no port.
    #[error("{port:?} in the mapping {rule:?} is no port (1 to 65535)")]
    Port {
        /// The rule as given.
        rule: String,
        /// What stands for the port.
        port: String,
    },
    /// The target is not an address with a port.
    #[error(
        "{target:?} in the mapping {rule:?} is no address with a port: write an IP address, \
         IPv6 in brackets, and a port, such as '127.0.0.1:8080' or '[::1]:8080'"
    )]
    Target {
        /// The rule as given.
        rule: String,
        /// What stands for the target.
        target: String,
    },
}

impl FromStr for MapHost {
    type Err = MapHostError;

    fn from_str(rule: &str) -> Result<MapHost, MapHostError> {
        let (pattern, target) = rule
            .split_once('=')
            .ok_or_else(|| MapHostError::NoEquals(rule.into()))?;
        let (host, port) = split_port(pattern.trim());
        if host.is_empty() {
            return Err(MapHostError::NoHost(rule.into()));
        }
        let port = port.map(|port| parse_port(rule, port)).transpose()?;
        let to = SocketAddr::from_str(target.trim())
            .ok()
            .filter(|to| to.port() != 0)
            .ok_or_else(|| MapHostError::Target {
                rule: rule.into(),
                target: target.trim().into(),
            })?;
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        Ok(MapHost { host, port, to })
    }
}

impl MapHost {
    /// Where requests for this host and port go, if the rule is about them.
    pub fn target(&self, host: &str, port: u16) -> Option<SocketAddr> {
        let matches = self.port.is_none_or(|own| own == port)
            && glob(self.host.as_bytes(), host.trim_end_matches('.').as_bytes());
        matches.then_some(self.to)
    }
}

/// `host:port`, where an IPv6 host stands in brackets.
fn split_port(pattern: &str) -> (&str, Option<&str>) {
    match pattern.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (pattern, None),
    }
}

fn parse_port(rule: &str, port: &str) -> Result<u16, MapHostError> {
    let number = port.parse().ok().filter(|number| *number != 0);
    number.ok_or_else(|| MapHostError::Port {
        rule: rule.into(),
        port: port.into(),
    })
}

/// Whether a text matches a pattern in which `*` stands for any run of characters. Goes back to
/// the last `*` only, so it takes time proportional to the product of the lengths at worst.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut position) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while position < text.len() {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at, position));
            at += 1;
        } else if pattern
            .get(at)
            .is_some_and(|byte| byte.eq_ignore_ascii_case(&text[position]))
        {
            at += 1;
            position += 1;
        } else if let Some((star_at, taken)) = star {
            star = Some((star_at, taken + 1));
            at = star_at + 1;
            position = taken + 1;
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}
