//! The memory that all answers together may take.
//!
//! Answers take part of it as they grow, and give it back when nobody holds them any more: neither
//! a look-up, nor a client that reads slowly, nor the cache.

use crate::trouble::Trouble;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What is counted: units of so many bytes.
const UNIT: usize = 1 << 10;
/// What a memento takes besides its address.
const MEMENTO: usize = 64;

/// All of the memory for answers.
#[derive(Clone, Debug)]
pub(crate) struct Budget(Arc<Semaphore>);

impl Budget {
    pub(crate) fn new(bytes: usize) -> Budget {
        let units = (bytes / UNIT).clamp(1, u32::MAX as usize);
        Budget(Arc::new(Semaphore::new(units)))
    }

    /// Takes the memory for some mementos, if it is there.
    pub(crate) fn take(&self, addresses: impl Iterator<Item = usize>) -> Result<Reserve, Trouble> {
        let bytes: usize = addresses.map(|length| length + MEMENTO).sum();
        let units = u32::try_from(bytes.div_ceil(UNIT)).map_err(|_| Trouble::Memory)?;
        let taken = self.0.clone().try_acquire_many_owned(units);
        taken
            .map(|taken| Reserve(Some(taken)))
            .map_err(|_| Trouble::Memory)
    }
}

/// A part of it that is taken.
#[derive(Debug, Default)]
pub(crate) struct Reserve(Option<OwnedSemaphorePermit>);

impl Reserve {
    /// Adds what another one has.
    pub(crate) fn add(&mut self, other: Reserve) {
        match (&mut self.0, other.0) {
            (Some(own), Some(more)) => own.merge(more),
            (own @ None, more) => *own = more,
            (Some(_), None) => {}
        }
    }

    /// How many bytes it is.
    pub(crate) fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, OwnedSemaphorePermit::num_permits) * UNIT
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_taken_is_given_back() {
        let budget = Budget::new(10 * UNIT);
        let mut held = budget.take([UNIT].into_iter()).unwrap();
        held.add(budget.take([5 * UNIT].into_iter()).unwrap());
        assert_eq!(held.bytes(), 8 * UNIT);
        assert!(budget.take([5 * UNIT].into_iter()).is_err());
        drop(held);
        assert!(budget.take([5 * UNIT].into_iter()).is_ok());
    }
}
