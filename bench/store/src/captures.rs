//! Index lines of a large archive, in the order in which a crawler would have met them.
//!
//! A quarter of the lines is the first capture of a URL each; the others are further captures, of
//! popular URLs more often. Lines are computed one by one and none is kept.

use crate::dice::Dice;
use crate::urls::{Url, Urls};
use anyhow::Result;
use std::io::{BufWriter, Write};

const CAPTURES_PER_URL: u64 = 4;
/// A prime: multiplying by it, modulo the number of URLs, visits all of them.
const STRIDE: u64 = 0x9e37_79b1;

/// How many URLs an archive of so many captures has.
pub(crate) fn url_count(captures: u64) -> u64 {
    (captures / CAPTURES_PER_URL).max(1)
}

/// Gives all lines of an archive of `count` captures.
pub(crate) fn each<E>(count: u64, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
    let url_count = url_count(count);
    let urls = Urls::new(url_count);
    let (mut url, mut line) = (Url::default(), Vec::with_capacity(1024));
    for number in 0..count {
        let mut dice = Dice::new(number);
        let which = match number < url_count {
            true => number.wrapping_mul(STRIDE) % url_count,
            false => dice.skewed(url_count),
        };
        urls.get(which, &mut url);
        line.clear();
        push_line(&mut line, &url, number, &mut dice);
        take(&line)?;
    }
    Ok(())
}

/// Writes all lines to stdout.
pub(crate) fn print(count: u64) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 18, std::io::stdout().lock());
    each(count, |line| {
        out.write_all(line)?;
        out.write_all(b"\n")
    })?;
    Ok(out.flush()?)
}

/// A moment between 2005 and 2024.
pub(crate) fn moment(dice: &mut Dice) -> [u8; 14] {
    let mut digits = *b"20050101000000";
    let fields = [
        (2, 5, 25),
        (4, 1, 13),
        (6, 1, 29),
        (8, 0, 24),
        (10, 0, 60),
        (12, 0, 60),
    ];
    for (at, start, end) in fields {
        let number = dice.between(start, end) as u8;
        digits[at] = b'0' + number / 10;
        digits[at + 1] = b'0' + number % 10;
    }
    digits
}

fn push_line(line: &mut Vec<u8>, url: &Url, number: u64, dice: &mut Dice) {
    line.extend_from_slice(&url.key);
    line.push(b' ');
    line.extend_from_slice(&moment(dice));
    line.extend_from_slice(b" {\"url\": \"");
    line.extend_from_slice(&url.url);
    let mime = match url.url.ends_with(b".jpg") {
        true => "image/jpeg",
        false => dice.pick(&[
            "text/html",
            "text/html",
            "text/html",
            "application/json",
            "text/css",
        ]),
    };
    let status = dice.pick(&[
        "200", "200", "200", "200", "200", "200", "301", "302", "404",
    ]);
    write!(
        line,
        "\", \"mime\": \"{mime}\", \"status\": \"{status}\", \"digest\": \"sha1:"
    )
    .unwrap();
    push_base32(line, dice);
    let (length, offset) = (
        dice.skewed(100_000) + 300,
        number % 40_000 * 26_000 + dice.below(20_000),
    );
    let file = number / 40_000;
    write!(line, "\", \"length\": \"{length}\", \"offset\": \"{offset}\", \"filename\": \"crawl-{file:05}.warc.gz\"}}")
        .unwrap();
}

/// The 32 letters of a SHA-1.
fn push_base32(line: &mut Vec<u8>, dice: &mut Dice) {
    for letters in [12, 12, 8] {
        let mut bits = dice.throw();
        for _ in 0..letters {
            line.push(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[(bits & 31) as usize]);
            bits >>= 5;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use varve_model::Capture;

    #[test]
    fn lines_are_as_varve_writes_them() {
        let mut count = 0;
        each(2_000, |line| -> Result<()> {
            let line = std::str::from_utf8(line)?;
            assert_eq!(Capture::parse(line)?.to_line(), line);
            count += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(count, 2_000);
    }
}
