//! What can be asked for.

use super::{Desk, assets, doorman, events, orders};
use crate::metrics;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde::Serialize;
use std::sync::Arc;
use varve_crawl::live::{Series, Settings, Snapshot};

/// Longer orders are refused.
const ORDER_BYTES: usize = 16 << 10;

/// All of it, behind the doorman.
pub(super) fn router(desk: Arc<Desk>) -> Router {
    Router::new()
        .route("/", get(assets::page))
        .route("/style.css", get(assets::style))
        .route("/script.js", get(assets::script))
        .route("/icon.svg", get(assets::icon))
        .route("/metrics", get(metrics_text))
        .route("/api/status", get(status))
        .route("/api/series", get(series))
        .route("/api/events", get(events::events))
        .route("/api/thumbnails/{id}", get(thumbnail))
        .route("/api/control", post(orders::order))
        .layer(DefaultBodyLimit::max(ORDER_BYTES))
        .layer(from_fn_with_state(desk.clone(), doorman::guard))
        .with_state(desk)
}

/// The crawl and its settings now.
#[derive(Serialize)]
pub(super) struct Status {
    crawl: Snapshot,
    settings: Settings,
}

impl Status {
    pub(super) fn of(desk: &Desk) -> Status {
        Status {
            crawl: desk.control.snapshot(&desk.live),
            settings: desk.control.settings(),
        }
    }
}

async fn status(State(desk): State<Arc<Desk>>) -> Json<Status> {
    Json(Status::of(&desk))
}

async fn series(State(desk): State<Arc<Desk>>) -> Json<Series> {
    Json(desk.live.series())
}

async fn thumbnail(State(desk): State<Arc<Desk>>, Path(id): Path<u64>) -> Response {
    match desk.live.thumbnail(id) {
        Some(jpeg) => ([(CONTENT_TYPE, "image/jpeg")], jpeg).into_response(),
        None => (StatusCode::NOT_FOUND, "no longer kept\n").into_response(),
    }
}

async fn metrics_text(State(desk): State<Arc<Desk>>) -> Response {
    match metrics::text(desk.control.snapshot(&desk.live)) {
        Ok(text) => ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
