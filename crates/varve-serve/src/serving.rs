//! What all requests share.

use crate::archive::Archive;
use crate::cache::Cache;
use crate::layout::Layout;
use crate::limits::Turns;
use crate::names::OurNames;
use crate::respond::{Led, Press, Rewritten};

/// Bytes of rewritten documents that are kept.
pub(crate) const CACHE_BYTES: usize = 32 << 20;

/// The archive, and everything that is needed to show it.
pub(crate) struct Serving {
    pub(crate) archive: Archive,
    pub(crate) layout: Layout,
    pub(crate) names: OurNames,
    pub(crate) press: Press,
    pub(crate) cache: Cache<Rewritten>,
    pub(crate) led: Led,
    pub(crate) turns: Turns,
}
