//! Pruning a collection, from what was learned to what takes its place.

use crate::compared::Compared;
use crate::error::PruneError;
use crate::learned::Learned;
use crate::learning::{learn, lessons};
use crate::needed::needed;
use crate::pruner::{Pruner, Spared};
use crate::tally::Tally;
use crate::verify::{Before, Verifier, Worse, asked_by};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use varve_qa::{Choice, Pattern, Report};
use varve_store::collection::{Collection, Draft, Packing};
use varve_store::fs::OsFileSystem;
use varve_store::world::RealWorld;

/// So often what pages that differ need is left in place, and all is made and looked at again.
const ROUNDS: usize = 8;

/// Pages are replayed so often before anything is changed.
const TWICE: usize = 2;
/// Those that seem to differ so often more, before and after.
const DOUBTS: usize = 3;

/// What to prune.
#[derive(Clone, Debug)]
pub struct PruneOptions {
    /// The collection's directory.
    pub collection: PathBuf,
    /// Which layers.
    pub layers: Layers,
    /// The pages that are visited to learn what runs, of layers whose crawl did not.
    pub learn: Choice,
    /// The pages that are replayed before and after.
    pub verify: Choice,
    /// Pages that are replayed at once.
    pub workers: usize,
    /// What becomes of what is taken out.
    pub cold: Cold,
    /// How records are packed.
    pub packing: Packing,
    /// Whether the layers as they were are kept aside.
    pub keep_original: bool,
    /// Only find out what would come of it.
    pub dry_run: bool,
    /// Set when it should end; then nothing is changed.
    pub stop: Arc<AtomicBool>,
}

/// Which layers are pruned. Those that have been are left as they are, unless they are packed anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layers {
    /// All of them.
    All,
    /// The last one: what a crawl has just made.
    Last,
}

/// What becomes of what is taken out of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cold {
    /// It is stored apart.
    Keep,
    /// It is gone. A page that calls it gets an error there.
    Drop,
}

/// Pages that are replayed before and after if nobody says how many.
const VERIFIED: usize = 20;
/// Pages that are learned from.
const LESSONS: usize = 100;

impl PruneOptions {
    /// What is done when nothing else is said.
    pub fn usual(collection: &Path, stop: Arc<AtomicBool>) -> PruneOptions {
        PruneOptions {
            collection: collection.to_owned(),
            layers: Layers::All,
            learn: Choice::Spread(LESSONS),
            verify: Choice::Spread(VERIFIED),
            workers: std::thread::available_parallelism().map_or(2, usize::from),
            cold: Cold::Keep,
            packing: Packing::AsItIs,
            keep_original: false,
            dry_run: false,
            stop,
        }
    }
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A page was learned from; so many are to be.
    Learned(usize),
    /// So many bytes of layers are to be made anew.
    Remaking(u64),
    /// So many more of them are.
    Remade(u64),
    /// A page was replayed; so many are to be.
    Replayed(usize),
    /// So many pages differed: functions that they called are left in their scripts.
    Keeping(usize),
    /// Scripts of so many pages are left whole, since they differed.
    Sparing(usize),
}

/// What came of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Outcome {
    /// The scripts.
    pub scripts: Tally,
    /// Functions that were taken out before, and are at hand again since they turned out to be
    /// needed.
    pub healed: u64,
    /// Layers that were made anew.
    pub layers: usize,
    /// Bytes of their archive files before.
    pub bytes_before: u64,
    /// And after, with what was taken out.
    pub bytes_after: u64,
    /// Bytes of the files of what was taken out, among them.
    pub bytes_cold: u64,
    /// Pages that were replayed before and after.
    pub pages_verified: usize,
    /// Pages whose scripts stay whole, since they differed with less.
    pub pages_spared: Vec<String>,
    /// Pages that were worse in any round, and in what: what they called was kept, or they were
    /// spared.
    pub pages_differed: Vec<Worse>,
    /// How these pages compare.
    pub compared: Compared,
}

/// Prunes a collection; `told` hears how it goes on.
pub async fn prune(
    options: &PruneOptions,
    mut told: impl FnMut(Step),
) -> Result<Outcome, PruneError> {
    let world = Arc::new(RealWorld);
    let collection = Collection::open(Arc::new(OsFileSystem), &options.collection, world)?;
    let mut learned = Learned::of(&collection, &collection.index()?)?;
    let chosen = chosen(&collection, options)?;
    let lessons = lessons(&collection, &chosen, &learned, options.learn)?;
    let heard = |all| told(Step::Learned(all));
    let (stop, workers) = (&options.stop, options.workers);
    learn(
        collection.root(),
        lessons,
        workers,
        stop,
        &mut learned,
        heard,
    )
    .await?;
    let mut pruning = Pruning {
        learned,
        collection,
        chosen,
        options,
        spared: Spared::default(),
    };
    let outcome = pruning.run(&mut told).await;
    if outcome.is_err() {
        // It may be as large as the collection. Why it came to nothing is what matters.
        let _ = pruning.collection.discard_draft();
    }
    outcome
}

struct Pruning<'a> {
    collection: Collection,
    options: &'a PruneOptions,
    learned: Learned,
    /// The layers that are made anew.
    chosen: Vec<usize>,
    spared: Spared,
}

/// The layers that there is something to do for.
fn chosen(collection: &Collection, options: &PruneOptions) -> Result<Vec<usize>, PruneError> {
    let layers = 0..collection.layers().len();
    let first = match options.layers {
        Layers::All => 0,
        Layers::Last => layers.end.saturating_sub(1),
    };
    let mut chosen = Vec::new();
    for layer in layers.skip(first) {
        if options.packing != Packing::AsItIs || !collection.has_parts(layer)? {
            chosen.push(layer);
        }
    }
    Ok(chosen)
}

impl Pruning<'_> {
    async fn run(&mut self, told: &mut impl FnMut(Step)) -> Result<Outcome, PruneError> {
        let mut pages_spared = Vec::new();
        let mut differed = Vec::new();
        let mut worse_at_first = None;
        let mut before = Before::default();
        // What is called in replay is known only while it can be restored.
        let mut cold = Cold::Keep;
        for _ in 0..ROUNDS {
            let (draft, mut outcome) = self.draft(cold, told)?;
            outcome.pages_spared.clone_from(&pages_spared);
            if outcome.layers == 0 || self.options.dry_run {
                drop(draft);
                self.collection.discard_draft()?;
                return Ok(outcome);
            }
            while before.of_all() < TWICE {
                before.add(self.replay(&self.collection, &[], told).await?);
            }
            let mut after = vec![self.replay(draft.collection(), &[], told).await?];
            let mut worse = before.worse(&after);
            // Nobody is accused by chance: what is as it was in any replay before is as it was.
            for _ in 0..DOUBTS {
                if worse.is_empty() {
                    break;
                }
                after.push(self.replay(draft.collection(), &worse, told).await?);
                before.add_some(self.replay(&self.collection, &worse, told).await?);
                worse = before.worse(&after);
            }
            differed.extend(worse.iter().cloned());
            outcome.pages_differed.clone_from(&differed);
            outcome.pages_verified = after[0].pages.len();
            outcome.compared = Compared {
                worse_at_first: *worse_at_first.get_or_insert(worse.len()),
                ..Compared::of(&before, &after, worse.len())
            };
            if !worse.is_empty() && self.keep_called(&draft, &after)? {
                // A function that has to be fetched comes late; perhaps that was all.
                told(Step::Keeping(worse.len()));
            } else if !worse.is_empty() && self.spare(&worse)? {
                told(Step::Sparing(worse.len()));
                pages_spared.extend(worse.into_iter().map(|page| page.url));
                pages_spared.sort();
                pages_spared.dedup();
            // What differs although its scripts are whole does so by chance.
            } else if cold == self.options.cold {
                self.collection.adopt(draft, self.options.keep_original)?;
                return Ok(outcome);
            } else {
                self.keep_called(&draft, &after)?;
                cold = self.options.cold;
            }
        }
        Err(self.differs(pages_spared.len()))
    }

    /// Leaves in scripts what pages called in replay; tells whether that changes anything.
    fn keep_called(&mut self, draft: &Draft, after: &[Report]) -> Result<bool, PruneError> {
        let made = draft.collection();
        let index = made.index()?;
        let mut is_news = false;
        for (key, part) in after.iter().flat_map(|replay| &replay.restored) {
            let Some(parts) = made.parts(&index, key)? else {
                continue;
            };
            if let Some(place) = parts.place_in_whole(*part) {
                let called = self.spared.called.entry(parts.whole).or_default();
                is_news |= called.insert(place.start);
            }
        }
        Ok(is_news)
    }

    fn differs(&self, pages: usize) -> PruneError {
        PruneError::Differs {
            collection: self.options.collection.clone(),
            pages,
        }
    }

    /// All layers, made anew.
    fn draft(
        &self,
        cold: Cold,
        told: &mut impl FnMut(Step),
    ) -> Result<(Draft, Outcome), PruneError> {
        let layers = self.collection.layers();
        let chosen = self.chosen.iter().filter_map(|layer| layers.get(*layer));
        told(Step::Remaking(chosen.map(|layer| layer.bytes).sum()));
        let index = self.collection.index()?;
        let shelf = self.collection.shelf(&index)?;
        let (needed, functions) = needed(&self.collection, &index, &shelf, &self.learned)?;
        let mut draft = self.collection.draft()?;
        let mut outcome = Outcome {
            healed: if self.chosen.is_empty() { 0 } else { functions },
            ..Outcome::default()
        };
        let mut advanced = |bytes| told(Step::Remade(bytes));
        let pruner = Pruner::new(&self.learned, &self.spared, cold, shelf, &mut advanced);
        let mut pruner = pruner.needing(needed);
        pruner.packing = self.options.packing;
        for (number, layer) in layers.iter().enumerate() {
            if self.options.stop.load(Ordering::Relaxed) {
                return Err(self.interrupted());
            }
            if !self.chosen.contains(&number) {
                draft.borrow(&self.collection, number)?;
                continue;
            }
            let Some(made) = draft.remake(&self.collection, number, &mut pruner)? else {
                continue;
            };
            outcome.layers += 1;
            outcome.bytes_before += layer.bytes;
            outcome.bytes_after += made.bytes;
            outcome.bytes_cold += draft.cold_bytes(&made)?;
        }
        outcome.scripts = pruner.tally;
        Ok((draft, outcome))
    }

    /// Replays pages: all that were chosen, or only some of them.
    async fn replay(
        &self,
        collection: &Collection,
        only: &[Worse],
        told: &mut impl FnMut(Step),
    ) -> Result<Report, PruneError> {
        let (choice, only) = match only {
            [] => (self.options.verify, None),
            some => {
                let urls = some.iter().map(|page| page.url.as_str());
                (Choice::All, Some(Pattern::any_of(urls)))
            }
        };
        let verifier = Verifier {
            choice,
            only,
            workers: self.options.workers,
            stop: self.options.stop.clone(),
        };
        let report = self.options.collection.join("state").join("verification");
        // How many are in doubt is no measure of how much is left.
        let is_all = verifier.only.is_none();
        let heard = |all| {
            if is_all {
                told(Step::Replayed(all));
            }
        };
        let report = verifier.replay(collection.root(), &report, heard).await?;
        match report.summary.interrupted {
            true => Err(self.interrupted()),
            false => Ok(report),
        }
    }

    fn interrupted(&self) -> PruneError {
        PruneError::Interrupted(self.options.collection.clone())
    }

    /// Leaves the scripts of pages whole; tells whether that changes anything.
    fn spare(&mut self, pages: &[Worse]) -> Result<bool, PruneError> {
        let index = self.collection.index()?;
        let known = self.spared.urls.len();
        for page in pages {
            let asked = asked_by(&self.collection, &index, &page.url);
            self.spared.urls.extend(asked);
        }
        Ok(self.spared.urls.len() > known)
    }
}
