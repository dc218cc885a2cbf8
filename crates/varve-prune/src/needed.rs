//! What turned out to be needed of bodies that were cut before: functions that ran in a later
//! crawl, or that replay asked for.
//!
//! A crawl that finds a script unchanged stores it no second time. If more of it ran this time, its
//! layer holds just those functions; replay serves what all layers have of it.

use crate::cut::same_form;
use crate::learned::Learned;
use std::collections::{BTreeSet, HashSet};
use varve_js::split;
use varve_store::Result;
use varve_store::collection::{
    Attachment, Collection, Needed, Parted, Parts, PartsKey, Shelf, WholeDigest,
};
use varve_store::index::MergedIndex;

const BOM: &str = "\u{feff}";

/// The records of parts that are needed and are not at hand yet, and how many parts they hold.
pub(crate) fn needed(
    collection: &Collection,
    index: &MergedIndex,
    shelf: &Shelf,
    learned: &Learned,
) -> Result<(Vec<Attachment>, u64)> {
    let asked_for = collection.needed();
    let mut records = Vec::new();
    let mut functions = 0;
    for (whole, key) in shelf.stored() {
        let Some(parts) = of_body(collection, index, (whole, key), learned, &asked_for)? else {
            continue;
        };
        functions += parts.parts.len() as u64;
        records.push(parts.hot_record(key));
    }
    Ok((records, functions))
}

fn of_body(
    collection: &Collection,
    index: &MergedIndex,
    (whole, key): (&WholeDigest, &PartsKey),
    learned: &Learned,
    asked_for: &Needed,
) -> Result<Option<Parts>> {
    if !learned.knows(whole) && !asked_for.contains_key(key) {
        return Ok(None);
    }
    let Some(Parted { stored, parts }) = collection.parted(index, key)? else {
        return Ok(None);
    };
    let mut numbers: BTreeSet<usize> = asked_for.get(key).cloned().unwrap_or_default();
    numbers.extend(ran_since(&stored, &parts, learned));
    let hot = collection.hot_parts(index, key)?;
    let hot: HashSet<usize> = hot
        .into_iter()
        .flat_map(|hot| hot.parts)
        .map(|part| part.stub.start)
        .collect();
    let chosen = numbers
        .into_iter()
        .filter_map(|number| parts.parts.get(number));
    let chosen = chosen.filter(|part| !hot.contains(&part.stub.start));
    let chosen: Vec<_> = chosen.cloned().collect();
    Ok((!chosen.is_empty()).then_some(Parts {
        parts: chosen,
        ..parts
    }))
}

/// The parts of a script that would not be taken out by what is known now.
fn ran_since(stored: &[u8], parts: &Parts, learned: &Learned) -> Vec<usize> {
    let whole = parts.join(stored).map(String::from_utf8);
    let Some(Ok(whole)) = whole else {
        return Vec::new();
    };
    let source = whole.strip_prefix(BOM).unwrap_or(&whole);
    let mark = whole.len() - source.len();
    let Some(run) = learned.of_text(source) else {
        return Vec::new();
    };
    let Ok(split) = split(source, same_form(run), &run.functions()) else {
        return Vec::new();
    };
    let cold: HashSet<usize> = split
        .cold
        .iter()
        .map(|cold| cold.body.start + mark)
        .collect();
    let ran = |number: &usize| {
        let place = parts.place_in_whole(*number);
        place.is_some_and(|place| !cold.contains(&place.start))
    };
    (0..parts.parts.len()).filter(ran).collect()
}
