//! `Digest`: the name of some bytes, as WARC-Payload-Digest and index lines write it.
//!
//! Archives spell the same digest in many ways (`sha1:` with base32 or hex, `sha-256:` with hex
//! or base64, bare base32 in CDX). All are read; one is written for each algorithm: the one
//! other tools write. Algorithms that identify nothing safely (MD5) or that the field does not
//! use are not known here.

use data_encoding::{BASE32, BASE32_NOPAD, BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD};
use data_encoding::{Encoding, HEXLOWER, HEXLOWER_PERMISSIVE};
use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The algorithms that archives name bytes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DigestAlgorithm {
    /// SHA-1: what the field's indexes hold.
    Sha1,
    /// SHA-256: what WACZ asks for.
    Sha256,
}

impl DigestAlgorithm {
    /// How many bytes a digest has.
    pub fn digest_len(self) -> usize {
        match self {
            DigestAlgorithm::Sha1 => 20,
            DigestAlgorithm::Sha256 => 32,
        }
    }

    fn from_label(label: &str) -> Option<DigestAlgorithm> {
        let named = |name: &str| label.eq_ignore_ascii_case(name);
        if named("sha1") || named("sha-1") {
            Some(DigestAlgorithm::Sha1)
        } else if named("sha256") || named("sha-256") {
            Some(DigestAlgorithm::Sha256)
        } else {
            None
        }
    }
}

/// A digest and the algorithm that made it.
///
/// ```
/// use varve_model::{Digest, DigestAlgorithm};
/// let empty = Digest::of(DigestAlgorithm::Sha1, b"");
/// assert_eq!(empty.to_string(), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
/// assert_eq!(Digest::parse("3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"), Some(empty));
/// assert_eq!(Digest::parse("sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709"), Some(empty));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest {
    algorithm: DigestAlgorithm,
    /// The digest, then zeros: short digests leave the end unused.
    bytes: [u8; 32],
}

impl Digest {
    /// The digest of some bytes.
    pub fn of(algorithm: DigestAlgorithm, bytes: &[u8]) -> Digest {
        let mut digester = Digester::new(algorithm);
        digester.update(bytes);
        digester.finish()
    }

    /// Reads any usual spelling; `None` for other algorithms and for values that do not fit.
    ///
    /// Bare text is a SHA-1 if it is 32 characters of upper-case base32, as in CDX. (In lower
    /// case it could be the hex of an MD5.)
    pub fn parse(text: &str) -> Option<Digest> {
        let Some((label, value)) = text.trim_ascii().split_once(':') else {
            let bare = text.trim_ascii().as_bytes();
            let fits = bare.len() == 32 && !bare.iter().any(u8::is_ascii_lowercase);
            return fits.then(|| decode(DigestAlgorithm::Sha1, bare)).flatten();
        };
        decode(DigestAlgorithm::from_label(label)?, value.as_bytes())
    }

    /// The digest that these bytes are; `None` if the length is not the algorithm's.
    pub fn from_bytes(algorithm: DigestAlgorithm, bytes: &[u8]) -> Option<Digest> {
        let mut digest = Digest {
            algorithm,
            bytes: [0; 32],
        };
        let fits = bytes.len() == algorithm.digest_len();
        fits.then(|| digest.bytes[..bytes.len()].copy_from_slice(bytes))?;
        Some(digest)
    }

    /// The algorithm that made it.
    pub fn algorithm(&self) -> DigestAlgorithm {
        self.algorithm
    }

    /// The raw digest.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.algorithm.digest_len()]
    }
}

impl fmt::Display for Digest {
    /// `sha1:` and upper-case base32, or `sha256:` and lower-case hex.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.algorithm {
            DigestAlgorithm::Sha1 => write!(f, "sha1:{}", BASE32.encode(self.as_bytes())),
            DigestAlgorithm::Sha256 => write!(f, "sha256:{}", HEXLOWER.encode(self.as_bytes())),
        }
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Digests bytes as they pass.
#[derive(Debug, Clone)]
pub struct Digester(State);

#[derive(Debug, Clone)]
enum State {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl Digester {
    /// A digester that has seen nothing yet.
    pub fn new(algorithm: DigestAlgorithm) -> Digester {
        Digester(match algorithm {
            DigestAlgorithm::Sha1 => State::Sha1(Sha1::new()),
            DigestAlgorithm::Sha256 => State::Sha256(Sha256::new()),
        })
    }

    /// Takes the next bytes in.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            State::Sha1(hasher) => hasher.update(bytes),
            State::Sha256(hasher) => hasher.update(bytes),
        }
    }

    /// The digest of everything taken in.
    pub fn finish(self) -> Digest {
        let mut bytes = [0; 32];
        let algorithm = match self.0 {
            State::Sha1(hasher) => {
                bytes[..20].copy_from_slice(&hasher.finalize());
                DigestAlgorithm::Sha1
            }
            State::Sha256(hasher) => {
                bytes.copy_from_slice(&hasher.finalize());
                DigestAlgorithm::Sha256
            }
        };
        Digest { algorithm, bytes }
    }
}

/// Decodes a value in the encoding that its length gives away.
fn decode(algorithm: DigestAlgorithm, value: &[u8]) -> Option<Digest> {
    let hex = algorithm.digest_len() * 2;
    let decoded = match (algorithm, value.len()) {
        (_, length) if length == hex => HEXLOWER_PERMISSIVE.decode(value),
        (DigestAlgorithm::Sha1, 32) | (DigestAlgorithm::Sha256, 56) => {
            BASE32.decode(&value.to_ascii_uppercase())
        }
        (DigestAlgorithm::Sha256, 52) => BASE32_NOPAD.decode(&value.to_ascii_uppercase()),
        (DigestAlgorithm::Sha1, 28) | (DigestAlgorithm::Sha256, 44) => {
            base64(value, &BASE64, &BASE64URL)
        }
        (DigestAlgorithm::Sha1, 27) | (DigestAlgorithm::Sha256, 43) => {
            base64(value, &BASE64_NOPAD, &BASE64URL_NOPAD)
        }
        _ => return None,
    };
    Digest::from_bytes(algorithm, &decoded.ok()?)
}

/// Either alphabet of base64: a value that uses neither's special characters is the same in both.
fn base64(
    value: &[u8],
    plain: &Encoding,
    url: &Encoding,
) -> Result<Vec<u8>, data_encoding::DecodeError> {
    plain.decode(value).or_else(|_| url.decode(value))
}

#[cfg(test)]
mod tests;
