//! Why a connection gave no response head, before it is known whether another may.

/// What went wrong between a request and its head.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The connection ended.
    Closed {
        /// Whether part of a response was there.
        answered: bool,
    },
    /// The server says that it did not look at the request (HTTP/2).
    Refused,
    /// The server is leaving, and may not have looked at the request (HTTP/2).
    Leaving,
    /// The server wants to be asked in HTTP/1.1 (HTTP/2).
    WantsHttp1,
    /// It took too long.
    Time,
    /// It is not HTTP.
    Malformed(String),
    /// It is too much.
    Limit(String),
    /// The request cannot be written.
    Request(String),
}
