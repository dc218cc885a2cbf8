//! The changes of names: creating, renaming and removing, refused as a system would refuse.

use super::fault::FaultOp;
use super::ino::{Ino, ROOT};
use super::op::Op;
use super::path;
use super::state::State;
use super::tree::Place;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

impl State {
    pub(super) fn create(&mut self, path: &Path) -> io::Result<Ino> {
        let place = path::place(&self.live, path)?.ok_or(ErrorKind::AlreadyExists)?;
        if self.live.at(&place).is_some() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        self.attempt(FaultOp::Create)?;
        let ino = self.new_ino();
        self.commit(Op::Create { place, ino });
        Ok(ino)
    }

    pub(super) fn create_dir_all(&mut self, path: &Path) -> io::Result<()> {
        let names = path::names(path)?;
        let mut dir = ROOT;
        for (index, name) in names.iter().enumerate() {
            let name = Arc::from(*name);
            let place = Place { dir, name };
            dir = match self.live.at(&place) {
                Some(ino) if self.live.entries(ino).is_some() => ino,
                // As the standard library has it: only a file in the way of the last name exists.
                Some(_) if index + 1 == names.len() => return Err(ErrorKind::AlreadyExists.into()),
                Some(_) => return Err(ErrorKind::NotADirectory.into()),
                None => self.mkdir(place)?,
            };
        }
        Ok(())
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let source = path::place(&self.live, from)?.ok_or(ErrorKind::ResourceBusy)?;
        let target = path::place(&self.live, to)?.ok_or(ErrorKind::ResourceBusy)?;
        let ino = self.live.at(&source).ok_or(ErrorKind::NotFound)?;
        if source == target {
            return Ok(());
        }
        if self.live.is_within(target.dir, ino) {
            return Err(ErrorKind::InvalidInput.into());
        }
        let replaced = self.live.at(&target);
        if let Some(replaced) = replaced {
            self.check_replaceable(&source, ino, replaced)?;
        }
        self.attempt(FaultOp::Rename)?;
        let (from, to) = (source, target);
        self.commit(Op::Rename { from, to, ino });
        replaced.into_iter().for_each(|ino| self.reap(ino));
        Ok(())
    }

    pub(super) fn remove_file(&mut self, path: &Path) -> io::Result<()> {
        let ino = path::find_file(&self.live, path)?;
        let place = path::place(&self.live, path)?.ok_or(ErrorKind::IsADirectory)?;
        self.unlink(place, ino)
    }

    pub(super) fn remove_dir_all(&mut self, path: &Path) -> io::Result<()> {
        let Some(ino) = path::find_if_present(&self.live, path)? else {
            return Ok(());
        };
        if self.live.entries(ino).is_none() {
            // The real one answers so too: `NotADirectory` counts as an absent directory.
            return Ok(());
        }
        self.remove_below(ino)?;
        let place = path::place(&self.live, path)?.ok_or(ErrorKind::ResourceBusy)?;
        self.rmdir(place, ino)
    }

    fn mkdir(&mut self, place: Place) -> io::Result<Ino> {
        self.attempt(FaultOp::Create)?;
        let ino = self.new_ino();
        self.commit(Op::Mkdir { place, ino });
        Ok(ino)
    }

    fn check_replaceable(&self, source: &Place, ino: Ino, target: Ino) -> io::Result<()> {
        let kind = match (self.live.entries(ino), self.live.entries(target)) {
            // Linux asks this first, also for a file.
            _ if self.live.is_within(source.dir, target) => ErrorKind::DirectoryNotEmpty,
            (None, Some(_)) => ErrorKind::IsADirectory,
            (Some(_), None) => ErrorKind::NotADirectory,
            (Some(_), Some(entries)) if !entries.is_empty() => ErrorKind::DirectoryNotEmpty,
            _ => return Ok(()),
        };
        Err(kind.into())
    }

    /// Empties a directory, one logged removal for each name below it.
    fn remove_below(&mut self, dir: Ino) -> io::Result<()> {
        let entries = self.live.entries(dir).cloned().unwrap_or_default();
        for (name, ino) in entries {
            let place = Place { dir, name };
            if self.live.entries(ino).is_some() {
                self.remove_below(ino)?;
                self.rmdir(place, ino)?;
            } else {
                self.unlink(place, ino)?;
            }
        }
        Ok(())
    }

    fn unlink(&mut self, place: Place, ino: Ino) -> io::Result<()> {
        self.attempt(FaultOp::Remove)?;
        self.commit(Op::Unlink { place, ino });
        self.reap(ino);
        Ok(())
    }

    fn rmdir(&mut self, place: Place, ino: Ino) -> io::Result<()> {
        self.attempt(FaultOp::Remove)?;
        self.commit(Op::RemoveDir { place, ino });
        self.reap(ino);
        Ok(())
    }
}
