//! Exchanges to records on disk and back, by key and time.
//!
//! The archive stem's storage: WARC framing ([`warc`]), the sorted index ([`index`]) and the file
//! system beneath them ([`fs`]). Nothing here looks inside a body.

pub mod audit;
pub mod collection;
mod error;
pub mod export;
pub mod fs;
pub mod http;
pub mod index;
pub mod wacz;
pub mod warc;
pub mod world;

pub use error::{Result, StoreError};
