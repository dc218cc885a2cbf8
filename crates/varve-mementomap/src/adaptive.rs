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
    let (coarse, _) = best(tree, falses, low);
    let (fine, lines) = best(tree, falses, high);
    between(tree, falses, fine, lines, coarse, target)
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

/// Of two choices of which the coarse one is at most `target` lines and the fine one more: the
/// fine one, with as many nodes of the coarse one as are needed, the cheapest first.
fn between(
    tree: &Tree,
    falses: &[f64],
    fine: Vec<usize>,
    mut lines: usize,
    coarse: Vec<usize>,
    target: usize,
) -> Vec<usize> {
    let inner = |node: usize| {
        let within = tree.nodes[node].lines.clone();
        let first = fine.partition_point(|one| tree.nodes[*one].lines.start < within.start);
        fine[first..]
            .iter()
            .take_while(move |one| tree.nodes[**one].lines.end <= within.end)
    };
    let mut steps: Vec<(f64, usize, usize)> = Vec::new();
    for node in coarse {
        let (mut hidden, mut known) = (0, 0.0);
        for one in inner(node) {
            hidden += tree.nodes[*one].lines.len() - 1;
            known += falses[*one];
        }
        let saved = tree.nodes[node].lines.len() - hidden - 1;
        if saved > 0 {
            steps.push(((falses[node] - known) / saved as f64, saved, node));
        }
    }
    steps.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut chosen: std::collections::HashSet<usize> = fine.iter().copied().collect();
    for (_, saved, node) in steps {
        if lines <= target {
            break;
        }
        lines -= saved;
        chosen.insert(node);
    }
    uppermost(tree, |at| chosen.contains(&at))
}

#[cfg(test)]
mod tests;
