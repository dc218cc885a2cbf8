//! A WACZ that is nowhere on disk: what stands between its members is in memory, the members are
//! in files of their own. It can be read at any offset like one that was written.

use super::frame::{Directory, Member};
use super::writer::closing;
use crate::collection::Resource;
use crate::fs::ReadAt;
use std::io;
use std::sync::Arc;

/// A WACZ put together from other files.
#[derive(Debug, Default)]
pub struct WaczView {
    parts: Vec<Part>,
    length: u64,
}

/// A part of it that stands in one place.
#[derive(Debug)]
struct Part {
    start: u64,
    length: u64,
    bytes: PartBytes,
}

#[derive(Debug)]
enum PartBytes {
    Ours(Vec<u8>),
    File(Arc<dyn ReadAt>),
}

impl WaczView {
    fn push(&mut self, length: u64, bytes: PartBytes) {
        self.parts.push(Part {
            start: self.length,
            length,
            bytes,
        });
        self.length += length;
    }

    fn push_ours(&mut self, bytes: Vec<u8>) {
        self.push(bytes.len() as u64, PartBytes::Ours(bytes));
    }
}

impl ReadAt for WaczView {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let after = self.parts.partition_point(|part| part.start <= offset);
        // Parts without bytes begin where others do; the last one has the byte.
        let Some(part) = after.checked_sub(1).and_then(|at| self.parts.get(at)) else {
            return Ok(0);
        };
        let inside = offset - part.start;
        let left = part.length.saturating_sub(inside);
        let wanted = buf.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if wanted == 0 {
            return Ok(0);
        }
        match &part.bytes {
            PartBytes::File(file) => file.read_at(&mut buf[..wanted], inside),
            PartBytes::Ours(bytes) => {
                let from = inside as usize;
                buf[..wanted].copy_from_slice(&bytes[from..from + wanted]);
                Ok(wanted)
            }
        }
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.length)
    }
}

/// Puts a WACZ together, member by member.
#[derive(Default)]
pub(crate) struct ViewBuilder {
    view: WaczView,
    directory: Directory,
    resources: Vec<Resource>,
}

impl ViewBuilder {
    /// Adds a member: its name, length and digest, the CRC-32 of its bytes, and where they are.
    pub(crate) fn add(&mut self, resource: Resource, checksum: u32, file: Arc<dyn ReadAt>) {
        let (path, length) = (resource.path.clone(), resource.bytes);
        self.member(&path, checksum, length, PartBytes::File(file));
        self.resources.push(resource);
    }

    /// Adds the datapackage and its digest, and closes the file.
    pub(crate) fn finish(mut self, created: String) -> WaczView {
        for (name, bytes) in closing(created, std::mem::take(&mut self.resources)) {
            let (checksum, length) = (crc32fast::hash(&bytes), bytes.len() as u64);
            self.member(name, checksum, length, PartBytes::Ours(bytes));
        }
        let end = self.directory.finish(self.view.length);
        self.view.push_ours(end);
        self.view
    }

    fn member(&mut self, name: &str, checksum: u32, length: u64, bytes: PartBytes) {
        let member = Member {
            name,
            length,
            checksum,
        };
        self.directory.add(&member, self.view.length);
        self.view.push_ours(member.header());
        self.view.push(length, bytes);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::fs::read_full_at;
    use crate::wacz::slice::Seeking;
    use std::io::Read;
    use varve_model::{Digest, DigestAlgorithm};

    /// So many bytes of which nobody has ever seen one.
    #[derive(Debug)]
    struct Vast(u64);

    impl ReadAt for Vast {
        fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
            let left = usize::try_from(self.0 - offset.min(self.0)).unwrap();
            let length = buf.len().min(left);
            buf[..length].fill(0);
            Ok(length)
        }

        fn len(&self) -> io::Result<u64> {
            Ok(self.0)
        }
    }

    fn add(builder: &mut ViewBuilder, name: &str, length: u64, checksum: u32) {
        let hash = Digest::of(DigestAlgorithm::Sha256, b"");
        let resource = Resource::new(name.to_owned(), &hash, length);
        builder.add(resource, checksum, Arc::new(Vast(length)));
    }

    #[test]
    fn members_beyond_what_32_bits_can_say_are_found() {
        let mut builder = ViewBuilder::default();
        add(&mut builder, "archive/vast.warc", 5 << 32, 0);
        add(&mut builder, "archive/ü", 3, crc32fast::hash(&[0; 3]));
        let view: Arc<dyn ReadAt> = Arc::new(builder.finish("2026-01-01T00:00:00Z".into()));
        assert!(view.len().unwrap() > 5 << 32);
        let mut zip = zip::ZipArchive::new(Seeking::new(view).unwrap()).unwrap();
        assert_eq!(zip.len(), 4);
        assert_eq!(zip.by_index(0).unwrap().size(), 5 << 32);
        let mut small = Vec::new();
        let mut member = zip.by_name("archive/ü").unwrap();
        member.read_to_end(&mut small).unwrap();
        assert_eq!(small, [0; 3]);
    }

    #[test]
    fn more_members_than_16_bits_can_say_are_found() {
        let mut builder = ViewBuilder::default();
        for number in 0..66_000 {
            add(&mut builder, &format!("archive/{number}"), 0, 0);
        }
        let view: Arc<dyn ReadAt> = Arc::new(builder.finish(String::new()));
        let zip = zip::ZipArchive::new(Seeking::new(view).unwrap()).unwrap();
        assert_eq!(zip.len(), 66_002);
    }

    #[test]
    fn every_offset_gives_what_reading_from_the_beginning_gives() {
        let mut builder = ViewBuilder::default();
        for (name, length) in [("a", 5), ("empty", 0), ("b", 1)] {
            add(&mut builder, name, length, 0);
        }
        let view = builder.finish(String::new());
        let mut all = vec![0; view.len().unwrap() as usize];
        assert_eq!(read_full_at(&view, &mut all, 0).unwrap(), all.len());
        for from in 0..=all.len() {
            let mut some = vec![0; 40];
            let read = read_full_at(&view, &mut some, from as u64).unwrap();
            assert_eq!(some[..read], all[from..(from + 40).min(all.len())]);
        }
    }
}
