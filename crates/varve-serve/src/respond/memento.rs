//! What an answer says about the capture that it is: Memento (RFC 7089), the rule that matched,
//! and how far it is from the page in time.

use super::{Ask, Reply, page_time};
use crate::layout::When;
use crate::lookup::Found;
use crate::serving::Serving;
use axum::http::header::{self, HeaderName, HeaderValue};
use varve_page::Use;

/// Says which capture an answer is, whoever gives it; the archive introduces itself as `origin`.
pub(super) fn name(reply: &mut Reply, found: &Found, origin: &str) {
    let capture = &found.hit.capture;
    reply.say(
        HeaderName::from_static("memento-datetime"),
        &capture.timestamp.to_seconds().http_date(),
    );
    reply.say(
        HeaderName::from_static("x-varve-match"),
        found.matched.name(),
    );
    if let Ok(links) = HeaderValue::from_str(&links(&capture.url, origin)) {
        reply.headers.append(header::LINK, links);
    }
}

/// Says which capture an answer of a replay origin is.
pub(super) fn tell(reply: &mut Reply, serving: &Serving, ask: &Ask, found: &Found) {
    let time = found.hit.capture.timestamp.to_seconds();
    name(reply, found, &serving.names.origin());
    let drift = time.unix_millis() - page_time(ask, found).unix_millis();
    reply.say(
        HeaderName::from_static("x-varve-drift"),
        &(drift / 1000).to_string(),
    );
    if ask.asked.when != When::At(time)
        && let Some(url) = serving.layout.url(&ask.asked.url, time, Use::Navigate)
    {
        reply.say(header::CONTENT_LOCATION, &url);
    }
}

/// Of what it is a memento, and where the others are.
fn links(url: &str, origin: &str) -> String {
    let url = in_brackets(url);
    format!(
        "<{url}>; rel=\"original\", <{origin}/timegate/{url}>; rel=\"timegate\", \
         <{origin}/timemap/link/{url}>; rel=\"timemap\"; type=\"application/link-format\""
    )
}

/// A URL in which nothing ends the brackets around it.
pub(crate) fn in_brackets(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for byte in url.bytes() {
        match byte {
            b'<' | b'>' | b'"' | 0..=b' ' | 0x7f.. => out.push_str(&format!("%{byte:02X}")),
            _ => out.push(char::from(byte)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::in_brackets;

    #[test]
    fn nothing_in_a_url_ends_its_brackets() {
        assert_eq!(
            in_brackets("http://h/?a=<b>\"é\r\n"),
            "http://h/?a=%3Cb%3E%22%C3%A9%0D%0A"
        );
    }
}
