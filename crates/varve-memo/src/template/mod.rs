//! URLs that scripts make of what a page gives them.
//!
//! A *template* is literals and *holes*. A hole is filled with a value that the page has without
//! its scripts being run ([`Inputs`]: parts of its URL, attributes, meta tags, JSON), in some
//! *form* (encoded, in lower case, without its extension, resolved as a URL). A template over a
//! *list* gives one URL for each of its values, as lazy loaders do.
//!
//! [`learn`] finds templates that foretell what was observed: two visits are aligned with each
//! other, and what differs must be values of both; whatever another visit contradicts is dropped.
//! Where several inputs have the value of a hole, all of them are kept, until a visit tells them
//! apart or a page shows that they do not agree ([`Expansion::Unsure`]).
//!
//! What changes with every visit (times, random names) belongs to no input: [`volatile`] makes a
//! [`Shape`] of two URLs that differ in nothing else.

mod align;
mod choose;
mod expand;
mod fill;
mod form;
mod inputs;
mod learn;
mod lists;
mod observed;
mod parts;
mod pieces;
mod shape;
mod singles;
mod support;
mod token;

#[cfg(test)]
mod tests;

pub use expand::{Expansion, Template};
pub use form::{Form, Step};
pub use inputs::Inputs;
pub use learn::learn;
pub use observed::Observed;
pub use pieces::{Extractor, Pattern, Piece};
pub use shape::{Part, Shape, volatile};
pub use token::Volatile;
