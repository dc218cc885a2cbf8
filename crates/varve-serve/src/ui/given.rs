//! What an open page was given, as our bar asks for it.

use super::shell::asked;
use crate::interfaces::Bad;
use crate::layout::When;
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::{StatusCode, header};

/// Tells what a page was given since it was opened last.
pub(super) fn given(serving: &Serving, rest: &str) -> Result<Reply, Bad> {
    let asked = asked(rest)?;
    let When::At(time) = asked.when else {
        return Err(Bad::new("path", "the time of a page has 14 digits"));
    };
    let origin = asked.url.origin();
    // A page that is not open, or not any more, was given nothing.
    let page = serving.open_pages.at(&origin, time).unwrap_or_default();
    Ok(Reply::new(StatusCode::OK, page.given.told().to_string())
        .with(header::CONTENT_TYPE, "application/json")
        .with(header::CACHE_CONTROL, "no-store"))
}
