//! What a MementoMap says about a URL: whether the archive can have it.
//!
//! [`Holdings`] is all that routing needs of a map. [`MapFile`] is one that lies in a scratch file:
//! all of it was read once, so that nothing in it is damaged, out of order or there twice, and of
//! what it says no more is in memory than is asked for.

use std::io::{BufWriter, Cursor, Write};
use std::path::Path;
use std::sync::Arc;
use tempfile::NamedTempFile;
use varve_mementomap::{Compacted, Input, Map, Records, RollUp, compact, key_of, sort_map};
use varve_model::Surt;

/// Longer maps than this, unpacked, are not read.
const LONGEST: u64 = 1 << 30;

/// What is known about an archive and a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// It may have it.
    Possible,
    /// It has nothing of it.
    Nothing,
}

/// Something that knows what an archive holds.
pub trait Holdings: Send + Sync {
    /// Whether the archive can have a URL.
    fn holds(&self, key: &Surt) -> Holding;
    /// How many lines it took to say so, for people.
    fn lines(&self) -> usize;
}

/// Why something is no map that can be relied on.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// It is damaged, or cannot be read.
    #[error(transparent)]
    Map(#[from] varve_mementomap::MapError),
    /// Its keys are not URLs alone.
    #[error("{0}: its keys are not of URLs alone")]
    Fields(String),
    /// There is nothing in it.
    #[error("{0}: it is empty")]
    Empty(String),
    /// It cannot be kept.
    #[error("a scratch file: {0}")]
    Scratch(#[from] std::io::Error),
}

/// A map in a file.
pub struct MapFile {
    map: Map,
    lines: usize,
}

impl MapFile {
    /// Reads a file, and the pages that follow it.
    pub fn open(path: &Path) -> Result<MapFile, MapError> {
        MapFile::read(&|| Ok(Records::open(path)?))
    }

    /// Reads what somebody sent, plain, in gzip or in zstd; `name` is what errors call it.
    pub fn received(name: &str, bytes: Vec<u8>) -> Result<MapFile, MapError> {
        MapFile::within(name, bytes, LONGEST)
    }

    fn within(name: &str, bytes: Vec<u8>, longest: u64) -> Result<MapFile, MapError> {
        let bytes: Arc<[u8]> = bytes.into();
        MapFile::read(&|| {
            let input = Input::new(name, Cursor::new(bytes.clone()))?;
            Ok(Records::new(input.at_most(longest))?)
        })
    }

    fn read(open: &dyn Fn() -> Result<Records, MapError>) -> Result<MapFile, MapError> {
        let mut records = open()?;
        check(&records)?;
        let (file, size) = match together(&mut records) {
            // Nobody's order is relied on.
            Err(MapError::Map(varve_mementomap::MapError::Unsorted { .. })) => {
                together(&mut sorted(&mut open()?)?)?
            }
            whole => whole?,
        };
        if size.lines == 0 && records.headers().is_empty() {
            return Err(MapError::Empty(records.name().to_owned()));
        }
        Ok(MapFile {
            map: Map::open(file.path())?,
            lines: usize::try_from(size.lines).unwrap_or(usize::MAX),
        })
    }
}

impl Holdings for MapFile {
    fn holds(&self, key: &Surt) -> Holding {
        let key = key_of(key.as_str().as_bytes());
        let answer = std::str::from_utf8(key).map(|key| self.map.answer(key));
        match answer {
            Ok(Ok(None)) => Holding::Nothing,
            Ok(Ok(Some(answer))) if !answer.may_be_held() => Holding::Nothing,
            // What cannot be read excludes nothing.
            _ => Holding::Possible,
        }
    }

    fn lines(&self) -> usize {
        self.lines
    }
}

/// A header may say what keys are made of.
fn check(records: &Records) -> Result<(), MapError> {
    for header in records.headers() {
        let Some(json) = header.strip_prefix("!fields") else {
            continue;
        };
        let fields: Option<serde_json::Value> = serde_json::from_str(json.trim()).ok();
        let plain = fields.is_some_and(|fields| {
            let keys = &fields["keys"];
            keys.is_null() || *keys == serde_json::json!(["surt"])
        });
        if !plain {
            return Err(MapError::Fields(records.name().to_owned()));
        }
    }
    Ok(())
}

/// Writes all lines to a file, each key once: of several that are equal, one that allows is enough.
fn together(records: &mut Records) -> Result<(NamedTempFile, Compacted), MapError> {
    let mut file = NamedTempFile::new()?;
    let mut out = BufWriter::new(file.as_file_mut());
    let size = compact(records, &RollUp::never(), &mut out)?;
    out.flush()?;
    drop(out);
    Ok((file, size))
}

/// The same lines in order.
fn sorted(records: &mut Records) -> Result<Records, MapError> {
    let mut unsorted = NamedTempFile::new()?;
    let mut out = BufWriter::new(unsorted.as_file_mut());
    let mut line = Vec::new();
    while let Some(record) = records.next_record()? {
        line.clear();
        record.write(&mut line);
        out.write_all(&line)?;
    }
    out.flush()?;
    drop(out);
    let mut sorted = NamedTempFile::new()?;
    sort_map(unsorted.path(), sorted.as_file_mut())?;
    Ok(Records::open(sorted.path())?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn map(text: &str) -> MapFile {
        MapFile::received("map", text.as_bytes().to_vec()).unwrap()
    }

    fn check(map: &MapFile, url: &str, expected: Holding) {
        assert_eq!(map.holds(&Surt::from_url(url)), expected, "{url}");
    }

    #[test]
    fn the_most_specific_key_decides() {
        let map = map("!context [\"https://oduwsdl.github.io/contexts/ukvs\"]\n\
             !fields {\"keys\": [\"surt\"], \"values\": [\"frequency\"]}\n\
             !meta {\"name\": \"x\"}\n\
             com,a)/ 3/1\ncom,a)/* 5+/2~\ncom,a)/private/* 0\ncom,b)/x 1\norg,gone)/ 0/0\nuk,bl,* 7~/3\n");
        let check = |url: &str, expected: Holding| check(&map, url, expected);
        check("http://a.com/", Holding::Possible);
        check("http://a.com/other?x", Holding::Possible);
        check("http://a.com/private/x", Holding::Nothing);
        check("http://a.com/privateer", Holding::Possible);
        check("http://b.com/x", Holding::Possible);
        check("http://b.com/x/y", Holding::Nothing);
        check("http://b.com/", Holding::Nothing);
        check("http://www.bl.uk/", Holding::Possible);
        check("http://sub.bl.uk/deep/path", Holding::Possible);
        check("http://gone.org/", Holding::Nothing);
        assert_eq!(map.lines(), 6);
    }

    #[test]
    fn a_star_is_everything_and_more_special_lines_except() {
        let map = map("* 9\ncom,a)/* 0\n");
        check(&map, "http://z.example/", Holding::Possible);
        check(&map, "http://a.com/x", Holding::Nothing);
    }

    #[test]
    fn maps_may_be_compressed_unsorted_and_repeat_themselves() {
        let text = b"!id {}\ncom,z)/x/ 1\ncom,z)/x-1 1\ncom,a)/ 0\ncom,a)/ 2\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).unwrap();
        let map = MapFile::received("map", gzip.finish().unwrap()).unwrap();
        check(&map, "http://a.com/", Holding::Possible);
        check(&map, "http://z.com/x", Holding::Possible);
        check(&map, "http://z.com/x-1", Holding::Possible);
        check(&map, "http://b.com/", Holding::Nothing);
        assert_eq!(map.lines(), 3);
    }

    #[test]
    fn files_have_pages_and_what_is_sent_names_none_of_ours() {
        let dir = tempfile::tempdir().unwrap();
        let first = "!meta {\"page\": 1, \"next\": \"map-2\"}\ncom,a) 1\n";
        let path = dir.path().join("map");
        std::fs::write(&path, first).unwrap();
        std::fs::write(dir.path().join("map-2"), "!meta {\"page\": 2}\ncom,b) 1\n").unwrap();
        check(
            &MapFile::open(&path).unwrap(),
            "http://b.com/",
            Holding::Possible,
        );
        assert_eq!(map(first).lines(), 1);
    }

    #[test]
    fn an_archive_may_say_that_it_has_nothing() {
        check(&map("!meta {}\n"), "http://a.com/", Holding::Nothing);
    }

    #[test]
    fn what_is_no_map_is_refused_with_its_line() {
        let check = |text: &[u8], expected: &str| {
            let error = MapFile::received("map", text.to_vec()).err().unwrap();
            assert!(error.to_string().contains(expected), "{error}");
        };
        check(b"", "map: it is empty");
        check(b"\n\n", "map: it is empty");
        check(b"<!doctype html>\n<html>", "map, line 1: no key");
        check(b"com,a)/ 1\ncom,b)/\n", "map, line 2: no frequency");
        check(b"com,b)/ 1\ncom,a)/ many\n", "map, line 2");
        check(
            b"!fields {\"keys\": [\"surt\", \"datetime\"]}\ncom,a)/ 2014 1\n",
            "map: its keys",
        );
        check(b"\x1f\x8b\x08nonsense", "map");
    }

    #[test]
    fn a_map_that_is_longer_unpacked_than_it_may_be_is_refused() {
        let check = |text: &str, longest: u64| {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(text.as_bytes()).unwrap();
            MapFile::within("map", gzip.finish().unwrap(), longest)
        };
        assert_eq!(check("com,a) 1\n", 9).unwrap().lines(), 1);
        for text in ["com,a) 1\n\n", &"\n".repeat(1 << 20)] {
            let error = check(text, 9).err().unwrap().to_string();
            assert!(error.contains("longer than it may be"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_in_the_map_is_found(urls in proptest::collection::vec("[a-c]{1,2}(\\.[a-c]{1,2}){1,2}(/[a-c-]{1,2}){0,3}", 1..20)) {
            let keys: Vec<Surt> = urls.iter().map(|url| Surt::from_url(&format!("http://{url}"))).collect();
            let text: String = keys.iter().map(|key| format!("{} 1\n", key.as_str())).collect();
            let map = map(&text);
            for key in &keys {
                prop_assert_eq!(map.holds(key), Holding::Possible);
            }
        }
    }
}
