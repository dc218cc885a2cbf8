//! The digit forms: `YYYYMMDDhhmmss` with optional milliseconds, whole or cut short.

use super::civil::{Civil, days_in_month};
use super::{Precision, Timestamp, TimestampError};

const FULL: &str = "14 or 17 digits";
const PARTIAL: &str = "4 to 17 digits";

impl Timestamp {
    /// Reads exactly 14 or 17 digits that name a possible moment.
    pub fn parse(text: &str) -> Result<Timestamp, TimestampError> {
        let precision = match text.len() {
            14 => Precision::Seconds,
            17 => Precision::Millis,
            _ => return Err(TimestampError::Shape(FULL)),
        };
        let digits = Digits::pad(text, b'0').ok_or(TimestampError::Shape(FULL))?;
        Timestamp::from_civil(digits.civil(), precision)
    }

    /// Makes the best of wild input: keeps its digits, fills missing fields with their earliest
    /// value and pulls impossible ones into range. `None` with fewer than four digits.
    pub fn parse_lenient(text: &str) -> Option<Timestamp> {
        let kept: String = text.chars().filter(char::is_ascii_digit).take(17).collect();
        if kept.len() < 4 {
            return None;
        }
        // A fraction that is not whole milliseconds is dropped.
        let (used, precision) = match kept.len() {
            17 => (17, Precision::Millis),
            length => (length.min(14), Precision::Seconds),
        };
        let civil = clamp(Digits::pad(&kept[..used], b'0')?.civil());
        Timestamp::from_civil(civil, precision).ok()
    }

    /// The first instant of the span that 4 to 17 digits name: `2014` is the start of 2014.
    pub fn earliest_of(text: &str) -> Result<Timestamp, TimestampError> {
        span_of(text).map(|(first, _)| first)
    }

    /// The last instant of the span that 4 to 17 digits name: `201402` ends on 28 February.
    pub fn latest_of(text: &str) -> Result<Timestamp, TimestampError> {
        span_of(text).map(|(_, last)| last)
    }

    /// 14 digits, whatever the precision.
    pub fn digits14(self) -> String {
        let mut text = self.digits17();
        text.truncate(14);
        text
    }

    /// 17 digits, whatever the precision.
    pub fn digits17(self) -> String {
        let c = self.civil();
        let mut text = [b'0'; 17];
        let fields = [
            (4, c.year),
            (6, c.month),
            (8, c.day),
            (10, c.hour),
            (12, c.minute),
            (14, c.second),
            (17, c.milli),
        ];
        for (mut end, mut value) in fields {
            while value > 0 {
                end -= 1;
                text[end] = b'0' + (value % 10) as u8;
                value /= 10;
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    /// 14 or 17 digits, by precision.
    pub fn digits(self) -> String {
        match self.precision {
            Precision::Seconds => self.digits14(),
            Precision::Millis => self.digits17(),
        }
    }
}

/// Seventeen ASCII digits.
struct Digits([u8; 17]);

impl Digits {
    /// Fills a prefix up with one digit; `None` if it is too long or not all digits.
    fn pad(prefix: &str, filler: u8) -> Option<Digits> {
        let mut digits = [filler; 17];
        let head = digits.get_mut(..prefix.len())?;
        head.copy_from_slice(prefix.as_bytes());
        head.iter()
            .all(u8::is_ascii_digit)
            .then_some(Digits(digits))
    }

    fn field(&self, start: usize, end: usize) -> i64 {
        let digits = &self.0[start..end];
        digits.iter().fold(0, |n, d| n * 10 + i64::from(d - b'0'))
    }

    fn civil(&self) -> Civil {
        Civil {
            year: self.field(0, 4),
            month: self.field(4, 6),
            day: self.field(6, 8),
            hour: self.field(8, 10),
            minute: self.field(10, 12),
            second: self.field(12, 14),
            milli: self.field(14, 17),
        }
    }
}

/// Pulls every field into its range, the day into its month.
fn clamp(c: Civil) -> Civil {
    let year = c.year.clamp(1, 9999);
    let month = c.month.clamp(1, 12);
    Civil {
        year,
        month,
        day: c.day.clamp(1, days_in_month(year, month)),
        hour: c.hour.min(23),
        minute: c.minute.min(59),
        second: c.second.min(59),
        milli: c.milli,
    }
}

/// First and last instant named by 4 to 17 digits.
///
/// A cut may fall inside a field (`20141` is October to December): the ends are then the
/// smallest and largest possible completions. Digits that no moment completes are an error.
fn span_of(text: &str) -> Result<(Timestamp, Timestamp), TimestampError> {
    if !(4..=17).contains(&text.len()) {
        return Err(TimestampError::Shape(PARTIAL));
    }
    let low = Digits::pad(text, b'0').ok_or(TimestampError::Shape(PARTIAL))?;
    let high = Digits::pad(text, b'9').ok_or(TimestampError::Shape(PARTIAL))?;
    let (low, high) = (clamp(low.civil()), clamp(high.civil()));
    let precision = if text.len() > 14 {
        Precision::Millis
    } else {
        Precision::Seconds
    };
    let first = Timestamp::from_civil(low, precision)?;
    let last = Timestamp::from_civil(high, Precision::Millis)?;
    // Clamping must not have left the span: "20141399" has no completion at all.
    let inside = |t: Timestamp| t.digits17().starts_with(text);
    match inside(first) && inside(last) {
        true => Ok((first, last)),
        false => Err(TimestampError::Calendar),
    }
}
