//! Some lines of a map that follow each other, searched where they lie.

/// Whole lines. A line is known by where it begins in the text; the end of the text is where the
/// next block begins.
pub(super) struct Block {
    /// Where the text begins in its file.
    base: u64,
    text: Vec<u8>,
    /// Where the first line begins; the end of the text if none does.
    first: usize,
}

impl Block {
    pub(super) fn new(base: u64, text: Vec<u8>, first: usize) -> Block {
        Block { base, text, first }
    }

    pub(super) fn first(&self) -> usize {
        self.first
    }

    /// Whether a line begins here, and not the next block.
    pub(super) fn has(&self, line: usize) -> bool {
        line < self.text.len()
    }

    /// Where a line begins in its file.
    pub(super) fn place(&self, line: usize) -> u64 {
        self.base + line as u64
    }

    pub(super) fn line(&self, line: usize) -> &[u8] {
        let rest = &self.text[line..];
        &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())]
    }

    pub(super) fn key(&self, line: usize) -> &[u8] {
        let rest = &self.text[line..];
        &rest[..memchr::memchr3(b' ', b'\t', b'\n', rest).unwrap_or(rest.len())]
    }

    /// Where the line that follows begins.
    pub(super) fn after(&self, line: usize) -> usize {
        let next = memchr::memchr(b'\n', &self.text[line..]);
        next.map_or(self.text.len(), |at| line + at + 1)
    }

    /// Where the line before begins, if it is here.
    pub(super) fn before(&self, line: usize) -> Option<usize> {
        (line > self.first).then(|| self.start(line - 1, self.first))
    }

    /// The first line whose key is not less than `key`.
    pub(super) fn lower_bound(&self, key: &[u8]) -> usize {
        let (mut low, mut high) = (self.first, self.text.len());
        while low < high {
            let middle = self.start((low + high) / 2, low);
            match self.key(middle) < key {
                true => low = self.after(middle),
                false => high = middle,
            }
        }
        low
    }

    /// A line that comes after a greater one.
    pub(super) fn disorder(&self) -> Option<usize> {
        let mut last: &[u8] = &[];
        let mut line = self.first;
        while self.has(line) {
            let key = self.key(line);
            if key < last {
                return Some(line);
            }
            last = key;
            line = self.after(line + key.len());
        }
        None
    }

    /// Where the line with this byte begins, which is not before `least`.
    fn start(&self, byte: usize, least: usize) -> usize {
        let before = memchr::memrchr(b'\n', &self.text[least..byte]);
        before.map_or(least, |at| least + at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_wherever_the_middle_falls() {
        let text = "the end of a line\na 1\n\nbb\t2\nc\nd, long 4\ne 5";
        let block = Block::new(100, text.into(), 18);
        // Empty lines are less than all keys, and so stand first; here only one is out of order.
        assert_eq!(block.disorder(), Some(22));
        let text = "a 1\nbb\t2\nc\nd, long 4\ne 5";
        let block = Block::new(0, text.into(), 0);
        assert_eq!(block.disorder(), None);
        for (key, line) in [
            ("", 0),
            ("a", 0),
            ("b", 4),
            ("bb", 4),
            ("bc", 9),
            ("c", 9),
            ("d,", 11),
            ("d-", 21),
            ("e", 21),
            ("f", text.len()),
        ] {
            assert_eq!(block.lower_bound(key.as_bytes()), line, "{key}");
        }
        assert_eq!(block.before(0), None);
        assert_eq!(block.before(text.len()), Some(21));
        assert_eq!(block.line(11), b"d, long 4");
        assert_eq!(block.key(4), b"bb");
    }
}
