//! Percent escapes: taken off entirely, then put on once, in lower case.

use std::borrow::Cow;

/// Whether any byte is of some kind. Unlike `any` it never stops early, and so takes sixteen
/// bytes at a time: keys are made by the million, and most URLs have nothing to stop at.
pub(super) fn has(text: &[u8], kind: impl Fn(u8) -> bool) -> bool {
    text.iter().fold(false, |found, byte| found | kind(*byte))
}

/// Whether any two bytes in a row are of some kind; see [`has`].
pub(super) fn has_pair(text: &[u8], kind: impl Fn(u8, u8) -> bool) -> bool {
    let next = text.get(1..).unwrap_or_default();
    text.iter()
        .zip(next)
        .fold(false, |found, (a, b)| found | kind(*a, *b))
}

/// Takes escapes off until none is left: `%2541` is `%41` is `A`.
///
/// Escapes never overlap, so the order in which they are taken off does not matter, and one
/// pass suffices: a byte just written may complete an escape with the two before it.
pub(super) fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    if !has(text, |b| b == b'%') {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    for byte in text {
        let mut byte = *byte;
        while let Some((length, decoded)) = complete_escape(&out, byte) {
            out.truncate(length);
            byte = decoded;
        }
        out.push(byte);
    }
    Cow::Owned(out)
}

/// If `next` completes an escape at the end of `out`: where it starts and the byte it means.
fn complete_escape(out: &[u8], next: u8) -> Option<(usize, u8)> {
    let low = hex(next)?;
    let [rest @ .., b'%', high] = out else {
        return None;
    };
    Some((rest.len(), hex(*high)? << 4 | low))
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|d| d as u8)
}

/// Appends text in lower case, with escapes for all but printable ASCII, and for `#` and `%`.
pub(super) fn push_escaped(out: &mut Vec<u8>, text: &[u8]) {
    let must_escape = |b: u8| !b.is_ascii_graphic() | (b == b'#') | (b == b'%');
    if !has(text, must_escape) {
        let start = out.len();
        out.extend_from_slice(text);
        out[start..].make_ascii_lowercase();
        return;
    }
    for byte in text {
        match must_escape(*byte) {
            true => push_escape(out, *byte),
            false => out.push(byte.to_ascii_lowercase()),
        }
    }
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.extend([
        b'%',
        HEX[usize::from(byte >> 4)],
        HEX[usize::from(byte & 15)],
    ]);
}

/// Whether a byte would end a word of an index line, or the line.
pub(super) fn ends_a_word(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}

/// Text as it is, with escapes only for what ends a word and for what is not UTF-8.
pub(super) fn one_word(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    // Lines that start with an exclamation mark are headers of an index.
    let text = match text.strip_prefix(b"!") {
        Some(rest) => {
            out.push_str(&escape_of(b'!'));
            rest
        }
        None => text,
    };
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match u8::try_from(c) {
                Ok(byte) if ends_a_word(byte) => out.push_str(&escape_of(byte)),
                _ => out.push(c),
            }
        }
        out.extend(chunk.invalid().iter().map(|byte| escape_of(*byte)));
    }
    out
}

fn escape_of(byte: u8) -> String {
    format!("%{byte:02x}")
}
