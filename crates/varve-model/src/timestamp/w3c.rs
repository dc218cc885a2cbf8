//! The W3C profile of ISO 8601, as WARC-Date uses it: `2014-02-16T05:02:21.118Z`.

use super::civil::Civil;
use super::{Precision, Timestamp, TimestampError};

const SHAPE: TimestampError = TimestampError::Shape("YYYY-MM-DDThh:mm:ss[.fraction]Z");

impl Timestamp {
    /// Reads a WARC-Date, also in the reduced forms of WARC/1.1 (a year, a month, a day, a
    /// minute), which name their first instant.
    ///
    /// Tolerated: a missing `Z`, lower-case `t` and `z`, a space for the `T`, a numeric offset
    /// (applied). A fraction of one to nine digits is kept to the millisecond.
    pub fn parse_w3c(text: &str) -> Result<Timestamp, TimestampError> {
        let mut rest = Cursor(text.trim_ascii().as_bytes());
        let (civil, precision) = rest.date_and_time()?;
        let offset = rest.offset_minutes()?;
        if !rest.0.is_empty() {
            return Err(SHAPE);
        }
        let local = Timestamp::from_civil(civil, precision)?;
        let utc = Timestamp::from_unix_millis(local.millis - offset * 60_000);
        let utc = utc.ok_or(TimestampError::Calendar)?;
        Ok(Timestamp { precision, ..utc })
    }

    /// `2014-02-16T05:02:21Z`, with milliseconds if they are known.
    pub fn w3c(self) -> String {
        let c = self.civil();
        let (year, month, day) = (c.year, c.month, c.day);
        let (hour, minute, second) = (c.hour, c.minute, c.second);
        let to_second = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
        match self.precision {
            Precision::Seconds => to_second + "Z",
            Precision::Millis => format!("{to_second}.{:03}Z", c.milli),
        }
    }
}

/// What is left to read.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    /// Takes one byte if it is among `wanted`.
    fn take(&mut self, wanted: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        wanted.contains(first).then(|| {
            self.0 = rest;
            *first
        })
    }

    /// Takes exactly `count` digits.
    fn number(&mut self, count: usize) -> Result<i64, TimestampError> {
        let (digits, rest) = self.0.split_at_checked(count).ok_or(SHAPE)?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return Err(SHAPE);
        }
        self.0 = rest;
        Ok(digits.iter().fold(0, |n, d| n * 10 + i64::from(d - b'0')))
    }

    fn date_and_time(&mut self) -> Result<(Civil, Precision), TimestampError> {
        let mut civil = Civil::start_of(self.number(4)?);
        if self.take(b"-").is_some() {
            civil.month = self.number(2)?;
            if self.take(b"-").is_some() {
                civil.day = self.number(2)?;
                if self.take(b"Tt ").is_some() {
                    return self.time(civil);
                }
            }
        }
        Ok((civil, Precision::Seconds))
    }

    fn time(&mut self, mut civil: Civil) -> Result<(Civil, Precision), TimestampError> {
        civil.hour = self.number(2)?;
        self.take(b":").ok_or(SHAPE)?;
        civil.minute = self.number(2)?;
        if self.take(b":").is_none() {
            return Ok((civil, Precision::Seconds));
        }
        civil.second = self.number(2)?;
        if self.take(b".,").is_none() {
            return Ok((civil, Precision::Seconds));
        }
        civil.milli = self.fraction()?;
        Ok((civil, Precision::Millis))
    }

    /// One to nine digits of a second, cut to milliseconds.
    fn fraction(&mut self) -> Result<i64, TimestampError> {
        let count = self.0.iter().take_while(|b| b.is_ascii_digit()).count();
        if !(1..=9).contains(&count) {
            return Err(SHAPE);
        }
        let nanos = self.number(count)? * 10_i64.pow(9 - count as u32);
        Ok(nanos / 1_000_000)
    }

    /// `Z`, `+01:00`, `-0530` or nothing.
    fn offset_minutes(&mut self) -> Result<i64, TimestampError> {
        let Some(sign) = self.take(b"Zz+-") else {
            return Ok(0);
        };
        if sign.eq_ignore_ascii_case(&b'z') {
            return Ok(0);
        }
        let hours = self.number(2)?;
        self.take(b":");
        let minutes = self.number(2)?;
        if hours > 23 || minutes > 59 {
            return Err(TimestampError::Calendar);
        }
        let offset = hours * 60 + minutes;
        Ok(if sign == b'-' { -offset } else { offset })
    }
}
