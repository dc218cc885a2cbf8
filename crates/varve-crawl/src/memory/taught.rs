//! What a visit teaches: who asked for what, what scripts looked for, where they lead.

use crate::http_tier::ScriptNames;
use crate::ledger::Received;
use std::collections::{BTreeSet, HashMap};
use url::Url;
use varve_browser::{Cause, Visit};
use varve_memo::{Asked, Sketch, Teaching};
use varve_page::Destination;

/// What a visit told of the page's scripts.
#[derive(Default)]
pub(crate) struct Taught {
    causes: HashMap<String, Vec<Cause>>,
    /// What requests were for, by URL.
    kinds: HashMap<String, String>,
    selectors: BTreeSet<String>,
    links: BTreeSet<String>,
    /// Whether event handlers were run after it had loaded: what they asked for is not what it needs.
    is_handled: bool,
}

impl Taught {
    pub(crate) fn of(seen: &Visit) -> Taught {
        let mut kinds = HashMap::new();
        for entry in &seen.requests {
            let way = entry.redirects.iter().map(|it| &it.url);
            for url in way.chain([&entry.url]) {
                kinds.insert(url.clone(), entry.resource_type.clone());
            }
        }
        let reads = seen.reads.as_ref();
        let selectors = reads.iter().flat_map(|reads| &reads.selectors);
        Taught {
            causes: seen.causes(),
            is_handled: seen.handled.is_some(),
            kinds,
            selectors: selectors.map(|read| read.selector.clone()).collect(),
            links: seen
                .links
                .iter()
                .filter_map(|link| bare(&link.url))
                .collect(),
        }
    }

    /// Holds it together with what came, and with what the page shows without a visit.
    pub(crate) fn beside(
        self,
        sketch: Sketch,
        received: Vec<Received>,
        read: BTreeSet<Url>,
        names: &ScriptNames,
    ) -> Teaching {
        let page = sketch.url().clone();
        let asked = received
            .into_iter()
            .filter(|it| it.url != page && self.is_needed(&it.url))
            .map(|it| Asked {
                what_for: self.what_for(it.url.as_str()).to_owned(),
                causes: self.scripts(it.url.as_str(), names),
                url: it.url,
                bytes: it.bytes,
            });
        let asked: Vec<Asked> = asked.collect();
        // Where the page itself leads, and what is there already, is nothing new.
        let known = sketch.links.iter().chain([&page]);
        let known = known.chain(asked.iter().map(|asked| &asked.url));
        let shown: BTreeSet<String> = known.filter_map(bare).collect();
        let own = format!("{}/", page.origin().ascii_serialization());
        let links = self.links.difference(&shown);
        let links = links.filter(|link| link.starts_with(&own)).cloned();
        Teaching {
            asked,
            links: links.collect(),
            selectors: self.selectors,
            sketch,
            read,
        }
    }

    /// The names of the scripts that caused a request, the nearest first.
    fn scripts(&self, url: &str, names: &ScriptNames) -> Vec<String> {
        let causes = self.causes.get(url).map_or(&[][..], Vec::as_slice);
        let known = causes.iter().filter_map(|cause| names.of(cause));
        known.map(str::to_owned).collect()
    }

    /// Whether it was asked for while the page loaded.
    fn is_needed(&self, url: &Url) -> bool {
        !self.is_handled || self.kinds.contains_key(url.as_str())
    }

    fn what_for(&self, url: &str) -> &'static str {
        match self.kinds.get(url).map(String::as_str) {
            Some("Script") => "script",
            Some("Stylesheet") => "style",
            Some("Image") => "image",
            Some("Font") => "font",
            Some("Media") => "media",
            Some("Document") => "document",
            Some("Manifest") => "manifest",
            _ => "other",
        }
    }
}

/// What a request is for, by the word for it in a memo.
pub(crate) fn destination(what_for: &str) -> Destination {
    match what_for {
        "script" => Destination::Script,
        "style" => Destination::Style,
        "image" => Destination::Image,
        "font" => Destination::Font,
        "media" => Destination::Media,
        "document" => Destination::Document,
        "manifest" => Destination::Manifest,
        _ => Destination::Other,
    }
}

/// Where a link leads, without the place in the page.
fn bare(url: &Url) -> Option<String> {
    let mut url = url.clone();
    url.set_fragment(None);
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}
