//! WACZ: a collection in one ZIP file, as other tools read and write it.

mod reader;
mod slice;
mod writer;

pub use reader::WaczReader;
pub use slice::FileSlice;
pub use writer::WaczWriter;
