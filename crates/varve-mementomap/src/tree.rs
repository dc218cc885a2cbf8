//! A whole map in memory, as the tree that its keys make: for choices that need to see all of it.

use crate::compact::node_steps;
use crate::{Frequency, Record, Records, Result};
use std::cmp::Ordering;
use std::collections::HashMap;

/// A map in memory.
pub(crate) struct Tree {
    /// All keys, one after the other.
    text: Vec<u8>,
    /// The lines, in an order in which all of a node stands together.
    lines: Vec<Line>,
    /// Each before all that are in it.
    pub(crate) nodes: Vec<TreeNode>,
    by_text: HashMap<Vec<u8>, usize>,
}

struct Line {
    key: std::ops::Range<usize>,
    frequency: Frequency,
}

/// A host or a directory.
pub(crate) struct TreeNode {
    pub(crate) parent: Option<usize>,
    pub(crate) is_host: bool,
    /// From 0, in its layer.
    pub(crate) depth: usize,
    /// How long its text is: a beginning of the key of its first line.
    end: usize,
    /// Its lines.
    pub(crate) lines: std::ops::Range<usize>,
}

impl TreeNode {
    /// Whether a wildcard may take its place: not that of a top-level domain.
    pub(crate) fn may_roll_up(&self) -> bool {
        !self.is_host || self.depth > 0
    }
}

impl Tree {
    /// Reads a map, in any order. What says that nothing is held is left out.
    pub(crate) fn read(records: &mut Records) -> Result<Tree> {
        let mut tree = Tree {
            text: Vec::new(),
            lines: Vec::new(),
            nodes: Vec::new(),
            by_text: HashMap::new(),
        };
        while let Some(record) = records.next_record()? {
            if !record.frequency.is_none() {
                let start = tree.text.len();
                tree.text.extend_from_slice(record.key);
                tree.lines.push(Line {
                    key: start..tree.text.len(),
                    frequency: record.frequency,
                });
            }
        }
        tree.order();
        tree.grow();
        Ok(tree)
    }

    /// How many keys there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn key(&self, line: usize) -> &[u8] {
        &self.text[self.lines[line].key.clone()]
    }

    /// The text of a node: `com,a`, `com,a)` or `com,a)/x`.
    pub(crate) fn node_text(&self, node: usize) -> &[u8] {
        let node = &self.nodes[node];
        &self.key(node.lines.start)[..node.end]
    }

    pub(crate) fn has_key(&self, key: &[u8]) -> bool {
        let found = self
            .lines
            .binary_search_by(|line| node_order(&self.text[line.key.clone()], key));
        found.is_ok()
    }

    /// The innermost node that a key lies in.
    pub(crate) fn innermost(&self, key: &[u8]) -> Option<usize> {
        let mut ends = Vec::new();
        node_steps(key, |_, _, end| ends.push(end));
        ends.iter()
            .rev()
            .find_map(|end| self.by_text.get(&key[..*end]).copied())
    }

    /// The lines of the map when some nodes, none within another, are rolled up.
    pub(crate) fn rolled_up(&self, chosen: &[usize]) -> Vec<(Vec<u8>, Frequency)> {
        let mut covered = vec![false; self.lines.len()];
        let mut result = Vec::new();
        for node in chosen {
            let lines = self.nodes[*node].lines.clone();
            covered[lines.clone()].fill(true);
            let held = self.lines[lines].iter().map(|line| line.frequency);
            let total = held.reduce(Frequency::plus).unwrap_or(Frequency::NONE);
            result.push((self.wildcard(*node), total));
        }
        for (line, _) in covered.iter().enumerate().filter(|(_, covered)| !**covered) {
            result.push((self.key(line).to_vec(), self.lines[line].frequency));
        }
        result.sort_by(|one, other| one.0.cmp(&other.0));
        result
    }

    /// The wildcard that takes a node's place.
    pub(crate) fn wildcard(&self, node: usize) -> Vec<u8> {
        let separator = if self.nodes[node].is_host { b"," } else { b"/" };
        [self.node_text(node), separator, b"*"].concat()
    }

    /// The nodes that a wildcard of the map is named after: nobody knows what they have.
    pub(crate) fn is_unknown_below(&self, node: usize) -> bool {
        self.has_key(&self.wildcard(node))
    }

    /// Sorts lines so that all of a node stands together, and takes equal keys together.
    fn order(&mut self) {
        let text = &self.text;
        let key = |line: &Line| &text[line.key.clone()];
        self.lines
            .sort_by(|one, other| node_order(key(one), key(other)));
        self.lines.dedup_by(|next, kept| {
            let same = key(next) == key(kept);
            if same {
                kept.frequency = kept.frequency.plus(next.frequency);
            }
            same
        });
    }

    fn grow(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for line in 0..self.lines.len() {
            let key = self.text[self.lines[line].key.clone()].to_vec();
            let mut depth = 0;
            node_steps(&key, |is_host, layer_depth, end| {
                let known = open
                    .get(depth)
                    .is_some_and(|node| self.node_text(*node) == &key[..end]);
                if !known {
                    open.truncate(depth);
                    self.by_text.insert(key[..end].to_vec(), self.nodes.len());
                    open.push(self.nodes.len());
                    self.nodes.push(TreeNode {
                        parent: depth.checked_sub(1).map(|above| open[above]),
                        is_host,
                        depth: layer_depth,
                        end,
                        lines: line..line,
                    });
                }
                self.nodes[open[depth]].lines.end = line + 1;
                depth += 1;
            });
            open.truncate(depth);
        }
    }
}

/// The order of keys in which all of a node stands together: separators come before all else.
fn node_order(one: &[u8], other: &[u8]) -> Ordering {
    let rank = |byte: &u8| match byte {
        b'/' => 0,
        b')' => 1,
        b',' => 2,
        other => u16::from(*other) + 3,
    };
    one.iter().map(rank).cmp(other.iter().map(rank))
}

/// A zero or a sum, as a line.
pub(crate) fn write_lines(lines: &[(Vec<u8>, Frequency)], out: &mut Vec<u8>) {
    for (key, frequency) in lines {
        let record = Record {
            key,
            frequency: *frequency,
            more: &[],
        };
        record.write(out);
    }
}
