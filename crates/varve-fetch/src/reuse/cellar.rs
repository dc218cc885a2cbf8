//! Where exchanges go that were not used for long: a file without a name, one after the other.

use super::parcel;
use crate::body::Spooled;
use crate::exchange::Exchange;
use bytes::Bytes;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;

/// The file of the moment. Space in it is not used twice: when it is full, the next one is begun,
/// and a full one goes with the last exchange that is in it.
pub(super) struct Cellar {
    dir: PathBuf,
    max_bytes: u64,
    file: Option<Arc<File>>,
    filled: u64,
}

/// Where an exchange lies: its heads, and the body after them.
pub(super) struct Away {
    file: Arc<File>,
    start: u64,
    heads: u32,
    body: u32,
}

impl Cellar {
    /// An empty one, whose files will be in `dir` and not longer than about `max_bytes`.
    pub(super) fn new(dir: PathBuf, max_bytes: u64) -> Cellar {
        Cellar {
            dir,
            max_bytes,
            file: None,
            filled: 0,
        }
    }

    /// An empty one at the same place.
    pub(super) fn emptied(&self) -> Cellar {
        Cellar::new(self.dir.clone(), self.max_bytes)
    }

    /// Puts an exchange away. Writing to the page cache is quick enough not to leave the task for.
    pub(super) fn put(&mut self, exchange: &Exchange, body: &Bytes) -> io::Result<Away> {
        if self.filled >= self.max_bytes {
            (self.file, self.filled) = (None, 0);
        }
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::new(tempfile::tempfile_in(&self.dir)?),
        };
        self.file = Some(Arc::clone(&file));
        let heads = parcel::pack(exchange).ok_or(io::ErrorKind::InvalidData)?;
        let too_long = |_| io::ErrorKind::FileTooLarge;
        let away = Away {
            start: self.filled,
            heads: u32::try_from(heads.len()).map_err(too_long)?,
            body: u32::try_from(body.len()).map_err(too_long)?,
            file,
        };
        away.file.write_all_at(&heads, away.start)?;
        away.file.write_all_at(body, away.body_start())?;
        self.filled = away.body_start() + u64::from(away.body);
        Ok(away)
    }
}

impl Away {
    /// The exchange, whose body stays where it is; unless the disk has lost it.
    pub(super) fn bring(&self) -> Option<Exchange> {
        let mut heads = vec![0; self.heads as usize];
        self.file.read_exact_at(&mut heads, self.start).ok()?;
        let body = Spooled::File {
            file: Arc::clone(&self.file),
            start: self.body_start(),
            length: self.body.into(),
        };
        parcel::unpack(&heads, body)
    }

    fn body_start(&self) -> u64 {
        self.start + u64::from(self.heads)
    }
}
