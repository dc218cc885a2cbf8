//! A proxy with one open port, and what it records.

use crate::browser::Browser;
use crate::kept::Kept;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use varve_browser::Traffic;
use varve_browser::proxy::{PagePort, RecordingProxy, VisitId};
use varve_fetch::{
    AddressPolicy, Earlier, FetchOptions, Fetcher, Limits, RequestRules, Reuse, Trust,
};

/// A proxy with one open port.
pub(crate) struct Stage {
    pub(crate) proxy: RecordingProxy,
    pub(crate) port: PagePort,
    pub(crate) kept: Arc<Kept>,
    /// Where the fetcher keeps large bodies.
    dir: Arc<TempDir>,
}

impl Stage {
    /// Every host of the web is this server.
    pub(crate) async fn with(server: SocketAddr) -> Stage {
        Stage::remembering(server, None).await
    }

    /// The same, after a crawl that holds something.
    pub(crate) async fn remembering(
        server: SocketAddr,
        earlier: Option<Arc<dyn Earlier>>,
    ) -> Stage {
        let dir = TempDir::new().unwrap();
        let fetcher = Fetcher::new(FetchOptions {
            policy: AddressPolicy::allowing(["127.0.0.0/8".parse().unwrap()]),
            map_hosts: vec![format!("*={server}").parse().unwrap()],
            trust: Trust::AcceptInvalid,
            limits: Limits {
                first_byte: Duration::from_secs(20),
                ..Limits::default()
            },
            per_host: 16,
            rules: RequestRules::default(),
            spool_dir: dir.path().into(),
        });
        let kept = Arc::new(Kept::default());
        let reuse = Reuse::new(64 << 20, dir.path());
        let proxy = RecordingProxy::new(fetcher.unwrap(), reuse, earlier, kept.clone()).unwrap();
        Stage {
            port: proxy.open(VisitId(7)).await.unwrap(),
            proxy,
            kept,
            dir: Arc::new(dir),
        }
    }

    /// Another page load with the same proxy.
    pub(crate) async fn another(&self, visit: u64) -> Stage {
        Stage {
            port: self.proxy.open(VisitId(visit)).await.unwrap(),
            proxy: self.proxy.clone(),
            kept: self.kept.clone(),
            dir: self.dir.clone(),
        }
    }

    /// A connection to the proxy.
    pub(crate) async fn browser(&self) -> Browser {
        Browser::connect(self.port.proxy_address()).await
    }

    /// A tunnel through the proxy.
    pub(crate) async fn tunnel(&self, authority: &str) -> Browser {
        Browser::tunnel(self.port.proxy_address(), authority).await
    }

    /// A tunnel with TLS in it.
    pub(crate) async fn secure(&self, authority: &str) -> Browser {
        let pin = self.proxy.key_pin();
        Browser::secure(self.port.proxy_address(), authority, &pin).await
    }
}
