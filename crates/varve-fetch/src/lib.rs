//! One request out, one exchange back: resolve, check, connect, tap the bytes.
//!
//! All outbound traffic of Varve passes here. A host name is resolved once, every address it has
//! is checked against the policy ([`AddressPolicy`]), and the connection goes to an address that
//! was checked. What was sent and received is kept byte for byte in an [`Exchange`].

mod body;
mod call;
mod connect;
mod earlier;
mod error;
mod exchange;
mod fetcher;
mod http1;
mod http2;
mod incoming;
mod lane;
mod limits;
mod pool;
mod request;
mod reuse;
mod rules;
mod trouble;
mod turns;
mod upgrade;

pub use body::{Spool, Spooled};
pub use connect::{
    AddressPolicy, FetchSetupError, MapHost, MapHostError, Resolve, ResolveError, Resolving,
    SystemResolver, Trust,
};
pub use earlier::{Asked, Earlier, Held, Original, ReadBody, Unchanged, opens_to};
pub use error::FetchError;
pub use exchange::{Exchange, Protocol, Truncation};
pub use fetcher::{FetchOptions, Fetcher};
pub use incoming::{Framing, Incoming};
pub use limits::Limits;
pub use request::Request;
pub use reuse::{Begin, Reuse, Ticket, may_keep};
pub use rules::RequestRules;
pub use upgrade::{Duplex, Upgrade};
