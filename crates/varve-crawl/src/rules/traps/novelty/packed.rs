//! A set of numbers in little memory: in order, each as its distance from the one before.

/// The bits of a number that fit into one byte; the eighth says that more follow.
const BITS: u32 = 7;
const MORE: u8 = 1 << BITS;

/// Numbers in order.
#[derive(Debug, Default)]
pub(super) struct Packed {
    bytes: Box<[u8]>,
    len: usize,
}

impl Packed {
    /// Packs numbers that are in order, without repetitions.
    pub(super) fn of(numbers: impl Iterator<Item = u32>) -> Packed {
        let (mut bytes, mut len, mut before) = (Vec::new(), 0, 0);
        for number in numbers {
            let mut distance: u32 = number - before;
            while distance >= MORE.into() {
                bytes.push(distance as u8 | MORE);
                distance >>= BITS;
            }
            bytes.push(distance as u8);
            (len, before) = (len + 1, number);
        }
        Packed {
            bytes: bytes.into(),
            len,
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All of them, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let (mut bytes, mut number) = (self.bytes.iter(), 0);
        std::iter::from_fn(move || {
            let mut shift = 0;
            loop {
                let byte = *bytes.next()?;
                number += u32::from(byte & !MORE) << shift;
                if byte < MORE {
                    return Some(number);
                }
                shift += BITS;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::btree_set(any::<u32>(), 0..200)) {
            let packed = Packed::of(numbers.iter().copied());
            prop_assert_eq!(packed.len(), numbers.len());
            prop_assert!(packed.iter().eq(numbers));
        }
    }

    #[test]
    fn neighbours_take_a_byte_each() {
        assert_eq!(Packed::of(0..1_000).bytes.len(), 1_000);
        assert_eq!(Packed::of((0..1_000).map(|n| n * 1_000)).bytes.len(), 1_999);
    }
}
