//! The canonical text of a URL: what the exact seen-set holds.
//!
//! Two URLs have the same canonical text only if they cannot name different resources. So the case
//! of the path, the order of parameters, `www.` and the difference between http and https stay;
//! what goes is what no server ever sees (fragment, user info) and what RFC 3986 calls equivalent.

use std::fmt::Write;
use url::Url;

/// The canonical text of a URL.
///
/// ```
/// use varve_crawl::{Url, rules::canonical::canonical};
/// let url = Url::parse("HTTP://me:pw@Example.org.:80/a/../%7euser/?#top")?;
/// assert_eq!(canonical(&url), "http://example.org/~user/");
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn canonical(url: &Url) -> String {
    let Some(host) = url.host_str().filter(|_| is_web(url)) else {
        let text = url.as_str();
        return text[..text.find('#').unwrap_or(text.len())].to_owned();
    };
    let mut text = String::with_capacity(url.as_str().len());
    text.push_str(url.scheme());
    text.push_str("://");
    text.push_str(without_final_dot(host));
    if let Some(port) = url.port() {
        // Writing to a string does not fail.
        let _ = write!(text, ":{port}");
    }
    normalise_escapes(url.path(), &mut text);
    if let Some(query) = url.query().filter(|query| !query.is_empty()) {
        text.push('?');
        normalise_escapes(query, &mut text);
    }
    text
}

/// Whether a URL can be asked for over HTTP at all.
pub(crate) fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// The host of `example.org.` is `example.org`. More dots than one are no name: they stay.
pub(crate) fn without_final_dot(host: &str) -> &str {
    match host.strip_suffix('.') {
        Some(name) if !name.is_empty() && !name.ends_with('.') => name,
        _ => host,
    }
}

/// Writes text with its percent-encoding in one spelling: upper-case digits, and none for the
/// characters that never need it.
pub(crate) fn normalise_escapes(text: &str, to: &mut String) {
    let mut rest = text;
    // After a `%` that begins no escape, a decoded digit could make one of it.
    let mut guarded = 0usize;
    while let Some(first) = rest.chars().next() {
        if let Some(byte) = escape_at(rest) {
            if is_unreserved(byte) && guarded == 0 {
                to.push(char::from(byte));
            } else {
                let _ = write!(to, "%{byte:02X}");
                guarded = 0;
            }
            rest = &rest[3..];
        } else {
            to.push(first);
            guarded = if first == '%' {
                2
            } else {
                guarded.saturating_sub(1)
            };
            rest = &rest[first.len_utf8()..];
        }
    }
}

/// The byte of the escape with which a text begins.
pub(crate) fn escape_at(text: &str) -> Option<u8> {
    let digits = text.strip_prefix('%')?.as_bytes().get(..2)?;
    let value = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(value(digits[0])? * 16 + value(digits[1])?).ok()
}

/// RFC 3986: characters that mean the same escaped or not.
pub(crate) fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(url: &str, expected: &str) {
        assert_eq!(canonical(&Url::parse(url).unwrap()), expected);
    }

    #[test]
    fn what_no_server_sees_goes() {
        check("http://a.com/b#c", "http://a.com/b");
        check("http://a.com/#!/app/page", "http://a.com/");
        check("http://a.com/?#", "http://a.com/");
        check("http://a.com/b?", "http://a.com/b");
        check("http://user:secret@a.com/", "http://a.com/");
        check("mailto:me@a.com#x", "mailto:me@a.com");
    }

    #[test]
    fn equivalent_spellings_become_one() {
        check("HTTP://A.Com:80", "http://a.com/");
        check("https://a.com:443/b", "https://a.com/b");
        check("http://a.com./b", "http://a.com/b");
        check("http://a.com/b/./c/../d", "http://a.com/b/d");
        check("http://a.com/%2e%2e/b", "http://a.com/b");
        check("http://a.com/%7Ejoe/%c3%a9", "http://a.com/~joe/%C3%A9");
        check("http://a.com/é?q=ü", "http://a.com/%C3%A9?q=%C3%BC");
        check("http://a.com/?q=%41%2f%26", "http://a.com/?q=A%2F%26");
    }

    #[test]
    fn what_may_name_something_else_stays() {
        for url in [
            "http://a.com/B",
            "http://a.com:8080/",
            "http://www.a.com/",
            "http://a.com/b/",
            "http://a.com//b",
            "http://a.com/a%2Fb",
            "http://a.com/?b=1&a=2",
            "http://a.com/?a=1&a=1&",
            "http://a.com/b;c=1",
            "http://[::1]/",
        ] {
            check(url, url);
        }
    }

    #[test]
    fn stray_percent_signs_make_no_new_escapes() {
        check("http://a.com/%2%45", "http://a.com/%2%45");
        check("http://a.com/%%34%31", "http://a.com/%%341");
        check("http://a.com/100%", "http://a.com/100%");
        check("http://1../", "http://1../");
    }

    proptest! {
        #[test]
        fn canonical_text_is_its_own(url in "(http|https|ftp|mailto)://?[a-zé@:.0-9]{0,12}(/|%|2|e|E|4|é|\\.|\\?|#|&|=|;|a|\\\\){0,30}|\\PC{0,40}") {
            if let Ok(url) = Url::parse(&url) {
                let once = canonical(&url);
                if is_web(&url) {
                    let again = Url::parse(&once);
                    prop_assert!(again.is_ok(), "{once}");
                    prop_assert_eq!(canonical(&again.unwrap()), once);
                }
            }
        }
    }
}
