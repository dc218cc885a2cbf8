//! A page as it is known without a browser: what reading it finds, and its features.

use crate::archive::{Archive, Body};
use std::collections::{BTreeSet, VecDeque};
use url::Url;
use varve_filter::{Filter, List};
use varve_js::{Goal, triage};
use varve_memo::classify::{Around, Features, ScriptCounts, Subject};
use varve_page::{
    Destination, Document, Need, Page, Role, ScriptForm, ScriptSource, Viewport, Within, analyse,
    inventory,
};

/// What is known of a page without a browser.
pub(crate) struct Read {
    /// Everything that reading it and what it needs finds, the page included.
    pub(crate) found: BTreeSet<String>,
    /// By name, in the order of the model.
    pub(crate) features: Vec<(&'static str, f32)>,
    /// Its scripts that are elsewhere, by URL.
    pub(crate) scripts: Vec<String>,
}

/// Reads a page. None if it is no page, or has no scripts.
pub(crate) fn read(archive: &Archive, url: &Url) -> Option<Read> {
    let (url, body) = archive.body(url)?;
    let document = document(&url, &body, Destination::Document);
    let page = analyse(&document, &Viewport::default());
    if !page.has_scripts {
        return None;
    }
    let external: Vec<(String, ScriptCounts)> = external(archive, &page);
    let html = String::from_utf8_lossy(&body.bytes);
    let counts: Vec<ScriptCounts> = external.iter().map(|(_, counts)| *counts).collect();
    let features = Features::of(&Subject {
        html: &html,
        page: &page,
        inventory: &inventory(&document),
        inline: &inline(&page),
        external: &counts,
        around: Around {
            advertising: advertising(&page),
            ..Around::default()
        },
    });
    let names = Features::NAMES.iter().copied();
    Some(Read {
        found: found(archive, &url, &page),
        features: names.zip(features.values()).collect(),
        scripts: external.into_iter().map(|(url, _)| url).collect(),
    })
}

fn document<'a>(url: &'a Url, body: &'a Body, destination: Destination) -> Document<'a> {
    Document {
        content_type: body.content_type.as_deref(),
        destination,
        ..Document::new(url, &body.bytes)
    }
}

fn inline(page: &Page) -> Vec<ScriptCounts> {
    let scripts = page.scripts.iter();
    scripts
        .filter_map(|script| match &script.source {
            ScriptSource::Inline(text) => Some(count(text, script.form)),
            ScriptSource::External(_) => None,
        })
        .collect()
}

fn external(archive: &Archive, page: &Page) -> Vec<(String, ScriptCounts)> {
    let scripts = page.scripts.iter();
    scripts
        .filter_map(|script| match &script.source {
            ScriptSource::External(url) => {
                let (_, body) = archive.body(url)?;
                let text = String::from_utf8_lossy(&body.bytes).into_owned();
                Some((url.to_string(), count(&text, script.form)))
            }
            ScriptSource::Inline(_) => None,
        })
        .collect()
}

fn count(text: &str, form: ScriptForm) -> ScriptCounts {
    let goal = match form {
        ScriptForm::Classic => Goal::Script,
        ScriptForm::Module => Goal::Module,
    };
    ScriptCounts::of(text, &triage(text, goal))
}

fn advertising(page: &Page) -> u32 {
    let filter = Filter::new(vec![List::own()]);
    let against = |url: &Url| filter.decide(url, &page.base).blocked().is_some();
    let urls = page.references.iter().map(|reference| &reference.url);
    urls.filter(|url| against(url)).count() as u32
}

/// What the page needs, and what that needs in turn, whatever the window and the device.
fn found(archive: &Archive, url: &Url, page: &Page) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = [url.to_string()].into();
    let mut waiting: VecDeque<(Url, Destination)> = needs(page).into();
    while let Some((url, destination)) = waiting.pop_front() {
        if !found.insert(url.to_string()) {
            continue;
        }
        let Some((last, body)) = archive.body(&url) else {
            continue;
        };
        found.insert(last.to_string());
        let mut document = document(&last, &body, destination);
        document.within = Some(Within {
            base: &page.base,
            import_map: &page.import_map,
        });
        waiting.extend(needs(&analyse(&document, &Viewport::default())));
    }
    found
}

fn needs(page: &Page) -> Vec<(Url, Destination)> {
    let needed = page
        .references
        .iter()
        .filter(|reference| reference.need != Need::Weak);
    needed
        .filter_map(|reference| match reference.role {
            Role::Embed(destination) => Some((reference.url.clone(), destination)),
            Role::Frame => Some((reference.url.clone(), Destination::Document)),
            Role::Hint => Some((reference.url.clone(), Destination::Other)),
            Role::Link => None,
        })
        .collect()
}
