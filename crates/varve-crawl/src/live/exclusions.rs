//! Patterns of URLs that are not to be visited. They come and go while a crawl runs.

use regex::{RegexSet, RegexSetBuilder};
use url::Url;

/// More patterns than this are refused.
const PATTERNS: usize = 1_000;
/// Longer ones too.
const PATTERN_BYTES: usize = 2_000;
/// What all of them may need when compiled.
const COMPILED_BYTES: usize = 16 << 20;

/// Why a pattern is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    /// It is no regular expression, or too large a one.
    #[error("{0}")]
    Unreadable(String),
    /// An empty pattern would match everything.
    #[error("an empty pattern would exclude everything")]
    Empty,
    /// It is too long.
    #[error("a pattern may have {PATTERN_BYTES} bytes at most")]
    TooLong,
    /// There are too many.
    #[error("there are {PATTERNS} patterns already")]
    TooMany,
}

/// A list of patterns, compiled.
#[derive(Clone, Debug)]
pub(super) struct Exclusions {
    patterns: Vec<String>,
    set: RegexSet,
}

impl Default for Exclusions {
    fn default() -> Exclusions {
        Exclusions {
            patterns: Vec::new(),
            set: RegexSet::empty(),
        }
    }
}

impl Exclusions {
    /// The list with one more, or as it is if it has it.
    pub(super) fn with(&self, pattern: &str) -> Result<Exclusions, BadPattern> {
        let pattern = pattern.trim();
        if self.patterns.iter().any(|known| known == pattern) {
            return Ok(self.clone());
        }
        match pattern.len() {
            0 => return Err(BadPattern::Empty),
            PATTERN_BYTES.. => return Err(BadPattern::TooLong),
            _ if self.patterns.len() >= PATTERNS => return Err(BadPattern::TooMany),
            _ => {}
        }
        let mut patterns = self.patterns.clone();
        patterns.push(pattern.to_owned());
        compiled(patterns)
    }

    /// The list without one.
    pub(super) fn without(&self, pattern: &str) -> Exclusions {
        let mut patterns = self.patterns.clone();
        patterns.retain(|known| known != pattern.trim());
        // What compiled with more compiles with fewer.
        compiled(patterns).unwrap_or_default()
    }

    pub(super) fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Whether a pattern matches somewhere in the URL.
    pub(super) fn matches(&self, url: &Url) -> bool {
        self.set.is_match(url.as_str())
    }
}

fn compiled(patterns: Vec<String>) -> Result<Exclusions, BadPattern> {
    let set = RegexSetBuilder::new(&patterns)
        .size_limit(COMPILED_BYTES)
        .build()
        .map_err(|error| BadPattern::Unreadable(error.to_string()))?;
    Ok(Exclusions { patterns, set })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_anywhere_in_a_url() {
        let check = |pattern: &str, url: &str, expected: bool| {
            let list = Exclusions::default().with(pattern).unwrap();
            let url = Url::parse(url).unwrap();
            assert_eq!(list.matches(&url), expected, "{pattern} {url}");
        };
        check("/calendar/", "https://a.example/calendar/2026/", true);
        check("^https://a\\.example/", "https://b.example/a", false);
        check(r"[?&]sort=", "https://a.example/?x=1&sort=up", true);
        check(r"\.pdf$", "https://a.example/a.pdf?x", false);
    }

    #[test]
    fn an_empty_list_excludes_nothing() {
        let url = Url::parse("https://a.example/").unwrap();
        assert!(!Exclusions::default().matches(&url));
        let emptied = Exclusions::default().with("a").unwrap().without("a");
        assert!(!emptied.matches(&url) && emptied.patterns().is_empty());
    }

    #[test]
    fn patterns_that_cannot_be_used_are_refused() {
        let refusal = |pattern: &str| Exclusions::default().with(pattern).unwrap_err();
        assert_eq!(refusal("  "), BadPattern::Empty);
        assert_eq!(refusal(&"a".repeat(2_000)), BadPattern::TooLong);
        assert!(matches!(refusal("("), BadPattern::Unreadable(_)));
        let bomb = refusal("((a{1000}){1000}){1000}");
        assert!(matches!(bomb, BadPattern::Unreadable(_)), "{bomb}");
    }

    #[test]
    fn the_list_has_an_end() {
        let many = (0..PATTERNS).map(|n| format!("/{n}/")).collect();
        let full = compiled(many).unwrap();
        assert_eq!(full.with("/x/").unwrap_err(), BadPattern::TooMany);
        assert_eq!(full.with("/7/").unwrap().patterns().len(), PATTERNS);
    }
}
