//! What a map takes: lines, bytes, and bytes when it is compressed.

use crate::{Compacted, MapError, Records, Result};
use std::io::{self, Write};
use std::path::Path;

/// The size of a map, its headers left out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub(super) lines: u64,
    pub(super) bytes: u64,
    /// In zstd, as in a file whose name ends in `.zst`.
    pub(super) packed: u64,
}

impl Size {
    pub(super) fn of(map: &Path) -> Result<Size> {
        let mut size = Size::default();
        let mut packer = zstd::Encoder::new(Counted(0), 0).map_err(MapError::scratch)?;
        let mut records = Records::open(map)?;
        let mut line = Vec::new();
        while let Some(record) = records.next_record()? {
            line.clear();
            record.write(&mut line);
            size.lines += 1;
            size.bytes += line.len() as u64;
            packer.write_all(&line).map_err(MapError::scratch)?;
        }
        size.packed = packer.finish().map_err(MapError::scratch)?.0;
        Ok(size)
    }

    pub(super) fn compacted(self) -> Compacted {
        Compacted {
            lines: self.lines,
            bytes: self.bytes,
            ..Compacted::default()
        }
    }
}

/// Counts what is written.
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
