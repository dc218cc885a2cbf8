//! The shape of a URL: literals, and holes for what changes with every visit.

use serde::{Deserialize, Serialize};
use url::Url;

use super::parts::without_fragment;
use super::token::{Differing, Volatile, differing};

/// Longest URL that is looked at.
pub(super) const MAX_URL: usize = 8192;
/// Most volatile tokens of a URL.
const MAX_HOLES: usize = 16;

/// One part of a shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Part {
    /// This text.
    Literal(String),
    /// Some token of this kind.
    Volatile(Volatile),
}

/// What URLs have in common that differ only in volatile tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shape(Vec<Part>);

/// The shape of two URLs that differ in nothing but times and random names; none if they differ
/// in more, or not at all.
pub fn volatile(a: &Url, b: &Url) -> Option<Shape> {
    let (a, b) = (without_fragment(a), without_fragment(b));
    if a == b || a.len().max(b.len()) > MAX_URL {
        return None;
    }
    let (mut a, mut b) = (a.as_str(), b.as_str());
    let mut parts = Vec::new();
    while a != b {
        if parts.len() >= 2 * MAX_HOLES {
            return None;
        }
        let found: Differing = differing(a, b, common(a, b))?;
        parts.push(Part::Literal(a[..found.a.start].to_owned()));
        parts.push(Part::Volatile(found.kind));
        (a, b) = (&a[found.a.end..], &b[found.b.end..]);
    }
    parts.push(Part::Literal(a.to_owned()));
    Some(Shape::new(parts))
}

/// How many bytes two texts have in common at their beginnings. (URLs are ASCII.)
pub(super) fn common(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count()
}

impl Shape {
    pub(super) fn new(parts: Vec<Part>) -> Shape {
        let empty = |part: &Part| matches!(part, Part::Literal(text) if text.is_empty());
        Shape(parts.into_iter().filter(|part| !empty(part)).collect())
    }

    /// Whether a URL has this shape.
    pub fn matches(&self, url: &Url) -> bool {
        self.matches_text(&without_fragment(url))
    }

    pub(super) fn matches_text(&self, text: &str) -> bool {
        text.len() <= MAX_URL && text.is_ascii() && fits(&self.0, text)
    }

    /// The literals and tokens that it is made of.
    pub fn parts(&self) -> &[Part] {
        &self.0
    }
}

/// Literals are where they must be; a token ends where the literal behind it is first found with
/// the token being one of its kind.
fn fits(parts: &[Part], mut text: &str) -> bool {
    let mut parts = parts.iter();
    while let Some(part) = parts.next() {
        let rest = match part {
            Part::Literal(literal) => text.strip_prefix(literal.as_str()),
            Part::Volatile(kind) => match parts.next() {
                None => kind.accepts(text).then_some(""),
                Some(Part::Literal(next)) => behind(*kind, next, text),
                // Two tokens without anything between them are never made.
                Some(Part::Volatile(_)) => None,
            },
        };
        let Some(rest) = rest else {
            return false;
        };
        text = rest;
    }
    text.is_empty()
}

/// What is left of a text behind a token and the literal that follows it.
fn behind<'t>(kind: Volatile, next: &str, text: &'t str) -> Option<&'t str> {
    let mut places = text.match_indices(next);
    let (at, next) = places.find(|(at, _)| kind.accepts(&text[..*at]))?;
    Some(&text[at + next.len()..])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn shape(a: &str, b: &str) -> Option<Shape> {
        volatile(&url(a), &url(b))
    }

    #[test]
    fn urls_alike_but_for_times_have_a_shape() {
        let found = shape(
            "https://h/api?p=1&_=1700000000123&r=0.5123412#x",
            "https://h/api?p=1&_=1700000004567&r=0.99181",
        )
        .unwrap();
        for (other, expected) in [
            ("https://h/api?p=1&_=1700009999999&r=0.1", true),
            ("https://h/api?p=1&_=1700009999999&r=0.1#y", true),
            ("https://h/api?p=2&_=1700009999999&r=0.1", false),
            ("https://h/api?p=1&_=soon&r=0.1", false),
            ("https://h/api?p=1&_=1700009999999&r=0.1&more=1", false),
            ("https://h/api?p=1&_=1700009999999", false),
        ] {
            assert_eq!(found.matches(&url(other)), expected, "{other}");
        }
    }

    #[test]
    fn urls_that_differ_in_more_have_none() {
        assert_eq!(shape("https://h/a", "https://h/a#b"), None);
        assert_eq!(
            shape("https://h/a?_=1700000000", "https://h/b?_=1700000001"),
            None
        );
        assert_eq!(shape("https://h/api?page=1", "https://h/api?page=2"), None);
    }

    #[test]
    fn a_shape_survives_being_stored() {
        let found = shape("https://h/?_=1700000000", "https://h/?_=1700000001").unwrap();
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<Shape>(&text).unwrap(), found);
    }
}
