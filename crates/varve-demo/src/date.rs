//! Dates as HTTP writes them.

use std::time::{SystemTime, UNIX_EPOCH};

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Now, for a `Date` field.
pub(crate) fn now() -> String {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
    format(elapsed.map_or(0, |elapsed| elapsed.as_secs()))
}

/// Seconds since 1970 as an IMF-fixdate.
pub(crate) fn format(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    format!(
        "{}, {day:02} {} {year} {:02}:{:02}:{:02} GMT",
        DAYS[(days % 7) as usize],
        MONTHS[month],
        rest / 3600,
        rest / 60 % 60,
        rest % 60,
    )
}

/// Year, month (from 0) and day of a day since 1970.
fn civil(mut days: u64) -> (u64, usize, u64) {
    let mut year = 1970;
    while days >= year_length(year) {
        days -= year_length(year);
        year += 1;
    }
    let february = if year_length(year) == 366 { 29 } else { 28 };
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    (year, month, days + 1)
}

fn year_length(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn dates_are_as_in_the_standard() {
        for (seconds, date) in [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
        ] {
            assert_eq!(format(seconds), date);
        }
    }
}
