//! How many letters two texts differ in.

/// Longer texts are compared by their beginnings.
const MAX_TEXT: usize = 512;

/// The edit distance (Levenshtein) of two texts.
pub(super) fn edits(a: &str, b: &str) -> usize {
    let a = &a.as_bytes()[..a.len().min(MAX_TEXT)];
    let b = &b.as_bytes()[..b.len().min(MAX_TEXT)];
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::edits;

    #[test]
    fn edits_between_texts() {
        for (a, b, expected) in [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
        ] {
            assert_eq!(edits(a, b), expected, "{a} {b}");
            assert_eq!(edits(b, a), expected, "{b} {a}");
        }
    }
}
