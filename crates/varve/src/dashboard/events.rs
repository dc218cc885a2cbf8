//! The stream of snapshots: one a second for as long as somebody watches.
//!
//! A snapshot is made when the connection can take it. For one that does not read, none is made.

use super::Desk;
use super::routes::Status;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, watch};

const BEAT: Duration = Duration::from_secs(1);

/// One who watches.
struct Watcher {
    desk: Arc<Desk>,
    over: watch::Receiver<bool>,
    began: bool,
    ended: bool,
    _place: OwnedSemaphorePermit,
}

/// Server-sent events, each a status.
pub(super) async fn events(State(desk): State<Arc<Desk>>) -> Response {
    let Ok(place) = desk.watchers.clone().try_acquire_owned() else {
        let why = "too many are watching already\n";
        return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
    };
    let watcher = Watcher {
        over: desk.over.clone(),
        desk,
        began: false,
        ended: false,
        _place: place,
    };
    Sse::new(stream::unfold(watcher, next)).into_response()
}

async fn next(mut watcher: Watcher) -> Option<(Result<Event, Infallible>, Watcher)> {
    if watcher.ended {
        return None;
    }
    if std::mem::replace(&mut watcher.began, true) {
        let over = watcher.over.wait_for(|over| *over);
        // The end is told at once, and nothing after it.
        watcher.ended = tokio::time::timeout(BEAT, over).await.is_ok();
    }
    let status = serde_json::to_string(&Status::of(&watcher.desk)).unwrap_or_default();
    Some((Ok(Event::default().data(status)), watcher))
}
