//! `Answer`: what all peers together say about a URL.

use crate::budget::Reserve;
use crate::original::Original;
use crate::trouble::Trouble;
use std::collections::HashSet;
use std::sync::Arc;
use varve_model::Timestamp;

/// An archived state of a URL (URI-M).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memento {
    /// When it was archived.
    pub time: Timestamp,
    /// Where it is.
    pub uri: Box<str>,
    /// Who has it: the id of the archive.
    pub archive: Arc<str>,
}

/// A peer whose answer is missing, or not whole.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The id of the archive.
    pub archive: Arc<str>,
    /// Why.
    pub trouble: Trouble,
}

/// What was asked about a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// All mementos.
    TimeMap,
    /// Those around a time: at least the nearest one of each archive.
    Around(Timestamp),
}

/// What all peers together say.
#[derive(Debug)]
pub struct Answer {
    /// About what.
    pub original: Original,
    /// All mementos, in the order of time, none twice.
    pub mementos: Vec<Memento>,
    /// Who should have been heard, and was not.
    pub missing: Vec<Missing>,
    /// How many peers were asked.
    pub asked: usize,
    /// How many of them gave an answer, whole or not.
    pub answered: usize,
    /// How many were not asked, because their maps say that they have nothing.
    pub skipped_by_map: usize,
    pub(crate) reserve: Reserve,
}

impl Answer {
    /// Whether nobody was heard although somebody should have been.
    pub fn is_nobodys(&self) -> bool {
        self.answered == 0 && !self.missing.is_empty()
    }

    /// The place of the memento nearest to a time; of two, the earlier one.
    pub fn closest(&self, time: Timestamp) -> Option<usize> {
        let apart = |memento: &Memento| (memento.time.unix_millis() - time.unix_millis()).abs();
        let all = self.mementos.iter().enumerate();
        all.min_by_key(|(at, memento)| (apart(memento), *at))
            .map(|(at, _)| at)
    }
}

/// Puts mementos in the order of time, each once: addresses that two peers name, and several
/// mementos of one archive and second, count as one.
pub(crate) fn merge(mut mementos: Vec<Memento>) -> Vec<Memento> {
    mementos.sort_by(|a, b| (a.time, &a.archive, &a.uri).cmp(&(b.time, &b.archive, &b.uri)));
    let mut known: HashSet<&str> = HashSet::with_capacity(mementos.len());
    let mut last = None;
    let kept = mementos.iter().map(|memento| {
        let moment = Some((memento.time, &memento.archive));
        let keep = moment != last && known.insert(&memento.uri);
        if keep {
            last = moment;
        }
        keep
    });
    let kept: Vec<bool> = kept.collect();
    let mut kept = kept.into_iter();
    mementos.retain(|_| kept.next().unwrap_or(true));
    mementos
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn memento(time: &str, uri: &str, archive: &str) -> Memento {
        Memento {
            time: Timestamp::parse(time).unwrap(),
            uri: uri.into(),
            archive: archive.into(),
        }
    }

    fn answer(mementos: Vec<Memento>) -> Answer {
        Answer {
            original: Original::parse("http://a.example/").unwrap(),
            mementos: merge(mementos),
            missing: Vec::new(),
            asked: 1,
            answered: 1,
            skipped_by_map: 0,
            reserve: Reserve::default(),
        }
    }

    #[test]
    fn each_memento_is_told_once_in_the_order_of_time() {
        let merged = merge(vec![
            memento("20150101000000", "http://m/3", "b"),
            memento("20140101000000", "http://m/1", "b"),
            // Another aggregator tells of the same.
            memento("20140101000000", "http://m/1", "a"),
            // The same second of the same archive under another address.
            memento("20150101000000", "https://m/3", "b"),
            // The same second of another archive is another memento.
            memento("20150101000000", "http://n/3", "c"),
        ]);
        let told: Vec<(&str, &str)> = merged.iter().map(|it| (&*it.uri, &*it.archive)).collect();
        assert_eq!(
            told,
            [
                ("http://m/1", "a"),
                ("http://m/3", "b"),
                ("http://n/3", "c")
            ]
        );
    }

    #[test]
    fn the_nearest_memento_is_the_earlier_one_of_two() {
        let answer = answer(vec![
            memento("20140101000000", "http://m/1", "a"),
            memento("20140103000000", "http://m/2", "a"),
            memento("20150101000000", "http://m/3", "a"),
        ]);
        let check = |time: &str, expected: usize| {
            let time = Timestamp::earliest_of(time).unwrap();
            assert_eq!(answer.closest(time), Some(expected), "{time}");
        };
        check("1999", 0);
        check("20140102000000", 0);
        check("20140102000001", 1);
        check("2099", 2);
    }

    proptest! {
        #[test]
        fn merging_keeps_what_differs_and_can_be_repeated(
            all in proptest::collection::vec((0..4_u8, 0..4_u8, 0..3_u8), 0..30)
        ) {
            let given: Vec<Memento> = all.iter().map(|(time, uri, archive)| {
                memento(&format!("2014010{}000000", time + 1), &format!("http://m/{uri}"), &archive.to_string())
            }).collect();
            let merged = merge(given.clone());
            prop_assert!(merged.is_sorted_by_key(|it| it.time));
            let uris: HashSet<&str> = merged.iter().map(|it| &*it.uri).collect();
            prop_assert_eq!(uris.len(), merged.len());
            for one in &given {
                let same = |it: &Memento| it.uri == one.uri || it.time == one.time && it.archive == one.archive;
                prop_assert!(merged.iter().any(same));
            }
            prop_assert_eq!(merge(merged.clone()), merged);
        }
    }
}
