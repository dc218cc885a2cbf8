//! Tokens that change with every visit: times and random names.
//!
//! What they are is told by two of them that stand in the same place: times are near each other,
//! and random names have nothing in common.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// How far apart two times of visits may be.
const NEAR_SECONDS: u64 = 30 * 24 * 3600;
/// Fewest characters of random names.
const MIN_NAME: usize = 6;
/// Fewest characters of random numbers.
const MIN_NUMBER: usize = 6;
/// Fewest characters of what is packed into one token.
const MIN_PACKED: usize = 20;
/// Longest token that a shape takes for volatile.
const MAX_TOKEN: usize = 4096;
/// By how much lengths of random names may differ: zeros at their ends are not written.
const LENGTHS: usize = 3;

/// Which bytes belong to a token, and of what kind it may then be.
type Trial = (fn(u8) -> bool, &'static [Volatile]);

const TRIALS: [Trial; 2] = [
    (
        is_wide,
        &[Volatile::Uuid, Volatile::Fraction, Volatile::Packed],
    ),
    (
        is_narrow,
        &[
            Volatile::Seconds,
            Volatile::Milliseconds,
            Volatile::Number,
            Volatile::Name,
        ],
    ),
];

/// What kind of token changes with every visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Volatile {
    /// Seconds since 1970.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// A UUID.
    Uuid,
    /// Digits with a point among them: `0.7312`, or a time with its fraction.
    Fraction,
    /// Many digits.
    Number,
    /// Letters and digits in no order.
    Name,
    /// More than a name: base64, or several of the others in one.
    Packed,
}

/// Where two texts begin to differ, the tokens there, if they are volatile: the range in each.
pub(super) struct Differing {
    pub(super) kind: Volatile,
    pub(super) a: Range<usize>,
    pub(super) b: Range<usize>,
}

/// Looks at the tokens around the first difference of two texts.
pub(super) fn differing(a: &str, b: &str, at: usize) -> Option<Differing> {
    // The widest comes first: a part of a UUID is a name as well.
    TRIALS.iter().find_map(|(belongs, kinds)| {
        let (range_a, range_b) = (token(a, at, *belongs)?, token(b, at, *belongs)?);
        let (token_a, token_b) = (&a[range_a.clone()], &b[range_b.clone()]);
        let kind = kinds.iter().find(|kind| kind.fits(token_a, token_b))?;
        Some(Differing {
            kind: *kind,
            a: range_a,
            b: range_b,
        })
    })
}

impl Volatile {
    /// Whether two tokens in the same place are of this kind.
    fn fits(self, a: &str, b: &str) -> bool {
        self.accepts(a) && self.accepts(b) && self.related(a, b)
    }

    fn related(self, a: &str, b: &str) -> bool {
        match self {
            Volatile::Seconds => near(a, b, NEAR_SECONDS),
            Volatile::Milliseconds => near(a, b, NEAR_SECONDS * 1000),
            Volatile::Uuid => true,
            Volatile::Fraction => a.len().max(b.len()) > MIN_NUMBER,
            Volatile::Number => a.len().abs_diff(b.len()) <= LENGTHS && !alike(a, b),
            Volatile::Name => {
                a.len().abs_diff(b.len()) <= LENGTHS && !alike(a, b) && (mixed(a) || mixed(b))
            }
            Volatile::Packed => mixed(a) && mixed(b) && !alike(a, b),
        }
    }

    /// Whether a token alone can be of this kind.
    pub(super) fn accepts(self, token: &str) -> bool {
        let all = |belongs: fn(u8) -> bool| token.bytes().all(belongs);
        let digits = || all(|byte| byte.is_ascii_digit());
        match self {
            Volatile::Seconds => token.len() == 10 && token.starts_with('1') && digits(),
            Volatile::Milliseconds => token.len() == 13 && token.starts_with('1') && digits(),
            Volatile::Uuid => is_uuid(token),
            Volatile::Fraction => is_fraction(token),
            Volatile::Number => (MIN_NUMBER..=20).contains(&token.len()) && digits(),
            Volatile::Name => (MIN_NAME..=64).contains(&token.len()) && all(is_narrow),
            Volatile::Packed => (MIN_PACKED..=MAX_TOKEN).contains(&token.len()) && all(is_wide),
        }
    }
}

fn is_narrow(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn is_wide(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~%+=".contains(&byte)
}

/// The run of bytes around a place. Both texts are the same before it, and so is where it begins.
fn token(text: &str, at: usize, belongs: fn(u8) -> bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let before = bytes.get(..at)?.iter().rev();
    let start = at - before.take_while(|byte| belongs(**byte)).count();
    let after = bytes.get(at..)?.iter();
    let mut start = start;
    let end = at + after.take_while(|byte| belongs(**byte)).count();
    // `name=value` is two tokens: what is before the sign does not change.
    if let Some(sign) = text.get(start..at)?.rfind('=') {
        start += sign + 1;
    }
    (start < end).then_some(start..end)
}

fn near(a: &str, b: &str, within: u64) -> bool {
    match (a.parse::<u64>(), b.parse::<u64>()) {
        (Ok(a), Ok(b)) => a.abs_diff(b) <= within,
        _ => false,
    }
}

/// Whether two tokens have much in common at their ends, as names that count up do.
fn alike(a: &str, b: &str) -> bool {
    let same = |(x, y): &(u8, u8)| x == y;
    let front = a.bytes().zip(b.bytes()).take_while(same).count();
    let back = a
        .bytes()
        .rev()
        .zip(b.bytes().rev())
        .take_while(same)
        .count();
    (front + back) * 2 > a.len().min(b.len())
}

/// Whether digits and letters, small and large, alternate as in no word.
fn mixed(token: &str) -> bool {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        // Signs part words: a change to them says nothing.
        _ => 4,
    };
    let pairs = token.bytes().zip(token.bytes().skip(1));
    let has_digits = token.bytes().any(|byte| byte.is_ascii_digit());
    let changes = |(x, y): &(u8, u8)| class(*x) != class(*y) && class(*x) + class(*y) < 4;
    let changes = pairs.filter(changes).count();
    has_digits && changes >= 3 && changes * 6 >= token.len()
}

fn is_uuid(token: &str) -> bool {
    token.len() == 36
        && token.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_fraction(token: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    token.len() <= 32
        && token
            .split_once('.')
            .is_some_and(|(whole, fraction)| digits(whole) && digits(fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, expected: Option<Volatile>) {
        let at = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
        let found = differing(a, b, at).map(|differing| differing.kind);
        assert_eq!(found, expected, "{a} and {b}");
    }

    #[test]
    fn times_and_random_names_are_volatile() {
        check("t=1700000000", "t=1700003600", Some(Volatile::Seconds));
        check(
            "t=1700000000123",
            "t=1700000009456",
            Some(Volatile::Milliseconds),
        );
        check("r=0.73216512", "r=0.1187", Some(Volatile::Fraction));
        check("cb=84621973", "cb=1735522", Some(Volatile::Number));
        check("/k3j9x0a2bq/", "/9vq2mz71cd/", Some(Volatile::Name));
        check(
            "id=8c2d1f3a-0b1c-4d5e-8f90-0a1b2c3d4e5f",
            "id=8d2d1f3a-1b1c-4d5e-8f90-0a1b2c3d4e5f",
            Some(Volatile::Uuid),
        );
        check(
            "data=eyJhIjoxLCJiIjoiMnh5eiJ9",
            "data=eyJiIjo0LCJhIjoiOTl4eHkifQ%3D",
            Some(Volatile::Packed),
        );
    }

    #[test]
    fn names_that_mean_something_are_not() {
        for (a, b) in [
            ("/page1", "/page2"),
            ("/section10", "/section11"),
            ("/introduction.html", "/installation.html"),
            ("?page=1", "?page=2"),
            ("/1024x768.png", "/1280x720.png"),
            ("t=1700000000", "t=1100000000x"),
            ("id=1000000001", "id=1900000001"),
            ("/2024-01-15-what-is-new-in-5", "/2023-11-02-how-to-do-12"),
            ("/getting-started-with-forms", "/advanced-topics-in-routing"),
        ] {
            check(a, b, None);
        }
    }
}
