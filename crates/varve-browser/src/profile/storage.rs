//! Local storage that visits find: what a profile held, put back before a page's scripts run.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

/// In a world of its own, so that pages see neither the script nor what it holds of other sites.
const WORLD: &str = "varve-profile";

/// Gives a site what it had. Storage that is not empty was filled in this visit already, and
/// belongs to the page by now. Documents without an origin have no storage and throw.
const FILL: &str = "(all => { try { \
    const own = all[location.origin]; \
    if (own && localStorage.length === 0) \
        for (const [name, value] of own) localStorage.setItem(name, value); \
    } catch {} })";

/// The local storage of some sites. Cheap to clone. What it holds may open accounts; it is not
/// shown.
#[derive(Clone, Default)]
pub struct LocalStorage {
    sites: Arc<[SiteStorage]>,
}

/// What one site stored.
pub(super) struct SiteStorage {
    /// Its origin, such as `https://example.org`.
    pub(super) origin: String,
    /// Names and values, as a JSON array of pairs. It stays text: strings of scripts may hold what
    /// no other language takes for one.
    pub(super) entries: String,
}

impl LocalStorage {
    pub(super) fn new(sites: Vec<SiteStorage>) -> LocalStorage {
        LocalStorage {
            sites: sites.into(),
        }
    }

    /// Whether no site has stored anything.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The call that fills the storage of every document that opens in a session.
    pub(crate) fn filling(&self) -> Option<(&'static str, Value)> {
        if self.is_empty() {
            return None;
        }
        let sites = self.sites.iter();
        let sites: Vec<String> = sites
            .map(|site| format!("{}:{}", json!(site.origin), site.entries))
            .collect();
        let source = format!("{FILL}({{{}}})", sites.join(","));
        let script = json!({"source": source, "worldName": WORLD});
        Some(("Page.addScriptToEvaluateOnNewDocument", script))
    }
}

impl fmt::Debug for LocalStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LocalStorage({} sites)", self.sites.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_not_shown_and_goes_into_one_script() {
        let site = |origin: &str| SiteStorage {
            origin: origin.to_owned(),
            entries: r#"[["token","s3cr3t \ud800"]]"#.to_owned(),
        };
        let storage = LocalStorage::new(vec![site("https://a.example"), site("http://b.example")]);
        assert!(!format!("{storage:?}").contains("s3cr3t"));
        let source = storage
            .filling()
            .map(|(_, script)| script["source"].to_string());
        let source = source.unwrap_or_default();
        assert!(source.contains("https://a.example") && source.contains("s3cr3t \\\\ud800"));
        assert!(LocalStorage::default().filling().is_none());
    }
}
