//! A map is made: the index counted, as far as it may be shown, and rolled up until it is small.

use crate::archive::{Archive, Rules};
use crate::respond::without_directories;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::NamedTempFile;
use url::Url;
use varve_mementomap::{
    About, Compacted, Counter, Format, Input, MapError, Records, RollUp, Wanted, compact,
};
use varve_model::{Capture, DigestAlgorithm, Digester};
use varve_store::StoreError;
use varve_store::fs::{FileSystem, OsFileSystem, ReadAt};
use varve_store::index::Gate;

/// A map with more lines is rolled up: these are a few megabytes, which aggregators can fetch often
/// and hold for many archives.
const MOST_LINES: u64 = 100_000;
/// By these weights, one after the other, until it has no more: 1 is where the authors of the
/// roll-up saw its power laws, and 0 leaves a line for each domain.
const WEIGHTS: [f64; 5] = [4.0, 1.0, 0.25, 0.0625, 0.0];
/// After so many lines somebody looks whether the map is still wanted.
const LOOK_EVERY: u64 = 4096;

/// A map in a file without a name.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) file: Arc<dyn ReadAt>,
    pub(super) length: u64,
    pub(super) digest: String,
}

/// Why there is no map.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum Unmade {
    /// The archive is another one by now.
    #[error("the archive has changed meanwhile")]
    OutOfDate,
    /// Nobody goes on with it.
    #[error("it was given up")]
    GivenUp,
    /// The disk refuses something.
    #[error("{0}")]
    Disk(String),
}

impl From<StoreError> for Unmade {
    fn from(error: StoreError) -> Unmade {
        Unmade::Disk(without_directories(&error))
    }
}

impl From<MapError> for Unmade {
    fn from(error: MapError) -> Unmade {
        Unmade::Disk(error.to_string())
    }
}

impl From<io::Error> for Unmade {
    fn from(error: io::Error) -> Unmade {
        Unmade::Disk(format!("a scratch file: {error}"))
    }
}

/// Makes the map of all collections, unless it is given up; the archive calls itself `origin`.
pub(super) fn make(
    archive: &Archive,
    origin: &str,
    given_up: &AtomicBool,
) -> Result<Scratch, Unmade> {
    let counter = count(archive, given_up)?;
    let about = About {
        id: Some(format!("{origin}/")),
        name: None,
        updated_at: last_sealed(archive),
    };
    small(counter, &about.headers(), MOST_LINES)
}

/// Counts what may be shown.
fn count(archive: &Archive, given_up: &AtomicBool) -> Result<Counter, Unmade> {
    let mut counter = Counter::new(Wanted {
        format: Some(Format::Index),
        ..Wanted::default()
    });
    let rules = archive.rules();
    let shows_all = rules.allow_everything();
    let mut lines = archive.index().start()?;
    for number in 1_u64.. {
        if number.is_multiple_of(LOOK_EVERY) && given_up.load(Ordering::Relaxed) {
            return Err(Unmade::OutOfDate);
        }
        match lines.next_line() {
            Ok(None) => break,
            Ok(Some((_, line))) if is_told(line, shows_all, rules) => counter.push(line)?,
            // To leave out what is only out of reach for now would be to deny it.
            Err(error @ StoreError::Io { .. }) => return Err(error.into()),
            // A damaged line is found by nobody.
            Ok(Some(_)) | Err(_) => {}
        }
    }
    Ok(counter)
}

/// Whether a line is one that TimeMaps tell of.
fn is_told(line: &[u8], shows_all: bool, rules: &Rules) -> bool {
    let host = line.split(|byte| *byte == b')').next().unwrap_or(line);
    // Nearly all are, and need not be understood. Names of our own records have a colon, and so
    // have ports.
    if shows_all && !host.contains(&b':') {
        return true;
    }
    let capture = std::str::from_utf8(line).map(Capture::parse);
    let Ok(Ok(capture)) = capture else {
        return false;
    };
    Url::parse(&capture.url).is_ok_and(|url| url.has_host()) && rules.admits(&capture)
}

/// When the archive last got something, as its collections say.
fn last_sealed(archive: &Archive) -> Option<String> {
    let opened = archive.now();
    let layers = opened.iter().flat_map(|it| it.collection().layers());
    layers.map(|layer| layer.sealed.clone()).max()
}

/// Writes a map, and rolls it up until it has no more lines than it may.
fn small(counter: Counter, headers: &[String], most: u64) -> Result<Scratch, Unmade> {
    let never = RollUp::never();
    let (mut file, mut size) = written(headers, |out| Ok(counter.finish(&never, out)?.map))?;
    for weight in WEIGHTS {
        if size.lines <= most {
            break;
        }
        let whole = Input::new("the map", file.reopen()?)?;
        let mut records = Records::new(whole)?;
        let roll_up = RollUp::default().weighing(weight, weight);
        (file, size) = written(headers, |out| Ok(compact(&mut records, &roll_up, out)?))?;
    }
    scratch(file)
}

/// Writes headers and lines to a file.
fn written(
    headers: &[String],
    lines: impl FnOnce(&mut dyn Write) -> Result<Compacted, Unmade>,
) -> Result<(NamedTempFile, Compacted), Unmade> {
    let mut file = NamedTempFile::new()?;
    let mut out = BufWriter::new(file.as_file_mut());
    for header in headers {
        writeln!(out, "{header}")?;
    }
    let size = lines(&mut out)?;
    out.flush()?;
    drop(out);
    Ok((file, size))
}

/// A file that is read from now on.
fn scratch(mut file: NamedTempFile) -> Result<Scratch, Unmade> {
    let mut digester = Digester::new(DigestAlgorithm::Sha256);
    let (mut length, mut portion) = (0, vec![0; 64 << 10]);
    file.rewind()?;
    loop {
        match file.read(&mut portion)? {
            0 => break,
            read => {
                digester.update(&portion[..read]);
                length += read as u64;
            }
        }
    }
    // Its name is gone when this returns; whoever has it open can read it.
    let open = OsFileSystem.open(file.path())?;
    Ok(Scratch {
        file: open,
        length,
        digest: digester.finish().to_string(),
    })
}

/// A map of nothing but headers.
#[cfg(test)]
pub(super) fn write(headers: &[String]) -> Result<Scratch, Unmade> {
    scratch(written(headers, |_| Ok(Compacted::default()))?.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use varve_store::fs::read_full_at;
    use varve_store::world::{RealWorld, World};

    fn text(scratch: &Scratch) -> String {
        let mut bytes = vec![0; scratch.length as usize];
        read_full_at(scratch.file.as_ref(), &mut bytes, 0).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn counter(keys: impl Iterator<Item = String>) -> Counter {
        let mut counter = Counter::new(Wanted::default());
        keys.for_each(|key| counter.push(format!("{key} 2026 {{}}").as_bytes()).unwrap());
        counter
    }

    #[test]
    fn small_maps_tell_all() {
        let keys = (0..30).map(|page| format!("org,example)/{page:02}"));
        let map = small(counter(keys), &["!meta {}".to_owned()], 30).unwrap();
        let text = text(&map);
        assert_eq!(text.lines().count(), 31);
        assert!(text.starts_with("!meta {}\norg,example)/00 1\n"), "{text}");
    }

    #[test]
    fn large_maps_are_rolled_up_no_more_than_they_must() {
        let keys =
            |pages: usize| {
                counter((0..pages).flat_map(|page| {
                    [format!("com,a)/x/{page:03}"), "com,b)".to_owned()].into_iter()
                }))
            };
        let map = |pages, most| text(&small(keys(pages), &[], most).unwrap());
        assert_eq!(map(100, 10), "com,a)/x/* 100\ncom,b) 100\n");
        assert_eq!(map(20, 20), "com,a)/x/* 20\ncom,b) 20\n");
        assert_eq!(map(20, 21).lines().count(), 21);
    }

    #[test]
    fn equal_maps_have_the_same_tag() {
        let make = || small(counter(["org,example)".to_owned()].into_iter()), &[], 9).unwrap();
        assert_eq!(make().digest, make().digest);
    }

    #[test]
    fn only_captures_of_the_web_are_told() {
        let world: Arc<dyn World> = Arc::new(RealWorld);
        let rules = Rules::open(None, &world).unwrap();
        let line = |key: &str, url: &str| {
            format!(
                r#"{key} 20260101000000 {{"url":"{url}","offset":"0","length":"1","filename":"f"}}"#
            )
        };
        for (key, url, expected) in [
            ("org,example)/", "https://example.org/", true),
            ("org,example:8080)/", "https://example.org:8080/", true),
            ("urn:8080)/", "http://urn:8080/", true),
            ("urn:varve:client", "urn:varve:client", false),
            ("urn:text:http://h/(a)", "urn:text:http://h/(a)", false),
            ("dns:example.org", "dns:example.org", false),
        ] {
            let line = line(key, url);
            assert_eq!(is_told(line.as_bytes(), true, &rules), expected, "{key}");
            assert_eq!(is_told(line.as_bytes(), false, &rules), expected, "{key}");
        }
        assert!(!is_told(b"urn:x nonsense", true, &rules));
    }
}
