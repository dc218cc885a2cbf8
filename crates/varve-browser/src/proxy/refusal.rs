//! Answers that the proxy makes itself, where there is no response to pass on.

use super::wire::ReadError;
use varve_fetch::FetchError;

/// The field that says why, with a stable word.
const WHY: &str = "X-Varve-Error";

/// Whether the connection stays open after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// It does.
    KeepAlive,
    /// It does not.
    Close,
}

impl Then {
    fn word(self) -> &'static str {
        match self {
            Then::KeepAlive => "keep-alive",
            Then::Close => "close",
        }
    }
}

/// The answer to a request whose server gave none.
pub(super) fn unanswered(url: &str, error: &FetchError, then: Then) -> Vec<u8> {
    let reason = error.reason();
    let status = match reason.starts_with("timeout.") || reason == "dns.timeout" {
        true => "504 Gateway Timeout",
        false => "502 Bad Gateway",
    };
    answer(status, reason, &format!("{url}: {error} ({reason})"), then)
}

/// The answer to what the browser asks for itself.
pub(super) fn not_at_home(then: Then) -> Vec<u8> {
    let words = "The browser's own requests are not answered while recording";
    answer("403 Forbidden", "browser.call-home", words, then)
}

/// The answer after which a page stays where it is.
pub(super) fn nothing(then: Then) -> Vec<u8> {
    let connection = then.word();
    format!(
        "HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\nConnection: {connection}\r\n\r\n"
    )
    .into_bytes()
}

/// The answer to what is no request, if there is anyone to read it.
pub(super) fn unreadable(error: &ReadError) -> Option<Vec<u8>> {
    let status = match error {
        ReadError::Gone => return None,
        ReadError::TooMuch { .. } => "413 Content Too Large",
        ReadError::TooLong(_) => "431 Request Header Fields Too Large",
        ReadError::Malformed(_) => "400 Bad Request",
    };
    Some(answer(
        status,
        "proxy.request",
        &error.to_string(),
        Then::Close,
    ))
}

fn answer(status: &str, reason: &str, words: &str, then: Then) -> Vec<u8> {
    let connection = then.word();
    let length = words.len() + 1;
    format!(
        "HTTP/1.1 {status}\r\n{WHY}: {reason}\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Length: {length}\r\nCache-Control: no-store\r\nConnection: {connection}\r\n\r\n\
         {words}\n"
    )
    .into_bytes()
}
