//! The bytes of one simulated file, as extents that point into the payloads of the operation log.
//!
//! A crash image is built by pushing pointers, never by copying bytes, and thousands of images of
//! one run share the same payloads.

use std::sync::Arc;

/// What a file holds: extents that follow each other without gaps, none of them empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    extents: Vec<Extent>,
}

#[derive(Clone, Debug)]
struct Extent {
    start: u64,
    len: u64,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    /// A hole.
    Zeros,
    /// A part of `data` that begins at `skip`.
    Bytes { data: Arc<[u8]>, skip: usize },
}

impl Content {
    pub(super) fn len(&self) -> u64 {
        self.extents.last().map_or(0, Extent::end)
    }

    /// Fills `buf` from `offset` as far as there are bytes, and says how far.
    pub(super) fn read_at(&self, buf: &mut [u8], offset: u64) -> usize {
        let mut filled = 0;
        for extent in &self.extents[self.first_ending_after(offset)..] {
            if filled == buf.len() {
                break;
            }
            filled += extent.read_at(&mut buf[filled..], offset + filled as u64);
        }
        filled
    }

    pub(super) fn to_vec(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len() as usize];
        self.read_at(&mut bytes, 0);
        bytes
    }

    /// Writes `data` at `offset`: over what is there, and after a hole when the file ends before.
    pub(super) fn write_at(&mut self, offset: u64, data: Arc<[u8]>) {
        if data.is_empty() {
            return;
        }
        let len = data.len() as u64;
        let source = Source::Bytes { data, skip: 0 };
        if offset == self.len() {
            // Nearly always.
            self.push(len, source);
            return;
        }
        let after = self.split_off(offset + len);
        self.set_len(offset);
        self.push(len, source);
        self.extents.extend(after);
    }

    /// Cuts the file, or extends it with a hole.
    pub(super) fn set_len(&mut self, len: u64) {
        let now = self.len();
        if len < now {
            self.split_off(len);
        } else if len > now {
            self.push(len - now, Source::Zeros);
        }
    }

    /// Inverts a bit, counted from the least significant one of the first byte; false when the
    /// file is shorter than that.
    pub(super) fn flip_bit(&mut self, bit: u64) -> bool {
        let mut byte = [0];
        if self.read_at(&mut byte, bit / 8) == 0 {
            return false;
        }
        byte[0] ^= 1 << (bit % 8);
        self.write_at(bit / 8, Arc::from(byte));
        true
    }

    fn push(&mut self, len: u64, source: Source) {
        let start = self.len();
        self.extents.push(Extent { start, len, source });
    }

    /// Removes and returns everything from `offset` on.
    fn split_off(&mut self, offset: u64) -> Vec<Extent> {
        let first = self.first_ending_after(offset);
        let mut after = self.extents.split_off(first);
        if let Some(extent) = after.first_mut()
            && extent.start < offset
        {
            self.extents.push(extent.cut_front(offset - extent.start));
        }
        after
    }

    fn first_ending_after(&self, offset: u64) -> usize {
        self.extents
            .partition_point(|extent| extent.end() <= offset)
    }
}

impl Extent {
    fn end(&self) -> u64 {
        self.start + self.len
    }

    /// Reads from `offset`, which is an offset of the file inside this extent.
    fn read_at(&self, buf: &mut [u8], offset: u64) -> usize {
        let count = buf.len().min((self.end() - offset) as usize);
        match &self.source {
            Source::Zeros => buf[..count].fill(0),
            Source::Bytes { data, skip } => {
                let from = skip + (offset - self.start) as usize;
                buf[..count].copy_from_slice(&data[from..from + count]);
            }
        }
        count
    }

    /// Splits the first `len` bytes off into an extent of their own.
    fn cut_front(&mut self, len: u64) -> Extent {
        let mut front = self.clone();
        front.len = len;
        self.start += len;
        self.len -= len;
        if let Source::Bytes { skip, .. } = &mut self.source {
            *skip += len as usize;
        }
        front
    }
}
