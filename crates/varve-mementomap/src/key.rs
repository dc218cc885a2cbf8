//! Keys of maps: SURTs without their query, and wildcards over them.
//!
//! A *key* is a host and a path, such as `com,cnn)/world/europe`: the paper calls it HxPx. The root
//! of a site is `com,cnn)`. A *wildcard* stands for a host with its subdomains (`com,cnn,*`), for a
//! path with all below it (`com,cnn)/world/*`), or for everything (`*`); what it is named after
//! belongs to it.

use crate::Input;
use std::borrow::Cow;
use varve_model::Surt;

/// The key under which a map counts a SURT: without query, and without slashes and commas around.
pub fn key_of(surt: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'?', surt).unwrap_or(surt.len());
    trim(&surt[..end])
}

/// A text without slashes and commas at its ends.
#[inline]
pub(crate) fn trim(mut key: &[u8]) -> &[u8] {
    while let [rest @ .., b'/' | b','] = key {
        key = rest;
    }
    while let [b'/' | b',', rest @ ..] = key {
        key = rest;
    }
    key
}

/// Whether a key stands for many.
pub fn is_wildcard(key: &[u8]) -> bool {
    key == b"*" || key.ends_with(b"/*") || key.ends_with(b",*")
}

/// Whether a key can stand in a map: it has a host, or is a wildcard over hosts. One with blanks
/// would end there, and one that begins as compressed files do would make a map look like one.
pub(crate) fn is_key(key: &[u8]) -> bool {
    let named = memchr::memchr(b')', key).is_some_and(|at| at > 0);
    let one_word = memchr::memchr3(b' ', b'\t', b'\r', key).is_none();
    (named || key == b"*" || key.ends_with(b",*")) && one_word && !Input::is_packed(key)
}

/// The key that a question asks for: of a URL, or of a SURT, which a host in front of the first
/// closing parenthesis tells.
///
/// ```
/// use varve_mementomap::asked_key;
/// assert_eq!(asked_key("https://www.cnn.com/World/?page=2"), "com,cnn)/world");
/// assert_eq!(asked_key("com,cnn)/world?page=2"), "com,cnn)/world");
/// ```
pub fn asked_key(question: &str) -> Cow<'_, str> {
    let is_name = |host: &str| !host.is_empty() && !host.contains(['/', '?', '(', ' ']);
    let is_surt = question
        .split_once(')')
        .is_some_and(|(host, _)| is_name(host));
    if is_surt || question == "*" || question.ends_with(",*") {
        return Cow::Borrowed(text(key_of(question.as_bytes())));
    }
    let surt = Surt::from_url(question);
    Cow::Owned(text(key_of(surt.as_str().as_bytes())).to_owned())
}

/// What was cut from a text at ASCII characters is a text.
fn text(key: &[u8]) -> &str {
    std::str::from_utf8(key).unwrap_or_default()
}

/// The keys that can speak for `key`, most specific first: itself, the wildcard named after it, and
/// those of all that it lies in, up to `*`. Each comes with the length of the text before its last
/// separator: a map that has it has a neighbour of `key` that begins with as much of `key`.
///
/// They end when `visit` gives something.
pub(crate) fn speakers<T>(
    key: &[u8],
    buffer: &mut Vec<u8>,
    mut visit: impl FnMut(&[u8], usize) -> Option<T>,
) -> Option<T> {
    if let Some(found) = visit(key, key.len()) {
        return Some(found);
    }
    let mut wildcard = |length: usize, separator: u8| {
        buffer.clear();
        buffer.extend_from_slice(&key[..length]);
        buffer.extend_from_slice(&[separator, b'*']);
        visit(buffer, length)
    };
    if let Some(found) = wildcard(key.len(), b'/') {
        return Some(found);
    }
    let host = memchr::memchr(b')', key).unwrap_or(key.len());
    let mut end = key.len();
    // Names in the path may hold commas; `,*` after one is no key that we write, but one that
    // counts in distances.
    while let Some(at) = memchr::memrchr2(b'/', b',', &key[..end]).filter(|at| *at > host) {
        if let Some(found) = wildcard(at, key[at]) {
            return Some(found);
        }
        end = at;
    }
    if host < key.len()
        && let Some(found) = wildcard(host, b',')
    {
        return Some(found);
    }
    end = host;
    while let Some(at) = memchr::memrchr(b',', &key[..end]) {
        if let Some(found) = wildcard(at, b',') {
            return Some(found);
        }
        end = at;
    }
    visit(b"*", 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_speakers(key: &str) -> Vec<String> {
        let mut found = Vec::new();
        let _: Option<()> = speakers(key.as_bytes(), &mut Vec::new(), |key, _| {
            found.push(text(key).to_owned());
            None
        });
        found
    }

    #[test]
    fn keys_have_no_query_and_no_slash_at_the_end() {
        for (surt, key) in [
            ("com,a)/", "com,a)"),
            ("com,a)/?q=/", "com,a)"),
            ("com,a)/x/?y", "com,a)/x"),
            ("com,a)/x//", "com,a)/x"),
            ("com,a)/x,", "com,a)/x"),
            ("com,a)/x//y", "com,a)/x//y"),
        ] {
            assert_eq!(text(key_of(surt.as_bytes())), key, "{surt}");
        }
    }

    #[test]
    fn what_could_not_be_read_again_is_no_key() {
        assert!(!is_key(b"com,a)/x\ry"));
        assert!(!is_key(b"(\xb5/\xfdcom,a)/x"));
        assert!(!is_key(b"\x1f\x8bcom,a)/x"));
        assert!(is_key(b"(com,a)/x"));
    }

    #[test]
    fn questions_are_urls_or_keys() {
        for (question, key) in [
            ("http://example.com/a/b/", "com,example)/a/b"),
            ("example.com/a(b)", "com,example)/a(b)"),
            ("com,example)/a", "com,example)/a"),
            ("localhost)/a", "localhost)/a"),
            ("com,example,*", "com,example,*"),
            ("*", "*"),
        ] {
            assert_eq!(asked_key(question), key, "{question}");
        }
    }

    #[test]
    fn the_most_specific_key_speaks_first() {
        for (key, expected) in [
            (
                "com,a)/x/y",
                "com,a)/x/y com,a)/x/y/* com,a)/x/* com,a)/* com,a,* com,* *",
            ),
            ("com,b,a)", "com,b,a) com,b,a)/* com,b,a,* com,b,* com,* *"),
            (
                "com,a)/x,y",
                "com,a)/x,y com,a)/x,y/* com,a)/x,* com,a)/* com,a,* com,* *",
            ),
            // Hosts without a comma have speakers, too.
            (
                "localhost)/x",
                "localhost)/x localhost)/x/* localhost)/* localhost,* *",
            ),
            // An empty name is a name.
            (
                "com,a)/x//y",
                "com,a)/x//y com,a)/x//y/* com,a)/x//* com,a)/x/* com,a)/* com,a,* com,* *",
            ),
            (
                "com,a)odd/y",
                "com,a)odd/y com,a)odd/y/* com,a)odd/* com,a,* com,* *",
            ),
        ] {
            assert_eq!(all_speakers(key).join(" "), expected);
        }
    }
}
