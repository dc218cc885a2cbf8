//! Leases back: the outcome of a visit and its links, in one commit.

use super::ground::{Ground, Held};
use super::layout::queue_key;
use super::space::Changes;
use crate::frontier::{Added, FrontierError, LeaseId, Moment, Outcome, State, Target};

impl Ground {
    /// Ends a lease.
    pub(super) fn settle(
        &mut self,
        id: LeaseId,
        outcome: Outcome,
        links: Vec<Target>,
    ) -> Result<Added, FrontierError> {
        let held = self.leases.remove(&id);
        let held = held.ok_or(FrontierError::NotLeased(id))?;
        self.leased.remove(&held.target.key);
        self.hosts.change(held.host).leased -= 1;
        let mut changes = self.disk.changes();
        match outcome {
            Outcome::Saved => self.finish(&mut changes, &held, &State::Saved),
            Outcome::Failed { reason } => {
                self.finish(&mut changes, &held, &State::Failed { reason });
            }
            Outcome::Skipped { reason } => {
                self.finish(&mut changes, &held, &State::Skipped { reason });
            }
            Outcome::Again { not_before, .. } => self.retry(&mut changes, held, not_before),
            Outcome::Released => self.give_back(&held),
        }
        let added = self.queue_new(&mut changes, links)?;
        self.commit(changes)?;
        Ok(added)
    }

    fn finish(&mut self, changes: &mut Changes, held: &Held, state: &State) {
        changes.remove(&self.disk.queue, queue_key(held.host, held.place));
        self.mark(changes, held.target.key, state);
        let tally = &mut self.hosts.change(held.host).tally;
        tally.unsettled = tally.unsettled.saturating_sub(1);
        match state {
            State::Queued | State::Leased => {}
            State::Saved => self.totals.saved += 1,
            State::Failed { .. } => self.totals.failed += 1,
            State::Skipped { .. } => self.totals.skipped += 1,
        }
    }

    fn retry(&mut self, changes: &mut Changes, held: Held, not_before: Moment) {
        let mut target = held.target;
        target.tries = target.tries.saturating_add(1);
        changes.remove(&self.disk.queue, queue_key(held.host, held.place));
        let due = self.totals.clock.steady(not_before);
        self.put_aside(changes, held.host, due, &target);
    }

    fn give_back(&mut self, held: &Held) {
        self.put_back(held.host);
        self.line_up(held.host, held.place);
    }
}
