//! WACZ: a collection in one ZIP file, as other tools read and write it.

mod frame;
mod reader;
mod slice;
mod view;
mod writer;

pub use reader::WaczReader;
pub use slice::FileSlice;
pub(crate) use view::ViewBuilder;
pub use view::WaczView;
pub use writer::WaczWriter;
