//! Periods of the calendar, such as "a year and a day".

use crate::Timestamp;

/// How long something is embargoed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// Years.
    #[serde(default)]
    pub years: u16,
    /// Months.
    #[serde(default)]
    pub months: u16,
    /// Weeks.
    #[serde(default)]
    pub weeks: u16,
    /// Days.
    #[serde(default)]
    pub days: u16,
}

impl Timestamp {
    /// The moment that was so long ago; a day that its month does not have is its last. `None`
    /// before the year 1.
    pub fn before(self, period: Period) -> Option<Timestamp> {
        let months = i64::from(period.years) * 12 + i64::from(period.months);
        let days = i64::from(period.weeks) * 7 + i64::from(period.days);
        self.months_earlier(months)?.days_earlier(days)
    }
}
