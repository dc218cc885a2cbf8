//! Browsers that have signed in. What they may do ends with the server, with twelve hours, or when
//! too many others have signed in since.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;

/// How long nobody has to sign in again.
pub(super) const LASTS: Duration = Duration::from_secs(12 * 60 * 60);
/// Of more sessions the oldest end.
const MOST: usize = 64;

/// The sessions that last.
#[derive(Default)]
pub(super) struct Sessions {
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    sessions: Vec<Session>,
    begun: u64,
}

/// A browser that has signed in.
#[derive(Clone)]
pub(super) struct Session {
    /// Its cookie.
    pub(super) id: String,
    /// What its forms carry, so that no other page can send them.
    pub(super) form_token: String,
    /// What it is called in the log, where no secrets are.
    pub(super) number: u64,
    begun: Instant,
}

impl Sessions {
    /// Begins a session.
    pub(super) fn begin(&self, now: Instant) -> Result<Session, getrandom::Error> {
        let (id, form_token) = (random()?, random()?);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.sessions.retain(|session| session.lasts(now));
        if held.sessions.len() >= MOST {
            held.sessions.remove(0);
        }
        held.begun += 1;
        let session = Session {
            id,
            form_token,
            number: held.begun,
            begun: now,
        };
        held.sessions.push(session.clone());
        Ok(session)
    }

    /// The session with this cookie.
    pub(super) fn find(&self, id: &str, now: Instant) -> Option<Session> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lasting = held.sessions.iter().filter(|session| session.lasts(now));
        let is_it = |session: &&Session| session.id.as_bytes().ct_eq(id.as_bytes()).into();
        lasting.find(is_it).cloned()
    }

    /// Ends a session.
    pub(super) fn end(&self, session: &Session) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.sessions.retain(|other| other.number != session.number);
    }
}

impl Session {
    /// Whether a form was given to whoever signed in here.
    pub(super) fn sent(&self, form_token: &str) -> bool {
        let (own, other) = (self.form_token.as_bytes(), form_token.as_bytes());
        own.ct_eq(other).into()
    }

    fn lasts(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.begun) < LASTS
    }
}

/// A word that nobody can guess.
pub(super) fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_session_ends_with_time_with_others_or_when_told() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let first = sessions.begin(now).unwrap();
        assert_eq!(sessions.find(&first.id, now).unwrap().number, 1);
        assert!(sessions.find("", now).is_none());
        assert!(sessions.find(&first.id, now + LASTS).is_none());
        assert!(first.sent(&first.form_token) && !first.sent("") && !first.sent(&first.id));
        for _ in 1..MOST {
            sessions.begin(now).unwrap();
        }
        assert!(sessions.find(&first.id, now).is_some());
        let last = sessions.begin(now).unwrap();
        assert!(sessions.find(&first.id, now).is_none());
        sessions.end(&last);
        assert!(sessions.find(&last.id, now).is_none());
    }
}
