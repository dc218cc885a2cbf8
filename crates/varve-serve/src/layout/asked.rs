//! What a request asks for, in the archive's own words.

use url::Url;
use varve_model::{Modifier, Timestamp};

/// An archived URL, a time, and perhaps a word on how the answer is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The archived URL, without a fragment.
    pub url: Url,
    /// When.
    pub when: When,
    /// How the answer is used, if the URL says so.
    pub modifier: Option<Modifier>,
}

/// The time that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// A moment, told to the second.
    At(Timestamp),
    /// A year, a month or the like: its beginning.
    Around(Timestamp),
    /// The latest there is.
    Latest,
}

impl When {
    /// The moment to which captures should be near; the far future for the latest.
    pub fn moment(self) -> Timestamp {
        match self {
            When::At(time) | When::Around(time) => time,
            When::Latest => Timestamp::parse("99991231235959")
                .unwrap_or_else(|_| unreachable!("a date of the calendar")),
        }
    }
}
