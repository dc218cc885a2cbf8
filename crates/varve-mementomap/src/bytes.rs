//! Looking at eight bytes of a text at once: keys are too short for more.

/// How many bytes two texts have in common at their beginning.
#[inline]
pub(crate) fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    let (ones, _) = one.as_chunks::<8>();
    let (others, _) = other.as_chunks::<8>();
    let mut at = 0;
    for (a, b) in ones.iter().zip(others) {
        let differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differ != 0 {
            return at + (differ.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = one[at..].iter().zip(&other[at..]);
    at + rest.take_while(|(a, b)| a == b).count()
}

/// Where a key ends that begins a text: at the first blank, line break or other byte that is no
/// more than a space, or at a query.
#[inline]
pub(crate) fn key_end(text: &[u8]) -> Option<usize> {
    let (words, rest) = text.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let ends = less(word, b' ' + 1) | less(word ^ each(b'?'), 1);
        if ends != 0 {
            return Some(number * 8 + (ends.trailing_zeros() / 8) as usize);
        }
    }
    let at = rest.iter().position(|byte| *byte <= b' ' || *byte == b'?');
    at.map(|at| words.len() * 8 + at)
}

/// Marks the bytes of a word that are less than `most`, which is at most 128. Those beyond the first
/// that is marked may be marked wrongly.
fn less(word: u64, most: u8) -> u64 {
    word.wrapping_sub(each(most)) & !word & each(0x80)
}

/// A word of eight equal bytes.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn eight_bytes_at_once_give_what_single_ones_give(
            one in "[a-c?\u{7f}-\u{81} ]{0,20}",
            other in "[a-b]{0,20}",
            end in any::<u8>(),
        ) {
            let one = [one.as_bytes(), &[end]].concat();
            let ends = one.iter().position(|byte| *byte <= b' ' || *byte == b'?');
            prop_assert_eq!(key_end(&one), ends);
            let equal = one.iter().zip(other.as_bytes()).take_while(|(a, b)| a == b);
            prop_assert_eq!(common_prefix(&one, other.as_bytes()), equal.count());
        }
    }
}
