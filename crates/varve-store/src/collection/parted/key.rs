//! The names of bodies that have parts elsewhere.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use varve_model::{Digest, DigestAlgorithm, KeyRange};

const COLD: &str = "urn:varve:cold:";
const HOT: &str = "urn:varve:hot:";
const KEY_DIGITS: usize = 32;

/// The name of a body in parts: a digest of the whole and of the places of its parts. Bodies that
/// are taken apart in another way have other names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartsKey(String);

impl PartsKey {
    /// The key of a body with parts at those places.
    pub fn of(whole: &WholeDigest, places: impl IntoIterator<Item = Range<usize>>) -> PartsKey {
        let mut text = whole.to_string();
        for Range { start, end } in places {
            text.push_str(&format!(" {start}-{end}"));
        }
        let digest = Digest::of(DigestAlgorithm::Sha256, text.as_bytes());
        let half = digest.as_bytes().iter().take(KEY_DIGITS / 2);
        PartsKey(half.map(|byte| format!("{byte:02x}")).collect())
    }

    /// Reads what [`PartsKey::as_str`] gave.
    pub fn parse(text: &str) -> Option<PartsKey> {
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let fits = text.len() == KEY_DIGITS && text.bytes().all(digit);
        fits.then(|| PartsKey(text.to_owned()))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the record with the parts is called.
    pub fn urn(&self) -> String {
        format!("{COLD}{}", self.0)
    }

    /// What records are called that have some of the parts, which later turned out to be needed.
    pub fn hot_urn(&self) -> String {
        format!("{HOT}{}", self.0)
    }

    /// The range of the index where the records with parts are.
    pub(crate) fn urns() -> KeyRange {
        KeyRange {
            start: COLD.to_owned(),
            end: Some(COLD.replace("cold:", "cold;")),
        }
    }

    /// Whether a name is that of a record of parts, whichever they are.
    pub fn is_in_urn(urn: &str) -> bool {
        urn.starts_with(COLD) || urn.starts_with(HOT)
    }

    /// The key in the name of the record with all parts.
    pub fn of_urn(urn: &str) -> Option<PartsKey> {
        PartsKey::parse(urn.strip_prefix(COLD)?)
    }
}

/// SHA-256 of a whole body, in lower-case hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WholeDigest(String);

impl WholeDigest {
    /// The digest of a body.
    pub fn of(whole: &[u8]) -> WholeDigest {
        let digest = Digest::of(DigestAlgorithm::Sha256, whole);
        let digits = digest.as_bytes().iter();
        WholeDigest(digits.map(|byte| format!("{byte:02x}")).collect())
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WholeDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for PartsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_known_by_its_name() {
        let whole = WholeDigest::of(b"one two three four");
        let key = PartsKey::of(&whole, [4..7, 14..18]);
        assert_eq!(PartsKey::of_urn(&key.urn()), Some(key.clone()));
        assert_eq!(PartsKey::parse(&key.as_str().to_uppercase()), None);
        assert_eq!(PartsKey::of_urn("urn:varve:cold:12"), None);
    }

    #[test]
    fn another_cut_has_another_key() {
        let whole = WholeDigest::of(b"one two three four");
        let one = |place: Range<usize>| PartsKey::of(&whole, std::iter::once(place));
        assert_eq!(one(4..7), one(4..7));
        assert_ne!(one(4..7), one(4..8));
        assert_ne!(one(4..7), PartsKey::of(&whole, [4..7, 14..18]));
    }
}
