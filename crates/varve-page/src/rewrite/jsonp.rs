//! JSONP: a script that calls a function with data. The name of the function is new at every
//! visit; the answer in the archive calls the one of its capture.

use std::borrow::Cow;

use memchr::memmem;
use url::Url;

/// How much may stand before the call.
const MAX_PROLOGUE: usize = 4096;

/// Longest name of a function.
const MAX_NAME: usize = 256;

/// The body with the function called that `requested` asks for, if `body` is such an answer and
/// calls the one that `captured` asked for.
///
/// ```
/// use url::Url;
/// use varve_page::rename_jsonp;
///
/// let captured = Url::parse("https://h/x?callback=f1")?;
/// let requested = Url::parse("https://h/x?callback=f2")?;
/// let body = rename_jsonp(b"/**/ f1({\"a\": 1});", &captured, &requested);
/// assert_eq!(&body[..], b"/**/ f2({\"a\": 1});");
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn rename_jsonp<'b>(body: &'b [u8], captured: &Url, requested: &Url) -> Cow<'b, [u8]> {
    renamed(body, captured, requested).map_or(Cow::Borrowed(body), Cow::Owned)
}

fn renamed(body: &[u8], captured: &Url, requested: &Url) -> Option<Vec<u8>> {
    let new = callback(requested)?;
    let start = prologue(body)?;
    let length = body[start..].iter().position(|&b| !is_name_byte(b))?;
    let name = &body[start..start + length];
    let is_asked_for = callback(captured).is_some_and(|old| old.as_bytes() == name);
    let call = body[start + length..]
        .trim_ascii_start()
        .strip_prefix(b"(")?;
    let takes_data = matches!(call.trim_ascii_start().first(), Some(b'{' | b'['));
    if !is_asked_for || !takes_data || name == new.as_bytes() {
        return None;
    }
    Some([&body[..start], new.as_bytes(), &body[start + length..]].concat())
}

/// The function that a URL asks for.
fn callback(url: &Url) -> Option<String> {
    let (_, name) = url.query_pairs().find(|(key, _)| {
        matches!(
            key.to_ascii_lowercase().as_str(),
            "callback" | "jsonp" | "cb"
        )
    })?;
    let plain = !name.is_empty() && name.len() <= MAX_NAME && name.bytes().all(is_name_byte);
    plain.then(|| name.into_owned())
}

/// Names with dots and indices: `a.b["c"]` is not among them, `jQuery123_456` is.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// Where the call begins: after blanks and comments.
fn prologue(body: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < MAX_PROLOGUE {
        let rest = body.get(at..)?;
        let blanks = rest.len() - rest.trim_ascii_start().len();
        let rest = &rest[blanks..];
        at += blanks;
        if rest.starts_with(b"/*") {
            at += 2 + memmem::find(&rest[2..], b"*/")? + 2;
        } else if rest.starts_with(b"//") {
            at += memchr::memchr(b'\n', rest)? + 1;
        } else if rest.starts_with(b";") {
            at += 1;
        } else {
            return Some(at);
        }
    }
    None
}
