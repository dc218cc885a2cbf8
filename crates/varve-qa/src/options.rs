//! What to check, and how much may be wrong.

use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use varve_browser::Client;
use varve_serve::Means;

/// What to check.
#[derive(Clone, Debug)]
pub struct QaOptions {
    /// The collection's directory.
    pub collection: PathBuf,
    /// Which of its pages.
    pub choice: Choice,
    /// Only pages whose URLs match.
    pub pattern: Option<Pattern>,
    /// Pages that are visited at once.
    pub workers: usize,
    /// Where the report goes.
    pub report: PathBuf,
    /// How much may be wrong with a page.
    pub thresholds: Thresholds,
    /// Who replays.
    pub visitor: Visitor,
    /// What is done so that pages find what was saved for them.
    pub means: Means,
    /// Whether every event handler is run once, after a page was looked at.
    pub handlers: bool,
    /// Set when no further page should be begun.
    pub stop: Arc<AtomicBool>,
}

/// Who replays a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visitor {
    /// The client that captured it.
    Captured,
    /// One with the same window, so that pictures can be compared, and nothing else in common.
    Stranger,
    /// Somebody on a telephone.
    Phone,
}

impl Visitor {
    /// The client, where that of the capture is known.
    pub(crate) fn client(self, captured: &Client) -> Client {
        let stranger = Client {
            user_agent: Some(FIREFOX.to_owned()),
            hints: None,
            languages: "pt-BR,pt".to_owned(),
            time_zone: "Pacific/Auckland".to_owned(),
            processors: 2 * captured.processors,
            ..captured.clone()
        };
        match self {
            Visitor::Captured => captured.clone(),
            Visitor::Stranger => stranger,
            Visitor::Phone => Client {
                width: 390,
                height: 844,
                pixel_ratio: 3.0,
                mobile: true,
                touch: true,
                user_agent: Some(PHONE.to_owned()),
                ..stranger
            },
        }
    }
}

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const PHONE: &str = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) \
    Chrome/140.0.0.0 Mobile Safari/537.36";

/// Which pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Every page.
    All,
    /// So many, evenly spread over the list.
    Spread(usize),
}

/// How much may be wrong with a page that is still good. A page that does not come and a request
/// that leaves the archive are never good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Thresholds {
    /// Requests that the archive cannot answer.
    pub missing: usize,
    /// Requests that fail, or are answered otherwise.
    pub failed: usize,
    /// New complaints on the console.
    pub errors: usize,
    /// Percent of the picture that differs.
    pub picture: f64,
    /// Percent of the text that differs.
    pub text: f64,
}

/// A pattern for URLs: `*` stands for anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<Stars>);

/// What stands between the stars of a pattern.
type Stars = Vec<String>;

impl Pattern {
    /// Reads a pattern.
    pub fn new(pattern: &str) -> Pattern {
        Pattern::any_of([pattern])
    }

    /// Any of several patterns.
    pub fn any_of<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Pattern {
        let parts = |pattern: &str| pattern.split('*').map(str::to_owned).collect();
        Pattern(patterns.into_iter().map(parts).collect())
    }

    /// Whether a URL matches.
    pub fn matches(&self, url: &str) -> bool {
        self.0.iter().any(|stars| Pattern::fits(stars, url))
    }

    fn fits(stars: &[String], url: &str) -> bool {
        let Some((first, others)) = stars.split_first() else {
            return true;
        };
        let Some(mut rest) = url.strip_prefix(first.as_str()) else {
            return false;
        };
        let Some((last, between)) = others.split_last() else {
            return rest.is_empty();
        };
        for part in between {
            let Some((_, after)) = rest.split_once(part.as_str()) else {
                return false;
            };
            rest = after;
        }
        rest.ends_with(last.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, url, fits) in [
            ("https://a.test/", "https://a.test/", true),
            ("https://a.test/", "https://a.test/x", false),
            ("*/plants/*", "https://a.test/plants/", true),
            ("*/plants/*", "https://a.test/plant/", false),
            ("https://*.test/*.html", "https://a.test/b/c.html", true),
            ("https://*.test/*.html", "https://a.test/b/c.htm", false),
            ("*", "", true),
            ("ab*ba", "aba", false),
        ] {
            assert_eq!(Pattern::new(pattern).matches(url), fits, "{pattern} {url}");
            let any = Pattern::any_of([pattern, "ftp:*"]);
            assert_eq!(any.matches(url), fits, "{pattern} or another, {url}");
        }
    }
}
