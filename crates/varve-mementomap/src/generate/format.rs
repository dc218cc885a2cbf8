//! What the lines of an input are.

use crate::{MapError, Result};

/// What the lines of an input are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Lines of an index: CDX or CDXJ, which each line tells.
    Index,
    /// URLs or keys, one on each line.
    Urls,
    /// Requests that a web server has logged, in the common or the combined log format. The URL is
    /// the one asked for, or the one within it, as in `/web/2014/http://example.com/`.
    AccessLog,
}

impl Format {
    /// Tells by the first lines.
    pub(crate) fn sniff(name: &str, start: &[u8]) -> Result<Format> {
        let lines = start.split(|byte| *byte == b'\n');
        let says_something = |line: &&[u8]| {
            let line = line.trim_ascii();
            !line.is_empty() && !line.starts_with(b"!") && !line.starts_with(b"#")
        };
        let Some((number, line)) = lines.enumerate().find(|(_, line)| says_something(line)) else {
            return Ok(Format::Index);
        };
        let mut words = line
            .split(|byte| matches!(byte, b' ' | b'\t'))
            .filter(|word| !word.is_empty());
        let (first, second) = (words.next().unwrap_or_default(), words.next());
        if first == b"CDX" || second.is_some_and(is_time) {
            return Ok(Format::Index);
        }
        if memchr::memmem::find(line, b"] \"").is_some() {
            return Ok(Format::AccessLog);
        }
        let is_url = first.contains(&b'.') || first.contains(&b')') || first.contains(&b':');
        match second.is_none() && is_url && std::str::from_utf8(first).is_ok() {
            true => Ok(Format::Urls),
            false => Err(MapError::Line {
                name: name.to_owned(),
                line: number as u64 + 1,
                reason: "neither a line of an index (CDX, CDXJ), nor a URL, nor a logged request; --format says what it is".to_owned(),
            }),
        }
    }
}

/// Whether a word is a time as indexes have it.
fn is_time(word: &[u8]) -> bool {
    (4..=17).contains(&word.len()) && word.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn formats_are_known_by_their_first_lines() {
        for (text, expected) in [
            ("", Format::Index),
            (" CDX N b a m s k r M S V g\n", Format::Index),
            (
                "com,a)/ 20140101000000 http://a.com/ text/html 200 X - - 1 2 f\n",
                Format::Index,
            ),
            ("!meta {}\ncom,a)/ 20140101000000 {}\n", Format::Index),
            ("http://a.com/\n", Format::Urls),
            ("# seeds\n\na.com/x\n", Format::Urls),
            ("com,a)/x\n", Format::Urls),
            (
                "1.2.3.4 - - [01/Jan/2014:00:00:00 +0000] \"GET / HTTP/1.1\" 200 1\n",
                Format::AccessLog,
            ),
        ] {
            assert_eq!(
                Format::sniff("x", text.as_bytes()).unwrap(),
                expected,
                "{text}"
            );
        }
        let error = Format::sniff("x", b"\nwhat is this\n")
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("x, line 2: neither"), "{error}");
    }
}
