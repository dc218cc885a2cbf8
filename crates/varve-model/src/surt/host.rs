//! The host of a key: turned around, in one spelling, without `www.`.

use super::split::Parts;
use super::{escape, idn, ipv4};
use std::borrow::Cow;

/// Appends `com,example)` or `com,example:8080)`; says whether there is a host at all. `None`
/// for a host that nothing can be made of.
pub(super) fn push(key: &mut Vec<u8>, parts: &Parts<'_>) -> Option<bool> {
    let name = one_spelling(parts.host);
    let name = trim_dots(&name);
    if name.is_empty() {
        return Some(false);
    }
    match ipv4::read(name) {
        ipv4::Spelling::Address([a, b, c, d]) => {
            key.extend_from_slice(format!("{d},{c},{b},{a}").as_bytes());
        }
        ipv4::Spelling::Name => push_reversed(key, without_www(name, parts.scheme)),
        ipv4::Spelling::Absurd => return None,
    }
    if let Some(port) = parts.port.filter(|port| !is_default(*port, parts.scheme)) {
        key.extend_from_slice(format!(":{port}").as_bytes());
    }
    key.push(b')');
    Some(true)
}

/// Escapes taken off, international labels in punycode, doubled dots single.
fn one_spelling(host: &[u8]) -> Cow<'_, [u8]> {
    let mut host = escape::unescape(host);
    if !host.is_ascii()
        && let Some(ascii) = idn::to_ascii(&host)
    {
        host = Cow::Owned(ascii);
    }
    match escape::has_pair(&host, |a, b| (a == b'.') & (b == b'.')) {
        true => Cow::Owned(halve_dots(&host)),
        false => host,
    }
}

/// Each pair of dots becomes one; of three dots two are left.
fn halve_dots(host: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(host.len());
    let mut rest = host.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        out.push(byte);
        if byte == b'.' {
            rest.next_if_eq(&b'.');
        }
    }
    out
}

fn trim_dots(host: &[u8]) -> &[u8] {
    let is_name = |b: &u8| *b != b'.';
    let start = host.iter().position(is_name).unwrap_or(host.len());
    let end = host.iter().rposition(is_name).map_or(start, |at| at + 1);
    &host[start..end]
}

/// Takes `www.`, `www2.` and the like off, except where the host is what a DNS record is about.
fn without_www<'a>(name: &'a [u8], scheme: &[u8]) -> &'a [u8] {
    let starts = name
        .get(..3)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"www"));
    if !starts || scheme == b"dns" {
        return name;
    }
    let digits = name[3..].iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = &name[3 + digits..];
    rest.strip_prefix(b".").unwrap_or(name)
}

fn push_reversed(key: &mut Vec<u8>, name: &[u8]) {
    for (i, label) in name.rsplit(|b| *b == b'.').enumerate() {
        if i > 0 {
            key.push(b',');
        }
        escape::push_escaped(key, label);
    }
}

fn is_default(port: u16, scheme: &[u8]) -> bool {
    match port {
        80 => scheme.eq_ignore_ascii_case(b"http"),
        443 => scheme.eq_ignore_ascii_case(b"https"),
        _ => false,
    }
}
