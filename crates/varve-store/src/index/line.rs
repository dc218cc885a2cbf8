//! Index lines as bytes: where one ends, what part of it sorts, where a key belongs among many.
//!
//! A line is `key timestamp {json}` without its line break, and lines are ordered by their
//! bytes. A *header* is a line such as `!meta 0 {...}` that describes the file instead of a
//! capture; headers sort before all captures. What the JSON says is left to `varve-model`.

use memchr::{memchr, memrchr};

/// Where the first line break is.
pub(crate) fn find_newline(bytes: &[u8]) -> Option<usize> {
    memchr(b'\n', bytes)
}

/// Where the last line break is.
pub(crate) fn rfind_newline(bytes: &[u8]) -> Option<usize> {
    memrchr(b'\n', bytes)
}

/// Whether a line describes the file instead of a capture. A host may start with `!`, but then
/// its key has a `)` after the host, which no header's first word has.
pub(crate) fn is_header(line: &[u8]) -> bool {
    line.first() == Some(&b'!') && !first_word(line).contains(&b')')
}

/// The `key timestamp` that a line starts with; the whole line if it has no third word.
pub(crate) fn sort_words(line: &[u8]) -> &[u8] {
    let key = first_word(line).len();
    match line.get(key + 1..) {
        Some(rest) => &line[..key + 1 + first_word(rest).len()],
        None => line,
    }
}

fn first_word(line: &[u8]) -> &[u8] {
    &line[..memchr(b' ', line).unwrap_or(line.len())]
}

/// Where the first line that is not less than `key` starts in a text of sorted lines; the
/// text's length if there is none. The text starts at a line's start.
pub(crate) fn lower_bound(text: &[u8], key: &[u8]) -> usize {
    // Invariant: lines that start before `low` are less than `key`; the line at `high` is not.
    let (mut low, mut high) = (0, text.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = rfind_newline(&text[low..middle]).map_or(low, |at| low + at + 1);
        let end = find_newline(&text[start..]).map_or(text.len(), |at| start + at);
        match text[start..end] < *key {
            true => low = (end + 1).min(text.len()),
            false => high = start,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_that_sort() {
        let table: [(&str, &str); 5] = [
            ("com,a)/ 2020 {}", "com,a)/ 2020"),
            ("com,a)/ 2020", "com,a)/ 2020"),
            ("com,a)/ ", "com,a)/ "),
            ("com,a)/", "com,a)/"),
            ("", ""),
        ];
        for (line, words) in table {
            assert_eq!(sort_words(line.as_bytes()), words.as_bytes(), "{line}");
        }
    }

    #[test]
    fn headers_and_keys_that_look_like_them() {
        let table = [
            ("!meta 0 {}", true),
            ("!OpenWayback-CDXJ 1.0", true),
            ("!com,a)/ 2020 {}", false),
            ("com,a)/ 2020 {}", false),
            ("", false),
        ];
        for (line, header) in table {
            assert_eq!(is_header(line.as_bytes()), header, "{line}");
        }
    }

    #[test]
    fn lower_bound_agrees_with_a_linear_scan() {
        let lines = ["", "a", "a", "ab", "abcdefgh", "b", "c c"];
        for end in ["", "\n"] {
            let text = lines.join("\n") + end;
            for key in ["", "0", "a", "aa", "ab", "ac", "b", "c c", "c d", "d"] {
                let below = lines.iter().filter(|line| **line < key);
                let start = below.map(|line| line.len() + 1).sum::<usize>();
                let found = lower_bound(text.as_bytes(), key.as_bytes());
                assert_eq!(found, start.min(text.len()), "{key:?}");
            }
        }
    }
}
