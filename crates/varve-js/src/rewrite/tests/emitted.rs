//! The list of emitted names is neither too short nor too long.

use std::collections::BTreeSet;

use super::super::{EMITTED, GLOBAL};
use super::tables::SOURCES;
use super::{Form, rewrite};

#[test]
fn every_name_that_is_used_is_listed() {
    let mut used = BTreeSet::new();
    let others = ["window?.eval; x?.top", "eval(__varve.cold('key',0))"];
    for source in SOURCES.iter().copied().chain(others) {
        let rewritten = rewrite(source, Form::Unknown);
        for (at, _) in rewritten.text.match_indices(GLOBAL) {
            let name = &rewritten.text[at + GLOBAL.len() + 1..];
            let end = name
                .find(|c: char| !c.is_alphanumeric())
                .unwrap_or(name.len());
            used.insert(name[..end].to_owned());
        }
    }
    let listed: BTreeSet<String> = EMITTED.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(used, listed);
}
