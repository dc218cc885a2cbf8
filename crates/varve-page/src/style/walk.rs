//! The walk over a page: every element that is shown gets its style, and what it asks for is
//! noted.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use selectors::bloom::{BLOOM_HASH_MASK, BloomFilter};
use selectors::context::{MatchingMode, SelectorCaches};
use selectors::matching::{matches_selector, selector_may_match};
use url::Url;

use self::computed::hints;
use self::written::Characters;
use super::cascade::{Customs, Matched};
use super::custom;
use super::font::Wish;
use super::order::Applied;
use super::read;
use super::value::{Display, Ground, Slot, Value};
use crate::Destination;
use crate::dom::Dom;
use crate::dom::element::{At, Steps};
use crate::dom::tree::{DOCUMENT, Id, NONE};
use crate::selector::PseudoElement;

mod computed;
mod written;

/// Most steps from element to element and from rule to rule.
const MAX_STEPS: u64 = 100_000_000;

/// Walks over a page.
pub(super) struct Walk<'w> {
    dom: &'w Dom,
    ground: Ground<'w>,
    sheets: &'w [Applied],
    steps: Steps,
    caches: SelectorCaches,
    filter: BloomFilter,
    open: Vec<Open>,
    /// The custom properties that something depends on.
    relevant: HashSet<&'w str>,
    resolved: HashMap<(usize, usize), Resolved>,
    /// Keeps alive what `resolved` knows by its address.
    environments: Vec<Customs>,
    wishes: HashMap<Wish, usize>,
    texts: Vec<(Wish, Characters)>,
    images: Vec<Url>,
    seen: HashSet<Url>,
}

type Resolved = Rc<Vec<(Slot, Value)>>;

/// An element that the walk is in.
struct Open {
    id: Id,
    style: Style,
}

/// What elements hand on to what is in them.
#[derive(Clone)]
struct Style {
    display: Display,
    /// Its place among the wishes.
    font: usize,
    customs: Customs,
    /// Whether what is in it is skipped.
    skips: bool,
}

impl<'w> Walk<'w> {
    pub(super) fn new(dom: &'w Dom, ground: Ground<'w>, sheets: &'w [Applied]) -> Walk<'w> {
        let mut walk = Walk {
            dom,
            ground,
            sheets,
            steps: Steps::new(MAX_STEPS),
            caches: SelectorCaches::default(),
            filter: BloomFilter::new(),
            open: Vec::new(),
            relevant: relevant(sheets),
            resolved: HashMap::new(),
            environments: Vec::new(),
            wishes: HashMap::new(),
            texts: Vec::new(),
            images: Vec::new(),
            seen: HashSet::new(),
        };
        walk.font(Wish {
            families: [].into(),
            weight: 400,
            slanted: false,
        });
        walk
    }

    /// What the page needs. `None` if it takes too long to find out.
    pub(super) fn needs(mut self) -> Option<Vec<(Url, Destination)>> {
        let tree = &self.dom.tree;
        let mut at = DOCUMENT;
        while at != NONE {
            let parent = tree.parent_element(at);
            while self.open.last().is_some_and(|open| open.id != parent) {
                self.leave();
            }
            at = match self.node(at) {
                true => tree.following(at, DOCUMENT),
                false => tree.after(at, DOCUMENT),
            };
        }
        if !self.steps.take_many(0) {
            return None;
        }
        let fonts = self.fonts();
        let images = self.images.into_iter();
        let images = images.map(|url| (url, Destination::Image));
        Some(images.chain(fonts).collect())
    }

    /// Looks at a node; whether to look at what is in it.
    fn node(&mut self, id: Id) -> bool {
        let tree = &self.dom.tree;
        if let Some(text) = tree.text(id) {
            if let Some(open) = self.open.last()
                && !text.trim_ascii().is_empty()
            {
                let font = open.style.font;
                self.write(font, text);
            }
            return true;
        }
        let steps = Steps::new(u64::MAX);
        match At::new(tree, id, &steps) {
            Some(at) => self.element(id, &at),
            None => true,
        }
    }

    fn element(&mut self, id: Id, at: &At<'_>) -> bool {
        if self.is_folded(id, at) {
            return false;
        }
        let attribute = at.attribute("style");
        let attribute = attribute.map(|text| read::declarations(text, &self.ground));
        let (own, pseudo) = self.matched(id);
        let hints = hints(at);
        let hints = read::declarations(&hints, &self.ground);
        let own = [Matched::weakest(&hints)].into_iter().chain(own).collect();
        let style = self.style(own, attribute.as_ref());
        if style.display == Display::None {
            return false;
        }
        self.pseudo_elements(at, &style, pseudo);
        self.written(id, at, &style);
        if style.display.is_in_line()
            && let Some(around) = self.open.last().map(|open| open.style.font)
        {
            self.write(around, "");
        }
        let enters = !style.skips && !is_replaced(at.name());
        if enters {
            let (name, id_hash, classes) = at.hashes();
            for hash in [name].into_iter().chain(id_hash).chain(classes) {
                self.filter.insert_hash(hash & BLOOM_HASH_MASK);
            }
            self.open.push(Open { id, style });
        }
        enters
    }

    fn leave(&mut self) {
        let steps = Steps::new(u64::MAX);
        if let Some(open) = self.open.pop()
            && let Some(at) = At::new(&self.dom.tree, open.id, &steps)
        {
            let (name, id, classes) = at.hashes();
            for hash in [name].into_iter().chain(id).chain(classes) {
                self.filter.remove_hash(hash & BLOOM_HASH_MASK);
            }
        }
    }

    /// Whether an element is in `<details>` that are closed, and not their summary.
    fn is_folded(&self, id: Id, at: &At<'_>) -> bool {
        let tree = &self.dom.tree;
        let parent = tree.parent_element(id);
        let steps = Steps::new(u64::MAX);
        let closed = At::new(tree, parent, &steps)
            .is_some_and(|parent| parent.name() == "details" && !parent.has("open"));
        closed && at.name() != "summary"
    }

    /// The rules about an element, and those about its pseudo-elements.
    fn matched(&mut self, id: Id) -> (Vec<Matched<'w>>, Vec<(PseudoElement, Matched<'w>)>) {
        let (mut own, mut pseudo) = (Vec::new(), Vec::new());
        let Some(at) = At::new(&self.dom.tree, id, &self.steps) else {
            return (own, pseudo);
        };
        let sheets = self.sheets;
        for (number, applied) in sheets.iter().enumerate() {
            let sheet = &applied.sheet;
            let (name, id, classes) = at.hashes();
            sheet
                .index
                .each(name, id, classes, at.attribute_hashes(), |place| {
                    let rule = &sheet.rules[place as usize];
                    if !self.steps.take_many(1) || !selector_may_match(&rule.hashes, &self.filter) {
                        return;
                    }
                    self.steps.take_many(rule.cost);
                    let mode = match rule.pseudo {
                        None => MatchingMode::Normal,
                        Some(_) => MatchingMode::ForStatelessPseudoElement,
                    };
                    let mut context = self.dom.context(mode, Some(&self.filter), &mut self.caches);
                    if !matches_selector(&rule.selector, 0, None, at, &mut context) {
                        return;
                    }
                    let layer = rule.layer.map(|layer| applied.ranks[layer as usize]);
                    let count = (
                        !applied.own,
                        layer.unwrap_or(applied.rank),
                        rule.selector.specificity(),
                        number as u32,
                        place,
                    );
                    let block = &sheet.blocks[rule.block as usize];
                    let matched = Matched { count, block };
                    match rule.pseudo {
                        None => own.push(matched),
                        Some(element) => pseudo.push((element, matched)),
                    }
                });
        }
        (own, pseudo)
    }
}

/// All that sheets mention.
pub(super) fn everything(sheets: &[Applied], ground: Ground<'_>) -> Vec<(Url, Destination)> {
    let mut found = Vec::new();
    let mut image = |url: &Url| found.push((url.clone(), Destination::Image));
    for block in sheets.iter().flat_map(|it| &it.sheet.blocks) {
        for declaration in &block.declarations {
            match &declaration.value {
                Value::Images(images) => images.iter().for_each(&mut image),
                Value::Content(content) => content.images.iter().for_each(&mut image),
                _ => {}
            }
        }
        for custom in &block.custom {
            ground.images(&custom.value).iter().for_each(&mut image);
        }
    }
    let faces = sheets.iter().flat_map(|it| &it.sheet.faces);
    let fonts = faces.filter_map(|face| face.url.clone());
    found.extend(fonts.map(|url| (url, Destination::Font)));
    found
}

/// The custom properties on which something depends that matters.
fn relevant(sheets: &[Applied]) -> HashSet<&str> {
    let mut found: HashSet<&str> = HashSet::new();
    let mut open: Vec<&str> = Vec::new();
    let mut values: HashMap<&str, Vec<&str>> = HashMap::new();
    for block in sheets.iter().flat_map(|it| &it.sheet.blocks) {
        for declaration in &block.declarations {
            if let Value::Raw(raw) = &declaration.value {
                open.extend(custom::names(&raw.text));
            }
        }
        for custom in &block.custom {
            let names = custom::names(&custom.value);
            if !names.is_empty() {
                values.entry(&custom.name).or_default().extend(names);
            }
        }
    }
    while let Some(name) = open.pop() {
        if found.insert(name) {
            open.extend(values.remove(name).unwrap_or_default());
        }
    }
    found
}

/// Whether an element is shown as something else than what is in it.
fn is_replaced(name: &str) -> bool {
    matches!(
        name,
        "audio"
            | "canvas"
            | "embed"
            | "iframe"
            | "img"
            | "input"
            | "object"
            | "select"
            | "textarea"
            | "video"
            | "noscript"
            | "frameset"
            | "meter"
            | "progress"
    )
}
