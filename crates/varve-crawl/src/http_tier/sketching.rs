//! Drawing pages: what a page shows without its scripts being run.

use super::reading::decode;
use super::{Answer, Errand, HttpTier};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tokio::task::JoinSet;
use url::Url;
use varve_browser::Cause;
use varve_filter::Filter;
use varve_memo::classify::{Around, Features, ScriptCounts, Subject};
use varve_memo::{Elsewhere, Goal, ScriptFacts, Sketch};
use varve_model::{Digest, DigestAlgorithm};
use varve_page::{Destination, Document, Inventory, Page, ScriptForm, ScriptSource, inventory};

/// Longer scripts and pages are drawn by their beginnings.
const MAX_DRAWN: u64 = 16 << 20;
/// Most scripts of a page that are looked into.
const MAX_SCRIPTS: usize = 300;

/// What is known of scripts, by where they are and when they came.
#[derive(Default)]
pub(super) struct Facts(Mutex<HashMap<(Url, SystemTime), Arc<ScriptFacts>>>);

impl Facts {
    /// When there are more, all are forgotten: looking into them again is not much work.
    const MOST: usize = 20_000;

    fn get(&self, key: &(Url, SystemTime)) -> Option<Arc<ScriptFacts>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(key).cloned()
    }

    fn put(&self, key: (Url, SystemTime), facts: Arc<ScriptFacts>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= Self::MOST {
            known.clear();
        }
        known.insert(key, facts);
    }
}

/// A page as it shows without being visited.
pub(crate) struct Drawing {
    pub(crate) sketch: Sketch,
    pub(crate) names: ScriptNames,
    /// What its scripts say, in numbers: those in it, and those that it names.
    inline: Vec<ScriptCounts>,
    external: Vec<ScriptCounts>,
}

/// The names of a page's scripts.
#[derive(Default)]
pub(crate) struct ScriptNames {
    /// Of those that are elsewhere, by where they are.
    elsewhere: HashMap<Url, String>,
    /// Of those that stand in the page, by digests of what they say, as browsers have it.
    inline: HashMap<String, String>,
}

impl ScriptNames {
    /// Adds those that stand in a page.
    pub(crate) fn add_inline(&mut self, page: &Page, sketch: &Sketch) {
        let texts = page
            .scripts
            .iter()
            .filter_map(|script| match &script.source {
                ScriptSource::Inline(text) => Some(text),
                ScriptSource::External(_) => None,
            });
        for (text, name) in texts.zip(&sketch.inline) {
            // Browsers know one kind of line ends.
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            let digest = Digest::of(DigestAlgorithm::Sha256, text.as_bytes());
            self.inline.insert(digest.to_string(), name.clone());
        }
    }

    /// The name of the script that caused a request.
    pub(crate) fn of(&self, cause: &Cause) -> Option<&str> {
        let name = match &cause.digest {
            Some(digest) if cause.inline => self.inline.get(&format!("sha256:{digest}")),
            _ => self.elsewhere.get(&Url::parse(&cause.url).ok()?),
        };
        name.map(String::as_str)
    }
}

impl HttpTier {
    /// Fetches the scripts that a page names, and draws it.
    pub(crate) async fn draw(&self, errand: &Errand, answer: &Answer) -> Drawing {
        let page = &answer.exchange.url;
        let errand = errand.clone().of_page(page);
        let mut running = JoinSet::new();
        for (url, form) in external(answer) {
            let (tier, errand, page) = (self.clone(), errand.clone(), page.clone());
            running.spawn(async move { tier.facts(&errand, url, form, &page).await });
        }
        let found = running.join_all().await;
        let mut elsewhere: Vec<Elsewhere> = found.into_iter().flatten().collect();
        elsewhere.sort_by(|a, b| a.0.cmp(&b.0));
        let inventory = taken(answer, &answer.body(MAX_DRAWN));
        let inline = ScriptFacts::inline(&answer.page);
        let names = elsewhere.iter();
        let names = names.map(|(url, facts)| (url.clone(), facts.name.clone()));
        Drawing {
            names: ScriptNames {
                elsewhere: names.collect(),
                ..ScriptNames::default()
            },
            sketch: Sketch::of(page, &answer.page, inventory, &inline, &elsewhere),
            inline: inline.iter().map(|facts| facts.counts).collect(),
            external: elsewhere.iter().map(|(_, facts)| facts.counts).collect(),
        }
    }

    /// How a page looks that was drawn, in numbers.
    pub(crate) fn looks(&self, answer: &Answer, drawing: &Drawing) -> Features {
        let body = answer.body(MAX_DRAWN);
        let page = &answer.page;
        let against = |filter: &Filter| {
            let urls = page.references.iter().map(|reference| &reference.url);
            let blocked = urls.filter(|url| filter.decide(url, &page.base).blocked().is_some());
            blocked.count() as u32
        };
        Features::of(&Subject {
            html: &String::from_utf8_lossy(&body),
            page,
            inventory: &taken(answer, &body),
            inline: &drawing.inline,
            external: &drawing.external,
            around: Around {
                advertising: self.filter.as_deref().map_or(0, against),
                ..Around::default()
            },
        })
    }

    /// What is known of a script, if it can be had.
    async fn facts(
        &self,
        errand: &Errand,
        url: Url,
        form: ScriptForm,
        page: &Url,
    ) -> Option<Elsewhere> {
        let (destination, goal) = match form {
            ScriptForm::Classic => (Destination::Script, Goal::Script),
            ScriptForm::Module => (Destination::Module, Goal::Module),
        };
        // What a filter leaves out is told when it is left out for good.
        self.look(errand, &url, destination).ok()?;
        let arrived = self.follow(errand, &url, destination, Some(page), None);
        let arrived = arrived.await.ok()?;
        if arrived.head.status() != Some(200) {
            return None;
        }
        if arrived.redirects.is_empty() {
            errand.hold(&url, &arrived.exchange);
        }
        let key = (arrived.exchange.url.clone(), arrived.exchange.started);
        if let Some(known) = self.facts.get(&key) {
            return Some((url, known));
        }
        let bytes = decode(&arrived.exchange, &arrived.head, MAX_DRAWN).bytes;
        let name = blake3::hash(&bytes).to_hex()[..32].to_owned();
        let text = String::from_utf8_lossy(&bytes);
        let facts = Arc::new(ScriptFacts::of(name, &text, goal));
        self.facts.put(key, facts.clone());
        Some((url, facts))
    }

    /// Everything that reading a page tells to fetch for it, as far as what that depends on is at
    /// hand. Asks nobody.
    pub(crate) async fn named(&self, errand: &Errand, answer: &Answer) -> BTreeSet<Url> {
        let errand = errand.clone().of_page(&answer.exchange.url).only_known();
        let gathered = self.requisites(&errand, answer, &[]).await;
        gathered.named.into_iter().collect()
    }
}

/// What the markup of a page is made of.
fn taken(answer: &Answer, body: &[u8]) -> Inventory {
    let content_type = answer.head.get("Content-Type");
    let content_type = content_type.as_deref().map(String::from_utf8_lossy);
    inventory(&Document {
        content_type: content_type.as_deref(),
        ..Document::new(&answer.exchange.url, body)
    })
}

/// The scripts that a page names, each once.
fn external(answer: &Answer) -> Vec<(Url, ScriptForm)> {
    let mut seen = BTreeSet::new();
    let scripts = answer.page.scripts.iter();
    let scripts = scripts.filter_map(|script| match &script.source {
        ScriptSource::External(url) => Some((url.clone(), script.form)),
        ScriptSource::Inline(_) => None,
    });
    let new = scripts.filter(|(url, _)| seen.insert(url.clone()));
    new.take(MAX_SCRIPTS).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use varve_page::{Viewport, analyse};

    #[test]
    fn scripts_that_stand_in_a_page_are_known_as_browsers_know_them() {
        let url = Url::parse("https://garden.example/").unwrap();
        let html = b"<script>show(\r\n7)</script><script>show('late')</script>";
        let document = Document {
            content_type: Some("text/html"),
            ..Document::new(&url, html)
        };
        let page = analyse(&document, &Viewport::default());
        let inline = ScriptFacts::inline(&page);
        let sketch = Sketch::of(&url, &page, inventory(&document), &inline, &[]);
        let mut names = ScriptNames::default();
        names.add_inline(&page, &sketch);
        let cause = |text: &str| Cause {
            url: url.to_string(),
            line: 0,
            inline: true,
            digest: Digest::of(DigestAlgorithm::Sha256, text.as_bytes())
                .to_string()
                .strip_prefix("sha256:")
                .map(str::to_owned),
        };
        assert_eq!(
            names.of(&cause("show(\n7)")).unwrap(),
            sketch.inline[0].as_str()
        );
        assert_eq!(
            names.of(&cause("show('late')")).unwrap(),
            sketch.inline[1].as_str()
        );
        assert_eq!(names.of(&cause("other()")), None);
    }
}
