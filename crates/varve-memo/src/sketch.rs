//! A sketch: what a page shows without its scripts being run.

use crate::classify::Features;
use crate::script::{ChunkUrl, Deeds, ScriptFacts};
use crate::selector::may_match;
use crate::template::Inputs;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use url::Url;
use varve_js::{ChunkBase, Literal, is_deed, json_values};
use varve_page::{Inventory, Page, Role, ScriptForm};

/// Longest value of a slot.
const MAX_VALUE: usize = 1200;
/// Most slots of a page.
const MAX_SLOTS: usize = 4000;
/// Most links of a page that count.
const MAX_LINKS: usize = 2000;
/// Most chunks that count.
const MAX_CHUNKS: usize = 5000;

/// What a page shows without its scripts being run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sketch {
    /// Its scripts by name, but for those that do nothing to others.
    pub scripts: BTreeSet<String>,
    /// Those among them that cannot cause a request by themselves.
    #[serde(default)]
    pub mild: BTreeSet<String>,
    /// The values that its inline scripts and its JSON hold, by place.
    pub slots: BTreeMap<String, String>,
    /// What simple selectors find in it.
    pub marks: BTreeSet<String>,
    /// What its scripts look for, as far as they say so.
    pub selectors: BTreeSet<String>,
    /// What it gives scripts to make URLs of.
    pub inputs: Inputs,
    /// As long as nobody touches it, none of its scripts asks for anything or changes how it looks.
    #[serde(skip)]
    pub is_harmless: bool,
    /// The names of its inline scripts, in the order of the page.
    #[serde(skip)]
    pub inline: Vec<String>,
    /// What its bundlers can load.
    #[serde(skip)]
    pub chunks: Vec<Chunk>,
    /// Where it leads.
    #[serde(skip)]
    pub links: Vec<Url>,
    /// What a guess would go by, if one may be needed.
    #[serde(skip)]
    pub looks: Option<Features>,
}

/// Something that a bundler can load on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Where it is.
    pub url: Url,
    /// The page that it is for, as the bundler names pages.
    pub key: Option<String>,
}

/// A script of a page that is elsewhere: where, and what is known of it.
pub type Elsewhere = (Url, Arc<ScriptFacts>);

impl Sketch {
    /// Draws the page at a URL. `inline` are the scripts that stand in it, `elsewhere` has those that
    /// it names by their URLs, as far as they came.
    pub fn of(
        url: &Url,
        page: &Page,
        inventory: Inventory,
        inline: &[ScriptFacts],
        elsewhere: &[Elsewhere],
    ) -> Sketch {
        let scripts = elsewhere.iter().map(|(_, facts)| facts.as_ref());
        let scripts = scripts.chain(inline);
        let mut sketch = Sketch {
            is_harmless: runs_nothing_else(page, &inventory.marks)
                && Deeds::are_harmless(scripts.map(|facts| facts.deeds)),
            scripts: BTreeSet::new(),
            mild: BTreeSet::new(),
            slots: BTreeMap::new(),
            marks: inventory.marks,
            selectors: BTreeSet::new(),
            inputs: Inputs {
                base: page.base.clone(),
                ..Inputs::of(url.clone())
            },
            inline: Vec::new(),
            chunks: Vec::new(),
            links: Vec::new(),
            looks: None,
        };
        for (url, facts) in elsewhere {
            sketch.add_script(facts, Some(url), &page.base);
        }
        for (name, text) in &inventory.json {
            for literal in json_values(text) {
                sketch.add_slot(format!("json:{name}.{}", literal.path), literal.value);
            }
        }
        for facts in inline {
            sketch.add_script(facts, None, &page.base);
            sketch.inline.push(facts.name.clone());
        }
        sketch.inputs.singles.extend(
            (inventory.metas.into_iter()).map(|(name, value)| (format!("meta:{name}"), value)),
        );
        for (name, values) in inventory.values {
            let name = format!("attr:{name}");
            if let [only] = values.as_slice() {
                sketch.inputs.singles.insert(name.clone(), only.clone());
            }
            sketch.inputs.lists.insert(name, values);
        }
        let links = page.references.iter().filter(|it| it.role == Role::Link);
        let links = links.map(|it| it.url.clone()).take(MAX_LINKS);
        sketch.links = links.collect();
        sketch
    }

    fn add_slot(&mut self, name: String, value: String) {
        if self.slots.len() < MAX_SLOTS
            && value.len() <= MAX_VALUE
            && !self.slots.contains_key(&name)
        {
            let input = format!("slot:{name}");
            self.inputs.singles.insert(input, value.clone());
            self.slots.insert(name, value);
        }
    }

    fn add_script(&mut self, facts: &ScriptFacts, at: Option<&Url>, base: &Url) {
        for Literal { path, value, .. } in &facts.values {
            self.add_slot(place(&facts.name, path), value.clone());
        }
        if facts.is_inert {
            return;
        }
        self.scripts.insert(facts.name.clone());
        if facts.is_mild {
            self.mild.insert(facts.name.clone());
        }
        self.selectors.extend(facts.selectors.iter().cloned());
        let room = MAX_CHUNKS.saturating_sub(self.chunks.len());
        let chunks = facts.chunks.iter().take(room);
        let chunks = chunks.filter_map(|chunk| resolved(chunk, at.unwrap_or(base), base));
        self.chunks.extend(chunks);
    }

    /// Whether scripts that look for this may find it.
    pub(crate) fn shows(&self, selector: &str) -> bool {
        may_match(selector, &self.marks)
    }

    /// The URL of the page.
    pub fn url(&self) -> &Url {
        &self.inputs.url
    }
}

/// Whether a page runs nothing beside the scripts that stand in it or that it names: no modules, which
/// bring others, no frames, and no handlers that run without anybody doing anything.
fn runs_nothing_else(page: &Page, marks: &BTreeSet<String>) -> bool {
    /// A page with more names may have some that were left out.
    const MANY: usize = 10_000;
    let has_handlers = marks.iter().any(|mark| is_handler_of_its_own(mark));
    let mut forms = page.scripts.iter().map(|script| script.form);
    let mut roles = page.references.iter().map(|reference| &reference.role);
    !has_handlers
        && marks.len() < MANY
        && forms.all(|form| form == ScriptForm::Classic)
        && !roles.any(|role| *role == Role::Frame)
}

/// Whether an attribute is an event handler that needs nobody to do anything.
fn is_handler_of_its_own(mark: &str) -> bool {
    let event = mark.strip_prefix("[on");
    let event = event.and_then(|event| event.strip_suffix(']'));
    event.is_some_and(|event| !is_deed(event))
}

/// The name of the place of a value in a script. One that has words means the same in all scripts
/// of a site; one that is only counted belongs to its script.
fn place(script: &str, path: &str) -> String {
    match path.starts_with('#') {
        true => format!("{script}{path}"),
        false => path.to_owned(),
    }
}

/// Where a chunk is. Where its application lies is told by where the application's scripts are.
fn resolved(chunk: &ChunkUrl, script: &Url, base: &Url) -> Option<Chunk> {
    let url = match chunk.base {
        ChunkBase::Script => script.join(&chunk.url),
        ChunkBase::Page => base.join(&chunk.url),
        ChunkBase::PublicPath => match chunk.root(script.as_str()) {
            Some(root) => Url::parse(root).and_then(|root| root.join(&chunk.url)),
            None => base.join("/").and_then(|root| root.join(&chunk.url)),
        },
    };
    let mut url = url.ok()?;
    url.set_fragment(None);
    let is_web = matches!(url.scheme(), "http" | "https");
    is_web.then(|| Chunk {
        url,
        key: chunk.key.clone(),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use varve_page::{Document, Viewport, analyse, inventory};

    #[track_caller]
    fn check(html: &str, is_harmless: bool) {
        let url = Url::parse("https://garden.example/").unwrap();
        let document = Document {
            content_type: Some("text/html"),
            ..Document::new(&url, html.as_bytes())
        };
        let page = analyse(&document, &Viewport::default());
        let inline = ScriptFacts::inline(&page);
        let sketch = Sketch::of(&url, &page, inventory(&document), &inline, &[]);
        assert_eq!(sketch.is_harmless, is_harmless, "{html}");
    }

    #[test]
    fn pages_are_harmless_whose_scripts_can_do_nothing_about_them() {
        check(
            "<script>window.layer = []; function note() { layer.push(arguments) } note('js', new Date())</script>",
            true,
        );
        check("<script>localStorage.seen = 1</script>", true);
        check("<script>fetch('/a.json')</script>", false);
        check("<script>document.body.className = 'dark'</script>", false);
        check("<script>var a = 1</script><iframe src=/b></iframe>", false);
        check("<script type=module>var a = 1</script>", false);
        check("<script>var a = 1</script><body onload=go()>", false);
        check("<a onclick=go() onmouseover=show()>Go</a>", true);
        check("<details ontoggle=go()>More</details>", false);
        check("<script>eval(name)</script>", false);
        let menu = "menu.addEventListener('click', () => menu.classList.toggle('open'))";
        check(&format!("<script>{menu}</script>"), true);
        check(&format!("<script>{menu}; menu.click()</script>"), false);
        check(
            "<script>menu.onclick = function () { fetch('/a') }</script>",
            true,
        );
        check(
            "<script>addEventListener('scroll', () => fetch('/a'))</script>",
            false,
        );
        check(
            "<script>$('a').on('click keyup', show); function show() { fetch('/a') }</script>",
            false,
        );
    }
}
