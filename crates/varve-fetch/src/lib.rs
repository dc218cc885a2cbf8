//! One request out, one exchange back: resolve, check, connect, tap the bytes.
//!
//! All outbound traffic of Varve passes here. A host name is resolved once, every address it has
//! is checked against the policy ([`AddressPolicy`]), and the connection goes to an address that
//! was checked. What was sent and received is kept byte for byte in an [`Exchange`].

mod body;
mod error;
mod exchange;
mod limits;
mod request;

pub use body::{Spool, Spooled};
pub use error::FetchError;
pub use exchange::{Exchange, Protocol, Truncation};
pub use limits::Limits;
pub use request::Request;
