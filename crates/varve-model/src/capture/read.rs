//! Reading a CDXJ line: the spellings of pywb, cdxj-indexer and WACZ become one `Capture`.

use super::{Capture, CdxjError, CdxjLine, MAX_LINE};
use crate::{Surt, Timestamp};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

impl Capture {
    /// Reads a line, with or without its line break.
    ///
    /// Numbers may be JSON numbers or strings; `-` and `null` mean that a field is absent;
    /// `mimetype` and `statuscode` are other names of `mime` and `status`. When a field comes
    /// twice the last wins.
    pub fn parse(line: &str) -> Result<Capture, CdxjError> {
        if line.len() > MAX_LINE {
            return Err(CdxjError::TooLong);
        }
        let parts = CdxjLine::split(line).ok_or(CdxjError::Shape)?;
        let timestamp = Timestamp::parse(parts.timestamp)?;
        let fields: Fields = serde_json::from_str(parts.json)?;
        Ok(Capture {
            key: Surt::from_key(parts.key.to_owned()),
            timestamp,
            url: fields.url.ok_or(CdxjError::Missing("url"))?,
            mime: fields.mime,
            status: fields.status,
            digest: fields.digest,
            length: number("length", fields.length.as_deref().unwrap_or("0"))?,
            offset: number(
                "offset",
                &fields.offset.ok_or(CdxjError::Missing("offset"))?,
            )?,
            filename: fields.filename.ok_or(CdxjError::Missing("filename"))?,
            extra: fields.extra,
        })
    }
}

fn number(name: &'static str, text: &str) -> Result<u64, CdxjError> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let value = digits.then(|| text.parse().ok()).flatten();
    value.ok_or(CdxjError::Number(name))
}

/// Whether a member of the JSON object is one of [`Capture`]'s own fields.
pub(super) fn is_field(name: &str) -> bool {
    !matches!(Name::of(name), Name::Extra(_))
}

/// The JSON object, before anything is required of it.
#[derive(Default)]
struct Fields {
    url: Option<String>,
    mime: Option<String>,
    status: Option<String>,
    digest: Option<String>,
    length: Option<String>,
    offset: Option<String>,
    filename: Option<String>,
    extra: Vec<(String, Value)>,
}

/// What a member's name means.
enum Name {
    Url,
    Mime,
    Status,
    Digest,
    Length,
    Offset,
    Filename,
    Extra(String),
}

impl Name {
    fn of(name: &str) -> Name {
        match name {
            "url" => Name::Url,
            "mime" | "mimetype" => Name::Mime,
            "status" | "statuscode" => Name::Status,
            "digest" => Name::Digest,
            "length" => Name::Length,
            "offset" => Name::Offset,
            "filename" => Name::Filename,
            _ => Name::Extra(name.to_owned()),
        }
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = Name;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name::of(name))
            }
        }
        deserializer.deserialize_str(NameVisitor)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Fields::default();
                while let Some(name) = map.next_key()? {
                    let place = match name {
                        Name::Url => &mut fields.url,
                        Name::Mime => &mut fields.mime,
                        Name::Status => &mut fields.status,
                        Name::Digest => &mut fields.digest,
                        Name::Length => &mut fields.length,
                        Name::Offset => &mut fields.offset,
                        Name::Filename => &mut fields.filename,
                        Name::Extra(name) => {
                            fields.extra.push((name, map.next_value()?));
                            continue;
                        }
                    };
                    *place = map.next_value::<Scalar>()?.0;
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// A string or a number as text; `-` and `null` are nothing.
struct Scalar(Option<String>);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        struct ScalarVisitor;
        impl Visitor<'_> for ScalarVisitor {
            type Value = Scalar;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, a number or null")
            }
            fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar((text != "-").then(|| text.to_owned())))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Scalar, E> {
                Ok(Scalar(Some(number.to_string())))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Scalar, E> {
                Ok(Scalar(Some(number.to_string())))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Scalar, E> {
                Ok(Scalar(Some(number.to_string())))
            }
            fn visit_unit<E>(self) -> Result<Scalar, E> {
                Ok(Scalar(None))
            }
        }
        deserializer.deserialize_any(ScalarVisitor)
    }
}
