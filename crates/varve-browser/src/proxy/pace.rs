//! How a response comes along: counted, and told apart from what never ends.

use super::gauge::Flight;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use varve_fetch::Ticket;

/// How long a body is watched before it is judged.
const WINDOW: Duration = Duration::from_secs(5);
/// What a body brings at least in that time, if it is to end.
const ENOUGH: u64 = 8 * 1024;

/// Watches one response. Others may wait for it, through the ticket, until it turns out to be a
/// stream.
pub(super) struct Pace<'a> {
    flight: &'a mut Flight,
    ticket: Option<Ticket>,
    since: Instant,
    bytes: u64,
}

impl<'a> Pace<'a> {
    /// Watched from now on.
    pub(super) fn new(flight: &'a mut Flight) -> Pace<'a> {
        Pace {
            flight,
            ticket: None,
            since: Instant::now(),
            bytes: 0,
        }
    }

    /// Others wait for it too.
    pub(super) fn shared(&mut self, ticket: Option<Ticket>) {
        self.ticket = ticket;
    }

    /// Its body begins.
    pub(super) fn begin(&mut self) {
        self.since = Instant::now();
        self.bytes = 0;
    }

    /// Some of it passed.
    pub(super) fn passed(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        self.flight.goes_on();
    }

    /// Waits for the time to judge. A stream is judged no more.
    pub(super) async fn due(&self) {
        match self.flight.is_stream() {
            true => std::future::pending().await,
            false => sleep_until(self.since + WINDOW).await,
        }
    }

    /// What only trickled lately is a stream.
    pub(super) fn judge(&mut self) {
        if self.bytes < ENOUGH {
            self.is_stream();
        }
        self.begin();
    }

    /// It is a stream.
    pub(super) fn is_stream(&mut self) {
        self.flight.becomes_stream();
        self.is_private();
    }

    /// It is for nobody else.
    pub(super) fn is_private(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            ticket.streaming();
        }
    }

    /// Who waits, if anybody may.
    pub(super) fn ticket(&mut self) -> Option<Ticket> {
        self.ticket.take()
    }
}
