//! Rolling up: hosts and directories with many children become wildcards.
//!
//! One pass over sorted lines, in memory that does not grow with them. A stack holds the *nodes*
//! (hosts and directories) on the way to the line being read. As soon as one of them has more
//! children than its cut-off allows, its lines are taken back and those that follow are only
//! counted; when it is over, a wildcard is written with the sum. A node further up may still take
//! that back, too, so that the uppermost one wins.
//!
//! Lines are in the order of bytes, in which a directory is not always in one piece: `x`, `x-1`,
//! `x/y`. Such a node lies *dormant* while its siblings are read, and is counted once.

mod cutoffs;
mod node;
mod pending;

pub(crate) use cutoffs::Cutoffs;
pub use cutoffs::{PowerLaw, RollUp};
pub(crate) use node::node_steps;
use node::{Gap, Layer, Node, Relation, next_step, write_wildcard};
use pending::Pending;

use crate::bytes::common_prefix;
use crate::record::Records;
use crate::tune::{Level, Shape};
use crate::{Frequency, Record, Result};
use std::io::Write;

/// What rolling up came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compacted {
    /// How many keys there were.
    pub keys: u64,
    /// How many lines there are now, headers left out.
    pub lines: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// How often a wildcard took the place of others, also where one further up took its place.
    pub roll_ups: u64,
}

/// What wildcards that are there already do to lines below them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wildcards {
    /// Nothing: they are lines as any other.
    Beside,
    /// They take them in, except those that say that nothing is held; wildcards over a whole
    /// top-level domain leave all as it is.
    TakeIn,
}

/// Rolls up the records of a sorted map, and writes the lines that are left.
pub fn compact(records: &mut Records, roll_up: &RollUp, out: impl Write) -> Result<Compacted> {
    let mut compactor = Compactor::new(roll_up.cutoffs()?, Wildcards::Beside, out);
    while let Some((record, shared)) = records.next_after(&compactor.key)? {
        if !compactor.push_sharing(&record, shared)? {
            let key = record.key.to_vec();
            return Err(records.unsorted(&key));
        }
    }
    compactor.finish()
}

/// Takes sorted records and writes what is left of them.
pub(crate) struct Compactor<W> {
    cutoffs: Cutoffs,
    wildcards: Wildcards,
    /// Nodes whose text begins the current key: those that it lies in, and dormant ones.
    stack: Vec<Node>,
    /// The node in the stack that has too many children; it is the last one then.
    doomed: Option<usize>,
    key: Vec<u8>,
    /// What the current key holds; `None` before the first.
    frequency: Option<Frequency>,
    more: Vec<u8>,
    /// Lines below the doomed node that stay.
    spared: Vec<Vec<u8>>,
    pending: Pending<W>,
    keys: u64,
    roll_ups: u64,
    /// What has been left so far, by depth; only where nothing can be rolled up.
    shape: Option<Shape>,
}

impl<W: Write> Compactor<W> {
    pub(crate) fn new(cutoffs: Cutoffs, wildcards: Wildcards, out: W) -> Compactor<W> {
        Compactor {
            shape: (!cutoffs.may_roll_up()).then(Shape::default),
            cutoffs,
            wildcards,
            stack: Vec::new(),
            doomed: None,
            key: Vec::new(),
            frequency: None,
            more: Vec::new(),
            spared: Vec::new(),
            pending: Pending::new(out),
            keys: 0,
            roll_ups: 0,
        }
    }

    /// Takes a record; false if it should have come before the one given last. Equal keys are
    /// taken together.
    #[inline]
    pub(crate) fn push(&mut self, record: &Record<'_>) -> Result<bool> {
        let shared = common_prefix(&self.key, record.key);
        self.push_sharing(record, shared)
    }

    /// The same, of which is known how much its key shares with the one given last.
    #[inline]
    fn push_sharing(&mut self, record: &Record<'_>, shared: usize) -> Result<bool> {
        if let Some(frequency) = &mut self.frequency {
            match (self.key.get(shared), record.key.get(shared)) {
                (None, None) => {
                    *frequency = frequency.plus(record.frequency);
                    self.more.clear();
                    return Ok(true);
                }
                (Some(_), None) => return Ok(false),
                (Some(last), Some(next)) if next < last => return Ok(false),
                _ => {}
            }
            self.write_current();
        }
        self.leave(record.key, shared)?;
        self.key.truncate(shared);
        self.key.extend_from_slice(&record.key[shared..]);
        self.frequency = Some(record.frequency);
        self.more.clear();
        self.more.extend_from_slice(record.more);
        self.keys += 1;
        self.enter(!record.frequency.is_none())?;
        if self.pending.is_full() {
            self.pending.settle(self.settled())?;
        }
        Ok(true)
    }

    /// The tree that all keys made, if nothing was rolled up.
    pub(crate) fn into_shape(mut self) -> Result<Shape> {
        self.leave_all();
        Ok(Shape {
            keys: self.keys,
            ..self.shape.unwrap_or_default()
        })
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self) -> Result<Compacted> {
        self.leave_all();
        let (lines, bytes) = self.pending.finish()?;
        Ok(Compacted {
            keys: self.keys,
            lines,
            bytes,
            roll_ups: self.roll_ups,
        })
    }

    fn leave_all(&mut self) {
        self.write_current();
        while !self.stack.is_empty() {
            self.leave_last();
        }
    }

    /// The line of the current key: nothing can be added to it any more.
    fn write_current(&mut self) {
        let Some(frequency) = self.frequency else {
            return;
        };
        let record = Record {
            key: &self.key,
            frequency,
            more: &self.more,
        };
        if let Some(node) = self.stack.last_mut() {
            node.add(frequency);
        }
        if self.doomed.is_none() {
            record.write(self.pending.end());
        } else if self.wildcards == Wildcards::TakeIn && frequency.is_none() {
            let mut line = Vec::new();
            record.write(&mut line);
            self.spared.push(line);
        }
    }

    /// Leaves the nodes that `next`, which shares its beginning with the current key, is not in.
    fn leave(&mut self, next: &[u8], shared: usize) -> Result<()> {
        while self.stack.last().is_some_and(|node| node.end > shared) {
            self.leave_last();
        }
        // Of the others only one that ends right here can stand differently to the next key.
        let Some(node) = self.stack.last_mut().filter(|node| node.end == shared) else {
            return Ok(());
        };
        let place = self.pending.place();
        let max_depth = match node.layer {
            Layer::Host => self.cutoffs.host.len(),
            Layer::Path => self.cutoffs.path.len(),
        };
        match node.relation(next[shared], max_depth) {
            Relation::Inside if node.dormant => {
                node.dormant = false;
                node.gap = node.gap.map(|gap| Gap {
                    to: place,
                    roll_ups: self.roll_ups - gap.roll_ups,
                    ..gap
                });
            }
            Relation::Aside if !node.dormant => {
                node.dormant = true;
                node.gap = Some(Gap {
                    from: place,
                    to: place,
                    roll_ups: self.roll_ups,
                });
            }
            Relation::Inside | Relation::Aside => {}
            Relation::Past => self.leave_last(),
        }
        Ok(())
    }

    /// Leaves the last node; a wildcard takes its place if it is doomed.
    fn leave_last(&mut self) {
        let Some(node) = self.stack.pop() else {
            return;
        };
        if let (Some(parent), Some(total)) = (node.parent, node.total) {
            self.stack[parent].add(total);
        }
        self.count_shape(&node);
        if self.doomed != Some(self.stack.len()) {
            return;
        }
        self.doomed = None;
        self.roll_ups += 1;
        if self.spared.is_empty() {
            write_wildcard(&self.key, &node, self.pending.end());
            return;
        }
        let mut line = Vec::new();
        write_wildcard(&self.key, &node, &mut line);
        self.spared.push(line);
        self.spared
            .sort_by(|one, other| key_part(one).cmp(key_part(other)));
        for line in self.spared.drain(..) {
            self.pending.end().extend_from_slice(&line);
        }
    }

    fn count_shape(&mut self, node: &Node) {
        let levels = match (&mut self.shape, node.layer) {
            (None, _) => return,
            (Some(shape), Layer::Host) => &mut shape.host,
            (Some(shape), Layer::Path) => &mut shape.path,
        };
        if levels.len() <= node.depth {
            levels.resize(node.depth + 1, Level::default());
        }
        let level = &mut levels[node.depth];
        level.nodes += 1;
        level.parents += u64::from(node.children > 0);
        level.children += u64::from(node.children);
    }

    /// Adds the nodes on the way to the current key, and dooms the uppermost that has too many
    /// children.
    fn enter(&mut self, holds: bool) -> Result<()> {
        if self.doomed.is_some() {
            return Ok(());
        }
        let mut parent = match self.stack.last() {
            Some(node) if node.dormant => node.parent,
            Some(_) => Some(self.stack.len() - 1),
            None => None,
        };
        let (hosts, paths) = (self.cutoffs.host.len(), self.cutoffs.path.len());
        let start = self.pending.place();
        while let Some((layer, depth, end)) =
            next_step(&self.key, parent.map(|at| &self.stack[at]), hosts, paths)
        {
            self.stack.push(Node {
                parent,
                start,
                roll_ups: self.roll_ups,
                ..Node::at(layer, depth, end)
            });
            parent = Some(self.stack.len() - 1);
        }
        if !holds {
            return Ok(());
        }
        let overfull = self.count_up();
        match overfull.or_else(|| self.named_by_wildcard()) {
            Some(node) => self.doom(node),
            None => Ok(()),
        }
    }

    /// Counts the new nodes as children; the uppermost that has too many now.
    fn count_up(&mut self) -> Option<usize> {
        let mut overfull = None;
        let mut at = self.stack.len().checked_sub(1);
        while let Some(index) = at {
            let (layer, parent) = (self.stack[index].layer, self.stack[index].parent);
            if std::mem::replace(&mut self.stack[index].counted, true) {
                break;
            }
            if let Some(parent) = parent.filter(|parent| self.stack[*parent].layer == layer) {
                self.stack[parent].children += 1;
                if self.stack[parent].children > self.most(&self.stack[parent]) {
                    overfull = Some(parent);
                }
            }
            at = parent;
        }
        overfull
    }

    /// The node that the current key is the wildcard of, if that takes in what is below it.
    fn named_by_wildcard(&self) -> Option<usize> {
        if self.wildcards == Wildcards::Beside || !crate::key::is_wildcard(&self.key) {
            return None;
        }
        let parent = self.stack.last()?.parent?;
        let node = &self.stack[parent];
        (node.layer == Layer::Path || node.depth > 0).then_some(parent)
    }

    /// Takes back the lines of a node; a wildcard will take their place.
    fn doom(&mut self, index: usize) -> Result<()> {
        while self.stack.len() > index + 1 {
            self.leave_last();
        }
        let node = self.stack[index];
        let resumed = match node.gap {
            Some(Gap { from, to, roll_ups }) => {
                self.spare(node.start, from)?;
                self.pending.strike(node.start, from)?;
                self.roll_ups = node.roll_ups + roll_ups;
                to
            }
            None => {
                self.roll_ups = node.roll_ups;
                node.start
            }
        };
        self.spare(resumed, self.pending.place())?;
        self.pending.cut(resumed)?;
        self.doomed = Some(index);
        Ok(())
    }

    /// Keeps those of the lines between two places that say that nothing is held.
    fn spare(&mut self, from: u64, to: u64) -> Result<()> {
        if self.wildcards == Wildcards::Beside {
            return Ok(());
        }
        let text = self.pending.text(from, to)?;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if Record::parse(line).is_ok_and(|record| record.frequency.is_none()) {
                self.spared.push(line.to_vec());
            }
        }
        Ok(())
    }

    /// The most children that a node may have.
    fn most(&self, node: &Node) -> u32 {
        match node.layer {
            Layer::Host => self.cutoffs.host[node.depth],
            Layer::Path => self.cutoffs.path[node.depth],
        }
    }

    /// The place before which nothing can be taken back.
    fn settled(&self) -> u64 {
        let may_roll_up = |node: &&Node| {
            let taken_in = self.wildcards == Wildcards::TakeIn;
            self.most(node) < u32::MAX
                || (taken_in && (node.layer == Layer::Path || node.depth > 0))
        };
        let first = self.stack.iter().find(may_roll_up);
        first.map_or(self.pending.place(), |node| node.start)
    }
}

fn key_part(line: &[u8]) -> &[u8] {
    &line[..memchr::memchr(b' ', line).unwrap_or(line.len())]
}

#[cfg(test)]
mod tests;
