//! Proxy mode: a browser that uses this as its proxy has the archive for its web.
//!
//! Every URL is answered from the archive, at the time that the proxy is set to or that the
//! request names, and nothing is rewritten: pages are on their own origins. For `https:` the
//! browser must trust the proxy's own authority, whose certificate is at the proxy's address.
//!
//! ```text
//! listener ─► connection ─┬─ asked ─► answer ─► respond::unchanged
//!             (TLS) ▲     ├─ own: a page of ours, and the certificate
//!                   └─────┴─ tunnel
//! ```

mod answer;
mod asked;
mod connection;
mod own;
mod page_times;
mod traffic;

pub(crate) use connection::serve_proxy;
pub use traffic::{ProxyActivity, ProxyTraffic};

use crate::error::ServeError;
use crate::layout::When;
use crate::names::OurNames;
use crate::serving::Serving;
use page_times::PageTimes;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use varve_authority::Authority;
use varve_model::Timestamp;

/// How to be a proxy.
#[derive(Clone, Debug)]
pub struct ProxyOptions {
    /// Where.
    pub listen: SocketAddr,
    /// The file with the authority; made if it is missing. Without one the authority is a new one
    /// each time.
    pub authority: Option<PathBuf>,
    /// The time that is shown to those who do not name one; else the latest.
    pub time: Option<Timestamp>,
}

impl ProxyOptions {
    /// The latest there is, at this address, with a new authority.
    pub fn new(listen: SocketAddr) -> ProxyOptions {
        ProxyOptions {
            listen,
            authority: None,
            time: None,
        }
    }
}

/// What users need to know of a proxy.
#[derive(Clone, Debug)]
pub struct ProxyFacts {
    /// Where it is.
    pub address: SocketAddr,
    /// The base64 SHA-256 of the public key of its authority, for Chromium's
    /// `--ignore-certificate-errors-spki-list`.
    pub key_pin: String,
    /// The certificate of its authority, in PEM.
    pub certificate: String,
    /// What goes on there.
    pub traffic: Arc<ProxyTraffic>,
}

/// The archive as a proxy.
pub(crate) struct Proxy {
    serving: Arc<Serving>,
    authority: Authority,
    names: OurNames,
    time: When,
    pages: PageTimes,
    traffic: Arc<ProxyTraffic>,
}

impl Proxy {
    /// A proxy at an address that is bound.
    pub(crate) fn new(
        serving: Arc<Serving>,
        address: SocketAddr,
        options: &ProxyOptions,
    ) -> Result<Proxy, ServeError> {
        Ok(Proxy {
            serving,
            authority: match &options.authority {
                Some(file) => Authority::kept(file)?,
                None => Authority::new()?,
            },
            names: OurNames::new(address, None),
            time: options.time.map_or(When::Latest, When::Around),
            pages: PageTimes::default(),
            traffic: Arc::new(ProxyTraffic::new()),
        })
    }

    pub(crate) fn facts(&self, address: SocketAddr) -> ProxyFacts {
        ProxyFacts {
            address,
            key_pin: self.authority.own_key_pin(),
            certificate: self.authority.pem().to_owned(),
            traffic: self.traffic.clone(),
        }
    }
}
