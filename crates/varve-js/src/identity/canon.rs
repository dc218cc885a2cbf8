//! The hash of code: of its characters without whitespace, comments and values.

use oxc_span::Span;

/// Stands for a value. No character of code.
const SLOT: u8 = 1;

/// Begins what is hashed where the source could not be taken apart, so that it is never mistaken
/// for code.
const WHOLE: u8 = 2;

/// The hash of a source in which the marked spans (in order) are values, and how many bytes of code
/// are left.
pub(super) fn hash_of_code(
    source: &str,
    marks: &[Span],
    comments: impl Iterator<Item = Span>,
) -> (u128, usize) {
    let mut cuts: Vec<(Span, Cut)> = marks.iter().map(|span| (*span, Cut::Value)).collect();
    cuts.extend(comments.map(|span| (span, Cut::Comment)));
    cuts.sort_by_key(|(span, _)| span.start);
    let mut code = Code::with_capacity(source.len());
    let mut at = 0;
    for (span, cut) in cuts {
        let (start, end) = (span.start as usize, span.end as usize);
        // Comments within arrays and maps.
        if start < at {
            continue;
        }
        code.text(source.get(at..start).unwrap_or_default());
        match cut {
            Cut::Value => code.push(SLOT),
            Cut::Comment => code.gap = true,
        }
        at = end;
    }
    code.text(source.get(at..).unwrap_or_default());
    (short(&code.bytes), code.bytes.len())
}

/// The hash of a source as it stands.
pub(super) fn hash_of_text(source: &str) -> u128 {
    let mut bytes = Vec::with_capacity(source.len() + 1);
    bytes.push(WHOLE);
    bytes.extend_from_slice(source.as_bytes());
    short(&bytes)
}

/// Half of a BLAKE3 hash: enough that nobody finds two scripts with the same.
pub(super) fn short(bytes: &[u8]) -> u128 {
    let hash = blake3::hash(bytes);
    let half = hash.as_bytes().iter().take(16);
    half.fold(0, |number, byte| number << 8 | u128::from(*byte))
}

enum Cut {
    Value,
    Comment,
}

/// Code with no more whitespace than keeps its words apart.
struct Code {
    bytes: Vec<u8>,
    /// There was whitespace since the last character.
    gap: bool,
}

impl Code {
    fn with_capacity(capacity: usize) -> Code {
        Code {
            bytes: Vec::with_capacity(capacity),
            gap: false,
        }
    }

    fn text(&mut self, text: &str) {
        for character in text.chars() {
            if character.is_whitespace() || character == '\u{feff}' {
                self.gap = true;
                continue;
            }
            let mut buffer = [0; 4];
            for byte in character.encode_utf8(&mut buffer).bytes() {
                self.push(byte);
            }
        }
    }

    fn push(&mut self, byte: u8) {
        let last = self.bytes.last().copied();
        if self.gap && last.is_some_and(|last| need_a_space(last, byte)) {
            self.bytes.push(b' ');
        }
        self.gap = false;
        self.bytes.push(byte);
    }
}

/// Whether two characters mean something else without a space between them.
fn need_a_space(last: u8, next: u8) -> bool {
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_$#\\".contains(&byte) || byte > 127;
    (in_word(last) && in_word(next)) || (last == next && b"+-".contains(&next))
}
