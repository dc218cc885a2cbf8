//! Numbers and times as people read them.

use varve_model::Timestamp;

/// `1 page`, `2 pages`, `12,345 pages`.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{} {many}", grouped(number)),
    }
}

/// `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `4.2 MB`.
pub(crate) fn size(bytes: u64) -> String {
    let bytes_f = bytes as f64;
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} KB", bytes_f / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes_f / 1e6),
        1_000_000_000..1_000_000_000_000 => format!("{:.1} GB", bytes_f / 1e9),
        _ => format!("{:.1} TB", bytes_f / 1e12),
    }
}

/// `2014-02-16`.
pub(super) fn day(time: Timestamp) -> String {
    time.w3c().chars().take(10).collect()
}

/// `2014-02-16 05:02:21`.
pub(crate) fn moment(time: Timestamp) -> String {
    let written = time.to_seconds().w3c();
    written.replace('T', " ").trim_end_matches('Z').to_owned()
}

/// `2014-02-16`, or `2014-02-16 to 2015-01-01`.
pub(super) fn span((first, last): (Timestamp, Timestamp)) -> String {
    let (first, last) = (day(first), day(last));
    match first == last {
        true => first,
        false => format!("{first} to {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_can_be_read() {
        assert_eq!(count(1, "page", "pages"), "1 page");
        assert_eq!(count(0, "page", "pages"), "0 pages");
        assert_eq!(
            [999, 1_000, 12_345_678].map(grouped),
            ["999", "1,000", "12,345,678"]
        );
        assert_eq!(
            [999, 1_500, 2_000_000, 3_100_000_000].map(size),
            ["999 B", "1.5 KB", "2.0 MB", "3.1 GB"]
        );
    }
}
