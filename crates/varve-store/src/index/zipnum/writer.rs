//! Writing a ZipNum index.

use super::idx::meta_line;
use super::{BLOCK_LINES, DATA_FILE, IDX_FILE};
use crate::fs::Fs;
use crate::index::line::sort_words;
use crate::index::writer::Output;
use crate::{Result, StoreError};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::Path;
use varve_model::{Digest, DigestAlgorithm};

/// Writes `index.cdx.gz` and `index.idx` from lines that [`IndexWriter`] has looked at.
///
/// [`IndexWriter`]: crate::index::IndexWriter
#[derive(Debug)]
pub(in crate::index) struct ZipNumWriter {
    data: Output,
    idx: Output,
    block_lines: usize,
    /// The lines of the next block.
    text: Vec<u8>,
    lines: usize,
}

impl ZipNumWriter {
    /// Creates both files in a directory that exists; they must not exist yet.
    pub(in crate::index) fn create(fs: &Fs, dir: &Path) -> Result<ZipNumWriter> {
        ZipNumWriter::with_block_lines(fs, dir, BLOCK_LINES)
    }

    /// As [`ZipNumWriter::create`], with another number of lines in a block.
    pub(in crate::index) fn with_block_lines(
        fs: &Fs,
        dir: &Path,
        block_lines: usize,
    ) -> Result<ZipNumWriter> {
        let data = Output::create(fs, &dir.join(DATA_FILE))?;
        let mut idx = Output::create(fs, &dir.join(IDX_FILE))?;
        idx.write(meta_line().as_bytes())?;
        Ok(ZipNumWriter {
            data,
            idx,
            block_lines: block_lines.max(1),
            text: Vec::new(),
            lines: 0,
        })
    }

    /// Adds a line, given without its line break. The caller sees to the order.
    pub(in crate::index) fn push(&mut self, line: &[u8]) -> Result<()> {
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
        self.lines += 1;
        match self.lines < self.block_lines {
            true => Ok(()),
            false => self.end_block(),
        }
    }

    /// Ends the last block and makes both files survive power loss (their names need a sync of
    /// the directory).
    pub(in crate::index) fn finish(mut self) -> Result<()> {
        if self.lines > 0 {
            self.end_block()?;
        }
        self.data.finish()?;
        self.idx.finish()
    }

    fn end_block(&mut self) -> Result<()> {
        let block = self.compress()?;
        let digest = Digest::of(DigestAlgorithm::Sha256, &block);
        let (offset, length) = (self.data.written(), block.len());
        let place =
            format!(" {{\"offset\": {offset}, \"length\": {length}, \"digest\": \"{digest}\"}}\n");
        self.idx.write(sort_words(&self.text))?;
        self.idx.write(place.as_bytes())?;
        self.data.write(&block)?;
        self.text.clear();
        self.lines = 0;
        Ok(())
    }

    fn compress(&self) -> Result<Vec<u8>> {
        let mut member = GzEncoder::new(Vec::new(), Compression::default());
        let written = member.write_all(&self.text).and_then(|()| member.finish());
        written.map_err(StoreError::io(self.data.path(), "compress for"))
    }
}
