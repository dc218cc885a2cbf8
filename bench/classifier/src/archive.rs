//! Collections as the labels need them: pages, bodies by URL, and logs.

use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use url::Url;
use varve_store::collection::Collection;
use varve_store::fs::OsFileSystem;
use varve_store::http::DecodeLimits;
use varve_store::index::{Hit, MergedIndex, Query};
use varve_store::world::RealWorld;

/// Longer bodies are cut.
const MAX_BODY: u64 = 64 << 20;

/// A collection.
pub(crate) struct Archive {
    collection: Collection,
    index: MergedIndex,
}

/// A body and what was declared about it.
pub(crate) struct Body {
    pub(crate) content_type: Option<String>,
    pub(crate) bytes: Vec<u8>,
}

impl Archive {
    pub(crate) fn open(path: &Path) -> Result<Archive> {
        let world = Arc::new(RealWorld);
        let collection = Collection::open(Arc::new(OsFileSystem), path, world)
            .with_context(|| path.display().to_string())?;
        let index = collection.index()?;
        Ok(Archive { collection, index })
    }

    /// The URLs of its pages.
    pub(crate) fn pages(&self) -> Result<Vec<Url>> {
        let mut pages = Vec::new();
        for layer in 0..self.collection.layers().len() {
            for line in self.collection.pages_of(layer)? {
                let line: Value = serde_json::from_slice(&line?)?;
                let url = line["url"].as_str().and_then(|url| Url::parse(url).ok());
                pages.extend(url);
            }
        }
        Ok(pages)
    }

    /// How many bytes came for each URL.
    pub(crate) fn sizes(&self) -> Result<HashMap<String, u64>> {
        let mut sizes = HashMap::new();
        for layer in 0..self.collection.layers().len() {
            let path = self.collection.layer_dir(layer).join("logs/crawl.jsonl");
            for line in std::fs::read_to_string(path)?.lines() {
                let line: Value = serde_json::from_str(line)?;
                if let (Some(url), Some(bytes)) = (line["url"].as_str(), line["bytes"].as_u64()) {
                    let size = sizes.entry(url.to_owned()).or_default();
                    *size = bytes.max(*size);
                }
            }
        }
        Ok(sizes)
    }

    /// The body that was stored for a URL, through redirects.
    pub(crate) fn body(&self, url: &Url) -> Option<(Url, Body)> {
        let mut url = url.clone();
        for _ in 0..8 {
            let hit = self.hit(url.as_str())?;
            let record = self.collection.read(&hit).ok()?;
            let http = record.http()?.clone();
            let header = |name: &str| {
                let value = http.get(name)?;
                Some(String::from_utf8_lossy(&value).into_owned())
            };
            let redirects = http.status().is_some_and(|status| status / 100 == 3);
            if let Some(location) = header("location").filter(|_| redirects) {
                url = url.join(&location).ok()?;
                url.set_fragment(None);
                continue;
            }
            let hit = self.collection.payload_of(&self.index, &hit).ok()??;
            let content_type = header("content-type");
            return Some((
                url,
                Body {
                    content_type,
                    bytes: self.read(&hit)?,
                },
            ));
        }
        None
    }

    /// What is stored under a name of our own.
    pub(crate) fn attachment(&self, name: &str) -> Option<Vec<u8>> {
        self.read(&self.hit(name)?)
    }

    fn hit(&self, url: &str) -> Option<Hit> {
        let query = Query {
            url: url.to_owned(),
            ..Query::default()
        };
        let hits = self.index.query(&query).ok()?;
        hits.filter_map(Result::ok)
            .find(|hit| hit.capture.url == url)
    }

    fn read(&self, hit: &Hit) -> Option<Vec<u8>> {
        let record = self.collection.read(hit).ok()?;
        let mut bytes = Vec::new();
        let reader = record.decoded(DecodeLimits::default());
        reader.take(MAX_BODY).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}
