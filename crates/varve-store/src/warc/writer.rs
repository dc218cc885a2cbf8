//! Records into an archive file, one compressed member each.

use super::deflate::{Deflater, Member, deflated_hard};
use super::frame::{Dictionary, Frame, finish_zstd};
use super::member::Compression;
use super::reader::Place;
use super::record::{Body, NewRecord};
use super::zstd::DICTIONARY_MAGIC;
use crate::fs::{AppendFile, ReadAt};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;
use varve_model::Digest;

const FLUSH_AT: usize = 256 * 1024;
const ZSTD_LEVEL: i32 = 9;
const ZSTD_HARD: i32 = 19;
const RECORD_END: &[u8] = b"\r\n\r\n";

/// How a writer compresses.
#[derive(Clone)]
pub struct Compressor {
    compression: Compression,
    dictionary: Option<Arc<Dictionary>>,
    /// Whether it takes its time, to make things small.
    is_hard: bool,
}

impl Compressor {
    /// One member per record, without a dictionary.
    pub fn new(compression: Compression) -> Compressor {
        Compressor {
            compression,
            dictionary: None,
            is_hard: false,
        }
    }

    /// zstd with a dictionary, which becomes the first frame of each file.
    pub fn zstd_with_dictionary(bytes: Vec<u8>) -> Compressor {
        Compressor::with_dictionary(bytes, ZSTD_LEVEL)
    }

    /// The same as small as it gets. It takes its time.
    pub(crate) fn hard_with_dictionary(bytes: Vec<u8>) -> Compressor {
        Compressor::with_dictionary(bytes, ZSTD_HARD)
    }

    fn with_dictionary(bytes: Vec<u8>, level: i32) -> Compressor {
        let dictionary = Some(Arc::new(Dictionary::new(bytes, level)));
        Compressor {
            dictionary,
            ..Compressor::new(Compression::Zstd)
        }
    }

    /// One small member per record, which takes its time, and with gzip as much memory as the
    /// record has bytes.
    pub fn hard(compression: Compression) -> Compressor {
        Compressor {
            is_hard: true,
            ..Compressor::new(compression)
        }
    }

    fn zstd_level(&self) -> i32 {
        match self.is_hard {
            true => ZSTD_HARD,
            false => ZSTD_LEVEL,
        }
    }

    /// The ending of file names.
    pub fn extension(&self) -> &'static str {
        match self.compression {
            Compression::None => "warc",
            Compression::Gzip => "warc.gz",
            Compression::Zstd => "warc.zst",
        }
    }

    /// How long bytes are as one member.
    pub(crate) fn packed_length(&self, bytes: &[u8]) -> io::Result<u64> {
        let mut packed = Vec::new();
        let write = |out: &mut dyn Write| out.write_all(bytes);
        self.member(&mut Deflater::default(), &mut packed, write)?;
        Ok(packed.len() as u64)
    }

    /// Compresses into `sink` what `produce` writes, as one member.
    fn member(
        &self,
        deflater: &mut Deflater,
        sink: &mut dyn Write,
        produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match (self.compression, &self.dictionary) {
            (Compression::None, _) => produce(sink),
            (Compression::Gzip, _) if self.is_hard => {
                let mut bytes = Vec::new();
                produce(&mut bytes)?;
                sink.write_all(&deflated_hard(&bytes)?)
            }
            (Compression::Gzip, _) => {
                let mut member = Member::begin(deflater, sink);
                produce(&mut member)?;
                member.finish()
            }
            (Compression::Zstd, None) => finish_zstd(
                zstd::stream::write::Encoder::new(sink, self.zstd_level())?,
                produce,
            ),
            (Compression::Zstd, Some(dictionary)) => {
                let mut frame = Frame::begin(sink, dictionary);
                produce(&mut frame)?;
                frame.finish()
            }
        }
    }
}

/// What writing a record gave.
#[derive(Clone, Debug)]
pub struct Written {
    /// Where the record stands, line ends excluded where they are not part of a member.
    pub place: Place,
    /// The payload's digest, if the record has a payload.
    pub payload_digest: Option<Digest>,
}

/// Appends records to a file.
pub struct WarcWriter {
    file: Box<dyn AppendFile>,
    compressor: Compressor,
    deflater: Deflater,
    length: u64,
}

impl WarcWriter {
    /// Starts a new, empty file. A dictionary is written at once.
    pub fn new(file: Box<dyn AppendFile>, compressor: Compressor) -> io::Result<WarcWriter> {
        let mut writer = WarcWriter {
            file,
            compressor,
            deflater: Deflater::default(),
            length: 0,
        };
        if let Some(dictionary) = writer.compressor.dictionary.clone() {
            let stored = zstd::stream::encode_all(dictionary.bytes(), ZSTD_HARD)?;
            let mut frame = DICTIONARY_MAGIC.to_vec();
            let length = u32::try_from(stored.len()).map_err(io::Error::other)?;
            frame.extend_from_slice(&length.to_le_bytes());
            frame.extend_from_slice(&stored);
            writer.file.append(&frame)?;
            writer.length = frame.len() as u64;
        }
        Ok(writer)
    }

    /// How many bytes the file holds.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Appends a record. After an error the file ends in a torn record and must be given up.
    pub fn append(&mut self, record: &NewRecord) -> io::Result<Written> {
        let digests = record.digests()?;
        let header = record.header(&digests);
        let place =
            match self.compressor.compression == Compression::Gzip && record.body.is_dense()? {
                true => self.append_dense(&header, record)?,
                false => self.append_member(|out| {
                    out.write_all(&header)?;
                    out.write_all(&record.head)?;
                    record.body.each_piece(|piece| out.write_all(piece))
                })?,
            };
        Ok(Written {
            place,
            payload_digest: digests.payload,
        })
    }

    /// Appends a record whose header and block are given as they stand elsewhere.
    pub fn append_member(
        &mut self,
        produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<Place> {
        let mut sink = Sink::new(self.file.as_mut());
        self.compressor
            .member(&mut self.deflater, &mut sink, |out| {
                produce(out)?;
                out.write_all(RECORD_END)
            })?;
        let length = sink.finish()?;
        let offset = self.length;
        self.length += length;
        let line_ends = if self.compressor.compression == Compression::None {
            4
        } else {
            0
        };
        Ok(Place {
            offset,
            length: length - line_ends,
        })
    }

    /// Appends a record whose body deflating would not make shorter.
    fn append_dense(&mut self, header: &[u8], record: &NewRecord) -> io::Result<Place> {
        let mut sink = Sink::new(self.file.as_mut());
        let mut member = Member::begin(&mut self.deflater, &mut sink);
        member.write_all(header)?;
        member.write_all(&record.head)?;
        record.body.each_piece(|piece| member.store(piece))?;
        member.write_all(RECORD_END)?;
        member.finish()?;
        let length = sink.finish()?;
        let offset = self.length;
        self.length += length;
        Ok(Place { offset, length })
    }

    /// Appends whole records of another file that is compressed in the same way.
    pub(crate) fn append_as_it_is(
        &mut self,
        file: &Arc<dyn ReadAt>,
        range: Range<u64>,
    ) -> io::Result<()> {
        let length = range.end.saturating_sub(range.start);
        let body = Body::File {
            file: file.clone(),
            offset: range.start,
            length,
        };
        body.each_piece(|piece| self.file.append(piece))?;
        self.length += length;
        Ok(())
    }

    /// Makes what was appended durable. A failure is final: see [`AppendFile::sync`].
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }
}

/// Gathers small writes.
struct Sink<'a> {
    file: &'a mut dyn AppendFile,
    buffer: Vec<u8>,
    length: u64,
}

impl<'a> Sink<'a> {
    fn new(file: &'a mut dyn AppendFile) -> Sink<'a> {
        Sink {
            file,
            buffer: Vec::new(),
            length: 0,
        }
    }

    /// Writes what is left, and tells how much it was in all.
    fn finish(mut self) -> io::Result<u64> {
        self.drain()?;
        Ok(self.length)
    }

    fn drain(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.file.append(&self.buffer)?;
            self.length += self.buffer.len() as u64;
            self.buffer.clear();
        }
        Ok(())
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= FLUSH_AT {
            self.drain()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
