//! One collection, open for lookups.

use super::client::Clients;
use super::page_times::PageTimes;
use super::rules::Rules;
use super::seen::RecordedClient;
use super::tally::{Tally, count_all};
use crate::lookup::Methods;
use serde::Deserialize;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use varve_model::{Access, Timestamp};
use varve_store::Result;
use varve_store::collection::{Collection, Datapackage};
use varve_store::fs::Fs;
use varve_store::index::{Hit, MergedIndex, Query};
use varve_store::world::World;

/// Collections with no more captures than this are counted while somebody waits.
const COUNTED_AT_ONCE: u64 = 5_000;

/// A collection as its manifest was, with its index and what was learned of its layers.
pub(crate) struct Opened {
    fs: Fs,
    collection: Collection,
    index: MergedIndex,
    everything: MergedIndex,
    rules: Arc<Rules>,
    layers: Vec<Layer>,
    clients: Clients,
    /// How captures were asked for.
    pub(crate) methods: Methods,
    fingerprint: u64,
    is_counting: AtomicBool,
}

/// One layer by itself.
struct Layer {
    index: MergedIndex,
    everything: MergedIndex,
    /// What does not change when other layers come.
    sealed: Arc<Sealed>,
}

/// What was learned of a layer.
struct Sealed {
    times: PageTimes,
    origin: Origin,
    tally: OnceLock<Tally>,
}

/// Where a layer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A crawl, which wrote a log.
    Crawl,
    /// So many files.
    Import(usize),
    /// Something else, or nobody says.
    Unknown,
}

impl Origin {
    fn of(package: &Datapackage) -> Origin {
        let sources = package.varve.as_ref().map_or(0, |it| it.sources.len());
        let has_log = |it: &varve_store::collection::Resource| it.path == "logs/crawl.jsonl";
        match sources {
            0 if package.resources.iter().any(has_log) => Origin::Crawl,
            0 => Origin::Unknown,
            files => Origin::Import(files),
        }
    }
}

/// What a line of a page list says.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PageLine {
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) ts: String,
    #[serde(default)]
    pub(crate) title: Option<String>,
}

impl PageLine {
    /// When the page was visited.
    pub(crate) fn time(&self) -> Option<Timestamp> {
        Timestamp::parse_w3c(&self.ts).ok()
    }
}

impl Opened {
    /// Opens a collection; `before` is what was open so far.
    pub(super) fn open(
        fs: &Fs,
        world: &Arc<dyn World>,
        root: &Path,
        rules: &Arc<Rules>,
        before: Option<&Opened>,
    ) -> Result<Opened> {
        let collection = Collection::open(fs.clone(), root, world.clone())?;
        let everything = collection.index()?;
        let index = everything.clone().behind(rules.clone());
        let mut layers = Vec::new();
        for (tag, layer) in index.layers() {
            let known = before.and_then(|before| before.known(&collection, *tag));
            let sealed = match known {
                Some(sealed) => sealed,
                None => Arc::new(Sealed::read(fs, &collection.layer_dir(*tag))?),
            };
            let everything = MergedIndex::new(vec![(*tag, layer.clone())]);
            layers.push(Layer {
                index: everything.clone().behind(rules.clone()),
                everything,
                sealed,
            });
        }
        let mut fingerprint = DefaultHasher::new();
        for layer in collection.layers() {
            (&layer.id, &layer.datapackage).hash(&mut fingerprint);
        }
        Ok(Opened {
            fingerprint: fingerprint.finish(),
            fs: fs.clone(),
            is_counting: AtomicBool::new(false),
            collection,
            index,
            everything,
            rules: rules.clone(),
            layers,
            clients: Clients::default(),
            methods: Methods::default(),
        })
    }

    /// What is known of a layer that another opening of the collection has, too.
    fn known(&self, other: &Collection, layer: usize) -> Option<Arc<Sealed>> {
        let same = self.collection.layers().get(layer) == other.layers().get(layer);
        same.then(|| Some(self.layers.get(layer)?.sealed.clone()))?
    }

    /// A number that tells what it holds from what others do.
    pub(super) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    pub(crate) fn collection(&self) -> &Collection {
        &self.collection
    }

    /// Whether its files may be taken, in which there is everything.
    pub(crate) fn may_be_taken_whole(&self) -> bool {
        self.rules.allow_everything()
    }

    /// The index over all layers, with what may not be shown: for those who have something that
    /// may, and look for its payload.
    pub(crate) fn everything(&self) -> &MergedIndex {
        &self.everything
    }

    /// How often something was looked up in its indexes.
    pub(crate) fn look_ups(&self) -> u64 {
        let layers = self.layers.iter().map(|layer| &layer.everything);
        let indexes = layers.chain(std::iter::once(&self.everything));
        indexes.map(MergedIndex::asked).sum()
    }

    /// The index over all layers.
    pub(crate) fn index(&self) -> &MergedIndex {
        &self.index
    }

    /// The index of one layer.
    pub(crate) fn layer(&self, layer: usize) -> Option<&MergedIndex> {
        self.layers.get(layer).map(|layer| &layer.index)
    }

    /// The same with what may not be shown.
    pub(crate) fn whole_layer(&self, layer: usize) -> Option<&MergedIndex> {
        self.layers.get(layer).map(|layer| &layer.everything)
    }

    /// The layer that a page of this time belongs to, and how far the nearest of its pages is, in
    /// milliseconds. Of equals the later layer.
    pub(crate) fn layer_of(&self, time: Timestamp) -> Option<(usize, u64)> {
        let far = |layer: &Layer| layer.sealed.times.distance(time);
        let all = self.layers.iter().enumerate().rev();
        all.filter_map(|(at, layer)| Some((at, far(layer)?)))
            .min_by_key(|(_, far)| *far)
    }

    /// Who visited a page.
    pub(crate) fn client_of(&self, page: &Hit) -> Option<Arc<RecordedClient>> {
        self.clients.of_page(self, page)
    }

    /// Who visited the pages of a layer.
    pub(crate) fn client_in(&self, layer: usize) -> Option<Arc<RecordedClient>> {
        self.clients.of_layer(self, layer)
    }

    /// The same, if it was asked before; else that takes reading.
    pub(crate) fn known_client_in(&self, layer: usize) -> Option<Option<Arc<RecordedClient>>> {
        self.clients.known_of_layer(layer)
    }

    /// Captures in order, with lines that cannot be read left out.
    pub(crate) fn hits(index: &MergedIndex, query: &Query) -> Result<Vec<Hit>> {
        Ok(index.query(query)?.filter_map(Result::ok).collect())
    }

    /// Whether something may be listed that has this URL and time.
    pub(super) fn may_show(&self, url: &str, time: Option<Timestamp>) -> bool {
        if self.rules.allow_everything() {
            return true;
        }
        // Without a time it could be of any.
        time.is_some_and(|time| self.rules.access(url, time) == Access::Allow)
    }

    pub(super) fn fs(&self) -> &Fs {
        &self.fs
    }

    pub(crate) fn layer_count(&self) -> usize {
        self.layers.len()
    }

    /// How many pages a layer lists.
    pub(crate) fn pages_in(&self, layer: usize) -> u64 {
        let layer = self.layers.get(layer);
        layer.map_or(0, |layer| layer.sealed.times.pages())
    }

    /// When the pages of a layer were visited; without a list of them, what its captures say, if
    /// they were counted.
    pub(crate) fn span_of(&self, layer: usize) -> Option<(Timestamp, Timestamp)> {
        let sealed = &self.layers.get(layer)?.sealed;
        let counted = || sealed.tally.get().and_then(|tally| tally.span);
        sealed.times.span().or_else(counted)
    }

    /// Where a layer came from.
    pub(crate) fn origin_of(&self, layer: usize) -> Origin {
        let layer = self.layers.get(layer);
        layer.map_or(Origin::Unknown, |layer| layer.sealed.origin)
    }

    /// What a layer holds. Small collections are counted at once, others while nobody waits: `None`
    /// until that is done.
    pub(crate) fn tally(self: &Arc<Opened>, layer: usize) -> Option<&Tally> {
        let captures = self.collection.layers().iter().map(|layer| layer.captures);
        if captures.sum::<u64>() <= COUNTED_AT_ONCE {
            return self.tally_now(layer);
        }
        let counted = self.layers.get(layer)?.sealed.tally.get();
        if counted.is_none() && !self.is_counting.swap(true, Ordering::Relaxed) {
            count_all(self);
        }
        counted
    }

    pub(super) fn tally_now(&self, layer: usize) -> Option<&Tally> {
        let tally = &self.layers.get(layer)?.sealed.tally;
        Some(tally.get_or_init(|| Tally::of_layer(self, layer)))
    }
}

impl Sealed {
    fn read(fs: &Fs, dir: &Path) -> Result<Sealed> {
        // A layer that says nothing of itself can be shown all the same.
        let package = Datapackage::load(fs.as_ref(), dir).ok();
        Ok(Sealed {
            times: PageTimes::read(fs, &dir.join("pages/pages.jsonl"))?,
            origin: package.as_ref().map_or(Origin::Unknown, Origin::of),
            tally: OnceLock::new(),
        })
    }
}
