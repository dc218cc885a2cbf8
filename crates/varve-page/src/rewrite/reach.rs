//! How far a URL reaches, by how it is written. Relative URLs mostly work in replay as they are,
//! and to see that one is relative is far cheaper than to resolve it.

/// How far a URL reaches from the document in which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Into the document's own directory, from there up or down: `x`, `../x`, `?x`, `#x`, nothing.
    Path,
    /// To the root of the same origin: `/x`.
    Root,
    /// To another host: `//host/x`.
    Host,
    /// Anywhere: it names a scheme.
    Scheme,
}

/// How far a URL reaches, as browsers read it: blanks around it, tabs and line breaks in it do
/// not count, and a backslash is a slash.
///
/// ```
/// use varve_page::{Reach, reach};
///
/// assert_eq!(reach("a/b"), Reach::Path);
/// assert_eq!(reach(" /a"), Reach::Root);
/// assert_eq!(reach("/\n\\host"), Reach::Host);
/// assert_eq!(reach("h\nttp:x"), Reach::Scheme);
/// ```
pub fn reach(written: &str) -> Reach {
    let written = written.trim_start_matches(|c: char| c <= ' ');
    let mut bytes = written
        .bytes()
        .filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r'));
    let is_slash = |byte: u8| matches!(byte, b'/' | b'\\');
    match bytes.next() {
        Some(first) if is_slash(first) => match bytes.next() {
            Some(second) if is_slash(second) => Reach::Host,
            _ => Reach::Root,
        },
        Some(first) if first.is_ascii_alphabetic() => {
            let end = bytes.find(|byte| !byte.is_ascii_alphanumeric() && !b"+-.".contains(byte));
            match end {
                Some(b':') => Reach::Scheme,
                _ => Reach::Path,
            }
        }
        _ => Reach::Path,
    }
}

#[cfg(test)]
mod tests {
    use super::{Reach, reach};

    #[test]
    fn how_far_urls_reach() {
        for (written, expected) in [
            ("", Reach::Path),
            ("#a", Reach::Path),
            ("?a:b", Reach::Path),
            ("./a:b", Reach::Path),
            ("a/b:c", Reach::Path),
            ("1:2", Reach::Path),
            (":x", Reach::Path),
            ("/", Reach::Root),
            ("\\a", Reach::Root),
            ("\u{1} /a", Reach::Root),
            ("//h", Reach::Host),
            ("\\\\h", Reach::Host),
            ("/\t/h", Reach::Host),
            ("http://h", Reach::Scheme),
            ("HTTP:x", Reach::Scheme),
            (" ht\ntp://h", Reach::Scheme),
            ("java\tscript:x", Reach::Scheme),
            ("a-b.c+d:x", Reach::Scheme),
            ("ä:x", Reach::Path),
        ] {
            assert_eq!(reach(written), expected, "{written:?}");
        }
    }
}
