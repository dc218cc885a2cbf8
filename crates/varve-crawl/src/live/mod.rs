//! What a running crawl shows, and what people may change while it runs.
//!
//! [`Live`] is the picture: the crawl tells it what happens, and whoever wants to see (the terminal
//! display, the dashboard, metrics) asks it for a [`Snapshot`]. [`Control`] is the way back: people
//! set what they wish, and the crawl asks it before it goes on. Neither ever makes the crawl wait:
//! locks are held for moments, and everything kept has a bound, however long the crawl.

mod control;
mod exclusions;
mod limits;
mod picture;
mod pulse;
mod series;
mod shared;
mod snapshot;
mod spread;

pub use control::{Control, Settings};
pub use exclusions::BadPattern;
pub use limits::CrawlLimits;
pub use pulse::pulse;
pub use series::{Point, Series};
pub use shared::{Live, Underway};
pub use snapshot::{
    Finished, HostView, InFlight, PageCounts, QueueCounts, RequestCounts, Snapshot, State,
};
pub use spread::{BOUNDS, Spread};
pub use varve_browser::Footprint;
