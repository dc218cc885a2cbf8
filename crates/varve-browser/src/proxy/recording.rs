//! `RecordingProxy`: what all ports of a crawl share.

use super::dead_end::DeadEnd;
use super::port::PagePort;
use super::sink::{Sink, VisitId};
use std::io;
use std::sync::Arc;
use varve_authority::{Authority, AuthorityError};
use varve_fetch::{Earlier, Fetcher, Reuse};

/// The proxy in front of the browser; one per crawl, cheap to clone.
#[derive(Clone)]
pub struct RecordingProxy(Arc<Shared>);

/// What the ports need.
pub(super) struct Shared {
    pub(super) fetcher: Fetcher,
    pub(super) reuse: Reuse,
    pub(super) earlier: Option<Arc<dyn Earlier>>,
    pub(super) sink: Arc<dyn Sink>,
    pub(super) authority: Authority,
}

impl RecordingProxy {
    /// A proxy with a certificate authority of its own. What `earlier` crawls hold is asked for
    /// conditionally.
    pub fn new(
        fetcher: Fetcher,
        reuse: Reuse,
        earlier: Option<Arc<dyn Earlier>>,
        sink: Arc<dyn Sink>,
    ) -> Result<RecordingProxy, AuthorityError> {
        Ok(RecordingProxy(Arc::new(Shared {
            fetcher,
            reuse,
            earlier,
            sink,
            authority: Authority::new()?,
        })))
    }

    /// A port of its own for one page load, on the loopback address.
    pub async fn open(&self, visit: VisitId) -> io::Result<PagePort> {
        PagePort::open(self.0.clone(), visit).await
    }

    /// The base64 SHA-256 of the public key of all our leaf certificates, for Chromium's
    /// `--ignore-certificate-errors-spki-list`.
    pub fn key_pin(&self) -> String {
        self.0.authority.key_pin()
    }

    /// A port that answers everything with an error and records nothing: for what Chromium itself
    /// asks, outside of any page.
    pub async fn dead_end(&self) -> io::Result<DeadEnd> {
        DeadEnd::open().await
    }
}
