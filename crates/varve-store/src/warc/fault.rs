//! What can be wrong with an archive file, told so that a person can act on it.

use std::fmt;
use std::io;

/// Something in an archive file that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The bytes are no gzip header.
    BadGzipHeader,
    /// The deflate stream is broken.
    BadDeflate,
    /// The CRC-32 at the end of a gzip member does not match its content.
    WrongCrc,
    /// The length at the end of a gzip member does not match its content.
    WrongMemberLength,
    /// The zstd frame is broken; the library's words.
    BadZstd(String),
    /// The zstd dictionary at the start of the file cannot be used.
    BadDictionary(String),
    /// The file ends inside a compressed member.
    TruncatedMember,
    /// A member inflates beyond what any honest record needs.
    Bomb {
        /// Compressed bytes read so far.
        compressed: u64,
        /// Bytes they inflated to so far.
        inflated: u64,
    },
    /// Neither a WARC nor an ARC record begins here.
    NotARecord {
        /// The first bytes found, printable.
        found: String,
    },
    /// The record's header is longer than any honest one.
    HeaderTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// The file ends inside a record's header.
    TruncatedHeader,
    /// The file or member ends inside a record's block.
    TruncatedBlock {
        /// What `Content-Length` says.
        declared: u64,
        /// How many bytes there are.
        found: u64,
    },
    /// `Content-Length` is missing or no number.
    BadContentLength {
        /// The value found, if any.
        value: Option<String>,
    },
    /// The two line ends after a block are missing.
    MissingRecordEnd,
    /// Bytes stand between the end of a block and the next record.
    BytesAfterBlock,
    /// A digest does not match.
    WrongDigest {
        /// `WARC-Block-Digest` or `WARC-Payload-Digest`.
        field: &'static str,
        /// What the record says.
        declared: String,
        /// What its bytes give.
        computed: String,
    },
    /// A field that every record must have is missing.
    MissingField(&'static str),
    /// A field's value makes no sense.
    BadField {
        /// The field's name.
        field: &'static str,
        /// Its value.
        value: String,
    },
    /// Header lines end in a bare line feed.
    BareLineFeeds,
    /// A header line without a colon.
    StrayHeaderLine,
    /// The version is none we know.
    UnknownVersion(String),
    /// Several records share one compressed member, so that they cannot be read alone.
    SharedMember,
    /// A compressed member without a record.
    EmptyMember,
    /// The record's URL is too long for an index line: it is kept, but cannot be looked up.
    NotIndexable,
    /// A revisit whose block digest is not that of its block: some tools write the original's.
    OriginalsDigest {
        /// What the record says.
        declared: String,
        /// What its bytes give.
        computed: String,
    },
    /// A digest in an algorithm that we do not compute.
    UnknownDigest {
        /// The field's name.
        field: &'static str,
        /// Its value.
        declared: String,
    },
}

/// How bad a [`Fault`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Odd but harmless: the record is all there.
    Note,
    /// Bytes are lost or changed.
    Damage,
}

impl Fault {
    /// Whether bytes are lost or changed, or just oddly written.
    pub fn severity(&self) -> Severity {
        match self {
            Fault::MissingField(_)
            | Fault::BadField { .. }
            | Fault::BareLineFeeds
            | Fault::StrayHeaderLine
            | Fault::UnknownVersion(_)
            | Fault::SharedMember
            | Fault::EmptyMember
            | Fault::NotIndexable
            | Fault::OriginalsDigest { .. }
            | Fault::UnknownDigest { .. } => Severity::Note,
            _ => Severity::Damage,
        }
    }

    /// Whether this is [`Severity::Damage`].
    pub fn is_damage(&self) -> bool {
        self.severity() == Severity::Damage
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::BadGzipHeader => write!(f, "no gzip member starts here"),
            Fault::BadDeflate => write!(f, "the compressed data is broken"),
            Fault::WrongCrc => write!(f, "the gzip member's CRC-32 does not match its content"),
            Fault::WrongMemberLength => {
                write!(
                    f,
                    "the gzip member's length field does not match its content"
                )
            }
            Fault::BadZstd(why) => write!(f, "the zstd frame is broken: {why}"),
            Fault::BadDictionary(why) => write!(f, "the zstd dictionary cannot be used: {why}"),
            Fault::TruncatedMember => write!(f, "the file ends inside a compressed member"),
            Fault::Bomb {
                compressed,
                inflated,
            } => write!(
                f,
                "{compressed} compressed bytes inflate to more than {inflated}: refused as a decompression bomb"
            ),
            Fault::NotARecord { found } => {
                write!(f, "no WARC or ARC record starts here (found \"{found}\")")
            }
            Fault::HeaderTooLong { limit } => {
                write!(f, "the record's header is longer than {limit} bytes")
            }
            Fault::TruncatedHeader => write!(f, "the file ends inside a record's header"),
            Fault::TruncatedBlock { declared, found } => write!(
                f,
                "the record's block ends after {found} of the {declared} bytes that Content-Length declares"
            ),
            Fault::BadContentLength { value: Some(value) } => {
                write!(f, "Content-Length \"{value}\" is no length")
            }
            Fault::BadContentLength { value: None } => write!(f, "Content-Length is missing"),
            Fault::MissingRecordEnd => {
                write!(f, "the two line ends after the record's block are missing")
            }
            Fault::BytesAfterBlock => write!(
                f,
                "bytes stand between the record's block and the next record; is Content-Length wrong?"
            ),
            Fault::WrongDigest {
                field,
                declared,
                computed,
            } => {
                write!(f, "{field} is {declared}, but the bytes give {computed}")
            }
            Fault::MissingField(name) => write!(f, "the field {name} is missing"),
            Fault::BadField { field, value } => {
                write!(f, "the field {field} makes no sense: \"{value}\"")
            }
            Fault::BareLineFeeds => write!(f, "header lines end in a bare line feed"),
            Fault::StrayHeaderLine => write!(f, "a header line has no colon"),
            Fault::UnknownVersion(version) => write!(f, "unknown version \"{version}\""),
            Fault::SharedMember => {
                write!(
                    f,
                    "several records share one compressed member and cannot be read alone"
                )
            }
            Fault::EmptyMember => write!(f, "a compressed member holds no record"),
            Fault::NotIndexable => write!(
                f,
                "the URL is too long to be indexed: the record is kept, but cannot be looked up"
            ),
            Fault::OriginalsDigest { declared, computed } => write!(
                f,
                "the revisit's WARC-Block-Digest is {declared}, but its bytes give {computed}: perhaps the original's"
            ),
            Fault::UnknownDigest { field, declared } => {
                write!(
                    f,
                    "{field} {declared} uses an algorithm that cannot be checked"
                )
            }
        }
    }
}

/// Why reading an archive file stopped.
#[derive(Debug)]
pub enum ReadError {
    /// The disk failed.
    Io(io::Error),
    /// The file is damaged.
    Damaged {
        /// Where: the start of the record or member that is damaged.
        offset: u64,
        /// How.
        fault: Fault,
    },
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

impl ReadError {
    /// The same error with the file's name.
    pub fn at(self, path: &std::path::Path) -> crate::StoreError {
        let path = path.to_owned();
        match self {
            ReadError::Io(error) => crate::StoreError::Io {
                path,
                action: "read",
                error,
            },
            ReadError::Damaged { offset, fault } => crate::StoreError::Damaged {
                path,
                offset,
                fault,
            },
        }
    }
}

/// The first bytes of something unexpected, made fit to print.
pub(crate) fn printable(bytes: &[u8]) -> String {
    bytes
        .iter()
        .take(24)
        .flat_map(|byte| std::ascii::escape_default(*byte))
        .map(char::from)
        .collect()
}
