//! Which scripts of third parties cannot work in an archive, by lists of rules.
//!
//! What counts visits, chooses ads or asks a server for permission does nothing in an archived
//! page, and costs room and time. A [`Filter`] knows such scripts by lists in the syntax of
//! EasyList: one of our own ([`List::own`]), and any others. Whatever a list says, it is only ever
//! asked about scripts of other sites than the page's own.
//!
//! Every decision names its rule, so that it can be understood and undone. Nothing here reads
//! files or contacts anybody.

mod filter;
mod list;
mod site;

pub use filter::{Decision, Filter};
pub use list::{List, Rule};
pub use site::{is_same_site, registrable};
