//! Heads of responses, taken off the front of what was received.
//!
//! Lenient where servers are sloppy (bare line feeds, `ICY`, folded fields, blank lines before
//! the start), strict where memory or time would be lost: bytes, fields and informational
//! responses are counted, and what does not begin like HTTP is refused at its first bytes.

use crate::limits::Limits;
use crate::trouble::Trouble;
use bytes::{Buf, BytesMut};
use varve_model::HttpHead;

/// More informational responses than this are a flood.
const INFORMATIONAL: usize = 32;

/// Finds heads while they arrive. No byte is looked at twice.
pub(super) struct HeadReader {
    bytes_left: usize,
    fields_left: usize,
    /// Where the current line begins.
    line: usize,
    /// How far we looked for its end.
    looked: usize,
    lines: usize,
    pub(super) informational: Vec<Vec<u8>>,
}

impl HeadReader {
    /// A reader for the heads of one response.
    pub(super) fn new(limits: &Limits) -> HeadReader {
        HeadReader {
            bytes_left: limits.head_bytes,
            fields_left: limits.head_fields,
            line: 0,
            looked: 0,
            lines: 0,
            informational: Vec::new(),
        }
    }

    /// The final head, once it is there. Informational ones before it are set aside; 101 is
    /// final, because what follows it is not HTTP.
    pub(super) fn take(&mut self, inbox: &mut BytesMut) -> Result<Option<HttpHead>, Trouble> {
        while let Some(head) = self.take_one(inbox)? {
            match head.status() {
                Some(status @ 100..=199) if status != 101 => {
                    if self.informational.len() == INFORMATIONAL {
                        return Err(Trouble::Limit(format!(
                            "more than {INFORMATIONAL} informational responses"
                        )));
                    }
                    self.informational.push(head.as_bytes().to_vec());
                }
                Some(101..=999) => return Ok(Some(head)),
                _ => return Err(Trouble::Malformed("there is no status".into())),
            }
        }
        Ok(None)
    }

    fn take_one(&mut self, inbox: &mut BytesMut) -> Result<Option<HttpHead>, Trouble> {
        if self.lines == 0 {
            // Only blank lines can have come before the current one.
            check_start(&inbox[self.line..])?;
        }
        while let Some(found) = memchr::memchr(b'\n', &inbox[self.looked..]) {
            let end = self.looked + found;
            let line = &inbox[self.line..end];
            let blank = line.is_empty() || line == b"\r";
            self.line = end + 1;
            self.looked = end + 1;
            if blank && self.lines > 0 {
                return self.cut(inbox);
            }
            self.lines += usize::from(!blank);
            if self.lines > self.fields_left + 1 {
                return Err(Trouble::Limit("too many fields".into()));
            }
        }
        self.looked = inbox.len();
        match inbox.len() > self.bytes_left {
            true => Err(too_long()),
            false => Ok(None),
        }
    }

    /// Takes the head that ends where the current line begins.
    fn cut(&mut self, inbox: &mut BytesMut) -> Result<Option<HttpHead>, Trouble> {
        let Some((head, length)) = HttpHead::parse(&inbox[..self.line]) else {
            return Err(Trouble::Malformed("there is no head".into()));
        };
        self.bytes_left = self.bytes_left.checked_sub(length).ok_or_else(too_long)?;
        self.fields_left = self.fields_left.saturating_sub(self.lines - 1);
        (self.line, self.looked, self.lines) = (0, 0, 0);
        inbox.advance(length);
        Ok(Some(head))
    }
}

fn too_long() -> Trouble {
    Trouble::Limit("too many bytes".into())
}

/// Refuses what cannot become a response, such as an answer in HTTP/0.9.
fn check_start(inbox: &[u8]) -> Result<(), Trouble> {
    let blank = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let start = inbox.iter().position(|byte| !blank(byte));
    let start = &inbox[start.unwrap_or(inbox.len())..];
    let may_be = |word: &[u8]| {
        let length = word.len().min(start.len());
        start[..length].eq_ignore_ascii_case(&word[..length])
    };
    if may_be(b"HTTP/") || may_be(b"ICY ") {
        return Ok(());
    }
    let shown = String::from_utf8_lossy(&start[..start.len().min(16)]).into_owned();
    Err(Trouble::Malformed(format!("it begins with {shown:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds bytes in two pieces, cut at every place, and one by one: what is found must not
    /// depend on how it came.
    fn check(bytes: &[u8], expected: &[u8], informational: &[&[u8]], rest: &[u8]) {
        let shown = String::from_utf8_lossy(bytes);
        let cuts = (0..=bytes.len()).map(|cut| vec![&bytes[..cut], &bytes[cut..]]);
        for pieces in cuts.chain([bytes.chunks(1).collect()]) {
            let mut reader = HeadReader::new(&Limits::default());
            let mut inbox = BytesMut::new();
            let mut found = None;
            for piece in pieces {
                inbox.extend_from_slice(piece);
                if found.is_none() {
                    found = reader.take(&mut inbox).expect("it is HTTP");
                }
            }
            let found = found.expect("it is whole");
            assert_eq!(found.as_bytes(), expected, "{shown}");
            assert_eq!(reader.informational, informational, "{shown}");
            assert_eq!(&inbox[..], rest, "{shown}");
        }
    }

    #[test]
    fn heads_are_found_however_they_arrive() {
        let plain = b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n";
        check(plain, plain, &[], b"");
        let bare = b"\n\r\nicy 200\nA:\n b\n\n";
        check(bare, bare, &[], b"");
        let hints = b"http/1.1 103 x\n\n";
        let all = [hints.as_slice(), hints, plain, b"\n\nbody"].concat();
        check(&all, plain, &[hints, hints], b"\n\nbody");
        let switched = b"HTTP/1.1 101 x\r\n\r\n";
        check(switched, switched, &[], b"");
    }
}
