//! The running server: one port, many hosts.

use crate::certificates;
use crate::connection;
use crate::hosts::HOSTS;
use crate::log::{Log, Logged};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

/// Connections at a time; more wait in the system's queue.
const CONNECTIONS: usize = 1024;

/// How the example web is to run.
#[derive(Clone, Debug)]
pub struct DemoOptions {
    /// Where it listens. Port 0 takes any free one.
    pub listen: SocketAddr,
    /// Whether to keep the full log in memory.
    pub log: bool,
    /// Where its random identifiers begin.
    pub seed: u64,
    /// How many pages its herbarium has.
    pub pages: usize,
}

impl Default for DemoOptions {
    fn default() -> DemoOptions {
        DemoOptions {
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            log: false,
            seed: 1,
            pages: 300,
        }
    }
}

/// The example web, running. It stops when dropped.
#[derive(Debug)]
pub struct DemoWeb {
    address: SocketAddr,
    ca_pem: String,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

impl DemoWeb {
    /// Starts it. It runs in tasks of the current tokio runtime.
    pub async fn start(options: DemoOptions) -> io::Result<DemoWeb> {
        let certificates = certificates::make()?;
        let listener = TcpListener::bind(options.listen).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            log: Log::new(options.log),
            chance: AtomicU64::new(options.seed),
            pages: options.pages,
        });
        let tls = TlsAcceptor::from(certificates.server);
        let accepting = tokio::spawn(accept(listener, tls, shared.clone()));
        Ok(DemoWeb {
            address,
            ca_pem: certificates.ca_pem,
            shared,
            accepting,
        })
    }

    /// The one port, which speaks plain HTTP/1.1 and TLS, HTTP/2 included.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The certificate to trust for its hosts. New at every start.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// The hosts it plays, with what they are.
    pub fn hosts() -> &'static [(&'static str, &'static str)] {
        &HOSTS
    }

    /// What it received and sent so far, in the order of the requests.
    pub fn log(&self) -> Vec<Logged> {
        self.shared.log.entries()
    }

    /// Stops it: no new connections, and the open ones are cut.
    pub async fn stop(mut self) {
        self.accepting.abort();
        // The task was just aborted: that it says so is no news.
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for DemoWeb {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) log: Arc<Log>,
    chance: AtomicU64,
    pub(crate) pages: usize,
}

impl Shared {
    /// The next of a sequence of identifiers that looks random and repeats with its seed (SplitMix64).
    pub(crate) fn random(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut bits = self.chance.fetch_add(STEP, Ordering::Relaxed);
        bits = bits.wrapping_add(STEP);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

/// Takes connections until aborted. The connections' tasks go with this one.
async fn accept(listener: TcpListener, tls: TlsAcceptor, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        while connections.len() >= CONNECTIONS {
            connections.join_next().await;
        }
        while connections.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((stream, _)) => {
                connections.spawn(connection::serve(stream, tls.clone(), shared.clone()));
            }
            // Out of file handles, mostly: some will be free soon.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}
