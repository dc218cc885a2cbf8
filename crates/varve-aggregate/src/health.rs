//! Whether a peer is fit to be asked: after failures in a row it is left alone for a while, longer
//! each time, and then one request finds out whether it is well again.

use std::time::Duration;
use tokio::time::Instant;

/// The first rest of a peer is this part of the longest.
const FIRST_REST: u32 = 16;

/// How failures are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// So many failures in a row are enough; without it no number is.
    pub tolerance: Option<u32>,
    /// How long a peer is left alone at most. It begins with a sixteenth of this, and doubles.
    pub dormant: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            tolerance: Some(5),
            dormant: Duration::from_secs(15 * 60),
        }
    }
}

/// How a peer is.
#[derive(Debug)]
pub(crate) struct Health {
    patience: Patience,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Well {
        failures: u32,
    },
    Dormant {
        until: Instant,
        rests: u32,
    },
    /// One request is finding out.
    OnTrial {
        rests: u32,
    },
}

impl Health {
    pub(crate) fn new(patience: Patience) -> Health {
        Health {
            patience,
            state: State::Well { failures: 0 },
        }
    }

    /// Whether it is left alone now.
    pub(crate) fn is_dormant(&self, now: Instant) -> bool {
        match self.state {
            State::Well { .. } => false,
            State::Dormant { until, .. } => now < until,
            State::OnTrial { .. } => true,
        }
    }

    /// Asks for leave to send a request. Whoever has it must say how it ended.
    pub(crate) fn admit(&mut self, now: Instant) -> bool {
        if self.is_dormant(now) {
            return false;
        }
        if let State::Dormant { rests, .. } = self.state {
            self.state = State::OnTrial { rests };
        }
        true
    }

    /// A request was answered.
    pub(crate) fn succeeded(&mut self) {
        self.state = State::Well { failures: 0 };
    }

    /// A request failed, in a way that says something about the peer.
    pub(crate) fn failed(&mut self, now: Instant) {
        let rests = match self.state {
            State::Well { failures } => {
                let failures = failures.saturating_add(1);
                let enough = self.patience.tolerance.is_some_and(|most| failures >= most);
                if !enough {
                    self.state = State::Well { failures };
                    return;
                }
                0
            }
            State::OnTrial { rests } => rests + 1,
            // Requests that were on their way when it fell ill say nothing new.
            State::Dormant { .. } => return,
        };
        let until = now + self.rest(rests);
        self.state = State::Dormant { until, rests };
    }

    /// A request was given up by who made it: nothing is known.
    pub(crate) fn unknown(&mut self, now: Instant) {
        if let State::OnTrial { rests } = self.state {
            self.state = State::Dormant { until: now, rests };
        }
    }

    fn rest(&self, rests: u32) -> Duration {
        let longest = self.patience.dormant;
        let factor = 2_u32.saturating_pow(rests.min(16));
        (longest / FIRST_REST).saturating_mul(factor).min(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn ill() -> (Health, Instant) {
        let mut health = Health::new(Patience {
            tolerance: Some(2),
            dormant: 64 * SECOND,
        });
        let now = Instant::now();
        health.failed(now);
        assert!(health.admit(now), "once is tolerated");
        health.failed(now);
        (health, now)
    }

    #[test]
    fn failures_in_a_row_make_it_dormant_and_success_ends_the_row() {
        let (mut health, now) = ill();
        assert!(!health.admit(now + 3 * SECOND));
        health.succeeded();
        assert!(health.admit(now));
        health.failed(now);
        assert!(health.admit(now), "the row began anew");
    }

    #[test]
    fn one_request_finds_out_whether_it_is_well() {
        let (mut health, now) = ill();
        let later = now + 4 * SECOND;
        assert!(health.admit(later));
        assert!(!health.admit(later), "the others wait for what comes of it");
        health.succeeded();
        assert!(health.admit(later) && health.admit(later));
    }

    #[test]
    fn rests_become_longer_up_to_a_limit() {
        let (mut health, mut now) = ill();
        for rest in [4, 8, 16, 32, 64, 64] {
            assert!(!health.admit(now + rest * SECOND - SECOND), "{rest}");
            now += rest * SECOND;
            assert!(health.admit(now), "{rest}");
            health.failed(now);
        }
    }

    #[test]
    fn a_trial_that_nobody_waited_for_is_held_again() {
        let (mut health, now) = ill();
        let later = now + 4 * SECOND;
        assert!(health.admit(later));
        health.unknown(later);
        assert!(health.admit(later));
    }

    #[test]
    fn late_failures_of_others_do_not_lengthen_a_rest() {
        let (mut health, now) = ill();
        for _ in 0..100 {
            health.failed(now + 3 * SECOND);
        }
        assert!(health.admit(now + 4 * SECOND));
    }

    #[test]
    fn without_a_tolerance_it_is_always_asked() {
        let mut health = Health::new(Patience {
            tolerance: None,
            dormant: SECOND,
        });
        for _ in 0..1_000 {
            health.failed(Instant::now());
        }
        assert!(health.admit(Instant::now()));
    }
}
