//! Faults that a test plans: the k-th operation of a kind fails, once or from then on.

use super::rng::Rng;
use std::io;

/// The kinds of operation that can be made to fail. Only attempts that would otherwise have
/// changed the disk count; one refused for another reason, such as an absent file, does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultOp {
    /// Appending to a file. A random prefix of the bytes is written before the error.
    Append,
    /// Syncing a file, and the sync that is part of a truncation. The file's unsynced bytes stay
    /// visible but are lost in every later power loss, even if a later sync succeeds.
    SyncFile,
    /// Syncing a directory. The entries stay unsynced; a later sync may succeed.
    SyncDir,
    /// Renaming, which is then not done.
    Rename,
    /// Creating a file, a directory or a lock file.
    Create,
    /// Removing a file or a directory; each one below a removed directory counts.
    Remove,
    /// All of the above.
    Any,
}

impl FaultOp {
    /// All kinds, for tests that loop over them.
    pub const ALL: [FaultOp; 7] = [
        FaultOp::Append,
        FaultOp::SyncFile,
        FaultOp::SyncDir,
        FaultOp::Rename,
        FaultOp::Create,
        FaultOp::Remove,
        FaultOp::Any,
    ];

    fn covers(self, op: FaultOp) -> bool {
        self == op || self == FaultOp::Any
    }
}

/// The error that a planned fault gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultError {
    /// The disk is full: `ENOSPC`.
    NoSpace,
    /// The hardware failed: `EIO`.
    Hardware,
}

impl From<FaultError> for io::Error {
    fn from(error: FaultError) -> io::Error {
        io::Error::from_raw_os_error(match error {
            FaultError::NoSpace => 28,
            FaultError::Hardware => 5,
        })
    }
}

/// How long a fault lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultSpan {
    /// One operation fails, the next of its kind succeeds.
    Once,
    /// That operation and all further ones of its kind fail.
    Forever,
}

/// A fault to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultPlan {
    /// The kind of operation that fails.
    pub op: FaultOp,
    /// Which one, counted from 1 at the time of the planning.
    pub nth: usize,
    /// How it fails.
    pub error: FaultError,
    /// Whether later ones fail too.
    pub span: FaultSpan,
    /// Decides how much a failed append writes.
    pub seed: u64,
}

impl FaultPlan {
    /// Fails the `nth` operation of a kind, counted from 1, and only that one.
    pub fn once(op: FaultOp, nth: usize, error: FaultError) -> FaultPlan {
        let (span, seed) = (FaultSpan::Once, nth as u64);
        FaultPlan {
            op,
            nth,
            error,
            span,
            seed,
        }
    }

    /// Fails the `nth` operation of a kind, counted from 1, and all that follow.
    pub fn from_then_on(op: FaultOp, nth: usize, error: FaultError) -> FaultPlan {
        let span = FaultSpan::Forever;
        FaultPlan {
            span,
            ..FaultPlan::once(op, nth, error)
        }
    }
}

/// The faults planned for a disk, and the count of what was attempted on it.
#[derive(Debug, Default)]
pub(super) struct Faults {
    pending: Vec<Pending>,
    counts: [usize; FaultOp::ALL.len()],
    fired: usize,
}

#[derive(Debug)]
struct Pending {
    plan: FaultPlan,
    seen: usize,
    rng: Rng,
}

/// A fault that fires now.
#[derive(Debug)]
pub(super) struct Fired {
    pub(super) error: FaultError,
    /// For the fault's own decisions.
    pub(super) draw: u64,
}

impl Faults {
    pub(super) fn plan(&mut self, plan: FaultPlan) {
        let rng = Rng::new(plan.seed);
        self.pending.push(Pending { plan, seen: 0, rng });
    }

    pub(super) fn clear(&mut self) {
        self.pending.clear();
    }

    pub(super) fn count(&self, op: FaultOp) -> usize {
        self.counts[op as usize]
    }

    pub(super) fn fired(&self) -> usize {
        self.fired
    }

    /// Counts an attempt of `op` and says whether it fails.
    pub(super) fn attempt(&mut self, op: FaultOp) -> Option<Fired> {
        self.counts[op as usize] += 1;
        self.counts[FaultOp::Any as usize] += 1;
        let mut fired = None;
        // Every plan counts every attempt, also when another one fires.
        for pending in &mut self.pending {
            fired = fired.or(pending.attempt(op));
        }
        self.fired += usize::from(fired.is_some());
        fired
    }
}

impl Pending {
    fn attempt(&mut self, op: FaultOp) -> Option<Fired> {
        if !self.plan.op.covers(op) {
            return None;
        }
        self.seen += 1;
        let fires = match self.plan.span {
            FaultSpan::Once => self.seen == self.plan.nth,
            FaultSpan::Forever => self.seen >= self.plan.nth,
        };
        fires.then(|| Fired {
            error: self.plan.error,
            draw: self.rng.next(),
        })
    }
}
