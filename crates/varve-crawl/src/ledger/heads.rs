//! What the heads of responses tell the ledger.

use std::time::Duration;
use varve_fetch::Exchange;
use varve_model::HttpHead;
use varve_page::{Destination, Document, Kind, kind_of};

/// How a server answered when a page was asked for.
#[derive(Clone, Debug)]
pub(crate) struct FirstAnswer {
    pub(crate) took: Duration,
    pub(crate) status: Option<u16>,
    /// The value of `Retry-After`.
    pub(crate) retry_after: Option<String>,
}

/// How a server answered.
pub(super) fn first_answer(exchange: &Exchange) -> FirstAnswer {
    let head = HttpHead::parse(&exchange.response_head).map(|(head, _)| head);
    let retry_after = head.as_ref().and_then(|head| head.get("Retry-After"));
    FirstAnswer {
        took: exchange.took,
        status: head.as_ref().and_then(HttpHead::status),
        retry_after: retry_after.map(|value| String::from_utf8_lossy(&value).into_owned()),
    }
}

/// The status of a response.
pub(super) fn status(exchange: &Exchange) -> Option<u16> {
    HttpHead::parse(&exchange.response_head)?.0.status()
}

/// The type that a head declares, without its parameters.
pub(super) fn content_type(head: &HttpHead) -> Option<String> {
    let value = head.get("Content-Type")?;
    let text = String::from_utf8_lossy(&value);
    Some(text.split(';').next().unwrap_or("").trim().to_owned())
}

/// What kind of content came, for the summary.
pub(super) fn kind_name(exchange: &Exchange) -> &'static str {
    let declared =
        HttpHead::parse(&exchange.response_head).and_then(|(head, _)| content_type(&head));
    let document = Document {
        content_type: declared.as_deref(),
        destination: Destination::Other,
        ..Document::new(&exchange.url, &[])
    };
    match kind_of(&document) {
        Kind::Html | Kind::Xhtml => "html",
        Kind::Css => "css",
        Kind::Script => "script",
        Kind::Json | Kind::Manifest => "json",
        Kind::Svg | Kind::Image => "image",
        Kind::Font => "font",
        Kind::Media => "media",
        Kind::Pdf => "pdf",
        Kind::Feed | Kind::Sitemap | Kind::Xml | Kind::Text => "text",
        Kind::Other => "other",
    }
}
