//! What is written on a page and with which fonts, pseudo-elements and controls included.

use std::collections::HashSet;

use url::Url;

use super::super::cascade::Matched;
use super::super::font::{self, Face, Wish};
use super::super::value::Display;
use super::{Style, Walk, is_replaced};
use crate::Destination;
use crate::dom::element::At;
use crate::dom::tree::Id;
use crate::selector::PseudoElement;

/// Most different ways in which texts of one page are written.
const MAX_WISHES: usize = 10_000;

/// The characters of a text.
#[derive(Default)]
pub(super) struct Characters {
    /// Whether there are lines at all.
    has_lines: bool,
    low: u128,
    others: HashSet<char>,
}

impl Characters {
    fn add(&mut self, text: &str) {
        self.has_lines = true;
        for character in text.chars() {
            match character.is_ascii() {
                true => self.low |= 1 << u32::from(character),
                false => {
                    self.others.insert(character);
                }
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = char> {
        let low = (0..128u8)
            .filter(|at| self.low >> at & 1 == 1)
            .map(char::from);
        low.chain(self.others.iter().copied())
    }
}

impl Walk<'_> {
    /// The place of a wish among all.
    pub(super) fn font(&mut self, wish: Wish) -> usize {
        if let Some(known) = self.wishes.get(&wish) {
            return *known;
        }
        let place = self.texts.len();
        if place >= MAX_WISHES {
            return 0;
        }
        self.wishes.insert(wish.clone(), place);
        self.texts.push((wish, Characters::default()));
        place
    }

    /// Something is written with a font, or there is a line for it at least.
    pub(super) fn write(&mut self, font: usize, text: &str) {
        self.texts[font].1.add(text);
    }

    pub(super) fn pseudo_elements(
        &mut self,
        at: &At<'_>,
        around: &Style,
        matched: Vec<(PseudoElement, Matched<'_>)>,
    ) {
        if matched.is_empty() {
            return;
        }
        let mut kinds: Vec<PseudoElement> = Vec::new();
        for (kind, _) in &matched {
            if !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        let mut matched: Vec<_> = matched.into_iter().map(Some).collect();
        for kind in kinds.into_iter().filter(|kind| has_pseudo(at, *kind)) {
            let of_kind = matched.iter_mut().filter_map(|entry| {
                entry
                    .take_if(|(found, _)| *found == kind)
                    .map(|(_, matched)| matched)
            });
            let mut of_kind: Vec<Matched<'_>> = of_kind.collect();
            self.pseudo_element(at, kind, around, &mut of_kind);
        }
    }

    fn pseudo_element(
        &mut self,
        at: &At<'_>,
        kind: PseudoElement,
        around: &Style,
        matched: &mut [Matched<'_>],
    ) {
        let generated = matches!(kind, PseudoElement::Before | PseudoElement::After);
        let images = self.images.len();
        let (style, content) = self.computed(around, matched, None);
        let shows = content.as_ref().is_some_and(|content| content.shows);
        if style.display == Display::None || (generated && !shows) {
            // It is not there, so its pictures are not needed.
            for url in self.images.drain(images..) {
                self.seen.remove(&url);
            }
            return;
        }
        let mut text = match kind {
            PseudoElement::Placeholder => at.attribute("placeholder").unwrap_or_default().into(),
            PseudoElement::FirstLetter | PseudoElement::FirstLine => "Aa".to_owned(),
            _ => String::new(),
        };
        if let Some(content) = content {
            text.push_str(&content.text);
            for name in &content.attributes {
                text.push_str(at.attribute(name).unwrap_or_default());
            }
        }
        if style.display == Display::Inline || !text.is_empty() {
            self.write(style.font, &text);
        }
    }

    /// Notes what an element writes without texts in it: in a line even an empty one has the
    /// height of its font, and controls have texts of their own.
    pub(super) fn written(&mut self, id: Id, at: &At<'_>, style: &Style) {
        let value = || at.attribute("value").unwrap_or_default();
        match at.name() {
            "input" => match at
                .attribute("type")
                .unwrap_or_default()
                .to_ascii_lowercase()
                .as_str()
            {
                "checkbox" | "radio" | "range" | "color" | "image" | "hidden" => {}
                "submit" | "reset" | "button" => {
                    self.write(style.font, value());
                    self.write(style.font, "SubmitReset");
                }
                "file" => self.write(style.font, "Choose File No file chosen"),
                _ => {
                    self.write(style.font, value());
                    self.write(style.font, at.attribute("placeholder").unwrap_or_default());
                }
            },
            "textarea" | "select" => {
                let tree = &self.dom.tree;
                let texts: String = tree.within(id).filter_map(|id| tree.text(id)).collect();
                self.write(style.font, &texts);
            }
            "li" | "summary" => self.write(style.font, "•1."),
            name if is_replaced(name) => {}
            _ if style.display == Display::Inline => self.write(style.font, ""),
            _ => {}
        }
    }

    /// The fonts that texts are written in.
    pub(super) fn fonts(&self) -> Vec<(Url, Destination)> {
        let faces: Vec<&Face> = self.sheets.iter().flat_map(|it| &it.sheet.faces).collect();
        if faces.is_empty() {
            return Vec::new();
        }
        let mut used: Vec<usize> = Vec::new();
        for (wish, characters) in &self.texts {
            used.extend(font::used(
                wish,
                characters.has_lines,
                characters.iter(),
                &faces,
            ));
        }
        used.sort_unstable();
        used.dedup();
        let urls = used.into_iter().filter_map(|face| faces[face].url.clone());
        urls.map(|url| (url, Destination::Font)).collect()
    }
}

/// Whether an element can have a pseudo-element.
fn has_pseudo(at: &At<'_>, kind: PseudoElement) -> bool {
    let is_control = || {
        matches!(
            at.name(),
            "input" | "meter" | "progress" | "textarea" | "select"
        )
    };
    match kind {
        PseudoElement::Placeholder => at.has("placeholder"),
        PseudoElement::Part => is_control(),
        PseudoElement::FileSelectorButton => at.name() == "input",
        PseudoElement::Marker => matches!(at.name(), "li" | "summary"),
        PseudoElement::Other => false,
        _ => !is_replaced(at.name()) || matches!(at.name(), "input" | "noscript"),
    }
}
