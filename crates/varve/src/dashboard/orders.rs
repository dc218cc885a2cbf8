//! What people tell a crawl to do.

use super::Desk;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Json, Response};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use varve_crawl::live::{BadPattern, Control, CrawlLimits};

/// A longer pause between two pages is no pause but an end.
const LONGEST_DELAY: Duration = Duration::from_secs(24 * 60 * 60);

/// One order: `{"order": "exclude", "pattern": "/calendar/"}`.
#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(tag = "order", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Order {
    /// No new pages.
    Pause,
    /// New pages again.
    Resume,
    /// The end, after the pages in flight.
    Stop,
    /// Do not visit URLs that this pattern matches.
    Exclude { pattern: String },
    /// Take such a pattern back.
    Include { pattern: String },
    /// Leave hosts in peace at least so long between two pages.
    Delay { ms: u64 },
    /// End by yourself; what is null has no limit.
    Limits {
        pages: Option<u64>,
        bytes: Option<u64>,
        seconds: Option<u64>,
    },
}

/// Follows an order and answers with the settings as they are then.
pub(super) async fn order(
    State(desk): State<Arc<Desk>>,
    order: Result<Json<Order>, JsonRejection>,
) -> Response {
    let order = match order {
        Ok(Json(order)) => order,
        Err(error) => return (error.status(), format!("{}\n", error.body_text())).into_response(),
    };
    match follow(order, &desk.control) {
        Ok(()) => Json(desk.control.settings()).into_response(),
        Err(error) => (StatusCode::UNPROCESSABLE_ENTITY, format!("{error}\n")).into_response(),
    }
}

fn follow(order: Order, control: &Control) -> Result<(), BadPattern> {
    match order {
        Order::Pause => control.pause(),
        Order::Resume => control.resume(),
        Order::Stop => control.stop(),
        Order::Exclude { pattern } => control.exclude(&pattern)?,
        Order::Include { pattern } => control.include_again(&pattern),
        Order::Delay { ms } => control.set_delay(Duration::from_millis(ms).min(LONGEST_DELAY)),
        Order::Limits {
            pages,
            bytes,
            seconds,
        } => control.set_limits(CrawlLimits {
            pages,
            bytes,
            seconds,
        }),
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn ordered(orders: &[&str]) -> Control {
        let control = Control::new(Arc::default());
        for order in orders {
            follow(serde_json::from_str(order).unwrap(), &control).unwrap();
        }
        control
    }

    #[test]
    fn orders_are_followed() {
        let control = ordered(&[
            r#"{"order": "pause"}"#,
            r#"{"order": "exclude", "pattern": "/a/"}"#,
            r#"{"order": "exclude", "pattern": "/b/"}"#,
            r#"{"order": "include", "pattern": "/a/"}"#,
            r#"{"order": "delay", "ms": 1500}"#,
            r#"{"order": "limits", "pages": 10, "bytes": null}"#,
        ]);
        let settings = control.settings();
        assert!(settings.paused && !settings.stopping);
        assert_eq!(settings.exclude, ["/b/"]);
        assert_eq!(settings.delay_ms, 1_500);
        assert_eq!(settings.limits.pages, Some(10));
        assert!(!ordered(&[r#"{"order": "resume"}"#]).is_paused());
        assert!(ordered(&[r#"{"order": "stop"}"#]).is_stopping());
    }

    #[test]
    fn a_delay_has_an_end() {
        let control = ordered(&[r#"{"order": "delay", "ms": 18446744073709551615}"#]);
        assert_eq!(control.delay(), LONGEST_DELAY);
    }

    #[test]
    fn other_words_are_no_orders() {
        for words in [
            r#"{}"#,
            r#"{"order": "explode"}"#,
            r#"{"order": "exclude"}"#,
            r#"{"order": "delay", "ms": -1}"#,
        ] {
            assert!(serde_json::from_str::<Order>(words).is_err(), "{words}");
        }
    }
}
