//! The pages that a collection has, as its layers list them.

use super::Collection;
use super::layout::PAGES;
use crate::index::CdxjFile;
use crate::{Result, StoreError};

impl Collection {
    /// Every page of every layer: a JSON object on a line, with at least its URL.
    pub fn each_page(&self, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        for layer in 0..self.layers().len() {
            let path = self.layer_dir(layer).join(PAGES).join("pages.jsonl");
            let kind = self.fs.kind(&path);
            if kind.map_err(StoreError::io(&path, "look at"))?.is_none() {
                continue;
            }
            let mut lines = CdxjFile::open(&self.fs, &path)?.start();
            while let Some(line) = lines.next_line()? {
                let parsed = serde_json::from_slice::<serde_json::Value>(line);
                if parsed.is_ok_and(|page| page.get("url").is_some()) {
                    take(line)?;
                }
            }
        }
        Ok(())
    }
}
