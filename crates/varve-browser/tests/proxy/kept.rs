//! A sink that keeps everything for tests to look at.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use varve_browser::proxy::{Failure, Origin, Sink, VisitId, WebSocketLog};
use varve_fetch::{Exchange, Spooled, Unchanged};

/// Everything that was handed over.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) exchanges: Mutex<Vec<(VisitId, Arc<Exchange>, Origin)>>,
    pub(crate) unchanged: Mutex<Vec<(VisitId, Unchanged)>>,
    pub(crate) web_sockets: Mutex<Vec<(VisitId, Arc<Exchange>, WebSocketLog)>>,
    pub(crate) failures: Mutex<Vec<(VisitId, Failure)>>,
}

impl Sink for Kept {
    fn exchange(&self, visit: VisitId, exchange: Arc<Exchange>, origin: Origin) {
        let mut kept = self.exchanges.lock().unwrap();
        kept.push((visit, exchange, origin));
    }

    fn unchanged(&self, visit: VisitId, unchanged: Unchanged) {
        self.unchanged.lock().unwrap().push((visit, unchanged));
    }

    fn web_socket(&self, visit: VisitId, exchange: Arc<Exchange>, messages: WebSocketLog) {
        let mut kept = self.web_sockets.lock().unwrap();
        kept.push((visit, exchange, messages));
    }

    fn failed(&self, visit: VisitId, failure: Failure) {
        self.failures.lock().unwrap().push((visit, failure));
    }
}

impl Kept {
    /// Waits until there are so many exchanges, and returns the last.
    pub(crate) async fn exchange(&self, count: usize) -> Arc<Exchange> {
        until("an exchange", || {
            self.exchanges.lock().unwrap().len() >= count
        })
        .await;
        let kept = self.exchanges.lock().unwrap();
        assert_eq!(kept.len(), count);
        kept[count - 1].1.clone()
    }

    /// Waits for the only WebSocket.
    pub(crate) async fn web_socket(&self) -> (Arc<Exchange>, WebSocketLog) {
        until("a WebSocket", || {
            !self.web_sockets.lock().unwrap().is_empty()
        })
        .await;
        let kept = self.web_sockets.lock().unwrap();
        assert_eq!(kept.len(), 1);
        (kept[0].1.clone(), kept[0].2.clone())
    }

    /// Waits for the only failure.
    pub(crate) async fn failure(&self) -> Failure {
        until("a failure", || !self.failures.lock().unwrap().is_empty()).await;
        let kept = self.failures.lock().unwrap();
        assert_eq!(kept.len(), 1);
        kept[0].1.clone()
    }
}

/// Waits for something that is bound to happen.
pub(crate) async fn until(what: &str, happened: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(30);
    while !happened() {
        assert!(Instant::now() < patience, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// All bytes of a body.
pub(crate) fn all(body: &Spooled) -> Vec<u8> {
    let length = usize::try_from(body.len()).unwrap();
    body.read_at(0, length).unwrap().to_vec()
}
