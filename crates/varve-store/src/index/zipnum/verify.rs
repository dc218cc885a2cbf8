//! A walk over all blocks of a ZipNum index.

use super::ZipNum;
use super::block::{Block, fault};
use super::idx::BlockPlace;
use crate::index::Verified;
use crate::index::line::{find_newline, is_header, sort_words};
use crate::{Result, StoreError};
use std::collections::HashMap;

impl ZipNum {
    /// Reads everything and reports each block that is not where the one before it ended, is
    /// damaged, or does not start as the idx says, and each line that is out of place.
    pub fn verify(&self, report: &mut dyn FnMut(StoreError)) -> Result<Verified> {
        let mut walk = Walk {
            index: self,
            verified: Verified::default(),
            ends: HashMap::new(),
        };
        let mut idx = self.0.idx.start();
        loop {
            let checked = match idx.next_line() {
                Ok(Some(line)) if is_header(line) => Ok(()),
                Ok(Some(line)) => match BlockPlace::parse(line) {
                    Ok(place) => walk.check_block(&place, report),
                    Err(reason) => {
                        let reason = format!("offset {}: {reason}", idx.offset());
                        Err(StoreError::invalid(self.path(), reason))
                    }
                },
                Ok(None) => break,
                Err(error) => Err(error),
            };
            match checked {
                Err(error @ StoreError::Io { .. }) => return Err(error),
                Err(error) => report(error),
                Ok(()) => {}
            }
        }
        walk.check_ends(report)?;
        Ok(walk.verified)
    }
}

struct Walk<'a> {
    index: &'a ZipNum,
    verified: Verified,
    /// Where the last block of each part ended.
    ends: HashMap<String, u64>,
}

impl Walk<'_> {
    fn check_block(
        &mut self,
        place: &BlockPlace,
        report: &mut dyn FnMut(StoreError),
    ) -> Result<()> {
        let name = self.index.part_name(place);
        let part = self.index.0.parts.open(name, self.index.path())?;
        let end = self.ends.entry(name.to_owned()).or_insert(0);
        if *end != place.offset {
            let reason = format!("the block before it in the file ended at {end}");
            report(fault(&part, place, &reason));
        }
        *end = place.offset.saturating_add(place.length);
        let block = Block::read(&part, place)?;
        let mut faulty = |reason: &str| report(fault(&part, place, reason));
        if sort_words(first_line(&block.text)) != place.words {
            faulty("its first line does not start like its line in the idx");
        }
        let mut rest = block.text.as_slice();
        while !rest.is_empty() {
            let line = first_line(rest);
            if let Some(reason) = self.verified.check_line(line) {
                faulty(reason);
            }
            rest = rest.get(line.len() + 1..).unwrap_or_default();
        }
        Ok(())
    }

    /// Each part must end with its last block.
    fn check_ends(&self, report: &mut dyn FnMut(StoreError)) -> Result<()> {
        for (name, end) in &self.ends {
            let part = self.index.0.parts.open(name, self.index.path())?;
            if *end < part.len {
                let reason = format!("offset {end}: bytes after the last block of the idx");
                report(StoreError::invalid(&part.path, reason));
            }
        }
        Ok(())
    }
}

fn first_line(text: &[u8]) -> &[u8] {
    &text[..find_newline(text).unwrap_or(text.len())]
}
