//! Visit the live web and hand over exchanges.
//!
//! A page is visited in one of two tiers ([`Tier`]): read over HTTP, or loaded in Chromium. Both
//! give what they receive to one ledger, which writes it into a new layer of a collection and
//! keeps the account: every request is recorded, reused, or failed for a reason.

mod account;
mod admission;
mod asking;
mod browser_tier;
mod crawl;
mod disk;
mod earlier;
mod embeds;
mod followed;
mod foretelling;
pub mod frontier;
mod hall;
mod hosts;
mod http_tier;
mod ledger;
mod lessons;
pub mod live;
mod memory;
mod onward;
mod options;
mod page;
mod phase;
mod probing;
mod ran;
mod records;
pub mod rules;
mod run;
mod samples;
mod scribe;
mod session;
mod state;
mod summary;
mod visit;
mod visiting;

pub use account::{Account, Amount, FoundAndRun, Handlers};
pub use memory::memo_file;
pub use options::{
    CrawlOptions, RobotsPolicy, SitemapPolicy, Technique, Tier, TierChoice, Variants,
};
pub use run::crawl;
pub use session::{CookieLineError, Session, read_cookies};
pub use state::is_interrupted;
pub use summary::{SiteRecall, Summary, Tiers};
pub use url::Url;
pub use varve_browser::{Client, LocalStorage, Profile, ProfileError};
pub use varve_fetch::{AddressPolicy, Limits, MapHost, Trust};
pub use visit::{PageDone, PageLink};

use std::sync::Arc;
use varve_browser::BrowserError;
use varve_browser::proxy::AuthorityError;
use varve_fetch::FetchSetupError;
use varve_store::StoreError;

/// Why a crawl ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The collection cannot be written.
    #[error(transparent)]
    Store(Arc<StoreError>),
    /// Chromium cannot be used.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// The network cannot be used as asked.
    #[error(transparent)]
    Fetch(#[from] FetchSetupError),
    /// The proxy in front of Chromium cannot be set up.
    #[error(transparent)]
    Proxy(#[from] AuthorityError),
    /// No port on loopback is to be had.
    #[error("cannot listen on loopback: {0}")]
    Port(std::io::Error),
    /// The state of the crawl cannot be kept.
    #[error(transparent)]
    Frontier(#[from] frontier::FrontierError),
    /// The directory of that state cannot be made or removed.
    #[error("cannot keep the state of the crawl in {}: {error}", dir.display())]
    State {
        /// The directory.
        dir: std::path::PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The machine has no threads left.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// A bug: a task of the crawl ended by panic.
    #[error("a part of the crawl died; what was saved before is kept")]
    Lost,
}

impl From<StoreError> for CrawlError {
    fn from(error: StoreError) -> CrawlError {
        CrawlError::Store(Arc::new(error))
    }
}
