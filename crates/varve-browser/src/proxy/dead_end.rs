//! A proxy that leads nowhere: for what Chromium itself asks, outside of any page.

use super::refusal::{Then, not_at_home};
use super::wire::Wire;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

/// How long a request may take to be read and refused.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections at a time; others wait.
const CONNECTIONS: usize = 64;

/// A port that answers everything with an error and records nothing. Closed when dropped.
pub struct DeadEnd {
    address: SocketAddr,
    refused: Arc<AtomicU64>,
    accepting: JoinHandle<()>,
}

impl DeadEnd {
    /// Opens one.
    pub async fn open() -> io::Result<DeadEnd> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let refused = Arc::new(AtomicU64::new(0));
        Ok(DeadEnd {
            address: listener.local_addr()?,
            accepting: tokio::spawn(accept(listener, refused.clone())),
            refused,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many requests it has refused.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

impl Drop for DeadEnd {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Accepts until aborted; the connections end with it.
async fn accept(listener: TcpListener, refused: Arc<AtomicU64>) {
    let mut connections = JoinSet::new();
    loop {
        if connections.len() >= CONNECTIONS {
            connections.join_next().await;
        }
        match listener.accept().await {
            Ok((stream, _)) => {
                connections.spawn(timeout(PATIENCE, refuse(stream, refused.clone())));
            }
            // Out of file handles, most likely: others must close first.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn refuse(stream: TcpStream, refused: Arc<AtomicU64>) {
    let mut wire = Wire::new(stream);
    if wire.head().await.is_ok() {
        refused.fetch_add(1, Ordering::Relaxed);
        // Whoever does not wait for the refusal has been refused all the same.
        let _ = wire.send(&not_at_home(Then::Close)).await;
        wire.close().await;
    }
}
