//! Writing maps: to a file that is there whole or not at all, or to standard output.
//!
//! Names that end in `.gz` or `.zst` are compressed. A map may be cut into *pages*, files that name
//! each other in their headers, so that none is larger than somebody wants to fetch at once.

use crate::header::{is_page, page_header};
use crate::{MapError, Result};
use flate2::write::GzEncoder;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Plain,
    Gzip,
    Zstd,
}

impl Packing {
    fn of(path: &Path) -> Packing {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Packing::Gzip,
            Some("zst") => Packing::Zstd,
            _ => Packing::Plain,
        }
    }
}

/// Compresses what goes through it.
enum Packer<W: Write> {
    Plain(BufWriter<W>),
    Gzip(GzEncoder<BufWriter<W>>),
    Zstd(zstd::Encoder<'static, BufWriter<W>>),
}

impl<W: Write> Packer<W> {
    fn new(packing: Packing, out: W) -> io::Result<Packer<W>> {
        let out = BufWriter::with_capacity(256 << 10, out);
        Ok(match packing {
            Packing::Plain => Packer::Plain(out),
            Packing::Gzip => Packer::Gzip(GzEncoder::new(out, flate2::Compression::default())),
            Packing::Zstd => Packer::Zstd(zstd::Encoder::new(out, 0)?),
        })
    }

    fn finish(self) -> io::Result<W> {
        let out = match self {
            Packer::Plain(out) => out,
            Packer::Gzip(packer) => packer.finish()?,
            Packer::Zstd(packer) => packer.finish()?,
        };
        out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Packer::Plain(out) => out.write(bytes),
            Packer::Gzip(out) => out.write(bytes),
            Packer::Zstd(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Packer::Plain(out) => out.flush(),
            Packer::Gzip(out) => out.flush(),
            Packer::Zstd(out) => out.flush(),
        }
    }
}

/// A text file or standard output that is being written; see [`Output::finish`].
pub enum Output {
    /// Standard output.
    Stdout(BufWriter<io::Stdout>),
    /// A file that takes its name in the end.
    File(PathBuf, Box<FileOutput>),
}

/// A file on its way.
pub struct FileOutput(Packer<Place>);

/// Where the bytes of a file go until it is whole.
enum Place {
    /// A file beside it, which will take its name.
    Beside(NamedTempFile),
    /// Itself: it is a device or a pipe, and nothing may take its place.
    Itself(std::fs::File),
}

impl Place {
    fn of(path: &Path) -> io::Result<Place> {
        let special = std::fs::metadata(path).is_ok_and(|known| !known.is_file());
        match special {
            true => Ok(Place::Itself(
                std::fs::File::options().write(true).open(path)?,
            )),
            false => Ok(Place::Beside(scratch_beside(path)?)),
        }
    }

    fn finish(self, path: &Path) -> Result<()> {
        match self {
            Place::Beside(file) => name(file, path),
            Place::Itself(_) => Ok(()),
        }
    }
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Place::Beside(file) => file.write(bytes),
            Place::Itself(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Place::Beside(file) => file.flush(),
            Place::Itself(file) => file.flush(),
        }
    }
}

impl Output {
    /// Writes to a file; to standard output if there is none or it is `-`.
    pub fn create(path: Option<&Path>) -> Result<Output> {
        match path.filter(|path| *path != Path::new("-")) {
            None => Ok(Output::Stdout(BufWriter::with_capacity(
                256 << 10,
                io::stdout(),
            ))),
            Some(path) => {
                let named = |error| MapError::io(path, error);
                let file = Place::of(path).map_err(named)?;
                let packer = Packer::new(Packing::of(path), file).map_err(named)?;
                Ok(Output::File(path.to_owned(), Box::new(FileOutput(packer))))
            }
        }
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<()> {
        match self {
            Output::Stdout(mut out) => out
                .flush()
                .map_err(|error| MapError::named("standard output", error)),
            Output::File(path, out) => {
                let place = out.0.finish().map_err(|error| MapError::io(&path, error))?;
                place.finish(&path)
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(out) => out.write(bytes),
            Output::File(_, out) => out.0.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(out) => out.flush(),
            Output::File(_, out) => out.0.flush(),
        }
    }
}

fn scratch_beside(path: &Path) -> io::Result<NamedTempFile> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    builder.tempfile_in(dir.unwrap_or(Path::new(".")))
}

fn name(file: NamedTempFile, path: &Path) -> Result<()> {
    file.as_file()
        .sync_data()
        .map_err(|error| MapError::io(path, error))?;
    file.persist(path)
        .map_err(|error| MapError::io(path, error.error))?;
    Ok(())
}

/// Writes a map: its headers, then lines, perhaps in pages.
pub struct MapOutput {
    headers: Vec<String>,
    target: Target,
}

enum Target {
    Whole(Output),
    Pages(Box<Pages>),
}

/// Pages on their way. The lines of a page wait in a scratch file until it is known whether
/// another follows, since that is what its headers say.
struct Pages {
    path: PathBuf,
    lines_each: u64,
    number: usize,
    lines: u64,
    body: Packer<std::fs::File>,
}

impl MapOutput {
    /// Writes to a file or standard output, as [`Output::create`]; if `page_lines` is given, to
    /// files of at most so many lines: `map.ukvs`, `map-2.ukvs`, and so on.
    pub fn create(
        path: Option<&Path>,
        headers: &[String],
        page_lines: Option<u64>,
    ) -> Result<MapOutput> {
        let headers: Vec<String> = headers
            .iter()
            .filter(|header| !is_page(header))
            .cloned()
            .collect();
        let target = match (page_lines, path.filter(|path| *path != Path::new("-"))) {
            (None, _) => {
                let mut output = Output::create(path)?;
                write_headers(&mut output, &headers)
                    .map_err(|error| MapError::named("the output", error))?;
                Target::Whole(output)
            }
            (Some(lines), Some(path)) if lines > 0 => Target::Pages(Box::new(Pages {
                path: path.to_owned(),
                lines_each: lines,
                number: 1,
                lines: 0,
                body: body(path)?,
            })),
            (Some(_), _) => {
                let text = "pages need a file to be written to, and at least one line each";
                return Err(MapError::Request(text.to_owned()));
            }
        };
        Ok(MapOutput { headers, target })
    }

    /// Gives the last file its name.
    pub fn finish(self) -> Result<()> {
        match self.target {
            Target::Whole(output) => output.finish(),
            Target::Pages(mut pages) => pages.close(&self.headers, false),
        }
    }
}

impl Write for MapOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Whole(output) => output.write(bytes),
            Target::Pages(pages) => {
                if pages.lines == pages.lines_each {
                    pages.close(&self.headers, true).map_err(io::Error::other)?;
                }
                let left = (pages.lines_each - pages.lines) as usize;
                let mut ends = memchr::memchr_iter(b'\n', bytes);
                let fits = ends.nth(left - 1).map_or(bytes.len(), |at| at + 1);
                pages.body.write_all(&bytes[..fits])?;
                pages.lines += memchr::memchr_iter(b'\n', &bytes[..fits]).count() as u64;
                Ok(fits)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Whole(output) => output.flush(),
            Target::Pages(pages) => pages.body.flush(),
        }
    }
}

impl Pages {
    /// Writes a page with its headers, and begins the next if there is one.
    fn close(&mut self, headers: &[String], more: bool) -> Result<()> {
        let path = page_path(&self.path, self.number);
        let named = |error| MapError::io(&path, error);
        let packing = Packing::of(&self.path);
        let done = std::mem::replace(&mut self.body, body(&self.path)?);
        let mut lines = done.finish().map_err(named)?;
        lines.seek(SeekFrom::Start(0)).map_err(named)?;
        let previous =
            (self.number > 1).then(|| file_name(&page_path(&self.path, self.number - 1)));
        let next = more.then(|| file_name(&page_path(&self.path, self.number + 1)));
        let mut all = headers.to_vec();
        all.push(page_header(
            self.number,
            previous.as_deref(),
            next.as_deref(),
        ));
        // Compressed texts may be put one after the other.
        let mut head =
            Packer::new(packing, scratch_beside(&path).map_err(named)?).map_err(named)?;
        write_headers(&mut head, &all).map_err(named)?;
        let mut file = head.finish().map_err(named)?;
        io::copy(&mut lines, &mut file).map_err(named)?;
        name(file, &path)?;
        self.number += 1;
        self.lines = 0;
        Ok(())
    }
}

fn write_headers(out: &mut impl Write, headers: &[String]) -> io::Result<()> {
    headers
        .iter()
        .try_for_each(|header| writeln!(out, "{header}"))
}

fn body(path: &Path) -> Result<Packer<std::fs::File>> {
    let file = tempfile::tempfile().map_err(MapError::scratch)?;
    Packer::new(Packing::of(path), file).map_err(MapError::scratch)
}

/// `map-2.ukvs.gz` for the second page of `map.ukvs.gz`.
fn page_path(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let name = file_name(path);
    let (stem, extensions) = match name[1.min(name.len())..].find('.') {
        Some(at) => name.split_at(at + 1),
        None => (name.as_str(), ""),
    };
    path.with_file_name(format!("{stem}-{number}{extensions}"))
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests;
