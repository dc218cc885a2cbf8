//! `Frequency`: how much an archive holds under a key.
//!
//! Written `[URI-M][+-~][/[URI-R][+-~]]`: how many mementos, and of how many originals. Either may
//! be left out, and either may be a bound or a guess. Nothing but `0` says that nothing is held.

use std::fmt;

/// How far a number can be relied on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Precision {
    /// There is no number.
    #[default]
    Unknown,
    Exact,
    AtLeast,
    AtMost,
    About,
}

/// A number, and how far it can be relied on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Count {
    number: u64,
    precision: Precision,
}

impl Count {
    /// Exactly so many.
    pub const fn exactly(number: u64) -> Count {
        Count {
            number,
            precision: Precision::Exact,
        }
    }

    /// Nobody knows how many.
    pub const UNKNOWN: Count = Count {
        number: 0,
        precision: Precision::Unknown,
    };

    /// The number, as far as it is known.
    pub fn number(self) -> Option<u64> {
        (self.precision != Precision::Unknown).then_some(self.number)
    }

    fn parse(text: &[u8]) -> Option<Count> {
        let (digits, precision) = match text.split_last() {
            None => return Some(Count::UNKNOWN),
            Some((b'+', digits)) => (digits, Precision::AtLeast),
            Some((b'-', digits)) => (digits, Precision::AtMost),
            Some((b'~', digits)) => (digits, Precision::About),
            Some(_) => (text, Precision::Exact),
        };
        let number = number(digits)?;
        Some(Count { number, precision })
    }

    /// Both together. What is unknown adds nothing but doubt: the sum is a lower bound then.
    fn plus(self, other: Count) -> Count {
        use Precision::{About, AtLeast, AtMost, Exact, Unknown};
        let precision = match (self.precision, other.precision) {
            (Unknown, Unknown) => Unknown,
            (Unknown, AtLeast | Exact) | (AtLeast | Exact, Unknown) => AtLeast,
            (Unknown, _) | (_, Unknown) => About,
            (Exact, one) | (one, Exact) => one,
            (AtLeast, AtLeast) => AtLeast,
            (AtMost, AtMost) => AtMost,
            _ => About,
        };
        Count {
            number: self.number.saturating_add(other.number),
            precision,
        }
    }

    fn write(self, out: &mut Vec<u8>) {
        let mark: &[u8] = match self.precision {
            Precision::Unknown => return,
            Precision::Exact => b"",
            Precision::AtLeast => b"+",
            Precision::AtMost => b"-",
            Precision::About => b"~",
        };
        push_number(out, self.number);
        out.extend_from_slice(mark);
    }
}

/// How much an archive holds under a key.
///
/// ```
/// use varve_mementomap::Frequency;
/// let both = Frequency::parse(b"400+/100").unwrap().plus(Frequency::parse(b"20/5~").unwrap());
/// assert_eq!(both.to_string(), "420+/105~");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frequency {
    mementos: Count,
    originals: Count,
}

impl Frequency {
    /// Nothing is held.
    pub const NONE: Frequency = Frequency::mementos_only(0);

    /// So many mementos, of nobody knows how many originals.
    pub const fn mementos_only(number: u64) -> Frequency {
        Frequency {
            mementos: Count::exactly(number),
            originals: Count::UNKNOWN,
        }
    }

    /// So many mementos of so many originals.
    pub const fn exactly(mementos: u64, originals: u64) -> Frequency {
        Frequency {
            mementos: Count::exactly(mementos),
            originals: Count::exactly(originals),
        }
    }

    /// Reads `[URI-M][+-~][/[URI-R][+-~]]`.
    pub fn parse(text: &[u8]) -> Option<Frequency> {
        // Nearly all are mere numbers.
        if let Some(number) = number(text) {
            return Some(Frequency::mementos_only(number));
        }
        let (mementos, originals) = match memchr::memchr(b'/', text) {
            Some(at) => (&text[..at], &text[at + 1..]),
            None if text.is_empty() => return None,
            None => (text, &b""[..]),
        };
        Some(Frequency {
            mementos: Count::parse(mementos)?,
            originals: Count::parse(originals)?,
        })
    }

    /// How many mementos.
    pub fn mementos(self) -> Count {
        self.mementos
    }

    /// Of how many originals.
    pub fn originals(self) -> Count {
        self.originals
    }

    /// Whether this says that nothing can be had: no mementos, whether originals are known or not.
    pub fn is_none(self) -> bool {
        self.mementos.number == 0
            && matches!(
                self.mementos.precision,
                Precision::Exact | Precision::AtMost
            )
    }

    /// What both hold together.
    #[inline]
    pub fn plus(self, other: Frequency) -> Frequency {
        if let (Some(one), Some(more)) = (self.mere_number(), other.mere_number()) {
            return Frequency::mementos_only(one.saturating_add(more));
        }
        Frequency {
            mementos: self.mementos.plus(other.mementos),
            originals: self.originals.plus(other.originals),
        }
    }

    /// The exact number of mementos, if nothing else is known: so it is of nearly all.
    #[inline]
    fn mere_number(self) -> Option<u64> {
        let Frequency {
            mementos,
            originals,
        } = self;
        let exact = mementos.precision == Precision::Exact;
        (exact && originals.precision == Precision::Unknown).then_some(mementos.number)
    }

    /// Appends the text.
    #[inline]
    pub fn write(self, out: &mut Vec<u8>) {
        if let Some(number) = self.mere_number() {
            return push_number(out, number);
        }
        self.mementos.write(out);
        let originals = self.originals.precision != Precision::Unknown;
        if originals || self.mementos.precision == Precision::Unknown {
            out.push(b'/');
            self.originals.write(out);
        }
    }
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::with_capacity(24);
        self.write(&mut text);
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

/// A number of at most 18 digits.
#[inline]
pub(crate) fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut number = 0;
    for digit in digits {
        let value = digit.wrapping_sub(b'0');
        if value > 9 {
            return None;
        }
        number = number * 10 + u64::from(value);
    }
    Some(number)
}

/// Appends a number in decimal: `write!` is too slow for millions of lines.
#[inline]
pub(crate) fn push_number(out: &mut Vec<u8>, mut number: u64) {
    if number < 10 {
        return out.push(b'0' + number as u8);
    }
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parse(text: &str) -> Option<Frequency> {
        Frequency::parse(text.as_bytes())
    }

    #[test]
    fn every_form_is_read_and_written() {
        for text in [
            "0",
            "7",
            "300+",
            "300-",
            "300~",
            "/",
            "/50",
            "/50+",
            "400/100",
            "400+/100~",
            "0/20",
        ] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        // The slash may stand alone behind the mementos; it says nothing.
        assert_eq!(parse("200/").unwrap().to_string(), "200");
    }

    #[test]
    fn what_is_no_frequency_is_refused() {
        for text in [
            "",
            "x",
            "-",
            "+",
            "1x",
            "1//2",
            "1/2/3",
            "+1",
            "-1",
            "1.5",
            "1 ",
            "9999999999999999999",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn sums_say_how_far_they_can_be_relied_on() {
        for (one, other, sum) in [
            ("1", "2", "3"),
            ("1+", "2", "3+"),
            ("1-", "2-", "3-"),
            ("1+", "2-", "3~"),
            ("1", "/", "1+"),
            ("/", "/", "/"),
            ("1/1", "2/2", "3/3"),
            ("1/1", "2", "3/1+"),
            ("0", "5", "5"),
        ] {
            let (first, second) = (parse(one).unwrap(), parse(other).unwrap());
            assert_eq!(first.plus(second).to_string(), sum, "{one} and {other}");
            assert_eq!(second.plus(first).to_string(), sum, "{other} and {one}");
        }
    }

    #[test]
    fn only_zero_mementos_mean_that_nothing_is_held() {
        for (text, expected) in [
            ("0", true),
            ("0/20", true),
            ("0-", true),
            ("0+", false),
            ("0~", false),
            ("/", false),
            ("/0", false),
            ("1", false),
        ] {
            assert_eq!(parse(text).unwrap().is_none(), expected, "{text}");
        }
    }
}
