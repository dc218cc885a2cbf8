//! Spaces: where the frontier keeps entries of one sort, and the one way to change them.
//!
//! A keyspace of the database costs a dozen syncs to make and a table in memory to have. What is
//! short-lived therefore shares one; a letter before each key keeps the spaces apart.

use fjall::{Error, Keyspace, OwnedWriteBatch, Slice};

/// Entries of one sort, by key.
pub(super) struct Space {
    keyspace: Keyspace,
    letter: Option<u8>,
}

impl Space {
    /// All of a keyspace.
    pub(super) fn whole(keyspace: Keyspace) -> Space {
        Space {
            keyspace,
            letter: None,
        }
    }

    /// What a keyspace has under a letter.
    pub(super) fn under(letter: u8, keyspace: &Keyspace) -> Space {
        Space {
            keyspace: keyspace.clone(),
            letter: Some(letter),
        }
    }

    /// Whether there is such an entry.
    pub(super) fn contains(&self, key: &[u8]) -> Result<bool, Error> {
        self.keyspace.contains_key(self.full(key))
    }

    /// One value.
    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Slice>, Error> {
        self.keyspace.get(self.full(key))
    }

    /// Entries from a key on, below an end.
    pub(super) fn range(
        &self,
        from: &[u8],
        end: &[u8],
    ) -> impl Iterator<Item = Result<(Slice, Slice), Error>> + use<> {
        let entries = self.keyspace.range(self.full(from)..self.full(end));
        let letter = usize::from(self.letter.is_some());
        entries.map(move |entry| {
            let (key, value) = entry.into_inner()?;
            Ok((Slice::from(&key[letter..]), value))
        })
    }

    /// A key as the database has it.
    fn full(&self, key: &[u8]) -> Slice {
        match self.letter {
            Some(letter) => Slice::from([&[letter], key].concat()),
            None => Slice::from(key),
        }
    }
}

/// Changes that are made together or not at all.
pub(super) struct Changes(OwnedWriteBatch);

impl Changes {
    /// Nothing is changed yet.
    pub(super) fn new(batch: OwnedWriteBatch) -> Changes {
        Changes(batch)
    }

    /// Sets an entry.
    pub(super) fn insert(&mut self, space: &Space, key: impl AsRef<[u8]>, value: impl Into<Slice>) {
        self.0
            .insert(&space.keyspace, space.full(key.as_ref()), value);
    }

    /// Takes an entry away.
    pub(super) fn remove(&mut self, space: &Space, key: impl AsRef<[u8]>) {
        self.0.remove(&space.keyspace, space.full(key.as_ref()));
    }

    /// Hands all of it to the operating system.
    pub(super) fn commit(self) -> Result<(), Error> {
        self.0.commit()
    }
}
