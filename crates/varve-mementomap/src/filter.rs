//! A filter beside a map: nearly exact answers below wildcards, at about nine bits for each key.
//!
//! The filter knows all keys that wildcards of its map took the place of. Where a wildcard says
//! that something may be held, the filter says that it is not, and is right always; for one in 256
//! keys that are not held it says nothing. It is a binary fuse filter, in a file of its own: a
//! line that says what it is, then its parameters and fingerprints. A header of the map names the
//! filter that belongs to it, by the number of its keys and their sum.
//!
//! What was below a wildcard before the filter was made, nobody knows. Such wildcards are named in
//! the filter ([`Open`]), which says nothing about what they speak for.

mod open;

use crate::{Compacted, MapError, Record, Records, Result, is_wildcard};
use open::Open;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;
use xorf::{BinaryFuse8, BinaryFuse8Ref, DmaSerializable, Filter as _, FilterRef as _};

const FORMAT: &str = "binary-fuse-8";

/// What knows a filter from others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    format: String,
    keys: u64,
    /// Of the hashes of all keys, and of the wildcards below which nobody knows what there is.
    sum: String,
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    #[serde(flatten)]
    identity: Identity,
    open: Open,
}

/// All keys that the wildcards of a map took the place of.
pub struct KeyFilter {
    identity: Identity,
    open: Open,
    descriptor: Vec<u8>,
    fingerprints: Vec<u8>,
}

impl KeyFilter {
    /// A filter of the keys of a sorted map that another, made of it, has no lines for.
    pub fn between(detailed: &mut Records, rolled_up: &mut Records) -> Result<KeyFilter> {
        let (mut hashes, mut open) = (Vec::new(), Open::default());
        let mut left = rolled_up.next_record()?.map(|record| record.key.to_vec());
        while let Some(Record { key, frequency, .. }) = detailed.next_record()? {
            if is_wildcard(key) && !frequency.is_none() {
                open.add(&String::from_utf8_lossy(key));
            }
            while left.as_deref().is_some_and(|left| left < key) {
                left = rolled_up.next_record()?.map(|record| record.key.to_vec());
            }
            if left.as_deref() != Some(key) && !frequency.is_none() {
                hashes.push(hash(key));
            }
        }
        KeyFilter::of(hashes, open)
    }

    fn of(mut hashes: Vec<u64>, open: Open) -> Result<KeyFilter> {
        hashes.sort_unstable();
        hashes.dedup();
        let named = open.names().map(|name| hash(name.as_bytes()));
        let all = hashes.iter().copied().chain(named);
        let sum = all.fold(0, u64::wrapping_add);
        let (mut descriptor, mut fingerprints) = (Vec::new(), Vec::new());
        if !hashes.is_empty() {
            let filter = BinaryFuse8::try_from(hashes.as_slice())
                .map_err(|error| MapError::Request(format!("no filter can be made: {error}")))?;
            descriptor = vec![0; BinaryFuse8::DESCRIPTOR_LEN];
            filter.dma_copy_descriptor_to(&mut descriptor);
            fingerprints = filter.dma_fingerprints().to_vec();
        }
        Ok(KeyFilter {
            identity: Identity {
                format: FORMAT.to_owned(),
                keys: hashes.len() as u64,
                sum: format!("{sum:016x}"),
            },
            open,
            descriptor,
            fingerprints,
        })
    }

    /// The header that the map of this filter has.
    pub fn header(&self) -> String {
        format!("!meta {}", serde_json::json!({ "filter": self.identity }))
    }

    /// Whether a header says that a map has a filter.
    pub fn is_header(header: &str) -> bool {
        identity_in(header).is_some()
    }

    /// How many bytes its file has.
    pub fn len(&self) -> usize {
        self.head().len() + self.descriptor.len() + self.fingerprints.len()
    }

    /// How many lines of its map have as many bytes.
    pub fn as_lines(&self, map: &Compacted) -> f64 {
        let mean_line = map.bytes as f64 / map.lines.max(1) as f64;
        self.len() as f64 / mean_line.max(1.0)
    }

    /// Whether it knows no key.
    pub fn is_empty(&self) -> bool {
        self.identity.keys == 0
    }

    /// Writes the file.
    pub fn write(&self, mut out: impl Write) -> std::io::Result<()> {
        out.write_all(self.head().as_bytes())?;
        out.write_all(&self.descriptor)?;
        out.write_all(&self.fingerprints)
    }

    /// The first line of the file.
    fn head(&self) -> String {
        let head = Head {
            identity: self.identity.clone(),
            open: self.open.clone(),
        };
        format!("!filter {}\n", serde_json::json!(head))
    }

    /// Reads the file that belongs to the map with these headers.
    pub fn open(path: &Path, headers: &[String]) -> Result<KeyFilter> {
        let bytes = std::fs::read(path).map_err(|error| MapError::io(path, error))?;
        let filter = KeyFilter::from_bytes(&bytes).ok_or_else(|| {
            let text = format!(
                "{}: this is no filter of a map, or it is damaged",
                path.display()
            );
            MapError::Request(text)
        })?;
        let belongs = headers.iter().filter_map(|header| identity_in(header));
        if !belongs
            .into_iter()
            .any(|identity| identity == filter.identity)
        {
            let text = format!("{}: this is the filter of another map", path.display());
            return Err(MapError::Request(text));
        }
        Ok(filter)
    }

    /// Reads a filter; `None` if that is none, or it is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<KeyFilter> {
        let end = memchr::memchr(b'\n', bytes)?;
        let json = bytes[..end].strip_prefix(b"!filter ")?;
        let Head { identity, open } = serde_json::from_slice(json).ok()?;
        let rest = &bytes[end + 1..];
        let (descriptor, fingerprints) = match identity.keys {
            0 => (rest, &rest[..0]),
            _ => rest.split_at_checked(BinaryFuse8::DESCRIPTOR_LEN)?,
        };
        let filter = KeyFilter {
            descriptor: descriptor.to_vec(),
            fingerprints: fingerprints.to_vec(),
            identity,
            open,
        };
        filter.is_sound().then_some(filter)
    }

    /// Whether no key can lead outside of the fingerprints.
    fn is_sound(&self) -> bool {
        if self.identity.format != FORMAT || self.is_empty() {
            return self.identity.format == FORMAT && self.descriptor.is_empty();
        }
        let number = |at: usize| {
            let bytes = self
                .descriptor
                .get(at..at + 4)
                .and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0, u32::from_le_bytes)
        };
        let (length, mask, all) = (number(8), number(12), number(16));
        let needed = u64::from(all) + 2 * u64::from(length);
        length.is_power_of_two()
            && mask == length - 1
            && all.is_multiple_of(length)
            && needed == self.fingerprints.len() as u64
    }

    /// Whether a key may be one of those that wildcards took the place of: always, if it is, and if
    /// nobody knows.
    pub fn may_contain(&self, key: &[u8]) -> bool {
        self.open.speaks_for(key) || self.may_know(key)
    }

    fn may_know(&self, key: &[u8]) -> bool {
        if self.is_empty() {
            return false;
        }
        let filter = BinaryFuse8Ref::from_dma(&self.descriptor, &self.fingerprints);
        filter.contains(&hash(key))
    }
}

fn identity_in(header: &str) -> Option<Identity> {
    let json = header.strip_prefix("!meta ")?;
    let meta: serde_json::Value = serde_json::from_str(json).ok()?;
    serde_json::from_value(meta.get("filter")?.clone()).ok()
}

/// FNV-1a: part of the format, and so written down here.
fn hash(key: &[u8]) -> u64 {
    key.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Input;
    use std::io::Cursor;

    fn records(text: &str) -> Records {
        Records::new(Input::new("map", Cursor::new(text.to_owned())).unwrap()).unwrap()
    }

    #[test]
    fn it_knows_what_wildcards_hide_and_little_else() {
        let keys: Vec<String> = (0..20_000).map(|n| format!("com,a)/x/{n:05}")).collect();
        let detailed: String = keys.iter().map(|key| format!("{key} 1\n")).collect();
        let filter =
            KeyFilter::between(&mut records(&detailed), &mut records("com,a)/* 20000\n")).unwrap();
        let mut file = Vec::new();
        filter.write(&mut file).unwrap();
        assert!(file.len() < 20_000 * 10 / 8 + 200, "{}", file.len());
        assert_eq!(filter.len(), file.len());
        let filter = KeyFilter::from_bytes(&file).unwrap();
        assert!(keys.iter().all(|key| filter.may_contain(key.as_bytes())));
        let others = (0..20_000).filter(|n| filter.may_contain(format!("com,a)/y/{n}").as_bytes()));
        assert!(others.count() < 200);
    }

    #[test]
    fn what_still_has_a_line_is_not_in_it() {
        let filter = KeyFilter::between(
            &mut records("com,a) 1\ncom,a)/x 1\ncom,b) 1\n"),
            &mut records("com,a)/* 2\ncom,b) 1\n"),
        )
        .unwrap();
        assert_eq!(filter.identity.keys, 2);
        let none =
            KeyFilter::between(&mut records("com,a) 1\n"), &mut records("com,a) 1\n")).unwrap();
        assert!(none.is_empty() && !none.may_contain(b"com,a)"));
    }

    #[test]
    fn filters_of_other_maps_and_damaged_ones_are_refused() {
        let keys: String = (0..1000).map(|n| format!("com,a)/x/{n:04} 1\n")).collect();
        let filter = KeyFilter::between(&mut records(&keys), &mut records("")).unwrap();
        let mut file = Vec::new();
        filter.write(&mut file).unwrap();
        for cut in 0..file.len() {
            assert!(KeyFilter::from_bytes(&file[..cut]).is_none(), "{cut}");
        }
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("filter");
        std::fs::write(&path, &file).unwrap();
        assert!(KeyFilter::open(&path, &[filter.header()]).is_ok());
        let error = KeyFilter::open(&path, &[]).err().unwrap().to_string();
        assert!(
            error.ends_with("this is the filter of another map"),
            "{error}"
        );
    }

    #[test]
    fn what_wildcards_hid_before_is_never_denied() {
        let detailed = "com,a)/x/* 5\ncom,a)/y 1\ncom,a)/z 1\n";
        let filter =
            KeyFilter::between(&mut records(detailed), &mut records("com,a)/* 7\n")).unwrap();
        for key in ["com,a)/x", "com,a)/x/1", "com,a)/x/1/2", "com,a)/y"] {
            assert!(filter.may_contain(key.as_bytes()), "{key}");
        }
        let denied = (0..100).filter(|n| !filter.may_contain(format!("com,a)/n{n}").as_bytes()));
        assert!(denied.count() > 90);
    }

    #[test]
    fn a_map_of_many_wildcards_can_be_read_with_its_filter() {
        let wildcard = |n: usize| format!("com,s{n:05})/{}/*", "x".repeat(150));
        let detailed: String = (0..9_000).map(|n| format!("{} 2\n", wildcard(n))).collect();
        let filter =
            KeyFilter::between(&mut records(&detailed), &mut records("com,* 1\n")).unwrap();
        let map = format!("{}\ncom,* 18000\n", filter.header());
        let map = crate::Map::from_bytes("map", map.into_bytes()).unwrap();
        let held = wildcard(7).replace('*', "page");
        assert!(map.ask(&held, Some(&filter)).unwrap().1);
        let mut file = Vec::new();
        filter.write(&mut file).unwrap();
        assert!(file.len() < 1 << 20, "{}", file.len());
    }

    #[test]
    fn a_filter_that_knows_less_is_another_one() {
        let of = |detailed: &str| {
            KeyFilter::between(&mut records(detailed), &mut records("com,a,* 2\n")).unwrap()
        };
        let (one, other) = (
            of("com,a)/x/* 1\ncom,a)/z 1\n"),
            of("com,a)/y/* 1\ncom,a)/z 1\n"),
        );
        assert_ne!(one.header(), other.header());
    }
}
