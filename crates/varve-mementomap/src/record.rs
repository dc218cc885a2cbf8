//! The data lines of a map.

use crate::bytes::{common_prefix, key_end};
use crate::header::next_page;
use crate::key::{is_key, key_of};
use crate::{Frequency, Input, Lines, MapError, Result};
use std::path::{Path, PathBuf};

/// A data line: a key, a frequency, and perhaps a JSON object with more about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The key.
    pub key: &'a [u8],
    /// How much is held under it.
    pub frequency: Frequency,
    /// What else the line says, or nothing.
    pub more: &'a [u8],
}

impl<'a> Record<'a> {
    /// Reads a line; on failure says what is wrong with it.
    pub fn parse(line: &'a [u8]) -> std::result::Result<Record<'a>, &'static str> {
        let (key, rest) = word(line);
        let (frequency, more) = word(rest);
        let key = key_of(key);
        if !is_key(key) {
            return Err("no key: expected a SURT such as com,example)/path, or a wildcard");
        }
        let frequency = Frequency::parse(frequency)
            .ok_or("no frequency: expected a number, or [mementos][+-~]/[originals][+-~]")?;
        Ok(Record {
            key,
            frequency,
            more: more.trim_ascii_end(),
        })
    }

    /// Appends the line with its line break.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.key);
        out.push(b' ');
        self.frequency.write(out);
        if !self.more.is_empty() {
            out.push(b' ');
            out.extend_from_slice(self.more);
        }
        out.push(b'\n');
    }
}

/// The first word of a line, and what follows it.
fn word(line: &[u8]) -> (&[u8], &[u8]) {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    match memchr::memchr3(b' ', b'\t', b'\r', line) {
        Some(end) => {
            let rest = &line[end + 1..];
            let next = rest.iter().position(|byte| !blank(byte));
            (&line[..end], next.map_or(&[], |at| &rest[at..]))
        }
        None => (line, &[]),
    }
}

/// What is found in a line of the plainest kind: a key, a blank and a number.
struct Plain {
    /// How much of the key stands in the key before.
    shared: usize,
    key: usize,
    number: u64,
    line: usize,
}

impl Plain {
    /// Looks for such a line at the beginning of a text. What its key shares with `last`, which is
    /// a key, was looked at before.
    #[inline]
    fn find(text: &[u8], last: &[u8]) -> Option<Plain> {
        let shared = common_prefix(last, text);
        let key = shared + key_end(&text[shared..])?;
        let named = memchr::memchr(b')', &text[..key])?;
        let trimmed = !matches!(text[key - 1], b'/' | b',');
        // With less in common it may begin as no key does.
        if shared < 4 || named == 0 || !trimmed || text[key] != b' ' {
            return None;
        }
        let digits = &text[key + 1..];
        let length = digits.iter().position(|byte| !byte.is_ascii_digit())?;
        let number = crate::frequency::number(&digits[..length])?;
        (digits[length] == b'\n').then_some(Plain {
            shared,
            key,
            number,
            line: key + 1 + length,
        })
    }
}

/// The records of a map, behind its headers.
pub struct Records {
    lines: Lines,
    headers: Vec<String>,
    /// Whether the line that the reader of headers stopped at is still to be given.
    waiting: bool,
    /// The file, if other pages may follow it, and how many may.
    page: Option<(PathBuf, usize)>,
}

/// The most that headers may take.
const MAX_HEADERS: usize = 1 << 20;

impl Records {
    /// Opens a map and the pages that follow it; standard input for `-`.
    pub fn open(path: &Path) -> Result<Records> {
        let mut records = Records::new(Input::open(path)?)?;
        records.page = Some((path.to_owned(), crate::lookup::MAX_PAGES));
        Ok(records)
    }

    /// Reads the headers.
    pub fn new(input: Input) -> Result<Records> {
        let mut lines = input.lines();
        let (mut headers, mut size) = (Vec::new(), 0);
        let waiting = loop {
            match lines.next_line()? {
                Some(line) if line.starts_with(b"!") => {
                    size += line.len();
                    headers.push(String::from_utf8_lossy(line).trim_end().to_owned());
                }
                Some(_) => break true,
                None => break false,
            }
            if size > MAX_HEADERS {
                return Err(lines.fault("more than 1 MiB of headers: this is no map"));
            }
        };
        Ok(Records {
            lines,
            headers,
            waiting,
            page: None,
        })
    }

    /// The headers, as they stand.
    pub fn headers(&self) -> &[String] {
        &self.headers
    }

    /// The next record; `None` after the last. Empty lines and headers between records say nothing.
    pub fn next_record(&mut self) -> Result<Option<Record<'_>>> {
        loop {
            let waits = std::mem::take(&mut self.waiting);
            let more = waits || self.lines.next_line()?.is_some();
            if !more {
                match self.next_page()? {
                    true => continue,
                    false => return Ok(None),
                }
            }
            let line = self.lines.current();
            if !line.trim_ascii().is_empty() && !line.starts_with(b"!") {
                break;
            }
        }
        match Record::parse(self.lines.current()) {
            Ok(record) => Ok(Some(record)),
            Err(reason) => Err(self.lines.fault(reason)),
        }
    }

    /// The same, and how much the key has in common with `last`, which must be the key of a
    /// record before it, or nothing.
    #[inline]
    pub(crate) fn next_after(&mut self, last: &[u8]) -> Result<Option<(Record<'_>, usize)>> {
        if !self.waiting
            && let Some(plain) = Plain::find(self.lines.ahead(), last)
        {
            let record = Record {
                key: &self.lines.take(plain.line)[..plain.key],
                frequency: Frequency::mementos_only(plain.number),
                more: &[],
            };
            return Ok(Some((record, plain.shared)));
        }
        let record = self.next_record()?;
        Ok(record.map(|record| (record, common_prefix(last, record.key))))
    }

    /// Goes on to the page that follows, if there is one.
    fn next_page(&mut self) -> Result<bool> {
        let next = self
            .headers
            .iter()
            .rev()
            .find_map(|header| next_page(header));
        let (Some(name), Some((path, left))) = (next, self.page.take()) else {
            return Ok(false);
        };
        let path = crate::lookup::page_beside(&path, &name, left)?;
        let next = Records::new(Input::open(&path)?)?;
        self.headers
            .retain(|header| !crate::header::is_page(header));
        let pages = next
            .headers
            .into_iter()
            .filter(|header| crate::header::is_page(header));
        self.headers.extend(pages);
        (self.lines, self.waiting) = (next.lines, next.waiting);
        self.page = Some((path, left - 1));
        Ok(true)
    }

    /// The number of the line given last.
    pub fn number(&self) -> u64 {
        self.lines.number()
    }

    /// What errors call the map.
    pub fn name(&self) -> &str {
        self.lines.name()
    }

    /// The error when a key should have come later.
    pub(crate) fn too_great(&self, key: &[u8]) -> MapError {
        let key = String::from_utf8_lossy(key);
        let order = "not in the order of `LC_ALL=C sort`";
        self.lines.fault(format!(
            "{order}: lesser keys follow \"{key}\"; --sort mends that"
        ))
    }

    pub(crate) fn unsorted(&self, key: &[u8]) -> MapError {
        MapError::Unsorted {
            name: self.name().to_owned(),
            line: self.number(),
            key: String::from_utf8_lossy(key).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::Cursor;

    fn records(text: &'static str) -> Records {
        Records::new(Input::new("map", Cursor::new(text)).unwrap()).unwrap()
    }

    #[test]
    fn headers_are_kept_and_records_follow() {
        let text = "!context [\"x\"]\n!meta {a: 1}\n!meta {b: 2}\r\ncom,a)/   5/2 {\"x\": 1}\n\ncom,b)\t7\n";
        let mut map = records(text);
        assert_eq!(
            map.headers(),
            ["!context [\"x\"]", "!meta {a: 1}", "!meta {b: 2}"]
        );
        let mut lines = Vec::new();
        while let Some(record) = map.next_record().unwrap() {
            record.write(&mut lines);
        }
        assert_eq!(
            String::from_utf8(lines).unwrap(),
            "com,a) 5/2 {\"x\": 1}\ncom,b) 7\n"
        );
    }

    #[test]
    fn what_is_no_record_is_told_with_its_line() {
        for (text, expected) in [
            ("com,a) 1\nnothing\n", "map, line 2: no key"),
            ("com,a) 1\ncom,b)\n", "map, line 2: no frequency"),
            ("!id x\ncom,a) many\n", "map, line 2: no frequency"),
            (") 1\n", "map, line 1: no key"),
        ] {
            let mut map = records(text);
            let error = loop {
                match map.next_record() {
                    Ok(record) => assert!(record.is_some()),
                    Err(error) => break error.to_string(),
                }
            };
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
