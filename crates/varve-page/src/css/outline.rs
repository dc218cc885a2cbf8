//! A style sheet without the rules that mention nothing: what is left is read several times
//! faster, and the same is found in it.
//!
//! Nothing is mentioned where there is no at-rule and none of the functions that take URLs. To
//! know where such a rule begins and ends takes brackets, strings, comments, escapes and `url(`,
//! and no more. Where a name may be spelt in a way that this does not see, there is no outline.

use std::ops::Range;

use memchr::{memchr, memmem};

use self::skim::Skim;
use super::{Found, Reader};
use crate::{Destination, Need, Viewport};

mod skim;

/// Part of a sheet that must be left out to be worth the copy: one in so many bytes.
const WORTH: usize = 8;

/// What is left of a style sheet.
pub(super) struct Outline {
    text: String,
    cuts: Vec<Cut>,
}

/// A place where something was taken out.
struct Cut {
    /// Where, in the outline.
    at: usize,
    /// How many bytes, with those of all earlier cuts.
    removed: usize,
}

impl Outline {
    /// The outline of a style sheet, if it is known and worth it.
    pub(super) fn of(text: &str) -> Option<Outline> {
        let bytes = text.as_bytes();
        memchr(b'{', bytes)?;
        // Both may be part of a name or not.
        if memchr(0, bytes).is_some() || memmem::find(bytes, b"<!--").is_some() {
            return None;
        }
        let silent = Skim::new(bytes).silent()?;
        let removed: usize = silent.iter().map(Range::len).sum();
        (removed * WORTH >= text.len()).then(|| Outline::without(text, &silent))
    }

    /// The text without some ranges, which are in order and apart from each other.
    fn without(text: &str, silent: &[Range<usize>]) -> Outline {
        let mut left = String::with_capacity(text.len());
        let mut cuts = Vec::with_capacity(silent.len());
        let mut done = 0;
        for range in silent {
            left.push_str(text.get(done..range.start).unwrap_or_default());
            done = range.end;
            let (at, removed) = (left.len(), done - left.len());
            cuts.push(Cut { at, removed });
        }
        left.push_str(text.get(done..).unwrap_or_default());
        Outline { text: left, cuts }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where something stands in the sheet that begins here in the outline.
    fn start(&self, at: usize) -> usize {
        at + self.removed(self.cuts.partition_point(|cut| cut.at <= at))
    }

    /// Where something ends in the sheet that ends here in the outline.
    fn end(&self, at: usize) -> usize {
        at + self.removed(self.cuts.partition_point(|cut| cut.at < at))
    }

    fn removed(&self, cuts: usize) -> usize {
        let last = cuts.checked_sub(1).and_then(|last| self.cuts.get(last));
        last.map_or(0, |cut| cut.removed)
    }

    fn range(&self, range: Range<usize>) -> Range<usize> {
        self.start(range.start)..self.end(range.end)
    }
}

/// Reads an outline for one who wants to know of the whole.
pub(super) struct Unfolding<'r> {
    pub(super) outline: &'r Outline,
    pub(super) reader: &'r mut dyn Reader,
}

impl Reader for Unfolding<'_> {
    fn viewport(&self) -> &Viewport {
        self.reader.viewport()
    }

    fn url(&mut self, found: Found, destination: Destination, need: Need, context: &'static str) {
        let found = Found {
            url: found.url,
            span: self.outline.range(found.span),
            token: self.outline.range(found.token),
        };
        self.reader.url(found, destination, need, context);
    }

    fn media(&mut self, queries: &str, at: usize) {
        self.reader.media(queries, self.outline.start(at));
    }
}

#[cfg(test)]
mod tests;
