//! `Timestamp`: when something was captured, as archives write it.
//!
//! A timestamp is an instant of UTC, to the millisecond, that remembers how precisely it was
//! told: to the second (14 digits, `20140216050221`) or to the millisecond (17 digits). Every
//! text form of the archive is read and written here or in a submodule: digits (CDX, replay
//! URLs), W3C (WARC-Date), HTTP dates (Memento). Time zones, clocks and leap seconds are left
//! to others: WARC knows only UTC, and this crate never asks what time it is.

mod civil;
mod digits;
mod http_date;
mod partial;
mod w3c;

use civil::Civil;
pub use partial::PartialTimestamp;
use std::fmt;

/// How precisely a [`Timestamp`] was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Precision {
    Seconds,
    Millis,
}

/// An instant of UTC between the years 1 and 9999, told to the second or the millisecond.
///
/// Order is by instant; of two equal instants the less precise comes first, as its digits
/// would in a sorted index.
///
/// ```
/// use varve_model::Timestamp;
/// let seen = Timestamp::parse_w3c("2014-02-16T05:02:21Z")?;
/// assert_eq!(seen.digits(), "20140216050221");
/// assert_eq!(seen.http_date(), "Sun, 16 Feb 2014 05:02:21 GMT");
/// assert!(seen < Timestamp::parse("20140216050221001")?);
/// # Ok::<(), varve_model::TimestampError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    millis: i64,
    precision: Precision,
}

/// Why a text is not a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TimestampError {
    /// The text has the wrong shape: length, separators or characters.
    #[error("not a timestamp: expected {0}")]
    Shape(&'static str),
    /// The shape is right but the calendar has no such moment.
    #[error("no such moment in the calendar")]
    Calendar,
}

impl Timestamp {
    /// The instant `millis` milliseconds after 1970, told to the millisecond; `None` outside
    /// the years 1 to 9999.
    pub fn from_unix_millis(millis: i64) -> Option<Timestamp> {
        let (first, last) = civil::MILLIS_RANGE;
        (first..=last).contains(&millis).then_some(Timestamp {
            millis,
            precision: Precision::Millis,
        })
    }

    /// Milliseconds since 1970, negative before.
    pub fn unix_millis(self) -> i64 {
        self.millis
    }

    /// The same moment told to the second only.
    pub fn to_seconds(self) -> Timestamp {
        Timestamp {
            millis: self.millis.div_euclid(1000) * 1000,
            precision: Precision::Seconds,
        }
    }

    /// The same day of an earlier month, or the last day of that month if it is shorter.
    pub(crate) fn months_earlier(self, months: i64) -> Option<Timestamp> {
        let mut civil = self.civil();
        let month = civil.year * 12 + civil.month - 1 - months;
        civil.year = month.div_euclid(12);
        civil.month = month.rem_euclid(12) + 1;
        civil.day = civil.day.min(civil::days_in_month(civil.year, civil.month));
        Timestamp::from_civil(civil, self.precision).ok()
    }

    pub(crate) fn days_earlier(self, days: i64) -> Option<Timestamp> {
        let millis = self.millis - days * civil::MILLIS_PER_DAY;
        let earlier = Timestamp::from_unix_millis(millis)?;
        Some(Timestamp {
            precision: self.precision,
            ..earlier
        })
    }

    /// Calendar fields, or the error every parser gives for impossible ones.
    fn from_civil(civil: Civil, precision: Precision) -> Result<Timestamp, TimestampError> {
        let millis = civil.to_millis().ok_or(TimestampError::Calendar)?;
        Ok(Timestamp { millis, precision })
    }

    fn civil(self) -> Civil {
        Civil::from_millis(self.millis)
    }
}

impl fmt::Display for Timestamp {
    /// Writes [`Timestamp::digits`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.digits())
    }
}

#[cfg(test)]
mod tests;
