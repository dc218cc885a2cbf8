//! Who is at the other end of a connection.

use crate::seats::Seats;
use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use std::net::SocketAddr;

/// The address from which a request comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

impl Connected<IncomingStream<'_, Seats>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Seats>) -> Peer {
        Peer(*stream.remote_addr())
    }
}
