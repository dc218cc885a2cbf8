//! Knowing a payload again: by its digest, whatever URL it came from.
//!
//! A long crawl meets millions of payloads, and its memory must not grow with them. So a payload
//! that is saved costs two numbers here, a piece of its digest and a place in the journal, where
//! the rest is written.

use super::exchange::Original;
use super::journal::{Entry, JournalReader};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use varve_model::{Digest, Timestamp};

/// Remembers payloads up to a number; the oldest are forgotten first, which costs space in the
/// archive and never correctness.
pub(crate) struct Payloads {
    /// Those that are not saved yet.
    fresh: BTreeMap<Digest, Original>,
    /// Pieces of digests, and where the journal has the payloads.
    saved: Places,
    /// Those from before, which are the next to be forgotten.
    older: Places,
    /// So many are in each of the two at most.
    capacity: usize,
}

type Places = HashMap<u64, u64>;

impl Payloads {
    pub(crate) fn new(capacity: usize) -> Payloads {
        Payloads {
            fresh: BTreeMap::new(),
            saved: Places::new(),
            older: Places::new(),
            capacity: capacity.div_ceil(2),
        }
    }

    /// Where a payload is stored already. A journal that cannot be read knows none.
    pub(crate) fn find(&self, digest: &Digest, journal: &JournalReader) -> Option<Original> {
        if let Some(fresh) = self.fresh.get(digest) {
            return Some(fresh.clone());
        }
        let piece = piece(digest);
        let place = self.saved.get(&piece).or_else(|| self.older.get(&piece))?;
        let entry = journal.entry_at(*place).ok()??;
        original(&entry, digest)
    }

    pub(crate) fn remember(&mut self, digest: Digest, original: Original) {
        self.fresh.entry(digest).or_insert(original);
    }

    /// What was not saved never will be.
    pub(crate) fn forget_fresh(&mut self) {
        self.fresh.clear();
    }

    /// The entries by which those that are not saved yet can be found in the journal.
    pub(crate) fn unsaved(&self) -> impl Iterator<Item = (Digest, Entry)> {
        let entry = |(digest, original): (&Digest, &Original)| (*digest, entry(digest, original));
        self.fresh.iter().map(entry)
    }

    /// All are saved now: these are their places in the journal.
    pub(crate) fn saved(&mut self, places: impl Iterator<Item = (Digest, u64)>) {
        self.fresh.clear();
        for (digest, place) in places {
            if self.saved.len() >= self.capacity {
                self.older = std::mem::take(&mut self.saved);
            }
            self.saved.insert(piece(&digest), place);
        }
    }
}

/// Enough to tell payloads apart nearly always; the journal has the whole digest.
fn piece(digest: &Digest) -> u64 {
    let bytes = digest.as_bytes().first_chunk();
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn entry(digest: &Digest, original: &Original) -> Entry {
    let Original {
        url,
        date,
        record_id,
    } = original;
    let line = json!([digest.to_string(), date.digits(), record_id, url]);
    Entry::Payload(line.to_string())
}

/// What an entry says about a payload, if it is about this one.
fn original(entry: &Entry, digest: &Digest) -> Option<Original> {
    let Entry::Payload(line) = entry else {
        return None;
    };
    let (named, date, record_id, url): (String, String, Option<String>, String) =
        serde_json::from_str(line).ok()?;
    (Digest::parse(&named)? == *digest).then_some(())?;
    Some(Original {
        url,
        date: Timestamp::parse(&date).ok()?,
        record_id,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::journal::JournalWriter;
    use crate::fs::Fs;
    use crate::fs::sim::SimDisk;
    use std::path::PathBuf;
    use std::sync::Arc;
    use varve_model::DigestAlgorithm;

    struct Bench {
        payloads: Payloads,
        journal: JournalWriter,
        reader: JournalReader,
    }

    impl Bench {
        fn new(capacity: usize) -> Bench {
            let fs: Fs = Arc::new(SimDisk::new());
            let path = PathBuf::from("/journal");
            Bench {
                payloads: Payloads::new(capacity),
                journal: JournalWriter::create(fs.as_ref(), path.clone()).expect("a journal"),
                reader: JournalReader::open(fs.as_ref(), path).expect("the same"),
            }
        }

        fn remember(&mut self, name: &str) {
            self.payloads.remember(digest(name), written(name));
        }

        fn save(&mut self) {
            let unsaved: Vec<(Digest, Entry)> = self.payloads.unsaved().collect();
            let push = |(digest, entry): (Digest, Entry)| {
                (digest, self.journal.push(&entry).expect("written"))
            };
            let places: Vec<(Digest, u64)> = unsaved.into_iter().map(push).collect();
            self.journal.sync().expect("synced");
            self.payloads.saved(places.into_iter());
        }

        fn knows(&self, name: &str) -> Option<Original> {
            self.payloads.find(&digest(name), &self.reader)
        }
    }

    fn digest(name: &str) -> Digest {
        Digest::of(DigestAlgorithm::Sha1, name.as_bytes())
    }

    fn written(name: &str) -> Original {
        Original {
            url: format!("https://garden.example/{name} \"\n\u{fc}"),
            date: Timestamp::parse("20260607080910111").expect("a time"),
            record_id: (name != "bare").then(|| format!("<urn:uuid:{name}>")),
        }
    }

    #[test]
    fn a_payload_is_known_before_and_after_it_is_saved() {
        let mut bench = Bench::new(100);
        for name in ["rose", "bare"] {
            bench.remember(name);
            assert_eq!(bench.knows(name), Some(written(name)), "{name}, fresh");
        }
        bench.save();
        for name in ["rose", "bare"] {
            assert_eq!(bench.knows(name), Some(written(name)), "{name}, saved");
        }
        assert_eq!(bench.knows("tulip"), None);
    }

    #[test]
    fn what_was_not_saved_can_be_forgotten() {
        let mut bench = Bench::new(100);
        bench.remember("rose");
        bench.save();
        bench.remember("tulip");
        bench.payloads.forget_fresh();
        assert_eq!(bench.knows("tulip"), None);
        assert_eq!(bench.knows("rose"), Some(written("rose")));
    }

    #[test]
    fn the_oldest_are_forgotten_first() {
        let mut bench = Bench::new(10);
        for number in 0..100 {
            bench.remember(&number.to_string());
            bench.save();
        }
        let known: Vec<usize> = (0..100)
            .filter(|number| bench.knows(&number.to_string()).is_some())
            .collect();
        assert_eq!(known, (90..100).collect::<Vec<usize>>());
    }

    #[test]
    fn a_digest_that_begins_alike_is_another() {
        let mut bench = Bench::new(10);
        bench.remember("rose");
        bench.save();
        let mut bytes = digest("rose").as_bytes().to_vec();
        bytes[19] ^= 1;
        let other = Digest::from_bytes(DigestAlgorithm::Sha1, &bytes).expect("a digest");
        assert_eq!(bench.payloads.find(&other, &bench.reader), None);
    }
}
