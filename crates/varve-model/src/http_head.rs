//! `HttpHead`: the head of an HTTP/1.x message, kept byte for byte, with a view over it.
//!
//! A head is the start line, the field lines and the blank line after them. Archives must give
//! back exactly what a server sent: order, case, duplicates, folded lines, bare line feeds and
//! bytes that are no text. So the bytes are the value, and everything else (status, fields,
//! oddities) is read from them on demand, in one pass. What the view cannot read it leaves out;
//! [`HttpHead::notes`] says what was odd. Meaning (lengths, encodings, redirects) is left to
//! others.

mod lines;
mod notes;

use lines::{Line, lines};
pub use notes::HeadNote;
use std::borrow::Cow;

/// The head of an HTTP/1.x request or response.
///
/// ```
/// use varve_model::HttpHead;
/// let message = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-A: 1\r\nx-a: 2\r\n\r\n<html>";
/// let (head, length) = HttpHead::parse(message).expect("the blank line is there");
/// assert_eq!(&message[length..], b"<html>");
/// assert_eq!(head.status(), Some(200));
/// assert_eq!(head.get("content-type").as_deref(), Some(&b"text/html"[..]));
/// assert_eq!(head.get_all("X-A").count(), 2);
/// assert_eq!(head.as_bytes(), &message[..length]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HttpHead {
    bytes: Vec<u8>,
}

impl HttpHead {
    /// Takes the head off the front of a message: the head and its length including the blank
    /// line. `None` if the blank line is not there.
    ///
    /// Lines end with CRLF or LF, in any mixture. Blank lines before the start line belong to
    /// the head but do not end it (RFC 9112, section 2.2).
    pub fn parse(bytes: &[u8]) -> Option<(HttpHead, usize)> {
        let mut length = 0;
        let mut started = false;
        for line in lines(bytes) {
            length += line.whole.len();
            let blank = line.text.is_empty() && line.whole.ends_with(b"\n");
            if started && blank {
                let bytes = bytes[..length].to_vec();
                return Some((HttpHead { bytes }, length));
            }
            started |= !blank;
        }
        None
    }

    /// Builds a head from its parts. Line breaks and NULs inside a part become spaces, so that
    /// no part can add a line.
    pub fn from_parts<N, V>(start_line: impl AsRef<[u8]>, fields: &[(N, V)]) -> HttpHead
    where
        N: AsRef<[u8]>,
        V: AsRef<[u8]>,
    {
        let mut bytes = Vec::new();
        push_part(&mut bytes, start_line.as_ref());
        bytes.extend_from_slice(b"\r\n");
        for (name, value) in fields {
            push_part(&mut bytes, name.as_ref());
            bytes.extend_from_slice(b": ");
            push_part(&mut bytes, value.as_ref());
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"\r\n");
        HttpHead { bytes }
    }

    /// The head as it was, blank line included.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The first line that is not blank, without its line break.
    pub fn start_line(&self) -> &[u8] {
        self.text_lines().next().map_or(b"", |line| line.text)
    }

    /// Whether the start line is a response's.
    pub fn is_response(&self) -> bool {
        let line = self.start_line();
        let starts =
            |with: &[u8]| line.len() >= with.len() && line[..with.len()].eq_ignore_ascii_case(with);
        // ICY is what streaming radio servers answer instead of HTTP/1.0.
        starts(b"HTTP/") || starts(b"ICY ")
    }

    /// The three-digit status of a response.
    pub fn status(&self) -> Option<u16> {
        let word = self.status_text()?;
        let digits = word.len() == 3 && word.iter().all(u8::is_ascii_digit);
        digits.then(|| word.iter().fold(0, |n, d| n * 10 + u16::from(d - b'0')))
    }

    /// The status of a response as it is written, number or not.
    pub fn status_text(&self) -> Option<&[u8]> {
        self.response_words().map(|(status, _)| status)
    }

    /// What a response says after the status; often empty.
    pub fn reason(&self) -> Option<&[u8]> {
        self.response_words().map(|(_, reason)| reason)
    }

    /// The method of a request.
    pub fn method(&self) -> Option<&[u8]> {
        self.request_words().map(|(method, _)| method)
    }

    /// What a request asks for, as it is written.
    pub fn target(&self) -> Option<&[u8]> {
        self.request_words().map(|(_, target)| target)
    }

    /// The first value of a field, whatever the case of its name.
    pub fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.get_all(name).next()
    }

    /// Every value of a field, in order.
    pub fn get_all<'h>(&'h self, name: &str) -> impl Iterator<Item = Cow<'h, [u8]>> {
        let named = move |field: &[u8]| field.eq_ignore_ascii_case(name.as_bytes());
        self.fields()
            .filter(move |(field, _)| named(field))
            .map(|(_, value)| value)
    }

    /// Every field in order: its name as written, its value trimmed and unfolded. Lines that
    /// name no field are left out.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], Cow<'_, [u8]>)> {
        let mut rest = self.text_lines().skip(1).peekable();
        std::iter::from_fn(move || {
            loop {
                let (name, value) = rest.next()?.split_field().unwrap_or_default();
                let mut value = Cow::Borrowed(value);
                while let Some(fold) = rest.next_if(|line| line.is_fold()) {
                    unfold(&mut value, fold.text.trim_ascii());
                }
                if !name.is_empty() {
                    return Some((name, value));
                }
            }
        })
    }

    /// What is odd about this head, each oddity once.
    pub fn notes(&self) -> Vec<HeadNote> {
        notes::of(lines(&self.bytes))
    }

    /// The lines that are not blank.
    fn text_lines(&self) -> impl Iterator<Item = Line<'_>> {
        lines(&self.bytes).filter(|line| !line.text.is_empty())
    }

    /// Status and reason of a response.
    fn response_words(&self) -> Option<(&[u8], &[u8])> {
        if !self.is_response() {
            return None;
        }
        let (_, rest) = cut(self.start_line());
        Some(cut(rest))
    }

    /// Method and target of a request. The target may hold spaces; the version may be missing.
    fn request_words(&self) -> Option<(&[u8], &[u8])> {
        if self.is_response() {
            return None;
        }
        let (method, rest) = cut(self.start_line());
        let versioned = rest
            .iter()
            .rposition(|b| *b == b' ')
            .filter(|at| rest[*at..].starts_with(b" HTTP/"));
        let target = versioned.map_or(rest, |at| rest[..at].trim_ascii_end());
        (!method.is_empty()).then_some((method, target))
    }
}

/// The first word and what follows it.
fn cut(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii();
    let end = line
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii_start())
}

/// Continues a value with a folded line: one space stands for the fold.
fn unfold(value: &mut Cow<'_, [u8]>, more: &[u8]) {
    if !value.is_empty() && !more.is_empty() {
        value.to_mut().push(b' ');
    }
    value.to_mut().extend_from_slice(more);
}

fn push_part(out: &mut Vec<u8>, part: &[u8]) {
    let safe = |b: &u8| {
        if matches!(b, b'\r' | b'\n' | 0) {
            b' '
        } else {
            *b
        }
    };
    out.extend(part.trim_ascii().iter().map(safe));
}

#[cfg(test)]
mod tests;
