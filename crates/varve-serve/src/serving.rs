//! What all requests share.

use crate::admin::Admin;
use crate::archive::Archive;
use crate::cache::Cache;
use crate::downloads::Downloads;
use crate::holdings::Holdings;
use crate::layout::Layout;
use crate::limits::Turns;
use crate::metrics::Metrics;
use crate::names::OurNames;
use crate::open_pages::OpenPages;
use crate::respond::{Led, Press, Ready, Rewritten, WholeScripts};
use crate::search::Search;
use crate::server::Means;

/// Bytes of rewritten documents that are kept, whatever page and time they are for.
pub(crate) const CACHE_BYTES: usize = 12 << 20;
/// Bytes of answers that are kept; most of them are rewritten documents, too.
pub(crate) const READY_BYTES: usize = 24 << 20;

/// The archive, and everything that is needed to show it.
pub(crate) struct Serving {
    pub(crate) archive: Archive,
    pub(crate) search: Search,
    pub(crate) means: Means,
    pub(crate) layout: Layout,
    pub(crate) names: OurNames,
    pub(crate) press: Press,
    pub(crate) cache: Cache<Rewritten>,
    pub(crate) ready: Cache<Ready>,
    pub(crate) led: Led,
    pub(crate) whole_scripts: WholeScripts,
    pub(crate) open_pages: OpenPages,
    pub(crate) turns: Turns,
    pub(crate) metrics: Metrics,
    pub(crate) downloads: Downloads,
    pub(crate) holdings: Holdings,
    /// Only if somebody may change things.
    pub(crate) admin: Option<Admin>,
}
