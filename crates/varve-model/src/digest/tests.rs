//! The spellings that are read, the ones that are written.
#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;

const EMPTY1: &str = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
const EMPTY256: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn check(text: &str, expected: Option<&str>) {
    let shown = Digest::parse(text).map(|d| d.to_string());
    assert_eq!(shown.as_deref(), expected, "{text}");
}

#[test]
fn spellings_of_sha1() {
    for text in [
        EMPTY1,
        "sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj",
        "SHA-1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        " sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709\r\n",
        "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
        "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
        "sha1:2jmj7l5rSw0yVb_vlWAYkK_YBwk",
    ] {
        check(text, Some(EMPTY1));
    }
}

#[test]
fn spellings_of_sha256() {
    for text in [
        EMPTY256,
        "sha-256:E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
        "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====",
        "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ",
        "sha-256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "sha-256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
    ] {
        check(text, Some(EMPTY256));
    }
}

#[test]
fn not_digests() {
    for text in [
        "",
        "-",
        "sha1:",
        "sha1:-",
        "sha1:ZZZ",
        "sha1:1I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "md5:d41d8cd98f00b204e9800998ecf8427e",
        "d41d8cd98f00b204e9800998ecf8427e",
        "abcdefabcdefabcdefabcdefabcdefab",
        "sha512:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "sha1:sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "sha1:３I42H3S6NNFQ2MSVX7XZKYAYSCX5Q",
    ] {
        check(text, None);
    }
}

proptest! {
    #[test]
    fn round_trips(bytes: Vec<u8>, split: usize) {
        for algorithm in [DigestAlgorithm::Sha1, DigestAlgorithm::Sha256] {
            let digest = Digest::of(algorithm, &bytes);
            prop_assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
            prop_assert_eq!(Digest::from_bytes(algorithm, digest.as_bytes()), Some(digest));
            let (head, tail) = bytes.split_at(split % (bytes.len() + 1));
            let mut digester = Digester::new(algorithm);
            digester.update(head);
            digester.update(tail);
            prop_assert_eq!(digester.finish(), digest);
        }
    }

    #[test]
    fn parse_never_panics(text in "\\PC{0,80}|(sha1|sha256):[A-Za-z0-9+/=]{0,70}") {
        let _ = Digest::parse(&text);
    }
}
