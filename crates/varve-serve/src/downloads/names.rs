//! Names in paths.

/// A name in which nothing needs to be escaped, neither in URLs nor in headers nor by shells.
pub(super) fn plain(name: &str) -> String {
    let letter = |letter: char| match letter {
        '-' | '_' | '.' => letter,
        other if other.is_ascii_alphanumeric() => other,
        _ => '-',
    };
    name.chars().map(letter).collect()
}

/// A part of a path without its percent signs.
pub(super) fn decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A name as a part of a path.
pub(super) fn encoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_from_paths() {
        for name in [
            "plain-1.warc.gz",
            "a b/c%d.warc",
            "ü?#",
            "",
            "%",
            "%2",
            "%zz",
        ] {
            assert_eq!(decoded(&encoded(name)), name);
        }
        assert_eq!(decoded("%+1%"), "%+1%");
        assert_eq!(plain("my archive/\"ü\".x_1"), "my-archive----.x_1");
    }
}
