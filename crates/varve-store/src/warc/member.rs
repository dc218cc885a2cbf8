//! An archive file as a sequence of members, decompressed on the fly.
//!
//! A *member* is what can be read alone: a gzip member, a zstd frame, or, in a file that is not
//! compressed, the whole file. A record should fill exactly one member; whether it does is for
//! the record reader to say.

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use super::fault::{Fault, ReadError};
use super::gzip::{self, Gzip};
use super::inflate::Inflate;
use super::whole;
use super::window::Window;
use super::zstd::{self, Zstd};
use crate::fs::ReadAt;
use std::io;
use std::sync::Arc;

const OUTPUT: usize = 256 * 1024;
/// Members of fewer bytes, when one is wanted alone, are read and inflated at once.
const SHORT: u64 = 128 * 1024;
/// What is read of a member of which only the start is wanted.
const START: u64 = 2 * 1024;
/// What text inflates to, at first guess.
const USUAL_RATIO: usize = 6;
/// Deflate cannot exceed 1,032 to 1; beyond that, and a gigabyte, nothing honest is compressed.
const MAX_RATIO: u64 = 1_100;
const RATIO_FREE: u64 = 1 << 30;

/// How much of a file is read to see whether a member starts somewhere.
const PROBE: u64 = 2 * 1024;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// One gzip member per record.
    Gzip,
    /// One zstd frame per record.
    Zstd,
}

/// How much of a record is wanted: whatever this says, all of it can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All of it, of which an index says how many bytes of the file it takes; 0 if it does not.
    Whole(u64),
    /// Hardly more than its headers.
    Start,
}

impl Wanted {
    /// Bytes to read and to inflate at a time; none for as many as usual.
    fn room(self) -> Option<(u64, usize)> {
        match self {
            Wanted::Start => Some((START, START as usize * USUAL_RATIO)),
            Wanted::Whole(length @ 1..=SHORT) => {
                Some((length, (length as usize * USUAL_RATIO).min(OUTPUT)))
            }
            Wanted::Whole(_) => None,
        }
    }
}

/// A failure inside a codec, which does not know where in the file it is.
pub(crate) enum Broken {
    Io(io::Error),
    Fault(Fault),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Broken {
        Broken::Io(error)
    }
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Broken {
        Broken::Fault(fault)
    }
}

/// What one step of decompression gave.
pub(crate) struct Progress {
    pub(crate) produced: usize,
    pub(crate) ended: bool,
}

enum Codec {
    Plain,
    Gzip(Box<Gzip>),
    Zstd(Box<Zstd>),
}

/// The members of a file, in order.
pub(crate) struct Members {
    source: Window,
    codec: Codec,
    out: Vec<u8>,
    taken: usize,
    filled: usize,
    start: u64,
    inflated: u64,
    state: State,
    walk: Walk,
}

/// Whether members may be inflated as a whole before anything of them is given.
enum Walk {
    /// No: who opens a file at some place may want no more than a header.
    Opened,
    /// Yes: one member was read to its end, so others will be.
    GoesOn(Box<Inflate>),
    /// Never; to compare with.
    #[cfg(test)]
    Streams,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Between members.
    Outside,
    /// Inside one.
    Inside,
    /// Inside one whose last bytes are in the output buffer.
    Ended,
}

impl Members {
    /// The members of `file` from `start`, which must be where a member starts.
    pub(crate) fn open(file: Arc<dyn ReadAt>, start: u64, end: u64) -> Result<Members, ReadError> {
        let source = Window::new(file, start, end);
        Members::over(source, start, OUTPUT)
    }

    /// The same, when one member is wanted.
    pub(crate) fn open_one(
        file: Arc<dyn ReadAt>,
        start: u64,
        end: u64,
        wanted: Wanted,
    ) -> Result<Members, ReadError> {
        let Some((input, output)) = wanted.room() else {
            return Members::open(file, start, end);
        };
        let source = Window::expecting(input, file, start, end);
        let mut members = Members::over(source, start, output)?;
        if wanted != Wanted::Start {
            members.walk = Walk::GoesOn(Box::new(Inflate::new()));
        }
        Ok(members)
    }

    fn over(mut source: Window, start: u64, output: usize) -> Result<Members, ReadError> {
        let mut beginning = Window::new(source.file().clone(), 0, source.end().min(64));
        let codec = match detect(beginning.peek(4)?) {
            Compression::None => Codec::Plain,
            Compression::Gzip => Codec::Gzip(Box::new(Gzip::new())),
            Compression::Zstd => open_zstd(&mut source, start)?,
        };
        let room = if matches!(codec, Codec::Plain) {
            0
        } else {
            output
        };
        Ok(Members {
            start: source.position(),
            source,
            codec,
            out: vec![0; room],
            taken: 0,
            filled: 0,
            inflated: 0,
            state: State::Outside,
            walk: Walk::Opened,
        })
    }

    pub(crate) fn file(&self) -> &Arc<dyn ReadAt> {
        self.source.file()
    }

    pub(crate) fn compression(&self) -> Compression {
        match self.codec {
            Codec::Plain => Compression::None,
            Codec::Gzip(_) => Compression::Gzip,
            Codec::Zstd(_) => Compression::Zstd,
        }
    }

    /// Where the current member starts in the file.
    pub(crate) fn member_start(&self) -> u64 {
        self.start
    }

    /// Where reading stands in the file: between members, the end of the last one.
    pub(crate) fn position(&self) -> u64 {
        self.source.position()
    }

    /// Continues at another place of the file, where a member must start.
    pub(crate) fn jump(&mut self, to: u64) {
        self.source = Window::new(self.source.file().clone(), to, self.source.end());
        (self.taken, self.filled, self.state) = (0, 0, State::Outside);
        self.start = to;
    }

    /// A window of the raw file from `from`, to look for something in it.
    pub(crate) fn raw_window(&self, from: u64) -> Window {
        Window::new(self.source.file().clone(), from, self.source.end())
    }

    /// Whether the member at `offset`, if one starts there, begins with these bytes. Reads little,
    /// since this is asked of places that only look like one. Reading must jump afterwards.
    pub(crate) fn starts_with(&mut self, offset: u64, bytes: &[u8]) -> Result<bool, ReadError> {
        let end = self.source.end().min(offset.saturating_add(PROBE));
        let mut source = Window::new(self.source.file().clone(), offset, end);
        let mut out = [0; 64];
        let begun = match &mut self.codec {
            Codec::Plain => return Ok(source.peek(bytes.len())?.starts_with(bytes)),
            Codec::Gzip(gzip) => gzip
                .begin(&mut source)
                .and_then(|()| gzip.read(&mut source, &mut out)),
            Codec::Zstd(zstd) => zstd
                .begin(&mut source)
                .and_then(|()| zstd.read(&mut source, &mut out)),
        };
        match begun {
            Ok(progress) => Ok(out[..progress.produced].starts_with(bytes)),
            Err(Broken::Io(error)) => Err(error.into()),
            Err(Broken::Fault(_)) => Ok(false),
        }
    }

    /// Begins the next member; false at the end of the file.
    pub(crate) fn begin(&mut self) -> Result<bool, ReadError> {
        if self.source.peek(1)?.is_empty() {
            return Ok(false);
        }
        self.start = self.source.position();
        (self.taken, self.filled, self.inflated) = (0, 0, 0);
        if let (Codec::Gzip(_), Walk::GoesOn(inflate)) = (&self.codec, &mut self.walk)
            && let Some(length) = whole::inflate_member(inflate, &mut self.source, &mut self.out)?
        {
            (self.filled, self.inflated) = (length, length as u64);
            self.state = State::Ended;
            return Ok(true);
        }
        let begun = match &mut self.codec {
            Codec::Plain => Ok(()),
            Codec::Gzip(gzip) => gzip.begin(&mut self.source),
            Codec::Zstd(zstd) => zstd.begin(&mut self.source),
        };
        begun.map_err(|broken| self.damaged(broken))?;
        self.state = State::Inside;
        Ok(true)
    }

    /// Whether a member has begun and not been left yet.
    pub(crate) fn inside(&self) -> bool {
        self.state != State::Outside
    }

    /// The next decompressed bytes; empty at the end of the member, which is then left.
    pub(crate) fn fill(&mut self) -> Result<&[u8], ReadError> {
        if matches!(self.codec, Codec::Plain) {
            return Ok(self.source.fill()?);
        }
        if self.taken == self.filled {
            self.inflate()?;
        }
        let end = self.filled.min(self.taken + OUTPUT);
        Ok(&self.out[self.taken..end])
    }

    /// Whether a file that is not compressed goes on with these bytes, or ends.
    pub(crate) fn plain_goes_on_with(&mut self, bytes: &[u8]) -> Result<bool, ReadError> {
        let next = self.source.peek(bytes.len())?;
        Ok(next.is_empty() || next.starts_with(bytes))
    }

    pub(crate) fn consume(&mut self, count: usize) {
        if matches!(self.codec, Codec::Plain) {
            return self.source.consume(count);
        }
        self.taken = (self.taken + count).min(self.filled);
    }

    fn inflate(&mut self) -> Result<(), ReadError> {
        (self.taken, self.filled) = (0, 0);
        let room = self.out.len().min(OUTPUT);
        while self.state == State::Inside && self.filled == 0 {
            let out = &mut self.out[..room];
            let progress = match &mut self.codec {
                Codec::Plain => return Ok(()),
                Codec::Gzip(gzip) => gzip.read(&mut self.source, out),
                Codec::Zstd(zstd) => zstd.read(&mut self.source, out),
            };
            let progress = progress.map_err(|broken| self.damaged(broken))?;
            self.filled = progress.produced;
            self.inflated += progress.produced as u64;
            if progress.ended {
                self.state = State::Ended;
            }
            self.refuse_bomb()?;
        }
        if self.filled == 0 {
            self.state = State::Outside;
            if matches!(self.walk, Walk::Opened) {
                self.walk = Walk::GoesOn(Box::new(Inflate::new()));
            }
        }
        Ok(())
    }

    fn refuse_bomb(&self) -> Result<(), ReadError> {
        let compressed = self.source.position() - self.start;
        if self.inflated > RATIO_FREE && self.inflated / MAX_RATIO > compressed {
            let fault = Fault::Bomb {
                compressed,
                inflated: self.inflated,
            };
            return Err(ReadError::Damaged {
                offset: self.start,
                fault,
            });
        }
        Ok(())
    }

    fn damaged(&self, broken: Broken) -> ReadError {
        locate(broken, self.start)
    }
}

/// Tells the compression by the first bytes of a file.
pub(crate) fn detect(first: &[u8]) -> Compression {
    if first.starts_with(&[0x1f, 0x8b]) {
        Compression::Gzip
    } else if first.starts_with(&zstd::FRAME_MAGIC) || first.starts_with(&zstd::DICTIONARY_MAGIC) {
        Compression::Zstd
    } else {
        Compression::None
    }
}

/// Whether a member may start with these bytes, in a file of that compression.
pub(crate) fn may_start_member(compression: Compression, bytes: &[u8]) -> bool {
    match compression {
        Compression::None => bytes.starts_with(b"WARC/1.") || bytes.starts_with(b"WARC/0."),
        Compression::Gzip => gzip::looks_like_member(bytes),
        Compression::Zstd => bytes.starts_with(&zstd::FRAME_MAGIC),
    }
}

/// The dictionary is at the start of the file, wherever reading begins.
fn open_zstd(source: &mut Window, start: u64) -> Result<Codec, ReadError> {
    let mut beginning = Window::new(source.file().clone(), 0, source.end());
    let zstd = Zstd::open(&mut beginning).map_err(|broken| locate(broken, 0))?;
    if start < beginning.position() {
        *source = beginning;
    }
    Ok(Codec::Zstd(Box::new(zstd)))
}

fn locate(broken: Broken, offset: u64) -> ReadError {
    match broken {
        Broken::Io(error) => ReadError::Io(error),
        Broken::Fault(fault) => ReadError::Damaged { offset, fault },
    }
}
