//! Why aggregating cannot begin.

use crate::map::MapError;
use crate::trouble::Trouble;
use std::net::SocketAddr;
use varve_fetch::FetchSetupError;

/// What keeps an aggregator from starting, or from using a map.
#[derive(Debug, thiserror::Error)]
pub enum AggregateError {
    /// Requests cannot be sent.
    #[error(transparent)]
    Fetch(#[from] FetchSetupError),
    /// The list of archives cannot be had.
    #[error(transparent)]
    List(#[from] Trouble),
    /// The list of archives is nowhere.
    #[error("that is no URL")]
    ListAddress,
    /// The address is taken, or is not ours.
    #[error("cannot listen on {address}: {error}; choose another with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// A map cannot be used.
    #[error("{0}; its archive is asked about every URL")]
    Map(#[from] MapError),
}
