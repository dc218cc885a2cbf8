//! The pages that a collection has, as its layers list them.

use super::Collection;
use super::layout::PAGES;
use crate::index::{CdxjFile, Cursor};
use crate::{Result, StoreError};

impl Collection {
    /// Every page of every layer: a JSON object on a line, with at least its URL.
    pub fn each_page(&self, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        for layer in 0..self.layers().len() {
            for line in self.pages_of(layer)? {
                take(&line?)?;
            }
        }
        Ok(())
    }

    /// The pages of one layer.
    pub fn pages_of(&self, layer: usize) -> Result<PageLines> {
        let path = self.layer_dir(layer).join(PAGES).join("pages.jsonl");
        let kind = self.fs.kind(&path);
        let is_there = kind.map_err(StoreError::io(&path, "look at"))?.is_some();
        let lines = match is_there {
            true => Some(CdxjFile::open(&self.fs, &path)?.start()),
            false => None,
        };
        Ok(PageLines(lines))
    }
}

/// Lines of a page list that name a URL.
#[derive(Debug)]
pub struct PageLines(Option<Cursor>);

impl Iterator for PageLines {
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Result<Vec<u8>>> {
        loop {
            let line = match self.0.as_mut()?.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return None,
                Err(error) => {
                    self.0 = None;
                    return Some(Err(error));
                }
            };
            let parsed = serde_json::from_slice::<serde_json::Value>(line);
            if parsed.is_ok_and(|page| page.get("url").is_some()) {
                return Some(Ok(line.to_vec()));
            }
        }
    }
}
