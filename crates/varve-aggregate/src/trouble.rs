//! Why a peer's answer is missing, or not whole.

use varve_fetch::{FetchError, Truncation};

/// What went wrong with one peer. [`Trouble::reason`] is stable: it stands in answers and metrics.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Trouble {
    /// It could not be asked, or did not answer.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// It answered with an error.
    #[error("it answered with status {0}")]
    Status(u16),
    /// It sends us from one address to the next.
    #[error("it redirects without end")]
    Redirects,
    /// Its answer is shorter than it should be, or longer than we read.
    #[error("its answer was cut ({})", .0.reason())]
    Truncated(Truncation),
    /// Its answer cannot be decoded.
    #[error("its answer cannot be decoded: {0}")]
    Coding(String),
    /// Its answer is no TimeMap.
    #[error("its answer is no TimeMap: {0}")]
    NoTimeMap(&'static str),
    /// It answered with the TimeMap of another URL.
    #[error("it answered about another URL")]
    OtherUrl,
    /// Some of its mementos cannot be what it says they are, and were left out.
    #[error("{0} of its mementos cannot be what it says they are")]
    Lies(u64),
    /// Its TimeMap has more parts or mementos than we read.
    #[error("it has more than is read of one archive")]
    TooMuch,
    /// It did not answer before the others' answers had to be given.
    #[error("it did not answer in time")]
    Deadline,
    /// It has too many requests of ours to answer already.
    #[error("it is still busy with other requests")]
    Busy,
    /// It failed too often a moment ago, and is left alone.
    #[error("it failed before and is left alone for a while")]
    Dormant,
    /// There is no memory for more answers at this moment.
    #[error("there is no room for its answer at this moment")]
    Memory,
}

impl Trouble {
    /// A stable word.
    pub fn reason(&self) -> String {
        match self {
            Trouble::Fetch(error) => error.reason().to_owned(),
            Trouble::Status(status) => format!("status.{status}"),
            Trouble::Redirects => "redirects".to_owned(),
            Trouble::Truncated(why) => why.reason().to_owned(),
            Trouble::Coding(_) => "coding".to_owned(),
            Trouble::NoTimeMap(_) => "malformed".to_owned(),
            Trouble::OtherUrl => "lie.url".to_owned(),
            Trouble::Lies(_) => "lie.mementos".to_owned(),
            Trouble::TooMuch => "limit.mementos".to_owned(),
            Trouble::Deadline => "deadline".to_owned(),
            Trouble::Busy => "busy".to_owned(),
            Trouble::Dormant => "dormant".to_owned(),
            Trouble::Memory => "limit.memory".to_owned(),
        }
    }

    /// Whether it says that the peer is ill, rather than that one answer is bad.
    pub(crate) fn is_illness(&self) -> bool {
        match self {
            Trouble::Fetch(error) => !matches!(
                error,
                FetchError::Scheme(_)
                    | FetchError::Request { .. }
                    | FetchError::Ruled(_)
                    | FetchError::Filtered { .. }
                    | FetchError::Spool(_)
            ),
            Trouble::Status(status) => *status == 429 || *status >= 500,
            Trouble::Truncated(why) => *why != Truncation::Length,
            Trouble::Deadline => true,
            _ => false,
        }
    }
}
