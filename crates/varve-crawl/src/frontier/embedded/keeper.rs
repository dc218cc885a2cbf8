//! The keeper: one thread that owns the frontier and does what it is asked, in the order it comes.
//!
//! So there are no locks and no races: what could interleave is a queue of commands. Commands that
//! promise to be on disk are answered after a sync; those that wait at the same time share one.

use super::dropping::Dropping;
use super::ground::Ground;
use crate::frontier::{
    Added, Claim, Counts, FrontierError, HostRules, HostView, LeaseId, Moment, Outcome, Predicate,
    State, Target, UrlKey, Whose,
};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, TryRecvError};
use tokio::sync::oneshot;

/// So many commands share a sync, at most.
const ROUND: usize = 1_024;

/// Where an answer goes.
pub(super) type Reply<T> = oneshot::Sender<Result<T, FrontierError>>;

/// Something to do.
pub(super) enum Command {
    Add(Vec<Target>, Reply<Added>),
    Claim(Moment, Reply<Claim>),
    Settle(LeaseId, Outcome, Vec<Target>, Reply<Added>),
    HostRules(String, HostRules, Reply<()>),
    DefaultRules(HostRules, Reply<()>),
    Drop(Whose, Predicate, String, Reply<u64>),
    StateOf(UrlKey, Reply<Option<State>>),
    Counts(Reply<Counts>),
    Hosts(usize, Reply<Vec<HostView>>),
    Note(String, Reply<Option<String>>),
    SetNote(String, String, Reply<()>),
    Check(Reply<()>),
}

/// An answer that waits for the disk; it is told how the sync went.
type Promise = Box<dyn FnOnce(Result<(), FrontierError>) + Send>;

/// The one who does it.
pub(super) struct Keeper {
    ground: Ground,
    /// The first final error ends all work: memory and disk may differ.
    failure: Option<FrontierError>,
    promises: Vec<Promise>,
    dropping: VecDeque<(Dropping, Reply<u64>)>,
}

impl Keeper {
    pub(super) fn new(ground: Ground) -> Keeper {
        Keeper {
            ground,
            failure: None,
            promises: Vec::new(),
            dropping: VecDeque::new(),
        }
    }

    /// Works until nobody can ask any more.
    pub(super) fn work(mut self, commands: &Receiver<Command>) {
        loop {
            let first = match self.dropping.is_empty() {
                true => commands.recv().map_err(|_| TryRecvError::Disconnected),
                false => commands.try_recv(),
            };
            if matches!(first, Err(TryRecvError::Disconnected)) {
                break;
            }
            let others = commands.try_iter().take(ROUND - 1);
            first
                .into_iter()
                .chain(others)
                .for_each(|command| self.obey(command));
            self.drop_some();
            self.keep_promises();
        }
        // What time it was when nothing happened is known to memory alone. Nobody is left to hear
        // of a failure, and nothing that was promised depends on it.
        let _ = self.attempt(|ground| ground.commit(ground.disk.changes()));
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Add(targets, reply) => self.promise(reply, |ground| ground.add(targets)),
            Command::Claim(now, reply) => self.claim(now, reply),
            Command::Settle(lease, outcome, links, reply) => {
                self.promise(reply, |ground| ground.settle(lease, outcome, links));
            }
            Command::HostRules(host, rules, reply) => {
                self.answer(reply, |ground| ground.host_rules(&host, rules));
            }
            Command::DefaultRules(rules, reply) => {
                self.answer(reply, |ground| ground.default_rules(rules));
            }
            Command::Drop(whose, pick, reason, reply) => {
                let work = self.ground.begin_dropping(&whose, pick, reason);
                self.dropping.push_back((work, reply));
            }
            Command::StateOf(key, reply) => self.answer(reply, |ground| ground.state_of(key)),
            Command::Counts(reply) => self.answer(reply, |ground| Ok(ground.counts())),
            Command::Hosts(limit, reply) => self.answer(reply, |ground| Ok(ground.view(limit))),
            Command::Note(key, reply) => self.answer(reply, |ground| ground.note(&key)),
            Command::SetNote(key, value, reply) => {
                self.promise(reply, |ground| ground.set_note(&key, &value));
            }
            Command::Check(reply) => self.answer(reply, |ground| ground.check()),
        }
    }

    /// Does something, unless work has ended.
    fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut Ground) -> Result<T, FrontierError>,
    ) -> Result<T, FrontierError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let result = work(&mut self.ground);
        if let Err(error) = &result
            && error.is_final()
        {
            self.failure = Some(error.clone());
        }
        result
    }

    /// Does something and answers at once.
    fn answer<T>(
        &mut self,
        reply: Reply<T>,
        work: impl FnOnce(&mut Ground) -> Result<T, FrontierError>,
    ) {
        // Nobody may be waiting for the answer any more; what was asked for is done.
        let _ = reply.send(self.attempt(work));
    }

    /// Does something and answers when it is on disk.
    fn promise<T: Send + 'static>(
        &mut self,
        reply: Reply<T>,
        work: impl FnOnce(&mut Ground) -> Result<T, FrontierError>,
    ) {
        match self.attempt(work) {
            Ok(value) => self.promises.push(Box::new(|synced| {
                let _ = reply.send(synced.map(|()| value));
            })),
            error => drop(reply.send(error)),
        }
    }

    fn claim(&mut self, now: Moment, reply: Reply<Claim>) {
        let claim = self.attempt(|ground| ground.claim(now));
        // Nobody waits any more: a lease without an owner would never be settled.
        if let Err(Ok(Claim::Lease(lease))) = reply.send(claim) {
            let _ = self.attempt(|ground| ground.settle(lease.id, Outcome::Released, Vec::new()));
        }
    }

    fn drop_some(&mut self) {
        let Some((mut work, reply)) = self.dropping.pop_front() else {
            return;
        };
        match self.attempt(|ground| ground.drop_some(&mut work)) {
            Ok(false) => self.dropping.push_front((work, reply)),
            Ok(true) => self.promise(reply, |_| Ok(work.dropped)),
            Err(error) => drop(reply.send(Err(error))),
        }
    }

    fn keep_promises(&mut self) {
        if self.promises.is_empty() {
            return;
        }
        let synced = self.attempt(|ground| ground.disk.sync());
        for promise in self.promises.drain(..) {
            promise(synced.clone());
        }
    }
}
