//! `PartialTimestamp`: as much of a timestamp as someone typed.

use super::Timestamp;
use std::fmt;

/// Zero to seventeen digits of a timestamp, as replay URLs and queries hold them: `2014` is a
/// year, no digits at all mean any time.
///
/// ```
/// use varve_model::PartialTimestamp;
/// let year = PartialTimestamp::parse("2014").expect("digits");
/// assert_eq!(year.latest().expect("not empty").digits14(), "20141231235959");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct PartialTimestamp(String);

impl PartialTimestamp {
    /// Takes up to 17 digits; `None` for anything else.
    pub fn parse(text: &str) -> Option<PartialTimestamp> {
        let fits = text.len() <= 17 && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| PartialTimestamp(text.to_owned()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first instant that it may mean; `None` if it is empty.
    ///
    /// Digits that no moment completes are pulled into range: people edit timestamps by hand.
    pub fn earliest(&self) -> Option<Timestamp> {
        let digits = self.with_whole_year('0')?;
        Timestamp::earliest_of(&digits)
            .ok()
            .or_else(|| Timestamp::parse_lenient(&digits))
    }

    /// The last instant that it may mean; `None` if it is empty.
    pub fn latest(&self) -> Option<Timestamp> {
        let digits = self.with_whole_year('9')?;
        Timestamp::latest_of(&digits)
            .ok()
            .or_else(|| Timestamp::parse_lenient(&digits))
    }

    fn with_whole_year(&self, filler: char) -> Option<String> {
        let mut digits = self.0.clone();
        while !digits.is_empty() && digits.len() < 4 {
            digits.push(filler);
        }
        (!digits.is_empty()).then_some(digits)
    }
}

impl From<Timestamp> for PartialTimestamp {
    fn from(timestamp: Timestamp) -> PartialTimestamp {
        PartialTimestamp(timestamp.digits())
    }
}

impl fmt::Display for PartialTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
