//! Better maps: what is rolled up is what costs least.
//!
//! Instead of cut-offs, a price: of all ways to roll up, the one is taken whose lines and false
//! answers together cost least, at the price for a false answer at which so many lines are left as
//! are wanted. False answers are expected where a log of look-ups shows that people ask, and
//! everywhere a little, the more the more there is. The best way for a node is either to roll it
//! up or the best ways for all in it, so that one walk over the tree finds it.
//!
//! Whatever is chosen, no line is lost: it is there, or a wildcard over it is.

mod absent;

pub use absent::Absent;

use crate::compact::Cutoffs;
use crate::tree::{Tree, write_lines};
use crate::{Compacted, MapError, Records, Result, RollUp};
use std::io::Write;

/// So many look-ups are expected of each key that is held, besides those in the log.
const EXPECTED_WITH_LOG: f64 = 0.1;

/// Look-ups that a log shows.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The keys asked for, as often as they were.
    pub keys: Vec<String>,
}

/// What is wanted of a better map.
#[derive(Clone, Debug)]
pub struct Better {
    /// What rolls up if nobody says how many lines there may be.
    pub roll_up: RollUp,
    /// How many lines there may be.
    pub lines: Option<u64>,
    /// The same as a part of all keys.
    pub cost: Option<f64>,
    /// The look-ups to be answered well.
    pub asked: Asked,
    /// Lines that say what is not held.
    pub absent: Option<Absent>,
}

impl Default for Better {
    /// Everything stays as it is.
    fn default() -> Better {
        Better {
            roll_up: RollUp::never(),
            lines: None,
            cost: None,
            asked: Asked::default(),
            absent: None,
        }
    }
}

/// What became of a map.
pub struct Improved {
    /// Its size.
    pub compacted: Compacted,
    /// How many of its lines say that nothing is held.
    pub absent: u64,
}

/// Rolls up the nodes of a map whose loss costs least.
pub fn improve(records: &mut Records, better: &Better, mut out: impl Write) -> Result<Improved> {
    let tree = Tree::read(records)?;
    let chosen = match target(&tree, better)? {
        Some(target) => choose(&tree, &falses(&tree, &better.asked), target),
        None => overfull(&tree, &better.roll_up.cutoffs()?),
    };
    let mut lines = tree.rolled_up(&chosen);
    let mut absences = 0;
    if let Some(absent) = &better.absent {
        let zeros = absent.lines(&tree, &chosen);
        absences = zeros.len() as u64;
        lines.extend(zeros);
        lines.sort_by(|one, other| one.0.cmp(&other.0));
    }
    let mut text = Vec::new();
    write_lines(&lines, &mut text);
    let written = out.write_all(&text).and_then(|()| out.flush());
    written.map_err(|error| MapError::named("the output", error))?;
    Ok(Improved {
        compacted: Compacted {
            keys: tree.len() as u64,
            lines: lines.len() as u64,
            bytes: text.len() as u64,
            roll_ups: chosen.len() as u64,
        },
        absent: absences,
    })
}

/// How many lines there may be, if somebody says so.
fn target(tree: &Tree, better: &Better) -> Result<Option<usize>> {
    let target = match (better.lines, better.cost) {
        (Some(lines), _) => lines as usize,
        (None, Some(cost)) => (cost * tree.len() as f64) as usize,
        (None, None) => return Ok(None),
    };
    if target == 0 && tree.len() > 0 {
        let text = "no map has less than one line; ask for more";
        return Err(MapError::Request(text.to_owned()));
    }
    Ok(Some(target))
}

/// The uppermost nodes with more children than their cut-offs.
fn overfull(tree: &Tree, cutoffs: &Cutoffs) -> Vec<usize> {
    let mut children = vec![0_u32; tree.nodes.len()];
    for node in &tree.nodes {
        if let Some(parent) = node
            .parent
            .filter(|parent| tree.nodes[*parent].is_host == node.is_host)
        {
            children[parent] += 1;
        }
    }
    uppermost(tree, |at| {
        let node = &tree.nodes[at];
        let most = if node.is_host {
            &cutoffs.host
        } else {
            &cutoffs.path
        };
        most.get(node.depth)
            .is_some_and(|most| children[at] > *most)
    })
}

/// How many false answers each node's wildcard is expected to give.
fn falses(tree: &Tree, asked: &Asked) -> Vec<f64> {
    let mut falses = vec![0.0; tree.nodes.len()];
    for key in asked
        .keys
        .iter()
        .filter(|key| !tree.has_key(key.as_bytes()))
    {
        if let Some(node) = tree.innermost(key.as_bytes()) {
            falses[node] += 1.0;
        }
    }
    for node in (0..tree.nodes.len()).rev() {
        if let Some(parent) = tree.nodes[node].parent {
            falses[parent] += falses[node];
        }
    }
    for (node, falses) in tree.nodes.iter().zip(&mut falses) {
        let keys = node.lines.len() as f64;
        *falses += match asked.keys.is_empty() {
            // Where much is held, people ask for more than is held: the more so, the wider it is.
            true => keys.powf(1.2),
            false => EXPECTED_WITH_LOG * keys,
        };
    }
    falses
}

/// The nodes to roll up, so that no more lines than `target` are left if that can be.
fn choose(tree: &Tree, falses: &[f64], target: usize) -> Vec<usize> {
    if tree.len() <= target {
        return Vec::new();
    }
    // At a low price much is rolled up, at a high one little.
    let (mut low, mut high) = (1e-9_f64, 1e9_f64);
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        match best(tree, falses, middle).1 <= target {
            true => low = middle,
            false => high = middle,
        }
    }
    refined(tree, falses, best(tree, falses, high).0, target)
}

/// The cheapest nodes to roll up, when a false answer costs as much as `price` lines; and how many
/// lines are left.
fn best(tree: &Tree, falses: &[f64], price: f64) -> (Vec<usize>, usize) {
    let count = tree.nodes.len();
    let (mut cost, mut lines) = (vec![0.0; count], vec![0; count]);
    let mut rolled = vec![false; count];
    // The lines of a node that are in none of its children.
    let mut own: Vec<usize> = tree.nodes.iter().map(|node| node.lines.len()).collect();
    for node in &tree.nodes {
        if let Some(parent) = node.parent {
            own[parent] -= node.lines.len();
        }
    }
    for at in (0..count).rev() {
        let node = &tree.nodes[at];
        cost[at] += own[at] as f64;
        lines[at] += own[at];
        let as_one = 1.0 + price * falses[at];
        if node.may_roll_up() && node.lines.len() > 1 && as_one < cost[at] {
            (cost[at], lines[at], rolled[at]) = (as_one, 1, true);
        }
        if let Some(parent) = node.parent {
            cost[parent] += cost[at];
            lines[parent] += lines[at];
        }
    }
    let roots = (0..count).filter(|at| tree.nodes[*at].parent.is_none());
    let total = roots.map(|at| lines[at]).sum();
    (uppermost(tree, |at| rolled[at]), total)
}

/// Those of some nodes that are in no other of them.
fn uppermost(tree: &Tree, is_one: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut chosen = Vec::new();
    let mut covered = 0;
    for (at, node) in tree.nodes.iter().enumerate() {
        if node.lines.start >= covered && is_one(at) {
            covered = node.lines.end;
            chosen.push(at);
        }
    }
    chosen
}

/// A choice that leaves more than `target` lines, with as many more nodes as are needed, the cheapest
/// for each line that they save first. A node that would leave far too few is taken only if nothing
/// else is left: prices jump where a whole domain becomes one line.
fn refined(tree: &Tree, falses: &[f64], mut chosen: Vec<usize>, target: usize) -> Vec<usize> {
    let mut left = Left::new(tree.len());
    for node in &chosen {
        left.roll_up(tree.nodes[*node].lines.clone());
    }
    let may_roll_up = |at: &usize| tree.nodes[*at].may_roll_up() && tree.nodes[*at].lines.len() > 1;
    let mut steps: Vec<usize> = (0..tree.nodes.len()).filter(may_roll_up).collect();
    let price = |at: &usize| falses[*at] / (tree.nodes[*at].lines.len() - 1) as f64;
    // Of those that are the same, the innermost says most.
    steps.sort_by(|one, other| {
        let by_price = price(one).total_cmp(&price(other));
        by_price.then(other.cmp(one))
    });
    for least in [target - target / 20, 0] {
        for node in &steps {
            let lines = tree.nodes[*node].lines.clone();
            let saved = left.within(&lines).saturating_sub(1);
            if left.total <= target {
                return uppermost_of(tree, chosen);
            }
            if saved > 0 && left.total - saved >= least {
                left.roll_up(lines);
                chosen.push(*node);
            }
        }
    }
    uppermost_of(tree, chosen)
}

fn uppermost_of(tree: &Tree, chosen: Vec<usize>) -> Vec<usize> {
    let chosen: std::collections::HashSet<usize> = chosen.into_iter().collect();
    uppermost(tree, |at| chosen.contains(&at))
}

/// Which lines are left while more and more nodes are rolled up: sums over ranges in a Fenwick tree.
struct Left {
    is_left: Vec<bool>,
    sums: Vec<usize>,
    total: usize,
}

impl Left {
    /// All of them.
    fn new(lines: usize) -> Left {
        let sums = (0..=lines).map(|at| at & at.wrapping_neg()).collect();
        Left {
            is_left: vec![true; lines],
            sums,
            total: lines,
        }
    }

    /// How many are left of some.
    fn within(&self, lines: &std::ops::Range<usize>) -> usize {
        self.before(lines.end) - self.before(lines.start)
    }

    fn before(&self, mut at: usize) -> usize {
        let mut sum = 0;
        while at > 0 {
            sum += self.sums[at];
            at &= at - 1;
        }
        sum
    }

    /// One line takes the place of some.
    fn roll_up(&mut self, lines: std::ops::Range<usize>) {
        let mut first = true;
        for line in lines {
            if !self.is_left[line] || std::mem::take(&mut first) {
                continue;
            }
            self.is_left[line] = false;
            self.total -= 1;
            let mut at = line + 1;
            while at < self.sums.len() {
                self.sums[at] -= 1;
                at += at & at.wrapping_neg();
            }
        }
    }
}

#[cfg(test)]
mod tests;
