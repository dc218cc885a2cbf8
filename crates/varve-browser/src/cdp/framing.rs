//! Cutting the stream from the browser into messages.

use memchr::memchr;
use tokio::io::{AsyncRead, AsyncReadExt};

/// A message longer than this is skipped. The longest that we ask for are screenshots.
const MAX_MESSAGE: usize = 96 << 20;
/// How much is read at once.
const READ: usize = 64 << 10;
/// A buffer that grew beyond this for one long message is given back afterwards.
const KEEP: usize = 1 << 20;

/// Reads messages that end with a NUL byte.
pub(crate) struct Messages<R> {
    source: R,
    buffer: Vec<u8>,
    /// Where the first unread message begins, and up to where there is no NUL.
    start: usize,
    searched: usize,
    skipping: bool,
}

impl<R: AsyncRead + Unpin> Messages<R> {
    pub(crate) fn new(source: R) -> Messages<R> {
        let buffer = Vec::with_capacity(READ);
        Messages {
            source,
            buffer,
            start: 0,
            searched: 0,
            skipping: false,
        }
    }

    /// The next message, without its NUL; `None` when the stream has ended or failed.
    pub(crate) async fn next(&mut self) -> Option<&[u8]> {
        loop {
            if let Some(found) = memchr(0, &self.buffer[self.searched..]) {
                let (start, end) = (self.start, self.searched + found);
                self.start = end + 1;
                self.searched = self.start;
                if !std::mem::take(&mut self.skipping) && end - start <= MAX_MESSAGE {
                    return Some(&self.buffer[start..end]);
                }
                continue;
            }
            self.searched = self.buffer.len();
            self.make_room();
            self.buffer.reserve(READ);
            match self.source.read_buf(&mut self.buffer).await {
                Ok(0) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Moves what is unread to the front; drops it when the message is too long.
    fn make_room(&mut self) {
        if self.buffer.len() - self.start > MAX_MESSAGE {
            self.skipping = true;
        }
        if self.skipping {
            self.start = self.buffer.len();
        }
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        if self.buffer.capacity() > KEEP && self.buffer.len() < READ {
            self.buffer.shrink_to(READ);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    async fn all(bytes: &[u8]) -> Vec<String> {
        let mut messages = Messages::new(bytes);
        let mut found = Vec::new();
        while let Some(message) = messages.next().await {
            found.push(String::from_utf8(message.to_vec()).unwrap());
        }
        found
    }

    #[tokio::test]
    async fn messages_end_with_nul() {
        assert_eq!(all(b"").await, Vec::<String>::new());
        assert_eq!(all(b"one\0two\0\0unfinished").await, ["one", "two", ""]);
        let long = "x".repeat(3 * READ);
        assert_eq!(
            all(format!("{long}\0y\0").as_bytes()).await,
            [long.as_str(), "y"]
        );
    }

    #[tokio::test]
    async fn a_message_beyond_the_limit_is_skipped() {
        let mut bytes = vec![b'x'; MAX_MESSAGE + READ];
        bytes.extend_from_slice(b"\0next\0");
        assert_eq!(all(&bytes).await, ["next"]);
    }
}
