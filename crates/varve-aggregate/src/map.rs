//! What a MementoMap says about a URL: whether the archive can have it.
//!
//! [`Holdings`] is all that routing needs of a map; [`TextMap`] is a UKVS file held in memory, the
//! text as it came and the places of its lines by key. A URL is looked for by its exact key first,
//! then by ever shorter keys with a wildcard; the first one found decides. A frequency of zero says
//! that there is nothing, whatever broader keys say.

use std::io::Read;
use varve_model::{HttpHead, Surt};
use varve_store::http::{BodyReader, DecodeLimits};

/// What is known about an archive and a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// It may have it.
    Possible,
    /// It has nothing of it.
    Nothing,
}

/// Something that knows what an archive holds.
pub trait Holdings: Send + Sync {
    /// Whether the archive can have a URL.
    fn holds(&self, key: &Surt) -> Holding;
    /// How many lines it took to say so, for people.
    fn lines(&self) -> usize;
}

/// Why a text is no map.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// It is not text.
    #[error("line {0} is not UTF-8")]
    NotText(usize),
    /// A line is not a key and a frequency.
    #[error("line {0} is no key with a frequency")]
    Line(usize),
    /// Its keys are not URLs alone.
    #[error("line {0}: its keys are not of URLs alone")]
    Fields(usize),
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// It is longer than we hold.
    #[error("it is longer than {0} bytes")]
    TooLong(u64),
    /// It cannot be decompressed.
    #[error("it cannot be decompressed: {0}")]
    Coding(#[from] std::io::Error),
}

/// A map as text.
pub struct TextMap {
    text: String,
    /// Where each line starts, in the order of keys, and whether it says that there is nothing.
    lines: Vec<Line>,
}

#[derive(Clone, Copy)]
struct Line {
    start: u32,
    length: u16,
    nothing: bool,
}

/// Longer texts than this have no places that fit.
const LONGEST: u64 = 1 << 30;

impl TextMap {
    /// Reads a map: plain, gzip or zstd.
    pub fn read(bytes: Vec<u8>) -> Result<TextMap, MapError> {
        let coding = match bytes.as_slice() {
            [0x1f, 0x8b, ..] => "gzip",
            [0x28, 0xb5, 0x2f, 0xfd, ..] => "zstd",
            _ => return TextMap::parse(bytes),
        };
        let head = HttpHead::from_parts("HTTP/1.1 200 OK", &[("Content-Encoding", coding)]);
        let limits = DecodeLimits {
            bytes: LONGEST,
            ..DecodeLimits::default()
        };
        let mut text = Vec::new();
        BodyReader::new(&head, bytes.as_slice(), limits).read_to_end(&mut text)?;
        TextMap::parse(text)
    }

    fn parse(bytes: Vec<u8>) -> Result<TextMap, MapError> {
        if bytes.len() as u64 > LONGEST {
            return Err(MapError::TooLong(LONGEST));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            MapError::NotText(before.iter().filter(|byte| **byte == b'\n').count() + 1)
        })?;
        let mut lines = Vec::new();
        let mut headers = 0;
        let mut start = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            if line.starts_with('!') {
                headers += 1;
                check_fields(line).ok_or(MapError::Fields(number + 1))?;
            } else if !line.trim().is_empty() {
                lines.push(data(line, start).ok_or(MapError::Line(number + 1))?);
            }
            start += line.len();
        }
        if headers == 0 && lines.is_empty() {
            return Err(MapError::Empty);
        }
        // Nobody's order is relied on: with another one, what is there would not be found.
        let key = |line: &Line| line.key(&text);
        if !lines.is_sorted_by_key(key) {
            lines.sort_by_key(key);
        }
        Ok(TextMap { text, lines })
    }

    /// What the lines with exactly this key say; of several, one that allows is enough.
    fn says(&self, wanted: &str) -> Option<Holding> {
        let from = self
            .lines
            .partition_point(|line| line.key(&self.text) < wanted);
        let same = self.lines[from..].iter();
        let mut same = same
            .take_while(|line| line.key(&self.text) == wanted)
            .peekable();
        same.peek()?;
        Some(match same.all(|line| line.nothing) {
            true => Holding::Nothing,
            false => Holding::Possible,
        })
    }
}

impl Line {
    fn key<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start as usize..][..usize::from(self.length)]
    }
}

impl Holdings for TextMap {
    fn holds(&self, key: &Surt) -> Holding {
        let mut said = None;
        each_key(key.as_str(), |key| {
            said = self.says(key);
            said.is_some()
        });
        said.unwrap_or(Holding::Nothing)
    }

    fn lines(&self) -> usize {
        self.lines.len()
    }
}

/// A header may say what keys are made of.
fn check_fields(line: &str) -> Option<()> {
    let Some(json) = line.strip_prefix("!fields") else {
        return Some(());
    };
    let fields: serde_json::Value = serde_json::from_str(json.trim()).ok()?;
    let keys = &fields["keys"];
    (keys.is_null() || *keys == serde_json::json!(["surt"])).then_some(())
}

/// A line of data: its key, and a frequency.
fn data(line: &str, start: usize) -> Option<Line> {
    let key = line.split([' ', '\t']).next()?;
    let frequency = line[key.len()..].split_ascii_whitespace().next()?;
    let number = |letter: char| letter.is_ascii_digit() || "+-~/".contains(letter);
    if key.is_empty() || !frequency.chars().all(number) {
        return None;
    }
    // As in look-ups: with and without a slash at its end a key is the same.
    let key = key.trim_end_matches('/');
    let zero = |count: &str| !count.is_empty() && count.bytes().all(|digit| digit == b'0');
    let nothing = frequency.split('/').take(2).all(zero);
    Some(Line {
        start: start as u32,
        length: u16::try_from(key.len()).ok()?,
        nothing,
    })
}

/// Tries keys that cover a URL, the most specific one first, until one is found.
fn each_key(surt: &str, mut found: impl FnMut(&str) -> bool) {
    let key = surt.split('?').next().unwrap_or(surt).trim_end_matches('/');
    if found(key) || found(&format!("{key}/*")) {
        return;
    }
    let mut rest = key;
    loop {
        // A host without its path covers hosts below it.
        if let Some(host) = rest.strip_suffix(')') {
            if found(&format!("{host},*")) {
                return;
            }
            rest = host;
        }
        let Some(cut) = rest.rfind(['/', ',']) else {
            break;
        };
        if found(&format!("{}{}*", &rest[..cut], &rest[cut..cut + 1])) {
            return;
        }
        rest = &rest[..cut];
    }
    found("*");
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn map(text: &str) -> TextMap {
        TextMap::read(text.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn keys_are_tried_from_the_most_specific_one() {
        let mut tried = Vec::new();
        each_key("com,a)/x/y?z=1", |key| {
            tried.push(key.to_owned());
            false
        });
        let expected = [
            "com,a)/x/y",
            "com,a)/x/y/*",
            "com,a)/x/*",
            "com,a)/*",
            "com,a,*",
            "com,*",
            "*",
        ];
        assert_eq!(tried, expected);
    }

    #[test]
    fn the_most_specific_key_decides() {
        let map = map("!context [\"https://oduwsdl.github.io/contexts/ukvs\"]\n\
             !fields {\"keys\": [\"surt\"], \"values\": [\"frequency\"]}\n\
             !meta {\"name\": \"x\"}\n\
             com,a)/ 3/1\ncom,a)/private/* 0\ncom,a)/* 5+/~\ncom,b)/x 1\nuk,bl,* 7~/3\norg,gone)/ 0/0\n");
        let check = |url: &str, expected: Holding| {
            assert_eq!(map.holds(&Surt::from_url(url)), expected, "{url}");
        };
        check("http://a.com/", Holding::Possible);
        check("http://a.com/other?x", Holding::Possible);
        check("http://a.com/private/x", Holding::Nothing);
        check("http://a.com/privateer", Holding::Possible);
        check("http://b.com/x", Holding::Possible);
        check("http://b.com/x/y", Holding::Nothing);
        check("http://b.com/", Holding::Nothing);
        check("http://www.bl.uk/", Holding::Possible);
        check("http://sub.bl.uk/deep/path", Holding::Possible);
        check("http://gone.org/", Holding::Nothing);
        assert_eq!(map.lines(), 6);
    }

    #[test]
    fn a_star_is_everything_and_more_special_lines_except() {
        let map = map("* 9\ncom,a)/* 0\n");
        assert_eq!(
            map.holds(&Surt::from_url("http://z.example/")),
            Holding::Possible
        );
        assert_eq!(
            map.holds(&Surt::from_url("http://a.com/x")),
            Holding::Nothing
        );
    }

    #[test]
    fn maps_may_be_compressed_unsorted_and_repeat_themselves() {
        use std::io::Write;
        let text = b"com,z)/ 1\ncom,a)/ 0\ncom,a)/ 2\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).unwrap();
        let map = TextMap::read(gzip.finish().unwrap()).unwrap();
        assert_eq!(
            map.holds(&Surt::from_url("http://a.com/")),
            Holding::Possible
        );
        assert_eq!(
            map.holds(&Surt::from_url("http://z.com/")),
            Holding::Possible
        );
        assert_eq!(
            map.holds(&Surt::from_url("http://b.com/")),
            Holding::Nothing
        );
    }

    #[test]
    fn what_is_no_map_is_refused_with_its_line() {
        let check = |text: &[u8], expected: &str| {
            let error = TextMap::read(text.to_vec()).err().unwrap().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(b"", "empty");
        check(b"<!doctype html>\n<html>", "line 1 is no key");
        check(b"com,a)/ 1\ncom,b)/\n", "line 2 is no key");
        check(b"com,a)/ 1\ncom,b)/ many\n", "line 2");
        check(b"com,a)/ 1\n\xff 1\n", "line 2 is not UTF-8");
        check(
            b"!fields {\"keys\": [\"surt\", \"datetime\"]}\ncom,a)/ 2014 1\n",
            "line 1: its keys",
        );
        check(b"\x1f\x8b\x08nonsense", "decompressed");
    }

    proptest! {
        #[test]
        fn what_is_in_the_map_is_found(urls in proptest::collection::vec("[a-c]{1,2}(\\.[a-c]{1,2}){1,2}(/[a-c-]{1,2}){0,3}", 1..20)) {
            let keys: Vec<Surt> = urls.iter().map(|url| Surt::from_url(&format!("http://{url}"))).collect();
            let text: String = keys.iter().map(|key| format!("{} 1\n", key.as_str().trim_end_matches('/'))).collect();
            let map = map(&text);
            for key in &keys {
                prop_assert_eq!(map.holds(key), Holding::Possible);
            }
        }
    }
}
