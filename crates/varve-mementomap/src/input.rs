//! Reading lines from files and pipes, plain or compressed, in bounded memory.

mod at_most;

use crate::{MapError, Result};
use flate2::read::MultiGzDecoder;
use std::borrow::Borrow;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;
use varve_model::MAX_LINE;

const READ_AT_ONCE: usize = 256 << 10;
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Where lines come from: a file or a pipe, plain, in gzip or in zstd, which its first bytes tell.
pub struct Input {
    name: String,
    reader: Box<dyn Read + Send>,
    /// The file itself, if it is one, and plain: it can be read at several places at once.
    plain: Option<File>,
    packed: bool,
}

impl Input {
    /// Opens a file, or standard input for `-`.
    pub fn open(path: &Path) -> Result<Input> {
        if path == Path::new("-") {
            return Input::new("standard input", io::stdin());
        }
        let named = |error| MapError::io(path, error);
        let file = File::open(path).map_err(named)?;
        let known = file.metadata().map_err(named)?;
        let again = known.is_file().then(|| file.try_clone()).transpose();
        let again = again.map_err(named)?;
        let input = Input::new(&path.display().to_string(), file)?;
        let plain = again.filter(|_| !input.packed);
        Ok(Input { plain, ..input })
    }

    /// Reads from anything; `name` is what errors call it.
    pub fn new(name: &str, mut reader: impl Read + Send + 'static) -> Result<Input> {
        let named = |error| MapError::named(name, error);
        let mut start = Vec::with_capacity(ZSTD.len());
        let head = reader.by_ref().take(ZSTD.len() as u64);
        io::BufReader::with_capacity(ZSTD.len(), head)
            .read_to_end(&mut start)
            .map_err(named)?;
        let (gzip, zstd) = (start.starts_with(GZIP), start.starts_with(ZSTD));
        let whole = io::Cursor::new(start).chain(reader);
        let reader: Box<dyn Read + Send> = if gzip {
            Box::new(MultiGzDecoder::new(whole))
        } else if zstd {
            Box::new(zstd::Decoder::new(whole).map_err(named)?)
        } else {
            Box::new(whole)
        };
        Ok(Input {
            name: name.to_owned(),
            reader,
            plain: None,
            packed: gzip || zstd,
        })
    }

    /// Some bytes of a plain file.
    pub(crate) fn part(path: &Path, bytes: std::ops::Range<u64>) -> Result<Input> {
        let file = File::open(path).map_err(|error| MapError::io(path, error))?;
        Ok(Input {
            name: path.display().to_string(),
            reader: Box::new(Part::new(file, bytes)),
            plain: None,
            packed: false,
        })
    }

    /// What errors call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether bytes begin something compressed.
    pub(crate) fn is_packed(start: &[u8]) -> bool {
        start.starts_with(GZIP) || start.starts_with(ZSTD)
    }

    /// The file, if it can be read at any place, and nothing was read yet.
    pub(crate) fn plain_file(&self) -> Option<&File> {
        self.plain.as_ref()
    }

    pub(crate) fn reader(&mut self) -> &mut (dyn Read + Send) {
        &mut *self.reader
    }

    /// Its lines.
    pub fn lines(self) -> Lines {
        Lines {
            input: self,
            buffer: Vec::new(),
            line: 0..0,
            end: 0,
            number: 0,
            over: false,
        }
    }
}

/// Some bytes of a file, read wherever others read it.
pub(crate) struct Part<F> {
    file: F,
    bytes: std::ops::Range<u64>,
}

impl<F: Borrow<File>> Part<F> {
    pub(crate) fn new(file: F, bytes: std::ops::Range<u64>) -> Part<F> {
        Part { file, bytes }
    }
}

impl<F: Borrow<File>> Read for Part<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.bytes.end.saturating_sub(self.bytes.start);
        let wanted = buffer
            .len()
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        let file = self.file.borrow();
        let got = file.read_at(&mut buffer[..wanted], self.bytes.start)?;
        self.bytes.start += got as u64;
        Ok(got)
    }
}

/// The first place from `at` on where a line of a file of `len` bytes begins.
pub(crate) fn line_from(file: &File, len: u64, at: u64) -> io::Result<u64> {
    if at == 0 || at >= len {
        return Ok(at.min(len));
    }
    let mut portion = vec![0; 4 << 10];
    let mut seen = at - 1;
    loop {
        let got = read_fully(&mut Part::new(file, seen..len), &mut portion)?;
        if let Some(end) = memchr::memchr(b'\n', &portion[..got]) {
            return Ok(seen + end as u64 + 1);
        }
        if got < portion.len() {
            return Ok(len);
        }
        seen += got as u64;
    }
}

/// Reads until the buffer is full or nothing is left.
pub(crate) fn read_fully(
    reader: &mut (impl Read + ?Sized),
    buffer: &mut [u8],
) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(got) => filled += got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The lines of an input, one at a time and without their line breaks.
pub struct Lines {
    input: Input,
    buffer: Vec<u8>,
    /// Where the line given last lies in the buffer, its line break left out.
    line: std::ops::Range<usize>,
    /// How much of the buffer is filled.
    end: usize,
    number: u64,
    over: bool,
}

impl Lines {
    /// Goes to the next line; `None` after the last.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>> {
        let mut start = match self.number {
            0 => 0,
            _ => (self.line.end + 1).min(self.end),
        };
        let mut searched = start;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[searched..self.end]) {
                self.line = start..searched + at;
                break;
            }
            if self.over {
                if start == self.end {
                    return Ok(None);
                }
                self.line = start..self.end;
                break;
            }
            searched = self.end - start;
            self.refill(start)?;
            start = 0;
        }
        self.number += 1;
        Ok(Some(self.current()))
    }

    /// What is in memory of the lines that follow; perhaps nothing, or not all of a line.
    #[inline]
    pub(crate) fn ahead(&self) -> &[u8] {
        let start = self.line.end + usize::from(self.number > 0);
        self.buffer.get(start..self.end).unwrap_or_default()
    }

    /// Goes to the next line, which is ahead in memory and has so many bytes before its break.
    #[inline]
    pub(crate) fn take(&mut self, length: usize) -> &[u8] {
        let start = self.line.end + usize::from(self.number > 0);
        self.line = start..start + length;
        self.number += 1;
        self.current()
    }

    /// The line given last.
    pub fn current(&self) -> &[u8] {
        &self.buffer[self.line.clone()]
    }

    /// The number of the line given last, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What errors call the input.
    pub fn name(&self) -> &str {
        &self.input.name
    }

    /// An error about the line given last.
    pub fn fault(&self, reason: impl Into<String>) -> MapError {
        MapError::Line {
            name: self.input.name.clone(),
            line: self.number,
            reason: reason.into(),
        }
    }

    /// Moves what is left to the front and reads more behind it.
    fn refill(&mut self, start: usize) -> Result<()> {
        self.buffer.copy_within(start..self.end, 0);
        self.end -= start;
        if self.end > MAX_LINE {
            self.number += 1;
            return Err(self.fault("longer than 1 MiB: this is no such file"));
        }
        self.buffer.resize(self.end + READ_AT_ONCE, 0);
        let got = read_fully(&mut *self.input.reader, &mut self.buffer[self.end..]);
        let got = got.map_err(|error| {
            let name = format!("{}, after line {}", self.input.name, self.number);
            MapError::Io { name, error }
        })?;
        let fresh = &self.buffer[self.end..self.end + got];
        if let Some(at) = memchr::memchr(0, fresh) {
            self.number += memchr::memchr_iter(b'\n', &self.buffer[..self.end + at]).count() as u64;
            self.number += 1;
            return Err(self.fault("holds a NUL byte: this is no text"));
        }
        self.over = got < READ_AT_ONCE;
        self.end += got;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::Write;

    fn lines_of(bytes: Vec<u8>) -> Result<Vec<String>> {
        let mut lines = Input::new("test", io::Cursor::new(bytes))?.lines();
        let mut all = Vec::new();
        while let Some(line) = lines.next_line()? {
            all.push(String::from_utf8_lossy(line).into_owned());
        }
        Ok(all)
    }

    #[test]
    fn lines_come_one_by_one_however_long_and_with_or_without_a_break_at_the_end() {
        for text in ["", "a", "a\n", "a\nb", "\n\na\n", "a\n\n"] {
            let expected: Vec<_> = text.lines().map(str::to_owned).collect();
            assert_eq!(lines_of(text.into()).unwrap(), expected, "{text:?}");
        }
        let long = "x".repeat(READ_AT_ONCE - 1);
        let text = format!("{long}\n{long}yy\nz\n");
        let expected: Vec<_> = text.lines().map(str::to_owned).collect();
        assert_eq!(lines_of(text.into()).unwrap(), expected);
    }

    #[test]
    fn gzip_and_zstd_are_known_by_their_first_bytes() {
        let text = "a 1\nb 2\n".repeat(1000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let mut members = gzip.finish().unwrap();
        members.extend(members.clone());
        let twice: Vec<_> = text.repeat(2).lines().map(str::to_owned).collect();
        assert_eq!(lines_of(members).unwrap(), twice);
        let mut frames = zstd::encode_all(text.as_bytes(), 1).unwrap();
        frames.extend(frames.clone());
        assert_eq!(lines_of(frames).unwrap(), twice);
    }

    #[test]
    fn damage_is_told_with_its_line() {
        let told = |bytes: Vec<u8>| lines_of(bytes).unwrap_err().to_string();
        assert_eq!(
            told(b"a 1\nb\0 2\n".to_vec()),
            "test, line 2: holds a NUL byte: this is no text"
        );
        let endless = vec![b'x'; 3 << 20];
        assert!(told(endless).contains("line 1: longer than 1 MiB"));
        let mut cut = zstd::encode_all("a 1\n".repeat(100).as_bytes(), 1).unwrap();
        cut.truncate(cut.len() - 3);
        assert!(told(cut).starts_with("test, after line 0"));
    }
}
