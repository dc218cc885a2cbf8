//! Scripts that call back: the answer that was saved calls the name that was asked for then.

use url::Url;

/// Parameters that name a function to be called.
const NAMES: [&str; 4] = ["callback", "jsonp", "jsoncallback", "cb"];
/// Longer names are left alone.
const MAX_NAME: usize = 200;

/// The body with the callback that is asked for now, if the saved one calls another.
pub(super) fn renamed(body: Vec<u8>, asked: &Url, saved: &str) -> Vec<u8> {
    let Some((new, old)) = Url::parse(saved)
        .ok()
        .and_then(|saved| names(asked, &saved))
    else {
        return body;
    };
    let start = after_comments(&body);
    let rest = &body[start..];
    let called = rest
        .strip_prefix(old.as_bytes())
        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"("));
    match called {
        true => [&body[..start], new.as_bytes(), &rest[old.len()..]].concat(),
        false => body,
    }
}

/// The two names, if they differ and both are names.
fn names(asked: &Url, saved: &Url) -> Option<(String, String)> {
    let value = |url: &Url, name: &str| {
        let mut pairs = url.query_pairs();
        let found = pairs.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found
            .map(|(_, value)| value.into_owned())
            .filter(|it| is_name(it))
    };
    NAMES.iter().find_map(|name| {
        let both = (value(asked, name)?, value(saved, name)?);
        (both.0 != both.1).then_some(both)
    })
}

fn is_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte);
    !text.is_empty() && text.len() <= MAX_NAME && text.bytes().all(plain)
}

/// Where the first word is, after blanks and comments.
fn after_comments(body: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = body[at..].trim_ascii_start();
        at = body.len() - rest.len();
        let end = match rest {
            [b'/', b'*', ..] => memchr::memmem::find(rest, b"*/").map(|end| end + 2),
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest).map(|end| end + 1),
            [b';', ..] => Some(1),
            _ => None,
        };
        match end {
            Some(end) => at += end,
            None => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn callbacks_get_the_name_that_is_asked_for() {
        let check = |asked: &str, saved: &str, body: &str, expected: &str| {
            let asked = Url::parse(&format!("http://h/?{asked}")).unwrap();
            let saved = format!("http://h/?{saved}");
            let body = renamed(body.as_bytes().to_vec(), &asked, &saved);
            assert_eq!(String::from_utf8(body).unwrap(), expected);
        };
        check("callback=b", "callback=a", "a({})", "b({})");
        check(
            "callback=x.b&q=1",
            "q=1&callback=a",
            "/**/ a ([1]);",
            "/**/ x.b ([1]);",
        );
        check("callback=b", "callback=a", "ab({})", "ab({})");
        check("callback=b", "callback=b", "a({})", "a({})");
        check("callback=alert(1)", "callback=a", "a({})", "a({})");
        check("q=1", "callback=a", "a({})", "a({})");
    }
}
