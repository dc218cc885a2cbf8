//! IPv4 addresses in the spellings that old software accepts: `127.1`, `0177.0.0.1`, `2130706433`.

use super::split::MAX_DIGITS;

/// What a host is as an address.
pub(super) enum Spelling {
    /// An address.
    Address([u8; 4]),
    /// A name.
    Name,
    /// A number so long that it is neither.
    Absurd,
}

/// Reads a host as an address, as the Python package does.
///
/// A lone number is decimal, whatever its zeros, and wraps around. Otherwise the rules are
/// those of `inet_aton`: one to four parts, a part with a leading zero is octal, the last part
/// fills all bytes that are left. After a first part with a leading zero no digit may be 8 or 9.
pub(super) fn read(host: &[u8]) -> Spelling {
    if !host.first().is_some_and(u8::is_ascii_digit) {
        return Spelling::Name;
    }
    if host.iter().all(u8::is_ascii_digit) {
        return match host.len() {
            0..=MAX_DIGITS => Spelling::Address(wrapping(host).to_be_bytes()),
            _ => Spelling::Absurd,
        };
    }
    dotted(host).map_or(Spelling::Name, |n| Spelling::Address(n.to_be_bytes()))
}

fn wrapping(digits: &[u8]) -> u32 {
    let step = |n: u32, d: &u8| n.wrapping_mul(10).wrapping_add(u32::from(d - b'0'));
    digits.iter().fold(0, step)
}

fn dotted(host: &[u8]) -> Option<u32> {
    let top_digit = if host[0] == b'0' { b'7' } else { b'9' };
    if !host
        .iter()
        .all(|b| (b'0'..=top_digit).contains(b) || *b == b'.')
    {
        return None;
    }
    let parts: Vec<&[u8]> = host.split(|b| *b == b'.').take(5).collect();
    let (last, leading) = parts.split_last()?;
    let mut address = 0;
    for part in leading {
        let byte = number(part).and_then(|n| u8::try_from(n).ok())?;
        address = address << 8 | u64::from(byte);
    }
    let bits_left = 32_usize.checked_sub(8 * leading.len()).filter(|n| *n > 0)?;
    let last = number(last).filter(|n| n >> bits_left == 0)?;
    u32::try_from(address << bits_left | last).ok()
}

/// One part: octal with a leading zero, decimal without.
fn number(digits: &[u8]) -> Option<u64> {
    let radix = if digits.len() > 1 && digits[0] == b'0' {
        8
    } else {
        10
    };
    let step = |n: u64, d: &u8| {
        let digit = u64::from(d - b'0');
        (digit < radix).then(|| n.saturating_mul(radix).saturating_add(digit))
    };
    (!digits.is_empty())
        .then(|| digits.iter().try_fold(0, step))
        .flatten()
}
