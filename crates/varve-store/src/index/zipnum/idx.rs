//! The lines of an idx: where each block is.

use crate::index::cdxj_file::CdxjFile;
use crate::index::line::{is_header, sort_words};
use crate::index::zipnum::DATA_FILE;
use crate::{Result, StoreError};
use serde::Deserialize;
use std::path::Path;

/// The only form of blocks there is.
const FORMAT: &str = "cdxj-gzip-1.0";

/// More headers than any idx has; a file of nothing else is not one.
const MAX_HEADERS: usize = 64;

/// Where a block is, and how its first line starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BlockPlace {
    /// The key and timestamp of the block's first line.
    pub(super) words: Vec<u8>,
    /// The part that holds the block, if the line names one.
    pub(super) part: Option<String>,
    pub(super) offset: u64,
    pub(super) length: u64,
    /// The digest of the compressed block.
    pub(super) digest: Option<String>,
}

#[derive(Deserialize)]
struct PlaceJson {
    offset: u64,
    length: u64,
    digest: Option<String>,
    filename: Option<String>,
}

impl BlockPlace {
    /// Reads a line of an idx in either spelling; what is wrong with it if that fails.
    pub(super) fn parse(line: &[u8]) -> Result<BlockPlace, String> {
        match line.contains(&b'\t') {
            true => BlockPlace::parse_tabs(line),
            false => BlockPlace::parse_json(line),
        }
    }

    fn parse_json(line: &[u8]) -> Result<BlockPlace, String> {
        let words = sort_words(line);
        let json = &line[words.len()..];
        let place: PlaceJson = serde_json::from_slice(json)
            .map_err(|error| format!("not a line of an idx: the JSON object: {error}"))?;
        Ok(BlockPlace {
            words: words.to_vec(),
            part: place.filename,
            offset: place.offset,
            length: place.length,
            digest: place.digest,
        })
    }

    fn parse_tabs(line: &[u8]) -> Result<BlockPlace, String> {
        let mut fields = line.split(|&b| b == b'\t');
        let words = fields.next().unwrap_or_default().to_vec();
        let mut text = || fields.next().and_then(|field| str::from_utf8(field).ok());
        let (part, offset, length) = (text(), text(), text());
        let number = |field: Option<&str>| field.and_then(|digits| digits.trim_end().parse().ok());
        match (part, number(offset), number(length)) {
            (Some(part), Some(offset), Some(length)) => Ok(BlockPlace {
                words,
                part: Some(part.to_owned()),
                offset,
                length,
                digest: None,
            }),
            _ => Err("not a line of an idx: expected a part, an offset and a length".to_owned()),
        }
    }
}

/// What the `!meta` header of an idx says.
#[derive(Deserialize)]
pub(super) struct Meta {
    format: Option<String>,
    /// The part that holds the blocks.
    #[serde(default = "default_part")]
    pub(super) filename: String,
}

fn default_part() -> String {
    DATA_FILE.to_owned()
}

impl Meta {
    /// Reads the header; an idx without one keeps its blocks in the usual file.
    pub(super) fn read(idx: &CdxjFile) -> Result<Meta> {
        let mut lines = idx.start();
        for _ in 0..MAX_HEADERS {
            match lines.next_line()?.filter(|line| is_header(line)) {
                Some(line) if line.starts_with(b"!meta ") => return Meta::parse(line, idx.path()),
                Some(_) => {}
                None => break,
            }
        }
        Ok(Meta {
            format: None,
            filename: default_part(),
        })
    }

    fn parse(line: &[u8], path: &Path) -> Result<Meta> {
        let json = &line[sort_words(line).len()..];
        let meta: Meta = serde_json::from_slice(json)
            .map_err(|error| StoreError::invalid(path, format!("the !meta line: {error}")))?;
        match meta.format.as_deref() {
            None | Some(FORMAT) => Ok(meta),
            Some(other) => {
                let reason = format!("blocks of format {other:?}: only {FORMAT:?} can be read");
                Err(StoreError::invalid(path, reason))
            }
        }
    }
}

/// The header of an idx whose blocks are in [`DATA_FILE`].
pub(super) fn meta_line() -> String {
    format!("!meta 0 {{\"format\": \"{FORMAT}\", \"filename\": \"{DATA_FILE}\"}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(part: Option<&str>, digest: Option<&str>) -> BlockPlace {
        BlockPlace {
            words: b"com,a)/ 2020".to_vec(),
            part: part.map(str::to_owned),
            offset: 5,
            length: 9,
            digest: digest.map(str::to_owned),
        }
    }

    #[test]
    fn both_spellings() {
        let table = [
            (
                r#"com,a)/ 2020 {"offset": 5, "length": 9}"#,
                place(None, None),
            ),
            (
                r#"com,a)/ 2020 {"offset":5,"length":9,"digest":"sha256:00","filename":"p.gz","x":1}"#,
                place(Some("p.gz"), Some("sha256:00")),
            ),
            ("com,a)/ 2020\tp\t5\t9\t1", place(Some("p"), None)),
            ("com,a)/ 2020\tp\t5\t9", place(Some("p"), None)),
            ("com,a)/ 2020\tp\t5\t9\r", place(Some("p"), None)),
        ];
        for (line, expected) in table {
            assert_eq!(BlockPlace::parse(line.as_bytes()), Ok(expected), "{line}");
        }
    }

    #[test]
    fn lines_that_are_no_places() {
        let table = [
            "",
            "com,a)/ 2020",
            "com,a)/ 2020 {}",
            r#"com,a)/ 2020 {"offset": -1, "length": 9}"#,
            r#"com,a)/ 2020 {"offset": 1e400, "length": 9}"#,
            "com,a)/ 2020\tp\t5",
            "com,a)/ 2020\tp\t-5\t9",
            "com,a)/ 2020\tp\t99999999999999999999\t9",
        ];
        for line in table {
            assert!(BlockPlace::parse(line.as_bytes()).is_err(), "{line}");
        }
        assert!(BlockPlace::parse(b"a 1\t\xff\t1\t1").is_err());
    }
}
