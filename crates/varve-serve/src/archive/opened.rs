//! One collection, open for lookups.

use super::client::Clients;
use super::page_times::PageTimes;
use super::rules::Rules;
use super::seen::RecordedClient;
use crate::lookup::Methods;
use serde::Deserialize;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use varve_model::{Access, Timestamp};
use varve_store::collection::Collection;
use varve_store::fs::Fs;
use varve_store::index::{Hit, MergedIndex, Query};
use varve_store::world::World;
use varve_store::{Result, StoreError};

/// A collection as its manifest was, with its index and what was learned of its layers.
pub(crate) struct Opened {
    collection: Collection,
    index: MergedIndex,
    everything: MergedIndex,
    rules: Arc<Rules>,
    layers: Vec<Layer>,
    clients: Clients,
    /// How captures were asked for.
    pub(crate) methods: Methods,
    fingerprint: u64,
}

/// One layer by itself.
struct Layer {
    index: MergedIndex,
    everything: MergedIndex,
    times: PageTimes,
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
    pub(super) fn open(
        fs: &Fs,
        world: &Arc<dyn World>,
        root: &Path,
        rules: &Arc<Rules>,
    ) -> Result<Opened> {
        let collection = Collection::open(fs.clone(), root, world.clone())?;
        let everything = collection.index()?;
        let index = everything.clone().behind(rules.clone());
        let mut layers = Vec::new();
        for (tag, layer) in index.layers() {
            let pages = collection.layer_dir(*tag).join("pages/pages.jsonl");
            let everything = MergedIndex::new(vec![(*tag, layer.clone())]);
            layers.push(Layer {
                index: everything.clone().behind(rules.clone()),
                everything,
                times: PageTimes::read(fs, &pages)?,
            });
        }
        let mut fingerprint = DefaultHasher::new();
        for layer in collection.layers() {
            (&layer.id, &layer.datapackage).hash(&mut fingerprint);
        }
        Ok(Opened {
            fingerprint: fingerprint.finish(),
            collection,
            index,
            everything,
            rules: rules.clone(),
            layers,
            clients: Clients::default(),
            methods: Methods::default(),
        })
    }

    /// A number that tells what it holds from what others do.
    pub(super) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    pub(crate) fn collection(&self) -> &Collection {
        &self.collection
    }

    /// The index over all layers, with what may not be shown: for those who have something that
    /// may, and look for its payload.
    pub(crate) fn everything(&self) -> &MergedIndex {
        &self.everything
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
        let far = |layer: &Layer| layer.times.distance(time);
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

    /// Whether a page may be listed.
    fn may_show(&self, page: &PageLine) -> bool {
        // Without a time it could be of any.
        let Some(time) = page.time() else {
            return self.rules.allow_everything();
        };
        self.rules.access(&page.url, time) == Access::Allow
    }

    /// Some pages of the collection, newest layer last, and whether there are more.
    pub(crate) fn pages(&self, skip: usize, limit: usize) -> (Vec<PageLine>, bool) {
        let mut pages = Vec::new();
        let mut seen = 0;
        let enough = || StoreError::Query("enough".to_owned());
        let all = self.collection.each_page(|line| {
            let page = serde_json::from_slice(line).ok();
            if let Some(page) = page.filter(|page| self.may_show(page)) {
                seen += 1;
                if seen > skip + limit {
                    return Err(enough());
                }
                if seen > skip {
                    pages.push(page);
                }
            }
            Ok(())
        });
        (pages, all.is_err())
    }
}
