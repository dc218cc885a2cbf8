//! A language that nobody speaks, with the statistics of one that somebody does.
//!
//! Words are made of syllables, common ones are short, and how often a word occurs follows Zipf's
//! law. Texts keep to a *topic*: a few rare words that come again and again, as in real pages.
//! Deflate makes a third of such prose, about what it makes of English.

use crate::dice::Dice;

const WORDS: usize = 14_000;
const SLOTS: usize = 1 << 16;
const TOPIC: usize = 40;

/// The vocabulary and how often each word is said.
pub(crate) struct Language {
    words: Vec<String>,
    /// Equally likely slots, each with the rank of a word.
    slots: Vec<u16>,
}

/// What a text is about: some words that are rare elsewhere.
pub(crate) struct Topic([u16; TOPIC]);

impl Language {
    /// The language; there is only one.
    pub(crate) fn new() -> Language {
        let mut dice = Dice::new(1);
        let words = (0..WORDS).map(|rank| word(&mut dice, rank)).collect();
        let weight = |rank: usize| 1.0 / (rank as f64 + 2.7);
        let total: f64 = (0..WORDS).map(weight).sum();
        let (mut slots, mut sum) = (Vec::with_capacity(SLOTS), 0.0);
        for rank in 0..WORDS {
            sum += weight(rank);
            let until = (sum / total * SLOTS as f64).round() as usize;
            slots.resize(until.max(slots.len()), rank as u16);
        }
        slots.resize(SLOTS, 0);
        Language { words, slots }
    }

    /// A word, common ones more often.
    pub(crate) fn word(&self, dice: &mut Dice) -> &str {
        let slot = dice.below(SLOTS as u64) as usize;
        &self.words[usize::from(self.slots[slot])]
    }

    /// Any word, as in names.
    pub(crate) fn name(&self, dice: &mut Dice) -> &str {
        &self.words[dice.between(60, WORDS as u64) as usize]
    }

    /// Something to write about.
    pub(crate) fn topic(&self, dice: &mut Dice) -> Topic {
        Topic(std::array::from_fn(|_| {
            dice.between(100, WORDS as u64) as u16
        }))
    }

    /// Adds a sentence of about ten words.
    pub(crate) fn sentence(&self, out: &mut Vec<u8>, dice: &mut Dice, topic: &Topic) {
        let start = out.len();
        let words = dice.between(4, 18);
        for at in 0..words {
            if at > 0 {
                out.extend_from_slice(if dice.percent(7) { b", " } else { b" " });
            }
            let word = match dice.percent(18) {
                true => &self.words[usize::from(topic.0[dice.skewed(TOPIC as u64) as usize])],
                false => self.word(dice),
            };
            out.extend_from_slice(word.as_bytes());
        }
        out[start].make_ascii_uppercase();
        out.extend_from_slice(b". ");
    }

    /// Adds some words with hyphens between them, as in the paths of pages.
    pub(crate) fn slug(&self, out: &mut Vec<u8>, dice: &mut Dice, words: u64) {
        for at in 0..words {
            if at > 0 {
                out.push(b'-');
            }
            out.extend_from_slice(self.word(dice).as_bytes());
        }
    }
}

/// A word; its rank says how common it is.
fn word(dice: &mut Dice, rank: usize) -> String {
    const ONSETS: [&str; 24] = [
        "b", "br", "c", "d", "d", "f", "g", "h", "l", "l", "m", "m", "n", "n", "p", "pr", "r", "s",
        "st", "t", "t", "th", "v", "w",
    ];
    const VOWELS: [&str; 8] = ["a", "e", "i", "o", "u", "ea", "a", "e"];
    const CODAS: [&str; 12] = ["", "", "", "", "", "n", "r", "s", "t", "l", "nd", "ng"];
    let syllables = match rank {
        0..100 => 1,
        100..1_000 => dice.between(1, 3),
        _ => dice.between(2, 4),
    };
    let mut word = String::new();
    for _ in 0..syllables {
        for part in [&ONSETS[..], &VOWELS, &CODAS] {
            word.push_str(dice.pick(part));
        }
    }
    word
}
