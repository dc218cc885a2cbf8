//! What Chromium loads for a page when scripts are switched off.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use url::Url;
use varve_browser::proxy::{Failure, Origin, RecordingProxy, Sink, VisitId, WebSocketLog};
use varve_browser::{Browser, BrowserOptions, VisitOptions};
use varve_fetch::{
    AddressPolicy, Exchange, FetchOptions, Fetcher, Limits, RequestRules, Reuse, Trust, Unchanged,
};

/// URLs and how many bytes their bodies have, as they came.
pub(crate) type Loaded = BTreeMap<String, u64>;

/// A Chromium for whom all hosts are at one address.
pub(crate) struct Chromium {
    browser: Option<Browser>,
    proxy: RecordingProxy,
    loaded: Arc<Log>,
    runtime: Runtime,
    _scratch: TempDir,
}

#[derive(Default)]
struct Log(Mutex<Loaded>);

impl Sink for Log {
    fn exchange(&self, _: VisitId, exchange: Arc<Exchange>, _: Origin) {
        let mut loaded = self.0.lock().unwrap();
        loaded.insert(exchange.url.to_string(), exchange.body.len());
    }

    fn unchanged(&self, _: VisitId, _: Unchanged) {}

    fn web_socket(&self, _: VisitId, _: Arc<Exchange>, _: WebSocketLog) {}

    fn failed(&self, _: VisitId, _: Failure) {}
}

impl Chromium {
    pub(crate) fn start(server: SocketAddr) -> Chromium {
        let scratch = tempfile::tempdir().unwrap();
        let runtime = Runtime::new().unwrap();
        let fetcher = Fetcher::new(FetchOptions {
            policy: AddressPolicy {
                allow: vec!["127.0.0.0/8".parse().unwrap()],
            },
            map_hosts: vec![format!("*={server}").parse().unwrap()],
            trust: Trust::AcceptInvalid,
            limits: Limits::within(Duration::from_secs(60)),
            per_host: 12,
            rules: RequestRules::default(),
            spool_dir: scratch.path().to_owned(),
        });
        let loaded = Arc::new(Log::default());
        let reuse = Reuse::new(1 << 20, scratch.path());
        let proxy = RecordingProxy::new(fetcher.unwrap(), reuse, None, loaded.clone()).unwrap();
        let browser = runtime.block_on(async {
            let dead_end = proxy.dead_end().await.unwrap();
            let options = BrowserOptions {
                key_pin: Some(proxy.key_pin()),
                ..BrowserOptions::new(dead_end.address(), std::env::temp_dir())
            };
            Browser::start(options).await.unwrap()
        });
        Chromium {
            browser: Some(browser),
            proxy,
            loaded,
            runtime,
            _scratch: scratch,
        }
    }

    /// What is loaded for a page, and where it ended.
    pub(crate) fn load(&self, url: &str) -> (Loaded, Url) {
        self.loaded.0.lock().unwrap().clear();
        let options = VisitOptions {
            deadline: Duration::from_secs(30),
            // Without scripts nothing is lazy.
            scroll: false,
            screenshot: false,
            scripts: false,
            ..VisitOptions::default()
        };
        let mut at = self.runtime.block_on(async {
            let port = self.proxy.open(VisitId(1)).await.unwrap();
            let browser = self.browser.as_ref().unwrap();
            let visit = browser
                .visit(&Url::parse(url).unwrap(), &port, &options)
                .await;
            assert!(
                visit.outcome.is_ok(),
                "{url}: {:?} {:?}",
                visit.outcome,
                visit.notes
            );
            port.close(Duration::from_secs(2)).await;
            visit.final_url
        });
        at.set_fragment(None);
        (self.loaded.0.lock().unwrap().clone(), at)
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        if let Some(browser) = self.browser.take() {
            self.runtime.block_on(browser.stop());
        }
    }
}
