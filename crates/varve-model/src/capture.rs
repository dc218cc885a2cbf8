//! `Capture`: the index entry of one stored response, which is one CDXJ line.
//!
//! A capture says what was seen (URL, media type, status, digest), when, and where its record
//! lies (file, offset, length). Its text form is a line of a CDXJ file, `key timestamp {json}`.
//! The spellings of pywb, cdxj-indexer and WACZ are all read; one is written, byte for byte that
//! of cdxj-indexer, so that indexes can be compared and merged as files.

mod json;
mod read;

pub use json::write_string as write_json_string;

use crate::{Surt, Timestamp, TimestampError};
use serde_json::Value;

/// The longest line that is read: longer ones are not index lines but an attack or a mistake.
pub const MAX_LINE: usize = 1 << 20;

/// The index entry of one stored response.
///
/// ```
/// use varve_model::Capture;
/// let line = r#"com,example)/ 20140216050221 {"url": "http://example.com/", "mime": "text/html", "status": "200", "length": "1043", "offset": "333", "filename": "a.warc.gz"}"#;
/// let capture = Capture::parse(line)?;
/// assert_eq!(capture.key.as_str(), "com,example)/");
/// assert_eq!(capture.offset, 333);
/// assert_eq!(capture.to_line(), line);
/// # Ok::<(), varve_model::CdxjError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Capture {
    /// The URL's key, by which lines are sorted.
    pub key: Surt,
    /// When it was captured.
    pub timestamp: Timestamp,
    /// The URL as it was asked for.
    pub url: String,
    /// The media type without parameters; `warc/revisit` for revisits.
    pub mime: Option<String>,
    /// The HTTP status, as text.
    pub status: Option<String>,
    /// The payload digest as the line spells it.
    pub digest: Option<String>,
    /// The length of the compressed record; 0 if the line does not say.
    pub length: u64,
    /// Where the record starts in its file.
    pub offset: u64,
    /// The file that holds the record.
    pub filename: String,
    /// Every other member of the line, in its order. Names that the fields above use are not
    /// written.
    pub extra: Vec<(String, Value)>,
}

/// Why a line is not a capture.
#[derive(Debug, thiserror::Error)]
pub enum CdxjError {
    /// Longer than [`MAX_LINE`].
    #[error("the line is longer than 1 MiB")]
    TooLong,
    /// Not `key timestamp {...}`.
    #[error("not a CDXJ line: expected a key, a timestamp and a JSON object")]
    Shape,
    /// The second word is no timestamp.
    #[error("the second word: {0}")]
    Timestamp(#[from] TimestampError),
    /// The JSON is broken or a field has an impossible type.
    #[error("the JSON object: {0}")]
    Json(#[from] serde_json::Error),
    /// A field without which the record cannot be found.
    #[error("the field \"{0}\" is missing")]
    Missing(&'static str),
    /// Not a count of bytes.
    #[error("the field \"{0}\" is not a number between 0 and 2^64-1")]
    Number(&'static str),
}

/// A CDXJ line cut into its three parts, with the JSON unread.
///
/// For work on keys and times alone: searching, merging, sorting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CdxjLine<'a> {
    /// The key, up to the first space.
    pub key: &'a str,
    /// The timestamp, up to the second space; its digits are not checked.
    pub timestamp: &'a str,
    /// The JSON object, from its `{` to the end without line break; not checked further.
    pub json: &'a str,
}

impl CdxjLine<'_> {
    /// Cuts a line; `None` if it has not three parts or the third is no JSON object.
    pub fn split(line: &str) -> Option<CdxjLine<'_>> {
        let (key, rest) = line.trim_end_matches(['\r', '\n']).split_once(' ')?;
        let (timestamp, json) = rest.split_once(' ')?;
        let whole = !key.is_empty() && !timestamp.is_empty() && json.starts_with('{');
        whole.then_some(CdxjLine {
            key,
            timestamp,
            json,
        })
    }
}

impl Capture {
    /// The line of this capture, without a line break.
    pub fn to_line(&self) -> String {
        let mut out = String::with_capacity(320);
        self.write_line(&mut out);
        out
    }

    /// Appends the line of this capture, without a line break.
    pub fn write_line(&self, out: &mut String) {
        out.push_str(self.key.as_str());
        out.push(' ');
        out.push_str(&self.timestamp.digits());
        out.push_str(" {\"url\": ");
        json::write_string(out, &self.url);
        let optional = [
            (", \"mime\": ", &self.mime),
            (", \"status\": ", &self.status),
            (", \"digest\": ", &self.digest),
        ];
        for (name, value) in optional {
            if let Some(value) = value.as_deref().filter(|v| *v != "-") {
                out.push_str(name);
                json::write_string(out, value);
            }
        }
        out.push_str(&format!(
            ", \"length\": \"{}\", \"offset\": \"{}\", \"filename\": ",
            self.length, self.offset
        ));
        json::write_string(out, &self.filename);
        self.write_extra(out);
        out.push('}');
    }

    fn write_extra(&self, out: &mut String) {
        for (name, value) in &self.extra {
            if !read::is_field(name) {
                out.push_str(", ");
                json::write_string(out, name);
                out.push_str(": ");
                json::write_value(out, value);
            }
        }
    }
}

#[cfg(test)]
mod tests;
