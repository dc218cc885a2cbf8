//! Filters: which captures are wanted, by what their fields say.

use super::field::Field;
use crate::{Result, StoreError};
use regex::{Regex, RegexBuilder};
use std::borrow::Cow;
use varve_model::Capture;

/// What a pattern may cost in memory, and how long its text may be.
const REGEX_BYTES: usize = 1 << 20;
const MAX_TEXT: usize = 4096;

/// A condition on a field, in pywb's words: `field:text` (contains), `=field:text` (is),
/// `~field:regex` (matches from the start), each with `!` before it for the opposite. Without a
/// field the whole line is looked at.
#[derive(Clone, Debug)]
pub struct Filter {
    negated: bool,
    field: Option<Field>,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    Contains(String),
    Is(String),
    Matches(Box<Regex>),
}

impl Filter {
    /// Reads a filter.
    pub fn parse(text: &str) -> Result<Filter> {
        if text.len() > MAX_TEXT {
            let reason = format!("a filter is longer than {MAX_TEXT} bytes");
            return Err(StoreError::Query(reason));
        }
        let (negated, rest) = strip(text, '!');
        let (exact, rest) = strip(rest, '=');
        let (pattern, rest) = if exact {
            (false, rest)
        } else {
            strip(rest, '~')
        };
        let (field, value) = match rest.split_once(':') {
            Some((name, value)) => (Some(Field::named(name)), value),
            None => (None, rest),
        };
        let test = match (exact, pattern) {
            (true, _) => Test::Is(value.to_owned()),
            (_, true) => Test::Matches(Box::new(compile(value)?)),
            _ => Test::Contains(value.to_owned()),
        };
        Ok(Filter {
            negated,
            field,
            test,
        })
    }

    /// Whether a capture passes. A field that it lacks is like an empty one.
    pub fn accepts(&self, capture: &Capture) -> bool {
        let text = match &self.field {
            Some(field) => field.text(capture).unwrap_or_default(),
            None => Cow::Owned(capture.to_line()),
        };
        let passes = match &self.test {
            Test::Contains(part) => text.contains(part.as_str()),
            Test::Is(whole) => text == whole.as_str(),
            // The leftmost match starts at 0 if any does.
            Test::Matches(regex) => regex.find(&text).is_some_and(|found| found.start() == 0),
        };
        passes != self.negated
    }
}

fn strip(text: &str, sign: char) -> (bool, &str) {
    match text.strip_prefix(sign) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

fn compile(pattern: &str) -> Result<Regex> {
    let mut builder = RegexBuilder::new(pattern);
    let built = builder
        .size_limit(REGEX_BYTES)
        .dfa_size_limit(REGEX_BYTES)
        .build();
    built.map_err(|error| StoreError::Query(format!("the filter's pattern: {error}")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn filters_of_pywb() {
        let line = r#"com,a)/p 20200102030405 {"url": "http://a.com/p", "mime": "text/html", "status": "200", "length": "7", "offset": "9", "filename": "a.gz"}"#;
        let capture = Capture::parse(line).unwrap();
        let table = [
            ("status:0", true),
            ("!status:0", false),
            ("=status:200", true),
            ("=statuscode:20", false),
            ("!=status:200", false),
            ("!=status:404", true),
            ("~status:2", true),
            ("~status:0", false),
            ("~status:[23]..", true),
            ("!~mimetype:text/.*", false),
            ("~url:.*/p$", true),
            ("~urlkey:com,(a|b)\\)/", true),
            ("timestamp:2020", true),
            ("digest:x", false),
            ("=digest:", true),
            ("other:", true),
            ("text/html", true),
            ("~com,a", true),
            ("url:http://a", true),
            ("", true),
        ];
        for (text, accepted) in table {
            assert_eq!(
                Filter::parse(text).unwrap().accepts(&capture),
                accepted,
                "{text}"
            );
        }
    }

    #[test]
    fn patterns_that_cannot_be() {
        let long = format!("~url:{}", "a".repeat(5000));
        for text in ["~url:(", "~url:(?=a)", "~url:((a{100}){100}){100}", &long] {
            let error = Filter::parse(text).unwrap_err().to_string();
            assert!(error.contains("filter"), "{error}");
        }
    }
}
