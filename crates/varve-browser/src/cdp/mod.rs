//! The Chrome DevTools Protocol over a pipe: messages of JSON that end with a NUL byte.
//!
//! A [`Connection`] carries many *sessions*, one for each page, frame or worker we are attached to
//! (the protocol's "flat" mode). Calls are answered by number. Events are not queued: the reading
//! task hands each to the [`Listener`] of its session at once, which keeps what it needs and
//! forgets the rest, so that a page cannot fill our memory with events. Parameters are parsed only
//! by the listener that wants them; events that nobody knows cost a look at their name.

mod connection;
mod error;
mod framing;
mod message;
mod session;

pub(crate) use connection::{Call, Connection, Listener};
pub(crate) use error::CdpError;
pub(crate) use message::Event;
pub(crate) use session::Session;
