//! The bytes of a ZIP file around its members, which are stored as they are.
//!
//! Every length is written in its ZIP64 form, so that headers are as long for any member. Nothing
//! has a time: the datapackage alone says when.

/// The version of ZIP that readers need for ZIP64.
const VERSION: u16 = 45;
/// The first day that ZIP knows.
const DATE: u16 = 0x21;
/// A name that is not ASCII is UTF-8.
const UTF8: u16 = 1 << 11;
/// Made on Unix, where this is an ordinary file that others may read.
const MADE_BY: u16 = 3 << 8 | VERSION;
const MODE: u32 = 0o100_644 << 16;
/// In a field of 32 or 16 bits: see the ZIP64 form.
const ELSEWHERE: u32 = u32::MAX;
const MANY: u16 = u16::MAX;

/// A member of a ZIP file.
pub(super) struct Member<'a> {
    pub(super) name: &'a str,
    pub(super) length: u64,
    /// The CRC-32 of its bytes.
    pub(super) checksum: u32,
}

impl Member<'_> {
    /// What stands before its bytes.
    pub(super) fn header(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(50 + self.name.len());
        out.extend(b"PK\x03\x04");
        self.common(&mut out, 16 + 4);
        out.extend(self.name.as_bytes());
        self.lengths(&mut out, None);
        out
    }

    /// Its entry in the directory; its header is at `offset`.
    fn entry(&self, offset: u64, out: &mut Vec<u8>) {
        let short = u32::try_from(offset).ok().filter(|it| *it < ELSEWHERE);
        let far = short.is_none().then_some(offset);
        out.extend(b"PK\x01\x02");
        out.extend(MADE_BY.to_le_bytes());
        self.common(out, if far.is_some() { 24 + 4 } else { 16 + 4 });
        // No comment, the first disk, no attributes inside.
        out.extend([0; 6]);
        out.extend(MODE.to_le_bytes());
        out.extend(short.unwrap_or(ELSEWHERE).to_le_bytes());
        out.extend(self.name.as_bytes());
        self.lengths(out, far);
    }

    /// What header and entry have in common.
    fn common(&self, out: &mut Vec<u8>, extra: u16) {
        let flags = if self.name.is_ascii() { 0 } else { UTF8 };
        // The name of a file in a directory is never longer than this holds.
        let name = self.name.len() as u16;
        // The method is 0, stored, and so is the time of day.
        for half in [VERSION, flags, 0, 0, DATE] {
            out.extend(half.to_le_bytes());
        }
        for word in [self.checksum, ELSEWHERE, ELSEWHERE] {
            out.extend(word.to_le_bytes());
        }
        out.extend(name.to_le_bytes());
        out.extend(extra.to_le_bytes());
    }

    /// The ZIP64 form of its lengths, stored and meant, and of where it is.
    fn lengths(&self, out: &mut Vec<u8>, offset: Option<u64>) {
        let size: u16 = if offset.is_some() { 24 } else { 16 };
        out.extend(1u16.to_le_bytes());
        out.extend(size.to_le_bytes());
        for length in [Some(self.length), Some(self.length), offset]
            .into_iter()
            .flatten()
        {
            out.extend(length.to_le_bytes());
        }
    }
}

/// The directory at the end of a ZIP file.
#[derive(Default)]
pub(super) struct Directory {
    entries: Vec<u8>,
    count: u64,
}

impl Directory {
    /// Adds a member whose header is at `offset`.
    pub(super) fn add(&mut self, member: &Member, offset: u64) {
        member.entry(offset, &mut self.entries);
        self.count += 1;
    }

    /// Everything from `offset`, where the last member ends, to the end of the file.
    pub(super) fn finish(self, offset: u64) -> Vec<u8> {
        let mut out = self.entries;
        let size = out.len() as u64;
        let short = |value: u64| u32::try_from(value).ok().filter(|it| *it < ELSEWHERE);
        let count = u16::try_from(self.count).ok().filter(|it| *it < MANY);
        let fits = count.zip(short(size)).zip(short(offset));
        if fits.is_none() {
            zip64_end(&mut out, self.count, size, offset);
        }
        let ((count, size), offset) = fits.unwrap_or(((MANY, ELSEWHERE), ELSEWHERE));
        out.extend(b"PK\x05\x06");
        out.extend([0; 4]);
        out.extend(count.to_le_bytes());
        out.extend(count.to_le_bytes());
        out.extend(size.to_le_bytes());
        out.extend(offset.to_le_bytes());
        out.extend([0; 2]);
        out
    }
}

/// The end of the directory in its ZIP64 form, and where to find it.
fn zip64_end(out: &mut Vec<u8>, count: u64, size: u64, offset: u64) {
    out.extend(b"PK\x06\x06");
    // What follows of it.
    out.extend(44u64.to_le_bytes());
    out.extend(MADE_BY.to_le_bytes());
    out.extend(VERSION.to_le_bytes());
    out.extend([0; 8]);
    for value in [count, count, size, offset] {
        out.extend(value.to_le_bytes());
    }
    out.extend(b"PK\x06\x07");
    out.extend([0; 4]);
    out.extend((offset + size).to_le_bytes());
    out.extend(1u32.to_le_bytes());
}
