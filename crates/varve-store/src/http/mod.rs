//! HTTP bodies as they were stored, and as they were meant: chunk framing and content codings
//! taken off on demand.

mod chunked;
mod decode;
mod lepton;

pub use chunked::Dechunker;
pub use decode::{BodyReader, DecodeError, DecodeLimits};
pub use lepton::{LEPTON, pack as pack_picture, unpack as unpack_picture};

use varve_model::HttpHead;

/// Whether the head says that the body is in chunks.
pub fn is_chunked(head: &HttpHead) -> bool {
    head.get_all("Transfer-Encoding").any(|value| {
        value
            .to_ascii_lowercase()
            .windows(7)
            .any(|word| word == b"chunked")
    })
}

/// The content codings of the body, in the order they were applied.
pub fn content_codings(head: &HttpHead) -> Vec<String> {
    head.get_all("Content-Encoding")
        .flat_map(|value| {
            let text = String::from_utf8_lossy(&value).to_ascii_lowercase();
            text.split(',')
                .map(|coding| coding.trim().to_owned())
                .collect::<Vec<_>>()
        })
        .filter(|coding| !coding.is_empty() && coding != "identity")
        .collect()
}
