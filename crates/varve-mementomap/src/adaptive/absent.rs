//! Negative knowledge: what is asked for and not held, below wildcards that would say otherwise.

use super::Asked;
use crate::compact::node_steps;
use crate::tree::Tree;
use crate::{Frequency, is_wildcard};
use std::collections::BTreeMap;

/// Lines that say what is not held.
#[derive(Clone, Debug)]
pub struct Absent {
    /// What is asked for.
    pub asked: Asked,
    /// How often something must be asked for to be worth a line.
    pub least: u64,
    /// The most lines that are spent on it.
    pub most: usize,
}

impl Absent {
    /// A zero for each subtree below the chosen nodes that is asked for often enough and that
    /// nothing is held in.
    pub(crate) fn lines(&self, tree: &Tree, chosen: &[usize]) -> Vec<(Vec<u8>, Frequency)> {
        let mut often: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
        for key in &self.asked.keys {
            if let Some(nothing) = nothing_around(tree, chosen, key.as_bytes()) {
                *often.entry(nothing).or_default() += 1;
            }
        }
        let mut often: Vec<_> = often
            .into_iter()
            .filter(|(_, times)| *times >= self.least)
            .collect();
        often.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        often.truncate(self.most);
        often
            .into_iter()
            .map(|(key, _)| (key, Frequency::NONE))
            .collect()
    }
}

/// The largest part of the web around a key, below a wildcard of the map, that nothing is held in:
/// as a wildcard, or as the key itself if something is held below it.
fn nothing_around(tree: &Tree, chosen: &[usize], key: &[u8]) -> Option<Vec<u8>> {
    if is_wildcard(key) || tree.has_key(key) {
        return None;
    }
    let innermost = tree.innermost(key)?;
    let mut above = Some(innermost);
    let mut rolled_up = false;
    while let Some(node) = above {
        // What a wildcard held already, nobody can say more about.
        if tree.is_unknown_below(node) {
            return None;
        }
        rolled_up |= chosen.binary_search(&node).is_ok();
        above = tree.nodes[node].parent;
    }
    if !rolled_up {
        return None;
    }
    let held = tree.node_text(innermost).len();
    let mut nothing = None;
    node_steps(key, |is_host, _, end| {
        if end > held && nothing.is_none() {
            // The paths of a host whose subdomains are held are not the host itself.
            let separator: &[u8] = if is_host { b"," } else { b"/" };
            nothing = Some([&key[..end], separator, b"*"].concat());
        }
    });
    Some(nothing.unwrap_or_else(|| key.to_vec()))
}
