//! Why serving cannot begin.

use std::net::SocketAddr;
use varve_authority::AuthorityError;
use varve_store::StoreError;

/// What keeps a server from starting.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A collection cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The access list cannot be used.
    #[error("{}: {reason}; see docs/access.md for what a rule looks like", file.display())]
    Access {
        /// The list.
        file: std::path::PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file with the administrators' token cannot be used.
    #[error("{}: {reason}", file.display())]
    AdminToken {
        /// The file.
        file: std::path::PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// What administrators do could not be written down.
    #[error("{}: cannot be written: {error}; without a log there is no administration", file.display())]
    AdminLog {
        /// The log.
        file: std::path::PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The address is taken, or is not ours.
    #[error("cannot listen on {address}: {error}; choose another with {option}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The option that names it.
        option: &'static str,
        /// Why not.
        error: std::io::Error,
    },
    /// The proxy has no certificates.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    /// The replay host is not a host name.
    #[error("\"{0}\" is no host name to put archived hosts below; try replay.localhost")]
    ReplayHost(String),
}
