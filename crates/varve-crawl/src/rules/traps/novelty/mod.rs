//! Whether pages still bring anything new, space by space.
//!
//! A page is *dry* in a space when it has no words that the space did not have before, and no new
//! pictures. It is *stale* when moreover it leads to nothing new outside the space, except into
//! spaces that are dry themselves (months lead to days and days to months, and neither says
//! anything). A space is closed after many stale pages in a row. Pages that lead nowhere weigh
//! less: an endless space must go on producing URLs, and a leaf does not.

mod packed;
mod vocabulary;

use super::recent::Recent;
use super::text::Features;
use vocabulary::Vocabulary;

/// What a stale page that leads to more URLs weighs; one without weighs 1.
const FEEDING: u32 = 4;

/// The weight at which a space is closed: 120 pages of a template that lead on, or 480 that do
/// not; 300 of a section; 1,000 of a site.
const LIMITS: [u32; 3] = [120 * FEEDING, 300 * FEEDING, 1_000 * FEEDING];

/// After so many dry pages in a row, URLs into a space promise nothing any more.
const SUSPECT: u32 = 30;

/// Spaces of each width that are remembered.
const MAX_SPACES: usize = 50_000;

/// Hashes that all spaces of one width hold together: about 4 MB.
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
        let before = space.vocabulary.len();
        let result = visit(&mut space);
        self.hashes = self.hashes + space.vocabulary.len() - before;
        while self.spaces.len() >= MAX_SPACES || self.hashes > self.max_hashes {
            // The space at hand is taken out: it may be over the limit, but it stays.
            let Some(oldest) = self.spaces.forget_oldest() else {
                break;
            };
            self.hashes -= oldest.vocabulary.len();
        }
        self.spaces.insert(key, space);
        result
    }
}

#[cfg(test)]
mod tests;
