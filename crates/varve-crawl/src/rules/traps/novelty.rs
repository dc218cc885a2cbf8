//! Whether pages still bring anything new, space by space.
//!
//! A page is *dry* in a space when it has no words that the space did not have before, and no new
//! pictures. It is *stale* when moreover it leads to nothing new outside the space, except into
//! spaces that are dry themselves (months lead to days and days to months, and neither says
//! anything). A space is closed after many stale pages in a row. Pages that lead nowhere weigh
//! less: an endless space must go on producing URLs, and a leaf does not.

use super::recent::Recent;
use super::text::Features;
use std::collections::HashSet;

/// What a stale page that leads to more URLs weighs; one without weighs 1.
const FEEDING: u32 = 4;

/// The weight at which a space is closed: 120 pages of a template that lead on, or 480 that do
/// not; 300 of a section; 1,000 of a site.
const LIMITS: [u32; 3] = [120 * FEEDING, 300 * FEEDING, 1_000 * FEEDING];

/// After so many dry pages in a row, URLs into a space promise nothing any more.
const SUSPECT: u32 = 30;

/// A page with so many new neighbours of known words is not dry.
const HANDFUL: usize = 3;

/// Hashes that the vocabulary of one space holds; beyond, only every second is looked at, and so on.
const MAX_VOCABULARY: usize = 1 << 14;

/// How often the vocabulary is thinned out. A space that has yet more to say is no trap: it begins
/// anew.
const MAX_THINNING: u32 = 4;

/// Spaces of each width that are remembered.
const MAX_SPACES: usize = 50_000;

/// Hashes that all spaces of one width hold together: about 16 MB.
const MAX_HASHES: usize = 1 << 21;

/// What is known of all spaces.
#[derive(Debug)]
pub(super) struct Novelty {
    widths: [Width; 3],
}

/// A page as its spaces see it.
pub(super) struct Visit<'a> {
    /// The page's spaces, from narrow to wide.
    pub(super) spaces: [u64; 3],
    pub(super) features: &'a Features,
    pub(super) new_embeds: usize,
    /// The spaces of the URLs that it was the first to mention.
    pub(super) leads_to: &'a [[u64; 3]],
}

/// What a visit showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Judgement {
    /// Whether the page led out of its template to something alive.
    pub(super) leads_out: bool,
    /// Which of its spaces it was the last straw for, from narrow to wide.
    pub(super) closed: [bool; 3],
}

impl Novelty {
    pub(super) fn new() -> Novelty {
        Novelty::with_hashes(MAX_HASHES)
    }

    fn with_hashes(max_hashes: usize) -> Novelty {
        Novelty {
            widths: std::array::from_fn(|_| Width::new(max_hashes)),
        }
    }

    pub(super) fn observe(&mut self, visit: &Visit<'_>) -> Judgement {
        let mut judgement = Judgement::default();
        for (width, limit) in LIMITS.iter().enumerate() {
            let own = visit.spaces[width];
            let spaces = &mut self.widths[width];
            let leads_out = visit
                .leads_to
                .iter()
                .map(|keys| keys[width])
                .any(|key| key != own && spaces.is_alive(key));
            let weight = match visit.leads_to.is_empty() {
                true => 1,
                false => FEEDING,
            };
            let stale = spaces.visit(own, |space| {
                let is_dry = !space.vocabulary.learn(visit.features) && visit.new_embeds == 0;
                space.dry = if is_dry { space.dry + 1 } else { 0 };
                space.stale = match is_dry && !leads_out {
                    true => space.stale.saturating_add(weight),
                    false => 0,
                };
                space.stale
            });
            judgement.closed[width] = stale >= *limit;
            judgement.leads_out |= leads_out && width == 0;
        }
        judgement
    }
}

/// All spaces of one width.
#[derive(Debug)]
struct Width {
    spaces: Recent<Space>,
    hashes: usize,
    max_hashes: usize,
}

#[derive(Debug, Default)]
struct Space {
    vocabulary: Vocabulary,
    /// Dry pages in a row.
    dry: u32,
    /// The weight of stale pages in a row.
    stale: u32,
}

impl Width {
    fn new(max_hashes: usize) -> Width {
        Width {
            spaces: Recent::new(MAX_SPACES),
            hashes: 0,
            max_hashes,
        }
    }

    /// Whether something new may be expected of a space.
    fn is_alive(&self, key: u64) -> bool {
        self.spaces.get(key).is_none_or(|space| space.dry < SUSPECT)
    }

    fn visit<T>(&mut self, key: u64, visit: impl FnOnce(&mut Space) -> T) -> T {
        let mut space = self.spaces.take(key).unwrap_or_default();
        let before = space.vocabulary.known.len();
        let result = visit(&mut space);
        self.hashes = self.hashes + space.vocabulary.known.len() - before;
        while self.spaces.len() >= MAX_SPACES || self.hashes > self.max_hashes {
            // The space at hand is taken out: it may be over the limit, but it stays.
            let Some(oldest) = self.spaces.forget_oldest() else {
                break;
            };
            self.hashes -= oldest.vocabulary.known.len();
        }
        self.spaces.insert(key, space);
        result
    }
}

/// The words that a space has used, or an even selection of them.
#[derive(Debug, Default)]
struct Vocabulary {
    known: HashSet<u32>,
    thinning: u32,
}

impl Vocabulary {
    /// Takes a page in; tells whether it had something new.
    fn learn(&mut self, features: &Features) -> bool {
        let words = self.add(&features.words);
        let pairs = self.add(&features.pairs);
        let handful = (HANDFUL >> self.thinning).max(1);
        while self.known.len() > MAX_VOCABULARY {
            self.thinning += 1;
            if self.thinning > MAX_THINNING {
                *self = Vocabulary::default();
            }
            let mask = self.mask();
            self.known.retain(|hash| hash & mask == 0);
        }
        words > 0 || pairs >= handful
    }

    fn add(&mut self, hashes: &[u32]) -> usize {
        let mask = self.mask();
        hashes
            .iter()
            .filter(|hash| **hash & mask == 0 && self.known.insert(**hash))
            .count()
    }

    fn mask(&self) -> u32 {
        (1 << self.thinning) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: [u64; 3] = [1, 1, 1];
    const ARTICLE: [u64; 3] = [2, 2, 1];

    /// Visits pages of the list until it is closed; gives how many it took.
    fn pages_until_closed(
        novelty: &mut Novelty,
        pages: u32,
        visit: impl Fn(&mut Novelty, u32) -> Judgement,
    ) -> Option<u32> {
        (1..=pages).find(|page| visit(novelty, *page).closed[0])
    }

    fn page(novelty: &mut Novelty, spaces: [u64; 3], text: &str, to: &[[u64; 3]]) -> Judgement {
        novelty.observe(&Visit {
            spaces,
            features: &Features::of(text),
            new_embeds: 0,
            leads_to: to,
        })
    }

    #[test]
    fn pages_that_only_lead_to_their_like_are_closed() {
        let mut novelty = Novelty::new();
        let took = pages_until_closed(&mut novelty, 1_000, |novelty, n| {
            page(novelty, LIST, &format!("Week {n}: no events"), &[LIST])
        });
        assert_eq!(took, Some(121));
    }

    #[test]
    fn leaves_weigh_less() {
        let mut novelty = Novelty::new();
        let took = pages_until_closed(&mut novelty, 1_000, |novelty, n| {
            page(novelty, LIST, &format!("Record {n}"), &[])
        });
        assert_eq!(took, Some(481));
    }

    #[test]
    fn new_words_pictures_and_articles_keep_a_space_open() {
        let word = |n: u32| -> String {
            let letter = |shift: u32| char::from(b'a' + (n >> shift & 15) as u8);
            [letter(0), letter(4), letter(8)].iter().collect()
        };
        let mut novelty = Novelty::new();
        let words = pages_until_closed(&mut novelty, 3_000, |novelty, n| {
            page(novelty, LIST, &format!("Plant {}", word(n)), &[LIST])
        });
        assert_eq!(words, None);

        let mut novelty = Novelty::new();
        let pictures = pages_until_closed(&mut novelty, 3_000, |novelty, _| {
            novelty.observe(&Visit {
                spaces: LIST,
                features: &Features::of("Gallery"),
                new_embeds: 1,
                leads_to: &[LIST],
            })
        });
        assert_eq!(pictures, None);

        let mut novelty = Novelty::new();
        let articles = pages_until_closed(&mut novelty, 3_000, |novelty, n| {
            page(
                novelty,
                ARTICLE,
                &format!("About the {} plant", word(n)),
                &[],
            );
            page(novelty, LIST, "Page of articles", &[LIST, ARTICLE])
        });
        assert_eq!(articles, None);
    }

    #[test]
    fn two_spaces_that_feed_each_other_are_both_closed() {
        let mut novelty = Novelty::new();
        let took = pages_until_closed(&mut novelty, 1_000, |novelty, n| {
            page(novelty, ARTICLE, &format!("Day {n}"), &[LIST]);
            page(novelty, LIST, &format!("Month {n}"), &[LIST, ARTICLE])
        });
        assert!(took.is_some_and(|took| took < 200), "{took:?}");
    }

    #[test]
    fn memory_has_a_limit() {
        const HASHES: usize = 60_000;
        let mut novelty = Novelty::with_hashes(HASHES);
        for n in 0..30u64 {
            let words: Vec<u32> = (0..5_000).map(|w| (n * 5_000 + w) as u32).collect();
            novelty.observe(&Visit {
                spaces: [n, n, n % 3],
                features: &Features {
                    words,
                    pairs: Vec::new(),
                },
                new_embeds: 0,
                leads_to: &[],
            });
        }
        for width in &novelty.widths {
            assert!(width.hashes > 0 && width.hashes <= HASHES);
        }
        let site = novelty.widths[2]
            .spaces
            .get(0)
            .map(|space| space.vocabulary.known.len());
        assert!(site.is_some_and(|known| known <= MAX_VOCABULARY));
    }
}
