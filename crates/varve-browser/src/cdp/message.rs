//! What a message is: an answer or an event, its content not yet parsed.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A message from the browser, as far as it must be understood to be delivered.
#[derive(Deserialize)]
pub(crate) struct Incoming<'a> {
    pub(crate) id: Option<u64>,
    #[serde(borrow)]
    pub(crate) method: Option<&'a str>,
    #[serde(borrow, rename = "sessionId")]
    pub(crate) session: Option<&'a str>,
    #[serde(borrow)]
    pub(crate) params: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) result: Option<&'a RawValue>,
    pub(crate) error: Option<Refusal>,
}

/// Why the browser refuses a call.
#[derive(Deserialize)]
pub(crate) struct Refusal {
    pub(crate) message: String,
}

/// A call to the browser.
#[derive(Serialize)]
pub(crate) struct Outgoing<'a, P> {
    pub(crate) id: u64,
    pub(crate) method: &'a str,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<&'a str>,
    pub(crate) params: P,
}

/// Something that happened in the browser.
pub(crate) struct Event<'a> {
    /// The session it belongs to; `None` for the browser itself.
    pub(crate) session: Option<&'a str>,
    /// Its name, such as `Page.loadEventFired`.
    pub(crate) name: &'a str,
    params: Option<&'a RawValue>,
}

impl<'a> Event<'a> {
    pub(crate) fn new(
        session: Option<&'a str>,
        name: &'a str,
        params: Option<&'a RawValue>,
    ) -> Event<'a> {
        Event {
            session,
            name,
            params,
        }
    }

    /// The parameters, if they are what the caller expects. An event that is not is ignored:
    /// protocols change, and no visit should fail for it.
    pub(crate) fn params<T: Deserialize<'a>>(&self) -> Option<T> {
        serde_json::from_str(self.params?.get()).ok()
    }
}
