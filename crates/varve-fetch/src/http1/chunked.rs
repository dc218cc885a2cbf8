//! Follows the chunked transfer coding (RFC 9112, section 7.1) while its bytes pass by.
//!
//! Nothing is taken off or changed. The only questions are where the body ends and whether it
//! still makes sense. Bare line feeds, space around sizes and extensions of any kind are fine.

/// Bytes of a line with a size and its extensions.
const LINE: usize = 16 * 1024;
/// Bytes of all trailer fields.
const TRAILERS: usize = 64 * 1024;

/// The place in a chunked body.
#[derive(Debug)]
pub(crate) struct Chunked {
    place: Place,
    /// The current chunk's size, or what is left of it.
    size: u64,
    /// Length of the current line, or of the trailers.
    length: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before any digit of a size.
    Start,
    /// In the digits.
    Size,
    /// After the digits, or in an extension.
    Extension,
    /// In the content.
    Content,
    /// After the content, where a line break must be.
    Break,
    /// At the start of a trailer line; a carriage return may have been there.
    TrailerStart,
    /// In a trailer line.
    Trailer,
    /// After the last line break.
    End,
}

/// What a piece of a body was.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// All of it, and there is more to come.
    More,
    /// The body ended after this many of its bytes.
    End(usize),
    /// It is not chunked, from this byte on.
    Broken(usize),
}

impl Chunked {
    /// Before the first byte.
    pub(crate) fn new() -> Chunked {
        Chunked {
            place: Place::Start,
            size: 0,
            length: 0,
        }
    }

    /// Goes on over a piece of the body.
    pub(crate) fn follow(&mut self, piece: &[u8]) -> Seen {
        let mut at = 0;
        while at < piece.len() {
            if self.place == Place::Content {
                let left = (piece.len() - at) as u64;
                let content = self.size.min(left);
                at += content as usize;
                self.size -= content;
                if self.size == 0 {
                    self.place = Place::Break;
                }
                continue;
            }
            if self.step(piece[at]).is_none() {
                return Seen::Broken(at);
            }
            at += 1;
            if self.place == Place::End {
                return Seen::End(at);
            }
        }
        Seen::More
    }

    /// Goes over one byte of the framing; `None` if it cannot be there.
    fn step(&mut self, byte: u8) -> Option<()> {
        self.length += 1;
        let limit = match self.place {
            Place::TrailerStart | Place::Trailer => TRAILERS,
            _ => LINE,
        };
        if self.length > limit {
            return None;
        }
        self.place = match (self.place, byte) {
            (Place::Start | Place::Size, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
                self.add_digit(byte)?;
                Place::Size
            }
            (Place::Start, b' ' | b'\t') => Place::Start,
            (Place::Size | Place::Extension, b'\n') => self.line_ended(),
            (Place::Size, b' ' | b'\t' | b';' | b'\r') => Place::Extension,
            (Place::Extension, _) => Place::Extension,
            (Place::Break, b'\r') if self.length == 1 => Place::Break,
            (Place::Break, b'\n') => {
                self.length = 0;
                Place::Start
            }
            (Place::TrailerStart, b'\n') => Place::End,
            (Place::TrailerStart, b'\r') => Place::TrailerStart,
            (Place::Trailer, b'\n') => Place::TrailerStart,
            (Place::TrailerStart | Place::Trailer, _) => Place::Trailer,
            _ => return None,
        };
        Some(())
    }

    fn add_digit(&mut self, byte: u8) -> Option<()> {
        let digit = char::from(byte).to_digit(16)?;
        self.size = self.size.checked_mul(16)?.checked_add(digit.into())?;
        Some(())
    }

    /// After the line with the size.
    fn line_ended(&mut self) -> Place {
        self.length = 0;
        match self.size {
            0 => Place::TrailerStart,
            _ => Place::Content,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows a body cut in two at every place: the answer must not depend on the cut.
    fn check(body: &[u8], expected: Seen) {
        for cut in 0..=body.len() {
            let mut chunked = Chunked::new();
            let mut seen = chunked.follow(&body[..cut]);
            if seen == Seen::More {
                seen = match chunked.follow(&body[cut..]) {
                    Seen::More => Seen::More,
                    Seen::End(at) => Seen::End(cut + at),
                    Seen::Broken(at) => Seen::Broken(cut + at),
                };
            }
            let shown = String::from_utf8_lossy(body);
            assert_eq!(seen, expected, "{shown:?} cut at {cut}");
        }
    }

    #[test]
    fn the_end_is_found() {
        for body in [
            b"0\r\n\r\n".as_slice(),
            b"5\r\nhello\r\n0\r\n\r\n",
            b"a\n0123456789\n0\n\n",
            b"00000000000000000000A\r\n0123456789\r\n00\r\n\r\n",
            b"2;name=\"va;lue\" \r\nok\r\n0;x\r\n\r\n",
            b" 2 \r\nok\r\n0 \r\n\r\n",
            b"0\r\nX-Sum: 1\r\nY: \r\n\r\n",
        ] {
            check(body, Seen::End(body.len()));
            check(&[body, b"HTTP/1.1"].concat(), Seen::End(body.len()));
        }
    }

    #[test]
    fn what_is_missing_is_waited_for() {
        for body in [
            b"".as_slice(),
            b"5",
            b"5\r\nhell",
            b"5\r\nhello\r\n",
            b"5\r\nhello\r\n0\r\n",
            b"0\r\nX-Sum: 1\r\n",
            b"ffffffffffffffff\r\nvery little",
        ] {
            check(body, Seen::More);
        }
    }

    #[test]
    fn nonsense_is_noticed() {
        check(b"\r\n", Seen::Broken(0));
        check(b"<html>", Seen::Broken(0));
        check(b"-1\r\n", Seen::Broken(0));
        check(b"5x\r\n", Seen::Broken(1));
        check(b"2\r\nokay\r\n", Seen::Broken(5));
        check(b"2\r\nok\r\r\n", Seen::Broken(6));
        check(b"2\r\nok\r\n\r\n0\r\n\r\n", Seen::Broken(7));
        check(b"10000000000000000\r\n", Seen::Broken(16));
        check(b"fffffffffffffffff\r\n", Seen::Broken(16));
    }

    #[test]
    fn lines_and_trailers_have_limits() {
        let mut body = b"1;".to_vec();
        body.resize(LINE + 10, b'x');
        assert_eq!(Chunked::new().follow(&body), Seen::Broken(LINE));
        let body = [b"0\r\n".as_slice(), &b"X-T: y\r\n".repeat(TRAILERS / 8 + 1)].concat();
        assert_eq!(Chunked::new().follow(&body), Seen::Broken(TRAILERS + 3));
    }
}
