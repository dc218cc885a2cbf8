//! Words, names and sentences that repeat with their number and with nothing else.

const SYLLABLES: [&str; 32] = [
    "ba", "be", "bri", "ca", "cal", "cor", "da", "del", "do", "fa", "fi", "ga", "gle", "ho", "il",
    "ja", "ka", "la", "lu", "ma", "mi", "na", "no", "or", "pa", "ra", "ro", "sa", "ta", "ti", "ve",
    "zu",
];

const WORDS: [&str; 40] = [
    "leaf",
    "petal",
    "root",
    "stem",
    "north",
    "wall",
    "shade",
    "damp",
    "stone",
    "early",
    "late",
    "spring",
    "autumn",
    "seed",
    "found",
    "near",
    "old",
    "gate",
    "river",
    "bank",
    "collected",
    "dried",
    "pressed",
    "by",
    "hand",
    "under",
    "glass",
    "small",
    "white",
    "blue",
    "flowers",
    "grows",
    "slowly",
    "on",
    "chalk",
    "clay",
    "beside",
    "the",
    "long",
    "path",
];

/// Bits that look random and depend on a number alone (SplitMix64).
pub(super) fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A number for a text.
pub(super) fn number_of(text: &str) -> u64 {
    text.bytes()
        .fold(7, |number, byte| mix(number ^ u64::from(byte)))
}

/// A plant's name: another one for every number.
pub(super) fn name(number: usize) -> String {
    let mut rest = number;
    let mut name = String::new();
    for at in 0.. {
        name.push_str(SYLLABLES[(rest + at * 7) % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
        if rest == 0 && at >= 2 {
            break;
        }
    }
    name
}

/// So many words about a number, its name among them.
pub(super) fn paragraph(number: usize, words: usize) -> String {
    let mut bits = mix(number as u64);
    let mut text = format!("The {} is", name(number));
    for _ in 0..words {
        bits = mix(bits);
        text.push(' ');
        text.push_str(WORDS[(bits % WORDS.len() as u64) as usize]);
    }
    text + "."
}

#[cfg(test)]
mod tests {
    use super::name;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<String> = (0..40_000).map(name).collect();
        assert_eq!(names.len(), 40_000);
    }
}
