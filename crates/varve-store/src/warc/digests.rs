//! Computing a record's digests while its block streams by.
//!
//! Tools disagree on what the *payload* of a chunked response is: the bytes as received, or
//! without the chunk framing. Either reading matches; the second is computed once a file has shown
//! that the first is not its own, since hashing is most of what checking costs.

use super::fault::Fault;
use super::head::{RecordHead, RecordType};
use crate::http::Dechunker;
use varve_model::{Digest, DigestAlgorithm, Digester, HttpHead};

const BLOCK: &str = "WARC-Block-Digest";
const PAYLOAD: &str = "WARC-Payload-Digest";

/// What to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    /// Every digest that a record declares.
    Digests,
    /// Only what the index needs.
    Nothing,
}

/// How the payload of a chunked response is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChunkedPayload {
    /// As received.
    Received,
    /// As received, and without the chunk framing.
    Both,
}

/// What the digests of a record say.
pub(crate) enum Verdict {
    /// The payload's digest as computed, and what does not match.
    Decided(Option<Digest>, Vec<Fault>),
    /// The payload does not match as received; it may without its chunk framing.
    AskDechunked,
}

/// The digests of one record in the making.
pub(crate) struct RecordDigests {
    block: Option<(Digester, Digest, String)>,
    payload: Option<Digester>,
    declared_payload: Option<(Digest, String)>,
    dechunked: Option<(Dechunker, Digester)>,
    chunked: ChunkedPayload,
    may_match_dechunked: bool,
    is_revisit: bool,
    unknown: Vec<Fault>,
}

impl RecordDigests {
    pub(crate) fn new(head: &RecordHead, verify: Verify, chunked: ChunkedPayload) -> RecordDigests {
        let mut digests = RecordDigests {
            block: None,
            payload: None,
            declared_payload: None,
            dechunked: None,
            chunked,
            may_match_dechunked: false,
            is_revisit: head.record_type() == RecordType::Revisit,
            unknown: Vec::new(),
        };
        let declared = head.get(PAYLOAD).filter(|text| !text.is_empty());
        if declared.is_none() && head.record_type() != RecordType::Revisit {
            digests.payload = Some(Digester::new(DigestAlgorithm::Sha1));
        }
        if verify == Verify::Digests {
            digests.expect_block(head);
            if let Some(declared) = declared {
                digests.expect_payload(head, &declared);
            }
        }
        digests
    }

    fn expect_block(&mut self, head: &RecordHead) {
        let Some(declared) = head.get(BLOCK) else {
            return;
        };
        match Digest::parse(&declared) {
            Some(digest) => {
                let digester = Digester::new(digest.algorithm());
                self.block = Some((digester, digest, declared.into_owned()));
            }
            None => self.note_unknown(BLOCK, &declared),
        }
    }

    /// A revisit's payload is elsewhere and a segment's is incomplete: nothing to compare with.
    fn expect_payload(&mut self, head: &RecordHead, declared: &str) {
        let elsewhere = matches!(
            head.record_type(),
            RecordType::Revisit | RecordType::Continuation
        );
        if elsewhere || head.get("WARC-Segment-Number").is_some() {
            return;
        }
        match Digest::parse(declared) {
            Some(digest) => {
                self.payload = Some(Digester::new(digest.algorithm()));
                self.declared_payload = Some((digest, declared.to_owned()));
            }
            None => self.note_unknown(PAYLOAD, declared),
        }
    }

    fn note_unknown(&mut self, field: &'static str, declared: &str) {
        self.unknown.push(Fault::UnknownDigest {
            field,
            declared: declared.to_owned(),
        });
    }

    /// The block's protocol head went by; what follows is payload.
    pub(crate) fn http_head(&mut self, head: &HttpHead) {
        self.block_only(head.as_bytes());
        if let Some((digest, _)) = &self.declared_payload
            && crate::http::is_chunked(head)
        {
            match self.chunked {
                ChunkedPayload::Received => self.may_match_dechunked = true,
                ChunkedPayload::Both => {
                    let digester = Digester::new(digest.algorithm());
                    self.dechunked = Some((Dechunker::new(), digester));
                }
            }
        }
    }

    /// Bytes that are part of the block and not of the payload.
    pub(crate) fn block_only(&mut self, bytes: &[u8]) {
        if let Some((block, ..)) = &mut self.block {
            block.update(bytes);
        }
    }

    pub(crate) fn payload(&mut self, bytes: &[u8]) {
        if let Some((block, ..)) = &mut self.block {
            block.update(bytes);
        }
        if let Some(payload) = &mut self.payload {
            payload.update(bytes);
        }
        if let Some((dechunker, digester)) = &mut self.dechunked {
            dechunker.feed(bytes, &mut |data| digester.update(data));
        }
    }

    pub(crate) fn finish(self) -> Verdict {
        let payload = self.payload.map(Digester::finish);
        let mut faults = self.unknown;
        if let Some((digester, expected, declared)) = self.block {
            faults.extend(block_fault(
                digester.finish(),
                expected,
                declared,
                self.is_revisit,
            ));
        }
        if let (Some((expected, declared)), Some(computed)) = (self.declared_payload, &payload)
            && *computed != expected
        {
            if self.may_match_dechunked {
                return Verdict::AskDechunked;
            }
            let dechunked = self.dechunked.map(|(_, digester)| digester.finish());
            if dechunked != Some(expected) {
                faults.push(wrong(PAYLOAD, declared, computed));
            }
        }
        Verdict::Decided(payload, faults)
    }
}

/// A revisit may carry the digest of the block it stands for.
fn block_fault(
    computed: Digest,
    expected: Digest,
    declared: String,
    is_revisit: bool,
) -> Option<Fault> {
    if computed == expected {
        return None;
    }
    Some(match is_revisit {
        true => Fault::OriginalsDigest {
            declared,
            computed: computed.to_string(),
        },
        false => wrong(BLOCK, declared, &computed),
    })
}

fn wrong(field: &'static str, declared: String, computed: &Digest) -> Fault {
    Fault::WrongDigest {
        field,
        declared,
        computed: computed.to_string(),
    }
}
