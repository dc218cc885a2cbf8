//! Answer HTTP from collections: archived pages as they were, sealed off from the live web.
//!
//! A request names an archived URL and a time by its host and path ([`Layout`]). The capture that
//! answers it is looked up, read, rewritten and sent with walls around it: a policy that denies
//! everything but the archive itself. The archive's own pages are on another origin.
//!
//! In proxy mode ([`ProxyOptions`]) a browser asks for archived URLs as they are, and gets them as
//! they were.
//!
//! Nothing can be changed, unless there is a token for administrators ([`AdminOptions`]).
//!
//! [`Server`] is the whole of it. Nothing here can contact the network: this crate links no client.

mod admin;
mod archive;
mod cache;
mod cors;
mod downloads;
mod error;
mod holdings;
mod interfaces;
mod isolation;
mod layout;
mod limits;
mod lookup;
mod markup;
mod metrics;
mod names;
mod open_pages;
mod peer;
mod proxy;
mod replay;
mod respond;
mod search;
mod seats;
mod server;
mod serving;
mod ui;

pub use admin::AdminOptions;
pub use error::ServeError;
pub use layout::{Asked, HostLayout, Layout, MapAt, PathLayout, When};
pub use markup::Markup;
pub use names::PublicOrigin;
pub use proxy::{ProxyActivity, ProxyFacts, ProxyOptions, ProxyTraffic};
pub use respond::Restored;
pub use server::{LayoutChoice, Means, ServeOptions, Server};
