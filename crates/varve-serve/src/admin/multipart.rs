//! Forms with files (`multipart/form-data`, RFC 7578), read while they come in: no more of them is
//! in memory than what arrived last.

use super::intake::Intake;
use super::refused::Refused;
use bytes::{Buf, Bytes, BytesMut};
use memchr::memmem;

/// The head of a part is not longer.
const LONGEST_HEAD: usize = 8 << 10;
/// A field that is no file is not longer.
const LONGEST_FIELD: usize = 8 << 10;
/// By RFC 2046.
const LONGEST_BOUNDARY: usize = 70;

/// A form on its way in.
pub(super) struct Multipart<'a> {
    intake: &'a mut Intake,
    /// What is between parts.
    delimiter: Vec<u8>,
    held: BytesMut,
}

/// What the head of a part says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The name of the field.
    pub(super) name: String,
    /// What the file is called, if it is one.
    pub(super) file: Option<String>,
}

/// What is between the parts of a form with files; `None` if a body is something else.
pub(super) fn boundary(content_type: &str) -> Option<String> {
    let (kind, parameters) = content_type.split_once(';')?;
    let is_form = kind.trim().eq_ignore_ascii_case("multipart/form-data");
    let boundary = parameter(parameters, "boundary")?;
    let fits = (1..=LONGEST_BOUNDARY).contains(&boundary.len());
    (is_form && fits).then_some(boundary)
}

impl Multipart<'_> {
    pub(super) fn new<'a>(boundary: &str, intake: &'a mut Intake) -> Multipart<'a> {
        Multipart {
            intake,
            delimiter: format!("\r\n--{boundary}").into_bytes(),
            // The first delimiter stands at the beginning, without the end of a line before it.
            held: BytesMut::from(&b"\r\n"[..]),
        }
    }

    /// The next part, past what is left of the one before; `None` at the end.
    pub(super) async fn part(&mut self) -> Result<Option<Part>, Refused> {
        while self.piece().await?.is_some() {}
        self.held.advance(self.delimiter.len());
        self.hold(2).await?;
        if self.held.starts_with(b"--") {
            return Ok(None);
        }
        let head = self.head().await?;
        let name = parameter(&head, "name").ok_or_else(|| broken("a part has no name"))?;
        let file = parameter(&head, "filename");
        Ok(Some(Part { name, file }))
    }

    /// The next bytes of a part; `None` at its end.
    pub(super) async fn piece(&mut self) -> Result<Option<Bytes>, Refused> {
        loop {
            let ready = match memmem::find(&self.held, &self.delimiter) {
                Some(0) => return Ok(None),
                Some(at) => at,
                // The end may be the beginning of a delimiter.
                None => (self.held.len() + 1).saturating_sub(self.delimiter.len()),
            };
            if ready > 0 {
                return Ok(Some(self.held.split_to(ready).freeze()));
            }
            self.take().await?;
        }
    }

    /// All of a part that is a short text.
    pub(super) async fn text(&mut self) -> Result<String, Refused> {
        let mut text = Vec::new();
        while let Some(piece) = self.piece().await? {
            text.extend_from_slice(&piece);
            if text.len() > LONGEST_FIELD {
                return Err(broken("a field is too long"));
            }
        }
        String::from_utf8(text).map_err(|_| broken("a field is not UTF-8"))
    }

    /// What says how a part is meant. The end of the delimiter's line counts as its beginning.
    async fn head(&mut self) -> Result<String, Refused> {
        let end = loop {
            if let Some(end) = memmem::find(&self.held, b"\r\n\r\n") {
                break end;
            }
            if self.held.len() > LONGEST_HEAD {
                return Err(broken("the head of a part is too long"));
            }
            self.take().await?;
        };
        let head = self.held.split_to(end);
        self.held.advance(4);
        let head = String::from_utf8_lossy(&head);
        let mut fields = head.split("\r\n").filter_map(|line| line.split_once(':'));
        let found = fields.find(|(name, _)| name.eq_ignore_ascii_case("content-disposition"));
        let (_, disposition) = found.ok_or_else(|| broken("a part does not say what it is"))?;
        Ok(disposition.to_owned())
    }

    async fn hold(&mut self, length: usize) -> Result<(), Refused> {
        while self.held.len() < length {
            self.take().await?;
        }
        Ok(())
    }

    async fn take(&mut self) -> Result<(), Refused> {
        let piece = self.intake.next().await?;
        let piece = piece.ok_or_else(|| broken("it ends before its last part does"))?;
        self.held.extend_from_slice(&piece);
        Ok(())
    }
}

fn broken(why: &str) -> Refused {
    Refused::bad(format!("the form cannot be read: {why}"))
}

/// A parameter of a header, which may be in quotes.
fn parameter(header: &str, wanted: &str) -> Option<String> {
    let mut rest = header;
    while !rest.is_empty() {
        let (name, after) = match rest.find(['=', ';']) {
            Some(at) if rest[at..].starts_with('=') => (&rest[..at], &rest[at + 1..]),
            Some(at) => {
                rest = &rest[at + 1..];
                continue;
            }
            None => return None,
        };
        let (value, after) = value(after)?;
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = after;
    }
    None
}

/// A value, and what comes after it.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(';').unwrap_or(text.len());
        return Some((text[..end].trim().to_owned(), &text[end..]));
    };
    // Browsers write quotes in names as %22; others put a backslash before them.
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &quoted[at + 1..])),
            '\\' if quoted[at + 1..].starts_with(['"', '\\']) => {
                value.extend(letters.next().map(|(_, letter)| letter));
            }
            letter => value.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests;
