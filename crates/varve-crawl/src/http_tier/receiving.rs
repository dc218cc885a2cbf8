//! What comes of a request of the HTTP tier: a response, or word that nothing has changed.

use super::{Errand, HttpTier};
use std::sync::Arc;
use tokio::time::timeout_at;
use varve_browser::proxy::{Failure, Origin, Sink};
use varve_fetch::{Asked, Exchange, FetchError, Incoming, Request};

impl HttpTier {
    /// The response as far as it comes before the deadline, written down. Where an earlier crawl
    /// holds one that is still good, that.
    pub(super) async fn receive(
        &self,
        request: Request,
        errand: &Errand,
    ) -> Result<Arc<Exchange>, FetchError> {
        let asking = self.fetcher.ask(request.clone(), self.earlier.as_ref());
        let incoming = match in_time(errand, &request, asking).await? {
            Asked::Response(incoming) => *incoming,
            Asked::Unchanged(unchanged) => {
                errand.keep_cookies(&unchanged.answer);
                let held = unchanged.held.clone();
                self.ledger.unchanged(errand.visit, unchanged);
                return Ok(held);
            }
            Asked::Unreadable(error) => {
                let (url, method) = (request.url.clone(), request.method.clone());
                let failure = Failure::unreadable(url, method, &error.to_string());
                self.ledger.failed(errand.visit, failure);
                let sending = self.fetcher.send(request.clone());
                in_time(errand, &request, sending).await?
            }
        };
        let exchange = Arc::new(take_in(incoming, errand).await);
        errand.keep_cookies(&exchange);
        self.ledger
            .exchange(errand.visit, exchange.clone(), Origin::Fetched);
        Ok(exchange)
    }
}

/// Waits for an answer until the deadline.
async fn in_time<T>(
    errand: &Errand,
    request: &Request,
    asking: impl Future<Output = Result<T, FetchError>>,
) -> Result<T, FetchError> {
    let answered = timeout_at(errand.deadline, asking).await;
    answered.unwrap_or_else(|_| {
        Err(FetchError::Timeout {
            url: request.url.to_string(),
            phase: "total",
        })
    })
}

/// Reads the body, as far as it comes before the deadline and as much as is wanted.
async fn take_in(mut incoming: Incoming, errand: &Errand) -> Exchange {
    let mut room = errand.max_bytes;
    while let Ok(Some(piece)) = timeout_at(errand.deadline, incoming.next()).await {
        room = room.saturating_sub(piece.len() as u64);
        if room == 0 {
            return incoming.cut_short();
        }
    }
    incoming.finish()
}
