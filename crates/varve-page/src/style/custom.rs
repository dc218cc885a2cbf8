//! Custom properties: `var(--x, fallback)` in values.

/// Longest value that may come of it.
const MAX_LENGTH: usize = 16 << 10;

/// Properties that refer to properties that refer to properties.
const MAX_DEPTH: usize = 16;

/// Whether a value depends on custom properties.
pub(crate) fn has_var(text: &str) -> bool {
    next_var(text).is_some()
}

/// The names of the custom properties that a value depends on, fallbacks included.
pub(crate) fn names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(at) = next_var(rest) {
        let inside = &rest[at + 4..];
        names.push(name(inside));
        rest = inside;
    }
    names
}

/// The name at the beginning of what is in a `var()`.
fn name(inside: &str) -> &str {
    let end = inside.find([',', ')']).unwrap_or(inside.len());
    inside[..end].trim()
}

/// The value with custom properties put in; nothing if one is missing.
pub(crate) fn substitute<'v>(
    text: &str,
    value: &dyn Fn(&str) -> Option<&'v str>,
) -> Option<String> {
    let mut out = String::new();
    put(text, value, 0, &mut out).then_some(out)
}

fn put<'v>(
    text: &str,
    value: &dyn Fn(&str) -> Option<&'v str>,
    depth: usize,
    out: &mut String,
) -> bool {
    if depth > MAX_DEPTH || out.len() + text.len() > MAX_LENGTH {
        return false;
    }
    let mut rest = text;
    while let Some(at) = next_var(rest) {
        out.push_str(&rest[..at]);
        let inside = &rest[at + 4..];
        let end = closing(inside);
        let arguments = &inside[..end];
        let length = out.len();
        let found = value(name(arguments));
        if !found.is_some_and(|found| put(found, value, depth + 1, out)) {
            out.truncate(length);
            let fallback = arguments.split_once(',').map(|(_, fallback)| fallback);
            if !fallback.is_some_and(|fallback| put(fallback, value, depth + 1, out)) {
                return false;
            }
        }
        rest = inside.get(end + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    true
}

/// Where the next `var(` is.
fn next_var(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'(', bytes).find_map(|open| {
        let at = open.checked_sub(3)?;
        let is_var = bytes[at..open].eq_ignore_ascii_case(b"var");
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let alone = before.is_none_or(|b| !(b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
        (is_var && alone).then_some(at)
    })
}

/// Where the parenthesis ends that is open at the beginning.
fn closing(text: &str) -> usize {
    let mut depth = 0usize;
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') if depth == 0 => return at,
            (None, b')') => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put_in() {
        let value = |name: &str| match name {
            "--a" => Some("url(a.png)"),
            "--b" => Some("var(--a), var( --c , x)"),
            "--loop" => Some("var(--loop)"),
            "--big" => Some("var(--big2)var(--big2)var(--big2)var(--big2)"),
            "--big2" => Some("0123456789012345678901234567890123456789"),
            _ => None,
        };
        for (text, expected) in [
            ("plain", Some("plain")),
            ("1 VAR(--a) 2", Some("1 url(a.png) 2")),
            ("var(--b)", Some("url(a.png),  x")),
            ("var(--none, f(')', 1))", Some(" f(')', 1)")),
            ("var(--none)", None),
            ("var(--loop)", None),
            ("var(--loop, 2)", Some(" 2")),
            ("varia(--a)", Some("varia(--a)")),
            ("var(--a", Some("url(a.png)")),
            ("var(", None),
        ] {
            assert_eq!(substitute(text, &value).as_deref(), expected, "{text}");
        }
        let many = "var(--big)".repeat(1000);
        assert_eq!(substitute(&many, &value), None);
    }

    #[test]
    fn names_are_found() {
        assert_eq!(
            names("var(--a, var(--b)) x var(--c)"),
            ["--a", "--b", "--c"]
        );
    }
}
