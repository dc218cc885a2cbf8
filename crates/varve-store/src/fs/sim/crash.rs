//! Crash images: what a disk may hold after the lights went out.

use super::fate::{Fate, fates};
use super::ino::InoMap;
use super::op::{self, Op};
use super::rng::Rng;
use super::tree::Tree;
use std::sync::Arc;

/// How a crash treats the operations that no sync covers. Those that a sync covers survive all of
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Power loss; nothing survives that was not synced.
    Dropped,
    /// Power loss; everything was on its way and the names made it, but the last unsynced append
    /// of one or more files ends at a random byte. The rest of it is absent, zeros or garbage.
    Torn,
    /// Power loss; the disk wrote in its own order. Each unsynced operation survives by the toss
    /// of a coin, and bytes lost before bytes that survived are zeros.
    Reordered,
    /// The process was killed and the machine lives on: nothing is lost, but an append that was
    /// the very last operation may be cut.
    Process,
}

impl Loss {
    /// All kinds, for tests that loop over them.
    pub const ALL: [Loss; 4] = [Loss::Dropped, Loss::Torn, Loss::Reordered, Loss::Process];
}

/// What remains of `base` and the operations in `log` when the crash comes right after the last.
pub(super) fn image(base: &Tree, log: &[Op], loss: Loss, seed: u64) -> Tree {
    let mut rng = Rng::for_case(seed, log.len() as u64);
    let fates = match loss {
        Loss::Process => vec![Fate::Settled; log.len()],
        _ => fates(log),
    };
    let mut torn = torn_appends(log, &fates, loss, &mut rng);
    let mut tree = base.clone();
    for (position, operation) in log.iter().enumerate() {
        if let Op::Append { ino, offset, .. } = operation
            && let Some((_, bytes)) = torn.pop_if(|(at, _)| *at == position)
        {
            op::write(&mut tree, *ino, *offset, bytes);
            continue;
        }
        match survival(fates[position], loss, &mut rng) {
            Survival::Certain => operation.apply(&mut tree),
            Survival::IfPossible => operation.apply_if_possible(&mut tree),
            Survival::Lost => operation.add_inode(&mut tree),
        }
    }
    tree.retain_reachable();
    tree
}

/// A position of the log and the bytes that its append became.
type Torn = (usize, Arc<[u8]>);

enum Survival {
    Certain,
    /// Survived by luck, which its predecessors may not have had.
    IfPossible,
    Lost,
}

fn survival(fate: Fate, loss: Loss, rng: &mut Rng) -> Survival {
    match (fate, loss) {
        (Fate::Settled, _) => Survival::Certain,
        (Fate::Doomed, _) => Survival::Lost,
        (Fate::Half | Fate::Pending, Loss::Torn | Loss::Process) => Survival::IfPossible,
        (Fate::Half, _) if rng.coin() => Survival::Certain,
        (Fate::Pending, Loss::Reordered) if rng.coin() => Survival::IfPossible,
        (Fate::Half | Fate::Pending, _) => Survival::Lost,
    }
}

/// The appends that the crash tore, with what was written instead; the first one is at the end.
fn torn_appends(log: &[Op], fates: &[Fate], loss: Loss, rng: &mut Rng) -> Vec<Torn> {
    match loss {
        Loss::Dropped | Loss::Reordered => Vec::new(),
        Loss::Torn => {
            let mut tails = unsynced_tails(log, fates);
            choose_some(&mut tails, rng);
            let torn = tails.into_iter().map(|(at, bytes)| (at, tear(bytes, rng)));
            torn.collect()
        }
        Loss::Process => match log.last() {
            Some(Op::Append { bytes, .. }) if rng.coin() => {
                let cut = Arc::from(&bytes[..rng.below(bytes.len())]);
                vec![(log.len() - 1, cut)]
            }
            _ => Vec::new(),
        },
    }
}

/// The last append of each file that has bytes which no sync covers, from the last to the first.
fn unsynced_tails<'log>(log: &'log [Op], fates: &[Fate]) -> Vec<(usize, &'log [u8])> {
    let mut tails = Vec::new();
    let mut seen = InoMap::new();
    for (position, operation) in log.iter().enumerate().rev() {
        if let Op::Append { ino, bytes, .. } = operation
            && seen.insert(*ino, ()).is_none()
            && fates[position] == Fate::Pending
        {
            tails.push((position, &bytes[..]));
        }
    }
    tails
}

/// Keeps a random selection, of at least one when there is any.
fn choose_some<T>(all: &mut Vec<T>, rng: &mut Rng) {
    if all.is_empty() {
        return;
    }
    let sure = rng.below(all.len());
    let mut index = 0;
    all.retain(|_| {
        let chosen = index == sure || rng.coin();
        index += 1;
        chosen
    });
}

/// Cuts `bytes` at random; what follows the cut is absent, zeros or garbage.
fn tear(bytes: &[u8], rng: &mut Rng) -> Arc<[u8]> {
    let cut = rng.below(bytes.len());
    let mut torn = bytes[..cut].to_vec();
    match rng.below(3) {
        0 => {}
        1 => torn.resize(bytes.len(), 0),
        _ => {
            torn.resize(bytes.len(), 0);
            rng.fill(&mut torn[cut..]);
        }
    }
    Arc::from(torn)
}
