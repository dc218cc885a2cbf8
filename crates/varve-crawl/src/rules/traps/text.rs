//! The text of a page as a trap sees it: which words it has, and whether it is the same as another.

use super::template::hash;
use std::collections::HashSet;
use url::{Url, form_urlencoded};

/// Words of a page that are looked at.
const MAX_WORDS: usize = 20_000;

/// A text with fewer words than this is not compared: too many pages say "Loading".
const LEAST_WORDS: usize = 8;

/// So much of a hash is kept: enough to tell a page's words from those of others.
const HASH: u64 = (1 << 24) - 1;

/// The words of a page and their neighbours, as hashes in order. Words with digits count as one word, and
/// neighbours do not reach over the end of a line: so calendars run out of new ones, and so do
/// lists whose lines come in another order.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    pub(super) words: Vec<u32>,
    pub(super) pairs: Vec<u32>,
}

impl Features {
    pub(super) fn of(text: &str) -> Features {
        let mut features = Features::default();
        'words: for line in text.lines() {
            let mut before = 0;
            for word in words(line) {
                if features.words.len() == MAX_WORDS {
                    break 'words;
                }
                let is_number = word.chars().any(|c| c.is_ascii_digit());
                let word = match is_number {
                    true => hash(&'#'),
                    false => hash(&word.to_lowercase()),
                };
                features.words.push((word & HASH) as u32);
                features.pairs.push((hash(&(before, word)) & HASH) as u32);
                before = word;
            }
        }
        for hashes in [&mut features.words, &mut features.pairs] {
            hashes.sort_unstable();
            hashes.dedup();
        }
        features
    }
}

/// What a text says, digits and all; nothing if that is too little.
pub(super) fn exact(text: &str) -> Option<u64> {
    let all: Vec<&str> = words(text).take(MAX_WORDS).collect();
    (all.len() >= LEAST_WORDS).then(|| hash(&all))
}

/// What a text says apart from its own URL, which error pages like to repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ApartFromUrl {
    /// Without the path, slashes and all: real pages do not spell it out.
    pub(super) path: u64,
    /// Without all words of the URL. A real page about roses may say nothing but that under
    /// `/rose`, so that this is to be compared with what is known to be missing only.
    pub(super) words: u64,
}

impl ApartFromUrl {
    /// Nothing, if too little is left.
    pub(super) fn of(url: &Url, text: &str) -> Option<ApartFromUrl> {
        // Made for queries, but it takes the escapes off a path just as well.
        let plain = |part: &str| -> String {
            form_urlencoded::parse(part.as_bytes())
                .flat_map(|(name, value)| [name.into_owned(), value.into_owned()])
                .collect::<Vec<_>>()
                .join(" ")
        };
        let (path, query) = (plain(url.path()), plain(url.query().unwrap_or_default()));
        let own: HashSet<String> = words(&path)
            .chain(words(&query))
            .map(str::to_lowercase)
            .collect();
        let others: Vec<String> = words(text)
            .take(MAX_WORDS)
            .map(str::to_lowercase)
            .filter(|word| !own.contains(word))
            .collect();
        let path = path.trim().trim_end_matches('/');
        let without_path = match path.is_empty() {
            true => exact(text),
            false => exact(&text.replace(path, "")),
        };
        (others.len() >= LEAST_WORDS).then(|| ApartFromUrl {
            path: hash(&("path", without_path)),
            words: hash(&("words", others)),
        })
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn sets(text: &str) -> (HashSet<u32>, HashSet<u32>) {
        let features = Features::of(text);
        (
            features.words.into_iter().collect(),
            features.pairs.into_iter().collect(),
        )
    }

    #[test]
    fn numbers_and_the_order_of_lines_are_nothing_new() {
        assert_eq!(sets("Monday 3 May 2031"), sets("MONDAY, 17 May 1999"));
        assert_eq!(sets("rose\niris\nfern"), sets("iris\nfern\nrose"));
        assert_ne!(sets("rose iris fern").1, sets("iris fern rose").1);
        assert_ne!(sets("rose"), sets("roses"));
    }

    #[test]
    fn the_same_text_is_the_same() {
        let text = "one two three four five six seven 8";
        assert_eq!(
            exact(text),
            exact("one, two; three four five six seven (8)")
        );
        assert_ne!(exact(text), exact("one two three four five six seven 9"));
        assert_eq!(exact("too short"), None);
    }

    #[test]
    fn error_pages_that_repeat_the_url_are_the_same() {
        let page = |path: &str| {
            let url = Url::parse(&format!("http://a.com{path}")).unwrap();
            let text = format!("Sorry, there is no page at {path}. Try the list of all plants.");
            ApartFromUrl::of(&url, &text).unwrap()
        };
        assert_eq!(page("/x/y"), page("/zebra/"));
        assert_eq!(page("/x/y"), page("/é/ü"));
        assert_eq!(page("/x/y").path, page("/plants/x").path);
    }

    #[test]
    fn real_pages_that_name_their_subject_are_not() {
        let page = |path: &str, name: &str| {
            let url = Url::parse(&format!("http://a.com{path}")).unwrap();
            let text = format!("{name}, to be had in our shop, every day from nine to five");
            ApartFromUrl::of(&url, &text).unwrap()
        };
        assert_ne!(page("/rose", "rose").path, page("/iris", "iris").path);
        assert_eq!(page("/rose", "Rose").words, page("/iris", "Iris").words);
    }
}
