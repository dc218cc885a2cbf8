//! The lines of a head, however they end.

/// One line of a head.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// The line with its line break.
    pub(super) whole: &'a [u8],
    /// The line without CRLF or LF.
    pub(super) text: &'a [u8],
}

/// Cuts bytes after every line feed. The last line may have none.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    bytes.split_inclusive(|b| *b == b'\n').map(|whole| {
        let text = whole.strip_suffix(b"\n").unwrap_or(whole);
        let text = if text.len() < whole.len() {
            text.strip_suffix(b"\r").unwrap_or(text)
        } else {
            text
        };
        Line { whole, text }
    })
}

impl<'a> Line<'a> {
    /// Whether the line continues the one before (obs-fold).
    pub(super) fn is_fold(&self) -> bool {
        self.text.starts_with(b" ") || self.text.starts_with(b"\t")
    }

    /// The bytes before the first colon and the trimmed value after it.
    pub(super) fn split_colon(&self) -> Option<(&'a [u8], &'a [u8])> {
        let colon = self.text.iter().position(|b| *b == b':')?;
        Some((&self.text[..colon], self.text[colon + 1..].trim_ascii()))
    }

    /// Name and value of a field line; `None` for a fold without a field before it, a line
    /// without a colon, and an empty name.
    pub(super) fn split_field(&self) -> Option<(&'a [u8], &'a [u8])> {
        let (name, value) = self.split_colon().filter(|_| !self.is_fold())?;
        let name = name.trim_ascii();
        (!name.is_empty()).then_some((name, value))
    }
}
