//! Why a call to the browser gave nothing.

/// Why a call to the browser gave nothing.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum CdpError {
    /// The browser is gone, or no longer reads what we send.
    #[error("the browser is gone")]
    Closed,
    /// No answer in time.
    #[error("{method}: no answer from the browser in time")]
    Timeout {
        /// The call.
        method: &'static str,
    },
    /// The browser says no.
    #[error("{method}: {message}")]
    Refused {
        /// The call.
        method: &'static str,
        /// What it says.
        message: String,
    },
    /// The answer is not what the protocol promises.
    #[error("{method}: the browser's answer makes no sense ({cause})")]
    Unreadable {
        /// The call.
        method: &'static str,
        /// What is wrong with it.
        cause: String,
    },
}
