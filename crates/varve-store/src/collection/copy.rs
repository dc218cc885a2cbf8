//! Copying an archive file into an open layer, record by record, as it stands.

use super::datapackage::Source;
use super::import::{FoundFault, ImportObserver, Imported, MAX_FAULTS, Part, log_line, tails_dir};
use super::journal::Entry;
use super::layout::{OPEN, TAILS};
use super::open_layer::{OpenLayer, sync_dir};
use super::repack::repack;
use crate::fs::{AppendFile, ReadAt};
use crate::warc::{Body, Fault, Scanned, Scanner, Step, Verify};
use crate::{Result, StoreError};
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::Arc;
use varve_model::{Digest, DigestAlgorithm, Digester, MAX_LINE};

/// Whole records are copied in runs of about this many bytes.
const RUN: u64 = 8 << 20;

/// An archive file that is durable in the layer.
pub(crate) struct Copied {
    pub(crate) name: String,
    pub(crate) length: u64,
    pub(crate) hash: Digest,
    /// Whether the copy is the source, byte for byte.
    pub(crate) verbatim: bool,
    pub(crate) imported: Imported,
}

/// Copies all readable records of `part` into the layer's archive file `name`.
pub(crate) fn copy_archive(
    layer: &mut OpenLayer,
    path: &Path,
    part: &Part,
    name: String,
    observer: &mut dyn ImportObserver,
) -> Result<Copied> {
    match Copy::new(layer, path, part, name.clone())?.run(observer)? {
        Outcome::Copied(copied) => Ok(copied),
        Outcome::NeedsRepacking => {
            layer.drop_archive(&name)?;
            repack(layer, path, part, name, observer)
        }
    }
}

/// Removes what belongs to no imported source: archive files and what was set aside of them.
pub(crate) fn remove_unfinished(layer: &OpenLayer, sources: &[Source]) -> Result<()> {
    let keep: HashSet<&str> = sources
        .iter()
        .flat_map(|source| &source.files)
        .map(String::as_str)
        .collect();
    for dir in [layer.archive_dir(), layer.dir().join(TAILS)] {
        if layer
            .fs
            .kind(&dir)
            .map_err(StoreError::io(&dir, "look at"))?
            .is_none()
        {
            continue;
        }
        for entry in layer.fs.list(&dir).map_err(StoreError::io(&dir, "list"))? {
            if !keep.contains(entry.name.strip_suffix(".tail").unwrap_or(&entry.name)) {
                let path = dir.join(&entry.name);
                layer
                    .fs
                    .remove_file(&path)
                    .map_err(StoreError::io(&path, "remove"))?;
            }
        }
    }
    Ok(())
}

pub(crate) enum Outcome {
    Copied(Copied),
    /// Records share compressed members: each needs one of its own to be found again.
    NeedsRepacking,
}

pub(crate) struct Copy<'a> {
    layer: &'a mut OpenLayer,
    path: &'a Path,
    part: &'a Part,
    name: String,
    out: HashedFile,
    /// Everything before this offset of the source is copied or set aside.
    done: u64,
    /// Whole records up to here wait to be copied.
    pending: u64,
    set_aside: u64,
    tail: Option<Box<dyn AppendFile>>,
    imported: Imported,
}

impl<'a> Copy<'a> {
    pub(crate) fn new(
        layer: &'a mut OpenLayer,
        path: &'a Path,
        part: &'a Part,
        name: String,
    ) -> Result<Copy<'a>> {
        let out = HashedFile::new(layer.create_archive(&name)?);
        Ok(Copy {
            layer,
            path,
            part,
            name,
            out,
            done: 0,
            pending: 0,
            set_aside: 0,
            tail: None,
            imported: Imported::default(),
        })
    }

    pub(crate) fn run(mut self, observer: &mut dyn ImportObserver) -> Result<Outcome> {
        let file = self.part.file.clone();
        let mut scanner =
            Scanner::new(file, Verify::Digests).map_err(|error| error.at(self.path))?;
        let mut first_fault = None;
        let mut seen = 0;
        loop {
            let step = scanner
                .next_step()
                .map_err(StoreError::io(self.path, "read"))?;
            observer.advanced(scanner.position().saturating_sub(seen));
            seen = seen.max(scanner.position());
            match step {
                None => break,
                Some(Step::Record(record)) if record.shares_member => {
                    return Ok(Outcome::NeedsRepacking);
                }
                Some(Step::Record(record)) => self.take_record(&record)?,
                Some(Step::Damage { from, until, fault }) => {
                    first_fault.get_or_insert((from, fault.clone()));
                    self.set_aside(from, until, fault)?;
                }
            }
        }
        if self.imported.records == 0 {
            let path = self.path.to_owned();
            return Err(match first_fault {
                Some((offset, fault)) => StoreError::Damaged {
                    path,
                    offset,
                    fault,
                },
                None => StoreError::invalid(&path, "holds no records"),
            });
        }
        self.finish().map(Outcome::Copied)
    }

    fn take_record(&mut self, record: &Scanned) -> Result<()> {
        self.pending = record.next;
        self.imported.records += 1;
        for fault in &record.faults {
            self.found(record.place.offset, fault.clone())?;
        }
        self.index(record)?;
        if self.pending - self.done > RUN {
            self.copy_pending()
        } else {
            Ok(())
        }
    }

    fn index(&mut self, record: &Scanned) -> Result<()> {
        let Some(mut capture) = record.capture(&self.name) else {
            return Ok(());
        };
        capture.offset -= self.set_aside;
        let line = capture.to_line();
        if line.len() > MAX_LINE {
            return self.found(record.place.offset, Fault::NotIndexable);
        }
        self.imported.captures += 1;
        if self.part.detect_pages && is_page(&capture) {
            let (file, line) = (self.name.clone(), page_line(&capture));
            self.layer.push(&Entry::Page { file, line })?;
        }
        self.layer.push(&Entry::Capture(line))?;
        Ok(())
    }

    fn copy_pending(&mut self) -> Result<()> {
        let body = Body::File {
            file: self.part.file.clone(),
            offset: self.done,
            length: self.pending - self.done,
        };
        let target = self.layer.archive_dir().join(&self.name);
        body.each_piece(|piece| self.out.append(piece))
            .map_err(StoreError::io(&target, "write"))?;
        self.done = self.pending;
        Ok(())
    }

    /// Keeps bytes that are no record beside the archive.
    fn set_aside(&mut self, from: u64, until: u64, fault: Fault) -> Result<()> {
        self.found(from, fault)?;
        self.pending = self.pending.max(from);
        self.copy_pending()?;
        let file = self.part.file.clone();
        self.keep_tail(file, from, until)?;
        self.set_aside += until - from;
        (self.done, self.pending) = (until, until);
        Ok(())
    }

    /// Keeps the damaged parts of the file that the copied one was made from.
    pub(crate) fn keep_damage(
        &mut self,
        source: &Arc<dyn ReadAt>,
        damage: Vec<(u64, Option<u64>, Fault)>,
    ) -> Result<()> {
        let end = source.len().map_err(StoreError::io(self.path, "look at"))?;
        for (offset, next, fault) in damage {
            self.found(offset, fault)?;
            self.keep_tail(source.clone(), offset, next.unwrap_or(end))?;
        }
        Ok(())
    }

    fn keep_tail(&mut self, file: Arc<dyn ReadAt>, from: u64, until: u64) -> Result<()> {
        let path = self
            .layer
            .dir()
            .join(TAILS)
            .join(format!("{}.tail", self.name));
        if self.tail.is_none() {
            tails_dir(self.layer)?;
            let tail = self
                .layer
                .fs
                .create(&path)
                .map_err(StoreError::io(&path, "create"))?;
            self.tail = Some(tail);
        }
        let Some(tail) = &mut self.tail else {
            return Ok(());
        };
        let body = Body::File {
            file,
            offset: from,
            length: until.saturating_sub(from),
        };
        body.each_piece(|piece| tail.append(piece))
            .map_err(StoreError::io(&path, "write"))
    }

    fn found(&mut self, offset: u64, fault: Fault) -> Result<()> {
        let is_damage = fault.is_damage();
        let found = FoundFault {
            file: self.part.label.clone(),
            offset,
            fault,
        };
        if is_damage {
            self.layer.push(&Entry::Log(log_line(&found)))?;
        }
        if self.imported.faults.len() < MAX_FAULTS {
            self.imported.faults.push(found);
        } else if is_damage {
            self.imported.more_faults += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Copied> {
        // Line ends after the last record, and nothing else, may be left.
        self.copy_pending()?;
        let target = self
            .layer
            .archive_dir()
            .join(format!("{}{OPEN}", self.name));
        if let Some(tail) = &mut self.tail {
            tail.sync()
                .map_err(StoreError::io(self.path, "sync the tail of"))?;
            sync_dir(self.layer.fs.as_ref(), &tails_dir(self.layer)?)?;
        }
        self.out.sync().map_err(StoreError::io(&target, "sync"))?;
        self.layer.finish_archive(&self.name)?;
        let source_length = self
            .part
            .file
            .len()
            .map_err(StoreError::io(self.path, "look at"))?;
        let length = self.out.length;
        Ok(Copied {
            name: self.name,
            length,
            hash: self.out.digester.finish(),
            verbatim: self.set_aside == 0 && length == source_length,
            imported: self.imported,
        })
    }
}

/// What a person would call a page: a successful HTML response.
fn is_page(capture: &varve_model::Capture) -> bool {
    capture.mime.as_deref() == Some("text/html") && capture.status.as_deref() == Some("200")
}

fn page_line(capture: &varve_model::Capture) -> String {
    let ts = capture.timestamp.w3c();
    let id = Digest::of(
        DigestAlgorithm::Sha1,
        format!("{} {ts}", capture.url).as_bytes(),
    );
    let id = id.to_string().trim_start_matches("sha1:").to_lowercase();
    serde_json::json!({"id": id, "url": capture.url, "ts": ts}).to_string()
}

/// A file whose digest is known when the last byte is written.
struct HashedFile {
    file: Box<dyn AppendFile>,
    digester: Digester,
    length: u64,
}

impl HashedFile {
    fn new(file: Box<dyn AppendFile>) -> HashedFile {
        HashedFile {
            file,
            digester: Digester::new(DigestAlgorithm::Sha256),
            length: 0,
        }
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)?;
        self.digester.update(bytes);
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }
}
