//! Targets that are not wanted any more, dropped a few at a time.
//!
//! A frontier may hold millions of targets. Between two parts of the work the keeper does what
//! others ask for.

use super::disk::damaged;
use super::ground::Ground;
use super::layout::{HostId, Place, queue_key, read_later_key, read_queue_key, read_target};
use super::space::Changes;
use crate::frontier::{FrontierError, Predicate, State, Target, Whose};
use fjall::Slice;

/// So many targets are looked at in one part.
const PART: usize = 1_000;

/// Work under way.
pub(super) struct Dropping {
    whose: Option<HostId>,
    pick: Predicate,
    state: State,
    stage: Stage,
    /// Where the stage goes on, and where it ends.
    from: Vec<u8>,
    end: Vec<u8>,
    /// How many were dropped so far.
    pub(super) dropped: u64,
}

/// What waits for a moment comes first: it may move to the queue meanwhile, and is then met there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Later,
    Queue,
    Done,
}

impl Ground {
    /// Begins to drop targets.
    pub(super) fn begin_dropping(
        &self,
        whose: &Whose,
        pick: Predicate,
        reason: String,
    ) -> Dropping {
        let (whose, stage) = match whose {
            Whose::Everyone => (None, Stage::Later),
            Whose::Host(name) => match self.hosts.named(name) {
                Some(host) => (Some(host), Stage::Later),
                None => (None, Stage::Done),
            },
        };
        Dropping {
            whose,
            pick,
            state: State::Skipped { reason },
            stage,
            from: Vec::new(),
            end: vec![0xff; 21],
            dropped: 0,
        }
    }

    /// Does a part of the work. True if it was the last.
    pub(super) fn drop_some(&mut self, work: &mut Dropping) -> Result<bool, FrontierError> {
        let space = match work.stage {
            Stage::Later => &self.disk.later,
            Stage::Queue => &self.disk.queue,
            Stage::Done => return Ok(true),
        };
        let range = self.disk.range(space, &work.from, &work.end);
        let part = range.take(PART).collect::<Result<Vec<_>, _>>()?;
        let mut changes = self.disk.changes();
        for (key, value) in &part {
            self.consider(work, &mut changes, key, value)?;
        }
        self.commit(changes)?;
        match part.last() {
            Some((key, _)) if part.len() == PART => {
                work.from = key.to_vec();
                work.from.push(0);
            }
            _ => {
                work.next_stage();
                // Nobody may wait for a moment for the sake of a target that was dropped.
                self.find_later(&[])?;
            }
        }
        Ok(work.stage == Stage::Done)
    }

    fn consider(
        &mut self,
        work: &mut Dropping,
        changes: &mut Changes,
        key: &Slice,
        value: &[u8],
    ) -> Result<(), FrontierError> {
        let host = match work.stage {
            Stage::Later => read_later_key(key).map(|(_, host)| host),
            _ => read_queue_key(key).map(|(host, _)| host),
        };
        let host = self.known(host)?;
        if work.whose.is_some_and(|whose| whose != host) {
            return Ok(());
        }
        let target = read_target(value).ok_or(damaged("a target cannot be read"))?;
        if !self.leased.contains_key(&target.key) && (work.pick)(&target) {
            self.drop_one(work, changes, host, key, &target);
        }
        Ok(())
    }

    fn drop_one(
        &mut self,
        work: &mut Dropping,
        changes: &mut Changes,
        host: HostId,
        key: &Slice,
        target: &Target,
    ) {
        self.put_back(host);
        let tally = &mut self.hosts.change(host).tally;
        tally.unsettled = tally.unsettled.saturating_sub(1);
        if work.stage == Stage::Later {
            tally.later = tally.later.saturating_sub(1);
            changes.remove(&self.disk.later, key.clone());
        } else {
            changes.remove(&self.disk.queue, key.clone());
        }
        self.mark(changes, target.key, &work.state);
        self.totals.skipped += 1;
        work.dropped += 1;
    }
}

impl Dropping {
    fn next_stage(&mut self) {
        self.stage = match self.stage {
            Stage::Later => Stage::Queue,
            Stage::Queue | Stage::Done => Stage::Done,
        };
        let first = |host| {
            let place = Place {
                priority: 0,
                arrival: 0,
            };
            queue_key(host, place).to_vec()
        };
        self.from = self.whose.map_or(Vec::new(), first);
        let next = self.whose.and_then(|host| host.checked_add(1));
        self.end = next.map_or(vec![0xff; 21], first);
    }
}
