//! The pages of a collection, and those among them that are checked.

use crate::options::{Choice, Pattern};
use serde::Deserialize;
use url::Url;
use varve_model::Timestamp;
use varve_store::collection::Collection;

/// A page of the list of a layer.
#[derive(Clone, Debug)]
pub(crate) struct ListedPage {
    pub(crate) layer: usize,
    pub(crate) url: Url,
    pub(crate) time: Timestamp,
    pub(crate) title: Option<String>,
}

/// What a line of a page list says.
#[derive(Deserialize)]
struct Line {
    url: String,
    #[serde(default)]
    ts: String,
    #[serde(default)]
    title: Option<String>,
}

/// The chosen pages in the order of the list, and how many there are to choose from.
pub(crate) fn chosen(
    collection: &Collection,
    choice: Choice,
    pattern: Option<&Pattern>,
) -> varve_store::Result<(Vec<ListedPage>, usize)> {
    let mut all = 0;
    each(collection, pattern, |_| all += 1)?;
    let mut pages = Vec::new();
    let mut at = 0;
    each(collection, pattern, |page| {
        if choice.takes(at, all) {
            pages.push(page);
        }
        at += 1;
    })?;
    Ok((pages, all))
}

impl Choice {
    /// Whether the page at this place of so many is one of the chosen.
    fn takes(self, at: usize, all: usize) -> bool {
        match self {
            Choice::All => true,
            Choice::Spread(number) if number >= all => true,
            // So many steps lie before it, and one more before the next.
            Choice::Spread(number) => {
                (at * number).div_ceil(all) != ((at + 1) * number).div_ceil(all)
            }
        }
    }
}

fn each(
    collection: &Collection,
    pattern: Option<&Pattern>,
    mut take: impl FnMut(ListedPage),
) -> varve_store::Result<()> {
    for layer in 0..collection.layers().len() {
        for line in collection.pages_of(layer)? {
            if let Some(page) = read(layer, &line?, pattern) {
                take(page);
            }
        }
    }
    Ok(())
}

/// A page that can be replayed: one of the web, with a time.
fn read(layer: usize, line: &[u8], pattern: Option<&Pattern>) -> Option<ListedPage> {
    let line: Line = serde_json::from_slice(line).ok()?;
    let wanted = pattern.is_none_or(|pattern| pattern.matches(&line.url));
    let url = Url::parse(&line.url).ok().filter(|_| wanted)?;
    matches!(url.scheme(), "http" | "https").then_some(())?;
    Some(ListedPage {
        layer,
        url,
        time: Timestamp::parse_w3c(&line.ts).ok()?,
        title: line.title,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_evenly() {
        let taken = |number, all| -> Vec<usize> {
            (0..all)
                .filter(|at| Choice::Spread(number).takes(*at, all))
                .collect()
        };
        assert_eq!(taken(2, 10), [0, 5]);
        assert_eq!(taken(3, 10), [0, 3, 6]);
        assert_eq!(taken(10, 3), [0, 1, 2]);
        assert_eq!(taken(0, 3), [0; 0]);
        for all in 1..60 {
            for number in 0..=all {
                assert_eq!(taken(number, all).len(), number, "{number} of {all}");
            }
        }
    }
}
