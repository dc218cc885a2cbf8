//! The archive's nouns and their text forms, as pure values: no I/O anywhere.
//!
//! Each noun is one type in one module: what it is, how it is read from the texts of the field
//! (leniently, never panicking on outside input) and the one form in which it
//! is written.
//!
//! | noun | what it is |
//! |---|---|
//! | [`Timestamp`] | when: digits, W3C dates, HTTP dates |
//! | [`Digest`] | the name of some bytes |
//! | [`Surt`] | a URL as a sort key, and [`key_range`] for queries over keys |
//! | [`Capture`] | the index entry of one stored response: one CDXJ line |
//! | [`HttpHead`] | an HTTP head, byte for byte |
//! | [`Link`] | a link of a TimeMap or a `Link` field |
//! | [`TimeMapForm`] | a form in which TimeMaps are written |
//! | [`ReplayUrl`] | what someone asks an archive for |
//! | [`AccessList`] | which captures may be shown |
//! | [`TrimPolicy`] | when two discovered URLs count as one |

mod access;
mod capture;
mod digest;
mod http_head;
mod link_format;
mod replay_url;
mod surt;
mod timemap_form;
mod timestamp;
mod trim;

pub use access::{Access, AccessError, AccessList, Period};
pub use capture::{Capture, CdxjError, CdxjLine, MAX_LINE, write_json_string};
pub use digest::{Digest, DigestAlgorithm, Digester};
pub use http_head::{HeadNote, HttpHead};
pub use link_format::{Link, Links, in_brackets, link_to};
pub use replay_url::{Modifier, ReplayUrl, Span, Wanted};
pub use surt::{KeyRange, Surt, UrlMatch, key_range};
pub use timemap_form::TimeMapForm;
pub use timestamp::{PartialTimestamp, Timestamp, TimestampError};
pub use trim::TrimPolicy;
