//! The fields of a capture, by the names that CDX servers use.

use std::borrow::Cow;
use varve_model::Capture;

/// A field of a capture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The URL's key: `urlkey`.
    Key,
    /// `timestamp`.
    Timestamp,
    /// `url`, also called `original`.
    Url,
    /// `mime`, also called `mimetype`.
    Mime,
    /// `status`, also called `statuscode`.
    Status,
    /// `digest`.
    Digest,
    /// `length`.
    Length,
    /// `offset`.
    Offset,
    /// `filename`.
    Filename,
    /// Any other member of the line.
    Extra(String),
}

impl Field {
    /// The field with this name; a name that is not known is that of an extra member.
    pub fn named(name: &str) -> Field {
        match name {
            "urlkey" | "key" => Field::Key,
            "timestamp" => Field::Timestamp,
            "url" | "original" => Field::Url,
            "mime" | "mimetype" => Field::Mime,
            "status" | "statuscode" => Field::Status,
            "digest" => Field::Digest,
            "length" => Field::Length,
            "offset" => Field::Offset,
            "filename" => Field::Filename,
            other => Field::Extra(other.to_owned()),
        }
    }

    /// The name under which the field is written.
    pub fn name(&self) -> &str {
        match self {
            Field::Key => "urlkey",
            Field::Timestamp => "timestamp",
            Field::Url => "url",
            Field::Mime => "mime",
            Field::Status => "status",
            Field::Digest => "digest",
            Field::Length => "length",
            Field::Offset => "offset",
            Field::Filename => "filename",
            Field::Extra(name) => name,
        }
    }

    /// The field's text in a capture; `None` if the capture lacks it.
    pub fn text<'a>(&self, capture: &'a Capture) -> Option<Cow<'a, str>> {
        let optional = |text: &'a Option<String>| text.as_deref().map(Cow::Borrowed);
        match self {
            Field::Key => Some(capture.key.as_str().into()),
            Field::Timestamp => Some(capture.timestamp.digits().into()),
            Field::Url => Some(capture.url.as_str().into()),
            Field::Mime => optional(&capture.mime),
            Field::Status => optional(&capture.status),
            Field::Digest => optional(&capture.digest),
            Field::Length => Some(capture.length.to_string().into()),
            Field::Offset => Some(capture.offset.to_string().into()),
            Field::Filename => Some(capture.filename.as_str().into()),
            Field::Extra(name) => extra(capture, name),
        }
    }
}

fn extra<'a>(capture: &'a Capture, name: &str) -> Option<Cow<'a, str>> {
    let (_, value) = capture.extra.iter().find(|(member, _)| member == name)?;
    match value.as_str() {
        Some(text) => Some(text.into()),
        None => Some(value.to_string().into()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts() {
        let line = r#"com,a)/ 20200102030405 {"url": "http://a.com/", "mime": "text/html", "length": "7", "offset": "9", "filename": "a.gz", "tag": "x", "n": 5}"#;
        let capture = Capture::parse(line).unwrap();
        let table = [
            ("urlkey", "urlkey", Some("com,a)/")),
            ("timestamp", "timestamp", Some("20200102030405")),
            ("original", "url", Some("http://a.com/")),
            ("mimetype", "mime", Some("text/html")),
            ("statuscode", "status", None),
            ("length", "length", Some("7")),
            ("offset", "offset", Some("9")),
            ("filename", "filename", Some("a.gz")),
            ("tag", "tag", Some("x")),
            ("n", "n", Some("5")),
            ("other", "other", None),
        ];
        for (asked, name, text) in table {
            let field = Field::named(asked);
            assert_eq!(
                (field.name(), field.text(&capture).as_deref()),
                (name, text)
            );
        }
    }
}
