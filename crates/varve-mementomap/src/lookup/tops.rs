//! What a map says about whole top-level domains, and about everything.
//!
//! Every question that nothing else speaks for comes to these few, so what is found stays.

use crate::{Frequency, Result};
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

/// Wildcards that are no longer stay: `*`, `com,*`, `uk,co,*`.
const LONGEST: usize = 8;
/// So many stay.
const MOST: usize = 4096;

/// What a line says: its key and how much is held there.
pub(super) type Said = Option<(String, Frequency)>;

/// What is known about short wildcards.
#[derive(Default)]
pub(super) struct Tops(RwLock<HashMap<Box<[u8]>, Said>>);

impl Tops {
    /// What the map says about a wildcard, which `find` finds out if nobody knows.
    pub(super) fn said(&self, key: &[u8], find: impl FnOnce() -> Result<Said>) -> Result<Said> {
        if key.len() > LONGEST {
            return find();
        }
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(said) = known.get(key) {
            return Ok(said.clone());
        }
        drop(known);
        let said = find()?;
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MOST {
            known.insert(key.into(), said.clone());
        }
        Ok(said)
    }
}
