//! The page, its style, its script and its icon, built into the program.

use super::Desk;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};
use std::sync::Arc;

const PAGE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/style.css");
const SCRIPT: &str = include_str!("assets/script.js");
const ICON: &str = include_str!("assets/icon.svg");
/// Where the page carries the token of this run.
const TOKEN: &str = "{{token}}";

/// The page.
pub(super) async fn page(State(desk): State<Arc<Desk>>) -> Html<String> {
    Html(PAGE.replace(TOKEN, desk.doorman.token()))
}

/// Its style.
pub(super) async fn style() -> Response {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE).into_response()
}

/// Its script.
pub(super) async fn script() -> Response {
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT).into_response()
}

/// Its icon.
pub(super) async fn icon() -> Response {
    ([(CONTENT_TYPE, "image/svg+xml")], ICON).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_fetches_nothing_from_elsewhere() {
        for text in [PAGE, STYLE, SCRIPT] {
            let foreign = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!foreign.contains("://") && !foreign.contains("url("));
        }
        assert_eq!(PAGE.matches(TOKEN).count(), 1);
    }

    #[test]
    fn the_script_makes_no_markup_of_texts() {
        let sinks = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
            "setHTML",
            "DOMParser",
            "srcdoc",
            "javascript:",
        ];
        for sink in sinks {
            assert!(!SCRIPT.contains(sink), "{sink}");
        }
        let inline = ["style=", "onclick", "onload", "<style", "<script>"];
        for word in inline {
            assert!(!PAGE.contains(word), "{word}");
        }
    }
}
