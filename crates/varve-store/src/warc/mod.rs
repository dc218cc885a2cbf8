//! WARC and ARC files: records in and out, one compressed member each.

mod arc;
mod deflate;
mod density;
mod digests;
mod fault;
mod frame;
mod gzip;
mod head;
mod inflate;
mod member;
mod reader;
mod record;
mod resync;
mod scan;
mod whole;
mod window;
mod writer;
mod zstd;

pub use digests::Verify;
pub use fault::{Fault, ReadError, Severity};
pub use head::{RecordHead, RecordType, Version};
pub use member::{Compression, Wanted};
pub use reader::{Place, RecordEnd, WarcReader};
pub use record::{Body, NewRecord, Payload};
pub use scan::{Scanned, Scanner, Step};
pub(crate) use scan::{may_hold_http, mime};
pub use writer::{Compressor, WarcWriter, Written};
pub(crate) use zstd::dictionary_length;
