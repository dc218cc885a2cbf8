//! The proleptic Gregorian calendar: fields to milliseconds and back.
//!
//! Days are counted in years that start in March, so that the leap day is the last of its year
//! and the month lengths follow one linear formula.

/// The first and last millisecond a timestamp can hold: years 1 to 9999.
pub(super) const MILLIS_RANGE: (i64, i64) = (-62_135_596_800_000, 253_402_300_799_999);

pub(super) const MILLIS_PER_DAY: i64 = 86_400_000;
const DAYS_PER_ERA: i64 = 146_097; // 400 years
const EPOCH_FROM_MARCH_YEAR_0: i64 = 719_468; // 0000-03-01 to 1970-01-01

/// Calendar fields, not necessarily possible ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Civil {
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
    pub(super) milli: i64,
}

impl Civil {
    /// The first moment of a year.
    pub(super) const fn start_of(year: i64) -> Civil {
        Civil {
            year,
            month: 1,
            day: 1,
            hour: 0,
            minute: 0,
            second: 0,
            milli: 0,
        }
    }

    /// Milliseconds since 1970, or `None` when the calendar has no such moment.
    ///
    /// A second of 60 is impossible here: POSIX time has no leap seconds, and WARC writers
    /// clamp them.
    pub(super) fn to_millis(self) -> Option<i64> {
        let possible = (1..=9999).contains(&self.year)
            && (1..=12).contains(&self.month)
            && (1..=days_in_month(self.year, self.month)).contains(&self.day)
            && (0..24).contains(&self.hour)
            && (0..60).contains(&self.minute)
            && (0..60).contains(&self.second)
            && (0..1000).contains(&self.milli);
        let seconds = (self.hour * 60 + self.minute) * 60 + self.second;
        possible.then(|| self.days() * MILLIS_PER_DAY + seconds * 1000 + self.milli)
    }

    pub(super) fn from_millis(millis: i64) -> Civil {
        let of_day = millis.rem_euclid(MILLIS_PER_DAY);
        let (year, month, day) = date_of(millis.div_euclid(MILLIS_PER_DAY));
        Civil {
            year,
            month,
            day,
            hour: of_day / 3_600_000,
            minute: of_day / 60_000 % 60,
            second: of_day / 1000 % 60,
            milli: of_day % 1000,
        }
    }

    /// Days since 1970.
    fn days(self) -> i64 {
        let year = if self.month <= 2 {
            self.year - 1
        } else {
            self.year
        };
        let of_era = year.rem_euclid(400);
        let month_from_march = (self.month + 9) % 12;
        let of_year = (153 * month_from_march + 2) / 5 + self.day - 1;
        year.div_euclid(400) * DAYS_PER_ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year
            - EPOCH_FROM_MARCH_YEAR_0
    }

    /// 0 for Sunday.
    pub(super) fn weekday(self) -> usize {
        // 1970 began on a Thursday; the remainder is within 0..7.
        (self.days() + 4).rem_euclid(7) as usize
    }
}

/// The year, month and day of a day counted from 1970.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + EPOCH_FROM_MARCH_YEAR_0;
    let of_era = days.rem_euclid(DAYS_PER_ERA);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year + days.div_euclid(DAYS_PER_ERA) * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// How many days a month has; 0 for a month that is none.
pub(super) fn days_in_month(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    }
}
