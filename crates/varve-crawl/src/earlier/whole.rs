//! Whether a stored body is all there: as its head and its digest say.

use std::io::{self, Read};
use varve_fetch::Spool;
use varve_model::{Digest, DigestAlgorithm, Digester, HttpHead};
use varve_store::http::{Dechunker, is_chunked};

/// How much of a body is read at once.
const PIECE: usize = 64 * 1024;

/// Copies a body if it is what its head and its digest say.
pub(super) fn copy_whole(
    mut from: impl Read,
    head: &HttpHead,
    digest: Digest,
    to: &mut Spool,
) -> io::Result<()> {
    let mut check = Check::new(head, digest.algorithm());
    let mut buffer = vec![0; PIECE];
    loop {
        let read = from.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        check.feed(&buffer[..read]);
        to.push(&buffer[..read])?;
    }
    match check.passes(head, to.len(), digest) {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is not what its record says",
        )),
    }
}

/// The digests of a body: as it is, and for one in chunks also without their framing, which some
/// tools take for the payload.
struct Check {
    received: Digester,
    dechunked: Option<(Dechunker, Digester)>,
}

impl Check {
    fn new(head: &HttpHead, algorithm: DigestAlgorithm) -> Check {
        let dechunked = || (Dechunker::new(), Digester::new(algorithm));
        Check {
            received: Digester::new(algorithm),
            dechunked: is_chunked(head).then(dechunked),
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.received.update(bytes);
        if let Some((dechunker, digester)) = &mut self.dechunked {
            dechunker.feed(bytes, &mut |data| digester.update(data));
        }
    }

    fn passes(self, head: &HttpHead, length: u64, digest: Digest) -> bool {
        let is_same = self.received.finish() == digest;
        if let Some((dechunker, digester)) = self.dechunked {
            let framed = dechunker.is_complete() && !dechunker.is_raw();
            return framed && (is_same || digester.finish() == digest);
        }
        let declared = head.get("Content-Length");
        let declared = declared.and_then(|text| str::from_utf8(&text).ok()?.trim().parse().ok());
        is_same && declared.is_none_or(|declared: u64| declared == length)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::sync::Arc;

    fn check(head: &str, body: &str, payload: &str, whole: bool) {
        let text = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n");
        let (head, _) = HttpHead::parse(text.as_bytes()).unwrap();
        let digest = Digest::of(DigestAlgorithm::Sha1, payload.as_bytes());
        let mut spool = Spool::new(Arc::new(std::env::temp_dir()));
        let copied = copy_whole(body.as_bytes(), &head, digest, &mut spool);
        assert_eq!(copied.is_ok(), whole, "{text}{body}");
        assert_eq!(spool.len(), body.len() as u64);
    }

    #[test]
    fn bodies_that_are_not_what_they_were_are_not_used() {
        check("Content-Length: 4", "body", "body", true);
        check("Content-Length: 5", "body", "body", false);
        check("Content-Length: 4", "bodY", "body", false);
        check("X: y", "body", "body", true);
        let chunked = "Transfer-Encoding: chunked";
        check(
            chunked,
            "2\r\nab\r\n0\r\n\r\n",
            "2\r\nab\r\n0\r\n\r\n",
            true,
        );
        check(chunked, "2\r\nab\r\n0\r\n\r\n", "ab", true);
        check(chunked, "2\r\nab\r\n0\r\n\r\n", "ac", false);
        check(chunked, "2\r\nab\r\n", "2\r\nab\r\n", false);
        check(chunked, "no chunks", "no chunks", false);
    }
}
