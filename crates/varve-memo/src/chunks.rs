//! What bundlers can load: which of it a page may want.

use crate::rules::Foretold;
use crate::sketch::{Chunk, Sketch};
use std::collections::BTreeSet;
use url::Url;

/// When a bundler names more chunks than this without saying for which page, no page is made to
/// fetch them all.
const MAX_UNKEYED: usize = 400;

/// What a page may load of what its bundlers name: what belongs to no page in particular, what
/// belongs to it, and to the pages that it leads to.
pub(crate) fn wanted(sketch: &Sketch) -> Vec<Foretold> {
    let unkeyed = sketch.chunks.iter().filter(|chunk| chunk.key.is_none());
    let all_unkeyed = unkeyed.count() <= MAX_UNKEYED;
    let pages: BTreeSet<String> = std::iter::once(sketch.url())
        .chain(&sketch.links)
        .map(page_name)
        .collect();
    let wants = |chunk: &&Chunk| match &chunk.key {
        None => all_unkeyed,
        Some(key) => pages.contains(&words(key)),
    };
    let foretold = |chunk: &Chunk| Foretold {
        url: chunk.url.clone(),
        what_for: "script".to_owned(),
    };
    sketch.chunks.iter().filter(wants).map(foretold).collect()
}

/// The name of a page as bundlers give names: its path in words, without what every page has.
fn page_name(url: &Url) -> String {
    words(url.path())
}

/// Bundlers write `guide_intro.md`, `/guide/intro` or `guide/intro/index.html` for one page.
fn words(name: &str) -> String {
    let decoded = name.to_ascii_lowercase();
    let trimmed = decoded.trim_matches('/');
    let trimmed = ["index.html", "index.md", "index"]
        .iter()
        .find_map(|end| trimmed.strip_suffix(end))
        .unwrap_or(trimmed);
    let trimmed = [".html", ".htm", ".md", ".mdx"]
        .iter()
        .find_map(|end| trimmed.strip_suffix(end))
        .unwrap_or(trimmed);
    let words = trimmed.split(['/', '_', '-', '.', ' ']);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_one_name_however_it_is_written() {
        for name in [
            "/guide/intro.html",
            "guide_intro.md",
            "/guide/intro/",
            "guide/intro/index.md",
        ] {
            assert_eq!(words(name), "guide intro", "{name}");
        }
        assert_eq!(words("/"), "");
        assert_eq!(words("index.md"), "");
    }
}
