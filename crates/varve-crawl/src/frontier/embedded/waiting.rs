//! Targets that wait for a moment: put aside when they are to be tried again, back in their host's
//! queue when the moment has come.

use super::disk::damaged;
use super::ground::Ground;
use super::layout::{HostId, later_key, queue_key, read_later_key, read_target, write_target};
use super::space::Changes;
use crate::frontier::moment::Steady;
use crate::frontier::{FrontierError, Target};

/// So many are queued again by one claim, at most.
const BATCH: usize = 256;

impl Ground {
    /// Puts a target aside until a moment.
    pub(super) fn put_aside(
        &mut self,
        changes: &mut Changes,
        host: HostId,
        due: Steady,
        target: &Target,
    ) {
        let place = self.arrive(target.priority);
        let key = later_key(due, host, place.arrival);
        changes.insert(&self.disk.later, key, write_target(target));
        self.hosts.change(host).tally.later += 1;
        self.later = Some(self.later.map_or(due, |first| first.min(due)));
    }

    /// Queues again what waited for this moment.
    pub(super) fn wake(&mut self, now: Steady) -> Result<(), FrontierError> {
        let Some(first) = self.later.filter(|first| *first <= now) else {
            return Ok(());
        };
        let from = later_key(first, 0, 0);
        let end = later_key(Steady(now.0.saturating_add(1)), 0, 0);
        let range = self.disk.range(&self.disk.later, &from, &end);
        let due = range.take(BATCH).collect::<Result<Vec<_>, _>>()?;
        let mut changes = self.disk.changes();
        for (key, value) in &due {
            let host = self.known(read_later_key(key).map(|(_, host)| host))?;
            let target = read_target(value).ok_or(damaged("a target cannot be read"))?;
            let place = self.arrive(target.priority);
            changes.remove(&self.disk.later, key.clone());
            changes.insert(&self.disk.queue, queue_key(host, place), value.clone());
            let tally = &mut self.hosts.change(host).tally;
            tally.later = tally.later.saturating_sub(1);
            self.line_up(host, place);
        }
        self.commit(changes)?;
        let last = due.last().map_or(&from[..], |(key, _)| key);
        self.find_later(last)
    }
}
