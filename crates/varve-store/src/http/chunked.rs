//! Taking chunk framing off a body, leniently.
//!
//! Wild archives hold bodies that declare chunks and have none, or stop having them halfway: from
//! the first byte that is no framing, everything is passed on as it stands.

/// A chunk-size line with its extensions; longer ones are no framing.
const MAX_SIZE_LINE: usize = 1024;

/// Takes the framing off a body that arrives in pieces.
#[derive(Debug)]
pub struct Dechunker {
    state: State,
    line: Vec<u8>,
    chunks: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// In the line that gives a chunk's size.
    Size,
    /// In a chunk with so many bytes left.
    Data(u64),
    /// In the line end after a chunk.
    AfterData,
    /// After the last chunk: trailers.
    Trailers,
    /// No framing: bytes pass as they are.
    Raw,
}

impl Default for Dechunker {
    fn default() -> Self {
        Dechunker::new()
    }
}

impl Dechunker {
    /// At the start of a body.
    pub fn new() -> Dechunker {
        Dechunker {
            state: State::Size,
            line: Vec::new(),
            chunks: 0,
        }
    }

    /// Whether the last chunk was seen: the body is complete.
    pub fn is_complete(&self) -> bool {
        self.state == State::Trailers
    }

    /// Whether some of the body had no framing.
    pub fn is_raw(&self) -> bool {
        self.state == State::Raw
    }

    /// Feeds the next bytes; `data` gets what is content.
    pub fn feed(&mut self, mut bytes: &[u8], data: &mut dyn FnMut(&[u8])) {
        while !bytes.is_empty() {
            let used = match self.state {
                State::Size => self.size_line(bytes, data),
                State::Data(left) => self.chunk_data(bytes, left, data),
                State::AfterData => self.after_data(bytes, data),
                State::Trailers => bytes.len(),
                State::Raw => {
                    data(bytes);
                    bytes.len()
                }
            };
            bytes = &bytes[used..];
        }
    }

    fn size_line(&mut self, bytes: &[u8], data: &mut dyn FnMut(&[u8])) -> usize {
        let line_end = bytes.iter().position(|byte| *byte == b'\n');
        let used = line_end.map_or(bytes.len(), |at| at + 1);
        self.line.extend_from_slice(&bytes[..used]);
        if line_end.is_none() {
            if self.line.len() > MAX_SIZE_LINE || !starts_like_size(&self.line) {
                self.become_raw(data);
            }
            return used;
        }
        match parse_size(&self.line) {
            Some(0) => self.state = State::Trailers,
            Some(size) => self.state = State::Data(size),
            None => {
                self.become_raw(data);
                return used;
            }
        }
        self.chunks += 1;
        self.line.clear();
        used
    }

    fn chunk_data(&mut self, bytes: &[u8], left: u64, data: &mut dyn FnMut(&[u8])) -> usize {
        let used = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        data(&bytes[..used]);
        let left = left - used as u64;
        self.state = if left == 0 {
            State::AfterData
        } else {
            State::Data(left)
        };
        used
    }

    fn after_data(&mut self, bytes: &[u8], data: &mut dyn FnMut(&[u8])) -> usize {
        match bytes[0] {
            b'\r' if self.line.is_empty() => self.line.push(b'\r'),
            b'\n' => {
                self.line.clear();
                self.state = State::Size;
            }
            _ => {
                self.become_raw(data);
                return 0;
            }
        }
        1
    }

    fn become_raw(&mut self, data: &mut dyn FnMut(&[u8])) {
        data(&self.line);
        self.line.clear();
        self.state = State::Raw;
    }
}

fn starts_like_size(line: &[u8]) -> bool {
    line.first().is_some_and(u8::is_ascii_hexdigit)
}

fn parse_size(line: &[u8]) -> Option<u64> {
    let line = line.trim_ascii();
    let digits = line
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    let rest = line[digits..].trim_ascii_start();
    if digits == 0 || digits > 16 || !(rest.is_empty() || rest[0] == b';') {
        return None;
    }
    u64::from_str_radix(std::str::from_utf8(&line[..digits]).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dechunk(input: &[u8], piece: usize) -> Vec<u8> {
        let mut dechunker = Dechunker::new();
        let mut out = Vec::new();
        for bytes in input.chunks(piece) {
            dechunker.feed(bytes, &mut |data| out.extend_from_slice(data));
        }
        out
    }

    #[test]
    fn framing_is_taken_off_wherever_the_pieces_are_cut() {
        let cases: [(&[u8], &[u8]); 8] = [
            (b"5\r\nhello\r\n0\r\n\r\n", b"hello"),
            (
                b"2\r\nhe\r\n3;ext=1\r\nllo\r\n0\r\nTrailer: x\r\n\r\n",
                b"hello",
            ),
            (b"5\nhello\n0\n\n", b"hello"),
            (b"not chunked at all", b"not chunked at all"),
            (b"5\r\nhello\r\nno more framing", b"hellono more framing"),
            (b"ffffffffffffffff\r\nrest", b"rest"),
            (b"A\r\n0123456789\r\n0\r\n\r\n", b"0123456789"),
            (b"", b""),
        ];
        for (input, expected) in cases {
            for piece in [1, 2, 3, 7, 100] {
                assert_eq!(
                    dechunk(input, piece),
                    expected,
                    "{input:?} in pieces of {piece}"
                );
            }
        }
    }

    #[test]
    fn the_last_chunk_completes_the_body() {
        let mut dechunker = Dechunker::new();
        dechunker.feed(b"1\r\nx\r\n", &mut |_| ());
        assert!(!dechunker.is_complete());
        dechunker.feed(b"0\r\n\r\n", &mut |_| ());
        assert!(dechunker.is_complete());
    }
}
