//! A run: pairs in order, packed, in memory or in a part of a scratch file.

use crate::bytes::common_prefix;
use crate::{MapError, Result};
use std::fs::File;
use std::io::Write;
use std::sync::Arc;

/// Pairs in order: first those in a part of a scratch file, then those in memory.
pub(crate) struct Run {
    pub(super) file: Option<Part>,
    pub(super) memory: Vec<u8>,
}

/// A part of a scratch file.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) file: Arc<File>,
    pub(super) at: u64,
    pub(super) len: u64,
}

impl Run {
    pub(super) fn in_memory(memory: Vec<u8>) -> Run {
        Run { file: None, memory }
    }

    pub(super) fn followed_by(self, memory: Vec<u8>) -> Run {
        Run { memory, ..self }
    }
}

/// A run that is being written. Each pair is: how many bytes of the key before it stay, how many
/// come new, how many its value has; then those.
#[derive(Default)]
pub(super) struct Packed {
    pub(super) bytes: Vec<u8>,
    last: Vec<u8>,
}

impl Packed {
    /// One that may take so many bytes, and need not be moved until then.
    pub(super) fn holding(limit: usize) -> Packed {
        Packed {
            bytes: Vec::with_capacity(limit),
            last: Vec::new(),
        }
    }

    /// Takes a pair, if it comes in order.
    #[inline]
    pub(super) fn push(&mut self, key: &[u8], value: &[u8]) -> bool {
        self.push_sharing(key, value, common_prefix(&self.last, key))
    }

    /// The same, of which is known how much its key shares with the one before it.
    #[inline]
    pub(super) fn push_sharing(&mut self, key: &[u8], value: &[u8], shared: usize) -> bool {
        let new = &key[shared..];
        if let Some(last) = self.last.get(shared)
            && new.first().is_none_or(|next| next < last)
        {
            return false;
        }
        let lengths = [shared, new.len(), value.len()];
        // Mostly, each is one byte.
        match lengths.iter().all(|length| *length < 0x80) {
            true => self
                .bytes
                .extend_from_slice(&lengths.map(|length| length as u8)),
            false => {
                for length in lengths {
                    push_varint(&mut self.bytes, length as u64);
                }
            }
        }
        self.bytes.extend_from_slice(new);
        self.bytes.extend_from_slice(value);
        self.last.truncate(shared);
        self.last.extend_from_slice(new);
        true
    }
}

/// A scratch file that runs are written to, one after the other.
#[derive(Default)]
pub(super) struct Scratch {
    file: Option<Arc<File>>,
    /// Where the run that is being written begins, and where it ends by now.
    from: u64,
    to: u64,
}

impl Scratch {
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let mut file: &File = match &mut self.file {
            Some(file) => file,
            none => {
                let file = tempfile::tempfile().map_err(MapError::scratch)?;
                none.insert(Arc::new(file))
            }
        };
        file.write_all(bytes).map_err(MapError::scratch)?;
        self.to += bytes.len() as u64;
        Ok(())
    }

    /// The run that was being written, if it has anything.
    pub(super) fn take_run(&mut self) -> Option<Run> {
        let file = self.file.clone().filter(|_| self.to > self.from)?;
        let at = std::mem::replace(&mut self.from, self.to);
        let len = self.to - at;
        Some(Run {
            file: Some(Part { file, at, len }),
            memory: Vec::new(),
        })
    }
}

/// Appends a number in as few bytes as it needs.
#[inline]
pub(crate) fn push_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A number at the beginning of some bytes, and how many it takes.
#[inline]
pub(crate) fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    if let Some(byte @ ..0x80) = bytes.first() {
        return Some((u64::from(*byte), 1));
    }
    let mut number = 0;
    for (at, byte) in bytes.iter().take(10).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((number, at + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_few_bytes() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            push_varint(&mut bytes, number);
            assert_eq!(varint(&bytes), Some((number, bytes.len())));
        }
        assert_eq!(varint(&[0x80]), None);
    }
}
