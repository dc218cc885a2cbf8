//! The embedded frontier: one directory, one process, one thread that keeps it.
//!
//! Leases are held in memory only. What is leased is still queued on disk, and leaves the queue
//! when it is settled: a process that dies has given back everything it had.

mod adding;
mod ahead;
mod bytes;
mod claiming;
mod disk;
mod dropping;
mod ground;
mod hosts;
mod keeper;
mod layout;
mod looking;
mod settling;
mod space;
mod tallies;
mod waiting;

use super::{
    Added, Answer, Claim, Counts, Frontier, FrontierError, HostRules, HostView, Lease, Moment,
    Outcome, Predicate, State, Target, UrlKey, Whose,
};
use ground::Ground;
use keeper::{Command, Keeper, Reply};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// A frontier in a directory. When it is dropped, all that was asked for is done first.
pub struct EmbeddedFrontier {
    commands: Option<Sender<Command>>,
    keeper: Option<JoinHandle<()>>,
}

impl EmbeddedFrontier {
    /// Opens the frontier in a directory, or makes one. Reads the hosts, so that this takes a
    /// moment (and blocks) where there are many.
    pub fn open(dir: &Path) -> Result<EmbeddedFrontier, FrontierError> {
        let keeper = Keeper::new(Ground::open(dir)?);
        let (commands, waiting) = channel();
        let thread = std::thread::Builder::new()
            .name("frontier".into())
            .spawn(move || keeper.work(&waiting))
            .map_err(|error| FrontierError::Thread(Arc::new(error)))?;
        Ok(EmbeddedFrontier {
            commands: Some(commands),
            keeper: Some(thread),
        })
    }

    /// Counts everything on disk and compares with the numbers kept all along. Reads everything.
    pub fn check(&self) -> Answer<'_, ()> {
        self.ask(Command::Check)
    }

    /// Sends a command at once; the answer may be awaited or not.
    fn ask<T: Send + 'static>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Answer<'_, T> {
        let (reply, answer) = oneshot::channel();
        self.send(command(reply));
        Box::pin(async move { answer.await.unwrap_or(Err(FrontierError::Lost)) })
    }

    fn send(&self, command: Command) {
        if let Some(commands) = &self.commands {
            // An error means that the keeper is gone; then so is the reply, which tells.
            let _ = commands.send(command);
        }
    }
}

/// A claim on its way. If it is given up when the lease is given already, the lease goes back:
/// nobody else could settle it.
struct Claiming<'a> {
    frontier: &'a EmbeddedFrontier,
    answer: oneshot::Receiver<Result<Claim, FrontierError>>,
}

impl Drop for Claiming<'_> {
    fn drop(&mut self) {
        self.answer.close();
        if let Ok(Ok(Claim::Lease(lease))) = self.answer.try_recv() {
            drop(self.frontier.settle(lease, Outcome::Released, Vec::new()));
        }
    }
}

impl Drop for EmbeddedFrontier {
    fn drop(&mut self) {
        self.commands = None;
        // The directory is free for others only when the thread has let go of it.
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

impl Frontier for EmbeddedFrontier {
    fn add(&self, targets: Vec<Target>) -> Answer<'_, Added> {
        self.ask(|reply| Command::Add(targets, reply))
    }

    fn claim(&self, now: Moment) -> Answer<'_, Claim> {
        let (reply, answer) = oneshot::channel();
        let mut claiming = Claiming {
            frontier: self,
            answer,
        };
        self.send(Command::Claim(now, reply));
        Box::pin(async move {
            let answer = (&mut claiming.answer).await;
            answer.unwrap_or(Err(FrontierError::Lost))
        })
    }

    fn settle(&self, lease: Lease, outcome: Outcome, links: Vec<Target>) -> Answer<'_, Added> {
        self.ask(|reply| Command::Settle(lease.id, outcome, links, reply))
    }

    fn host_rules(&self, host: &str, rules: HostRules) -> Answer<'_, ()> {
        self.ask(|reply| Command::HostRules(host.to_owned(), rules, reply))
    }

    fn default_rules(&self, rules: HostRules) -> Answer<'_, ()> {
        self.ask(|reply| Command::DefaultRules(rules, reply))
    }

    fn drop_matching(&self, whose: Whose, pick: Predicate, reason: &str) -> Answer<'_, u64> {
        self.ask(|reply| Command::Drop(whose, pick, reason.to_owned(), reply))
    }

    fn state_of(&self, key: UrlKey) -> Answer<'_, Option<State>> {
        self.ask(|reply| Command::StateOf(key, reply))
    }

    fn counts(&self) -> Answer<'_, Counts> {
        self.ask(Command::Counts)
    }

    fn hosts(&self, limit: usize) -> Answer<'_, Vec<HostView>> {
        self.ask(|reply| Command::Hosts(limit, reply))
    }

    fn note(&self, key: &str) -> Answer<'_, Option<String>> {
        self.ask(|reply| Command::Note(key.to_owned(), reply))
    }

    fn set_note(&self, key: &str, value: &str) -> Answer<'_, ()> {
        self.ask(|reply| Command::SetNote(key.to_owned(), value.to_owned(), reply))
    }
}
