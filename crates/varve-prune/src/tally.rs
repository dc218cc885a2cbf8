//! What pruning came to, in figures.

use crate::cut::{Cut, Holder, Whole};
use serde::Serialize;
use std::collections::BTreeMap;

/// Scripts in figures. Bytes are those of the texts, before they are compressed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Scripts that are stored.
    pub scripts: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Those that were cut.
    pub cut: u64,
    /// Those that were set aside whole, since nobody saw them run.
    pub aside: u64,
    /// What all scripts have in the hot store now.
    pub hot: u64,
    /// What was taken out, of pages too.
    pub cold: u64,
    /// Pages of which scripts that stand in them were cut.
    pub pages: u64,
    /// Functions that were taken out.
    pub functions: u64,
    /// The others, by why they stay whole.
    pub whole: BTreeMap<&'static str, u64>,
    /// URLs of scripts that are data, the first ones.
    pub data: Vec<String>,
}

/// So many URLs are told.
const TOLD: usize = 1_000;

impl Tally {
    pub(crate) fn cut(&mut self, holder: Holder, bytes: usize, cut: &Cut) {
        match holder {
            Holder::Page => self.pages += 1,
            Holder::Script => {
                self.scripts += 1;
                match cut.is_all() {
                    true => self.aside += 1,
                    false => self.cut += 1,
                }
                self.bytes += bytes as u64;
                self.hot += cut.hot.len() as u64;
            }
        }
        if !cut.is_all() {
            self.functions += cut.functions() as u64;
        }
        let cold: usize = cut.cold.iter().map(|part| part.bytes.len()).sum();
        self.cold += cold as u64;
    }

    pub(crate) fn whole(&mut self, url: &str, bytes: usize, why: Whole) {
        self.scripts += 1;
        self.bytes += bytes as u64;
        self.hot += bytes as u64;
        *self.whole.entry(why.words()).or_default() += 1;
        if why == Whole::Data && self.data.len() < TOLD {
            self.data.push(url.to_owned());
        }
    }
}
