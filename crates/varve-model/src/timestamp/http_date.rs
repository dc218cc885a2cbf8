//! HTTP dates (RFC 9110, section 5.6.7): one form is written, three are read.

use super::civil::Civil;
use super::{Precision, Timestamp, TimestampError};

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const SHAPE: TimestampError = TimestampError::Shape("an HTTP date");

impl Timestamp {
    /// `Sun, 16 Feb 2014 05:02:21 GMT`; milliseconds are dropped.
    pub fn http_date(self) -> String {
        let c = self.civil();
        let day = DAYS[c.weekday()];
        // Months of a civil date are within 1..=12.
        let month = MONTHS[(c.month - 1) as usize];
        format!(
            "{day}, {:02} {month} {:04} {:02}:{:02}:{:02} GMT",
            c.day, c.year, c.hour, c.minute, c.second
        )
    }

    /// Reads an IMF-fixdate, an RFC 850 date or an asctime date.
    ///
    /// The weekday is not checked. A two-digit year of RFC 850 below 70 belongs to this
    /// century, as in every mail reader: the rule of RFC 9110 needs a clock, which a pure
    /// value has not.
    pub fn parse_http_date(text: &str) -> Result<Timestamp, TimestampError> {
        let words: Vec<&str> = text.split_ascii_whitespace().take(8).collect();
        let civil = match words.as_slice() {
            [_, day, month, year, time, zone] if is_utc(zone) => civil(year, month, day, time)?,
            [_, date, time, zone] if is_utc(zone) => {
                let mut parts = date.splitn(3, '-');
                let mut part = || parts.next().ok_or(SHAPE);
                let (day, month, year) = (part()?, part()?, part()?);
                civil(year, month, day, time)?
            }
            [_, month, day, time, year] => civil(year, month, day, time)?,
            _ => return Err(SHAPE),
        };
        Timestamp::from_civil(civil, Precision::Seconds)
    }
}

fn is_utc(zone: &str) -> bool {
    ["GMT", "UTC", "+0000"]
        .iter()
        .any(|z| z.eq_ignore_ascii_case(zone))
}

fn civil(year: &str, month: &str, day: &str, time: &str) -> Result<Civil, TimestampError> {
    let month = MONTHS.iter().position(|m| m.eq_ignore_ascii_case(month));
    let mut fields = time.splitn(3, ':');
    let mut field = || number(fields.next().ok_or(SHAPE)?, 2);
    let (hour, minute, second) = (field()?, field()?, field()?);
    Ok(Civil {
        month: month.ok_or(SHAPE)? as i64 + 1,
        day: number(day, 2)?,
        hour,
        minute,
        second,
        ..Civil::start_of(full_year(year)?)
    })
}

fn full_year(year: &str) -> Result<i64, TimestampError> {
    let n = number(year, 4)?;
    Ok(match year.len() {
        2 if n < 70 => n + 2000,
        2 => n + 1900,
        _ => n,
    })
}

/// One to `most` digits.
fn number(text: &str, most: usize) -> Result<i64, TimestampError> {
    let fits = !text.is_empty() && text.len() <= most;
    if !fits || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(SHAPE);
    }
    text.parse().map_err(|_| SHAPE)
}
