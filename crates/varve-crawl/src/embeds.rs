//! What a page brings that no page brought before: pictures, films and files, by their content.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use varve_fetch::Spooled;

/// Kinds of content that make a page worth having, whatever it says. Beacons look like pictures,
/// but all have the same few.
const KINDS: [&str; 3] = ["image", "media", "pdf"];
/// So much of a body is looked at; with its length, that tells contents apart.
const LOOK: usize = 256 << 10;
/// Contents that are remembered. When there are more, all are forgotten.
const REMEMBERED: usize = 1 << 20;

/// The contents that a crawl has received.
#[derive(Default)]
pub(crate) struct Embeds {
    seen: Mutex<HashSet<[u8; 16]>>,
}

impl Embeds {
    /// Whether a body of this kind counts, and is new; from now on it is not.
    pub(crate) fn is_new(&self, kind: &str, body: &Spooled) -> bool {
        if !KINDS.contains(&kind) || body.is_empty() {
            return false;
        }
        let Some(content) = content(body) else {
            return false;
        };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= REMEMBERED {
            seen.clear();
        }
        seen.insert(content)
    }
}

/// Half a digest is more than enough to tell a million contents apart.
fn content(body: &Spooled) -> Option<[u8; 16]> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&body.len().to_le_bytes());
    let mut at = 0;
    while at < LOOK {
        let bytes = body.read_at(at as u64, LOOK - at).ok()?;
        if bytes.is_empty() {
            break;
        }
        hasher.update(&bytes);
        at += bytes.len();
    }
    hasher.finalize().as_bytes().first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(bytes: &[u8]) -> Spooled {
        Spooled::Memory(bytes.to_vec().into())
    }

    #[test]
    fn only_content_that_nobody_brought_before_is_new() {
        let embeds = Embeds::default();
        let check = |kind: &str, bytes: &[u8], expected: bool| {
            assert_eq!(embeds.is_new(kind, &body(bytes)), expected, "{kind}");
        };
        check("image", b"rose", true);
        // A beacon under a new name is the same beacon.
        check("image", b"rose", false);
        check("media", b"rose", false);
        check("pdf", b"roses", true);
        check("image", b"", false);
        check("json", b"new every time", false);
        check("html", b"new every time", false);
        let long = vec![7; 2 * LOOK];
        check("image", &long, true);
        check("image", &long[1..], true);
        check("image", &long, false);
    }
}
