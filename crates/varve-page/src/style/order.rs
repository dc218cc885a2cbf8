//! In which order sheets and layers count, imported sheets included.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use url::Url;

use super::sheet::{Layer, StyleSheet};
use super::{Source, StyleSheets, read};

/// Sheets that import sheets that import sheets.
const MAX_DEPTH: usize = 12;

/// Most sheets of a page, each counted as often as it is imported.
const MAX_SHEETS: usize = 2000;

/// Above all layers.
pub(crate) const UNLAYERED: u32 = u32::MAX;

/// A sheet in its place.
pub(crate) struct Applied {
    pub(crate) sheet: Arc<StyleSheet>,
    /// Whether it is the browser's own.
    pub(crate) own: bool,
    /// What the layers of the sheet count, lowest first.
    pub(crate) ranks: Vec<u32>,
    /// What rules outside of layers count.
    pub(crate) rank: u32,
}

/// The sheets of a page that are not known yet.
pub(super) fn wanted(sources: &[Source], known: &StyleSheets) -> Vec<Url> {
    let mut seen: HashSet<&Url> = HashSet::new();
    let mut wanted = Vec::new();
    let mut open: Vec<&StyleSheet> = Vec::new();
    let mut ask = |url, open: &mut Vec<_>| {
        if seen.len() < MAX_SHEETS && seen.insert(url) {
            match known.get(url) {
                Some(Some(sheet)) => open.push(sheet.as_ref()),
                Some(None) => {}
                None => wanted.push(url.clone()),
            }
        }
    };
    for source in sources {
        match source {
            Source::Inline(sheet) => open.push(sheet),
            Source::Linked(url) => ask(url, &mut open),
        }
    }
    while let Some(sheet) = open.pop() {
        for url in sheet.imports() {
            ask(url, &mut open);
        }
    }
    wanted
}

/// The sheets of a page that apply, the browser's own first.
pub(super) fn applied(sources: &[Source], known: &StyleSheets, base: &Arc<Url>) -> Vec<Applied> {
    let mut list = List {
        known,
        sheets: vec![(read::user_agent(base).clone(), Layer::new())],
    };
    list.add_all(sources);
    ranked(list.sheets)
}

/// The sheets of a page that apply, without the browser's own, each once.
pub(super) fn all(sources: &[Source], known: &StyleSheets) -> Vec<Arc<StyleSheet>> {
    let mut list = List {
        known,
        sheets: Vec::new(),
    };
    list.add_all(sources);
    let mut seen = HashSet::new();
    let sheets = list.sheets.into_iter().map(|(sheet, _)| sheet);
    sheets
        .filter(|sheet| seen.insert(Arc::as_ptr(sheet)))
        .collect()
}

struct List<'k> {
    known: &'k StyleSheets,
    sheets: Vec<(Arc<StyleSheet>, Layer)>,
}

impl List<'_> {
    fn add_all(&mut self, sources: &[Source]) {
        for source in sources {
            match source {
                Source::Inline(sheet) => self.add(sheet, &Layer::new(), 0),
                Source::Linked(url) => {
                    if let Some(Some(sheet)) = self.known.get(url) {
                        self.add(sheet, &Layer::new(), 0);
                    }
                }
            }
        }
    }

    /// Adds a sheet after those that it imports.
    fn add(&mut self, sheet: &Arc<StyleSheet>, within: &Layer, depth: usize) {
        if depth > MAX_DEPTH || self.sheets.len() >= MAX_SHEETS {
            return;
        }
        for import in sheet.imports.iter().filter(|import| import.applies) {
            if let Some(Some(imported)) = self.known.get(&import.url) {
                let layer = import.layer.iter().flatten();
                let layer = within.iter().chain(layer).cloned().collect();
                self.add(imported, &layer, depth + 1);
            }
        }
        self.sheets.push((sheet.clone(), within.clone()));
    }
}

/// Finds out what the layers of sheets count against each other.
fn ranked(sheets: Vec<(Arc<StyleSheet>, Layer)>) -> Vec<Applied> {
    // For every layer its place among those beside it, by the order in which they are named.
    let mut places: HashMap<Layer, u32> = HashMap::new();
    let mut beside: HashMap<Layer, u32> = HashMap::new();
    let full = |at: usize, within: &Layer, layer: &Layer| -> Layer {
        let own = layer.iter().map(|name| match name.strip_prefix('#') {
            Some(nameless) => format!("#{at}.{nameless}").into(),
            None => name.clone(),
        });
        within.iter().cloned().chain(own).collect()
    };
    let mut key = |layer: &Layer| -> Vec<u32> {
        let mut key = Vec::new();
        for length in 1..=layer.len() {
            let path = layer[..length].to_vec();
            let next = beside.entry(layer[..length - 1].to_vec()).or_default();
            let place = *places.entry(path).or_insert_with(|| {
                *next += 1;
                *next
            });
            key.push(place);
        }
        // What is in a layer but in none inside it counts more than those.
        key.push(u32::MAX);
        key
    };
    let keys: Vec<(Vec<u32>, Vec<Vec<u32>>)> = sheets
        .iter()
        .enumerate()
        .map(|(at, (sheet, within))| {
            let around = key(within);
            let layers = sheet.layers.iter();
            (
                around,
                layers.map(|layer| key(&full(at, within, layer))).collect(),
            )
        })
        .collect();
    let mut all: Vec<&Vec<u32>> = keys.iter().flat_map(|(_, keys)| keys).collect();
    all.extend(keys.iter().map(|(key, _)| key));
    all.sort();
    all.dedup();
    let rank = |key: &Vec<u32>| match key.len() {
        1 => UNLAYERED,
        _ => all
            .binary_search(&key)
            .map_or(UNLAYERED, |rank| rank as u32),
    };
    let ranks = keys
        .iter()
        .map(|(around, keys)| (rank(around), keys.iter().map(rank).collect()));
    let ranks: Vec<(u32, Vec<u32>)> = ranks.collect();
    let sheets = sheets.into_iter().zip(ranks).enumerate();
    sheets
        .map(|(at, ((sheet, _), (rank, ranks)))| Applied {
            sheet,
            own: at == 0,
            ranks,
            rank,
        })
        .collect()
}
