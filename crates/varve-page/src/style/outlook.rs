//! What the sheets of a page can make a browser load at most, told without building its DOM.
//!
//! Most pages of a site have the sheets of the page before, and what these ask for was fetched
//! then; nobody needs to know which of their rules count here. Of what was not fetched, the tags of
//! the page tell: a rule about `.gallery img` has nothing to do with a page in which nothing is of
//! the class `gallery`. Whatever the exact answer is (`walk.rs`), it is within what is said here.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use url::Url;

use self::letters::Letters;
use self::marks::{Needed, Vocabulary};
use self::offers::{Animation, Offers, Written};
use super::read;
use super::sheet::{Keyframes, StyleSheet};
use super::value::{Ground, Slot, Value};
use crate::marks::Marks;
use crate::{Destination, Page, Viewport};

mod letters;
mod marks;
pub(super) mod offers;

/// Most that sheets may have to offer together; of more it is not told.
const MAX_OFFERS: usize = 50_000;

/// What sheets that are used together can ask for.
#[derive(Debug, Default)]
pub struct Outlook {
    /// The sheets themselves; as long as they are here, nothing else has their addresses.
    sheets: Vec<Arc<StyleSheet>>,
    vocabulary: Vocabulary,
    pictures: Vec<(Url, Needed)>,
    /// Pictures of animations that an element of the page may name by itself.
    animated: Vec<Url>,
    letters: Letters,
    /// Whether custom properties have pictures.
    has_custom_pictures: bool,
    /// Whether it cannot be told what the sheets ask for.
    is_open: bool,
}

/// What `style` attributes and the like say.
#[derive(Default)]
struct Attributes {
    pictures: Vec<Url>,
    written: Vec<Written>,
    is_animated: bool,
    /// Whether a picture is a custom property.
    uses_custom_picture: bool,
    /// Whether a custom property has a picture.
    has_custom_picture: bool,
}

impl Outlook {
    /// What these sheets can ask for, the browser's own included.
    pub fn of(sheets: Vec<Arc<StyleSheet>>) -> Outlook {
        let own = read::user_agent(&any_url()).clone();
        let all: Vec<&Arc<StyleSheet>> = [&own].into_iter().chain(&sheets).collect();
        let offers = || all.iter().map(|sheet| sheet.offers());
        let frames: Vec<&Keyframes> = all.iter().flat_map(|sheet| &sheet.keyframes).collect();
        let size: usize = offers().map(Offers::len).sum();
        let mut outlook = Outlook {
            is_open: size > MAX_OFFERS || offers().any(|offer| offer.is_open),
            ..Outlook::default()
        };
        if !outlook.is_open {
            for offer in offers() {
                outlook.add_all(offer.pictures.iter());
            }
            outlook.add_custom(&offers().collect::<Vec<_>>());
            for offer in offers() {
                outlook.add_animations(offer, &frames);
            }
            let animated = frames.iter().flat_map(|it| it.images.iter().cloned());
            outlook.animated = animated.collect();
            outlook.letters = Letters::of(&all, &mut outlook.vocabulary);
        }
        outlook.sheets = sheets;
        outlook
    }

    fn add_all<'o>(&mut self, offered: impl Iterator<Item = &'o (Url, offers::Marks)>) {
        for (url, marks) in offered {
            if self.pictures.len() >= MAX_OFFERS {
                self.is_open = true;
                return;
            }
            let marks = self.vocabulary.numbers(marks);
            self.pictures.push((url.clone(), marks));
        }
    }

    /// Adds the pictures of custom properties, which are relative to the sheets that use them.
    fn add_custom(&mut self, offers: &[&Offers]) {
        let custom = || offers.iter().flat_map(|offer| &offer.custom_pictures);
        self.has_custom_pictures = custom().next().is_some();
        for ground in offers
            .iter()
            .filter_map(|it| it.pictures_by_custom.as_ref())
        {
            for (value, marks) in custom() {
                let urls = ground.images(value).into_iter();
                let urls: Vec<_> = urls.map(|url| (url, marks.clone())).collect();
                self.add_all(urls.iter());
                if self.is_open {
                    return;
                }
            }
        }
    }

    fn add_animations(&mut self, offer: &Offers, frames: &[&Keyframes]) {
        for (animation, marks) in &offer.animations {
            let named = frames.iter().filter(|frames| match animation {
                Animation::Named(names) => names.contains(&frames.name),
                Animation::Any => true,
            });
            let urls = named.flat_map(|frames| frames.images.iter().cloned());
            let urls: Vec<_> = urls.map(|url| (url, marks.clone())).collect();
            self.add_all(urls.iter());
            if self.is_open {
                return;
            }
        }
    }

    /// What a page with these sheets may need of them that is not there yet. `text` is its decoded
    /// text.
    pub fn lacking<'t>(
        &self,
        page: &Page,
        text: &dyn Fn() -> &'t str,
        viewport: &Viewport,
        is_there: &dyn Fn(&Url) -> bool,
    ) -> Lacking {
        let attributes = Attributes::of(page, viewport);
        let unclear = attributes.has_custom_picture
            || (attributes.uses_custom_picture && self.has_custom_pictures);
        if self.is_open || page.styles.is_cut || unclear {
            return Lacking::Unclear;
        }
        let lacks = |url: &&Url| !is_there(url);
        let animated = self.animated.iter().filter(|_| attributes.is_animated);
        let certain = attributes.pictures.iter().chain(animated).filter(lacks);
        let mut found: Vec<&Url> = certain.collect();
        let pictures = self.pictures.iter().filter(|(url, _)| lacks(&url));
        let pictures: Vec<&(Url, Needed)> = pictures.collect();
        let faces = self.letters.lacking(is_there);
        let mut fonts = Vec::new();
        if !pictures.is_empty() || !faces.is_empty() {
            let Some(marks) = Marks::of(text()) else {
                return Lacking::Unclear;
            };
            let said = self.vocabulary.read(&marks);
            let pictures = pictures.iter().filter(|(_, marks)| said.has(marks));
            found.extend(pictures.map(|(url, _)| url));
            let written = &attributes.written;
            let Some(used) = self.letters.used(faces, &said, text, written) else {
                return Lacking::Unclear;
            };
            fonts = used;
        }
        let mut seen = HashSet::new();
        let images = found.into_iter().map(|url| (url, Destination::Image));
        let fonts = fonts.into_iter().map(|url| (url, Destination::Font));
        let all = images.chain(fonts);
        let each = all.filter(|(url, _)| seen.insert(*url));
        Lacking::AtMost(each.map(|(url, what)| (url.clone(), what)).collect())
    }
}

/// What a page may need that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lacking {
    /// Nothing but these, or only some of them.
    AtMost(Vec<(Url, Destination)>),
    /// That cannot be told.
    Unclear,
}

impl Attributes {
    fn of(page: &Page, viewport: &Viewport) -> Attributes {
        let base = Arc::new(page.base.clone());
        let ground = Ground {
            base: &base,
            encoding: page.encoding(),
            viewport,
        };
        let mut found = Attributes::default();
        for text in &page.styles.attributes {
            let block = read::declarations(text, &ground);
            let mut customs = block.custom.iter();
            found.has_custom_picture |= customs.any(|custom| offers::has_picture(&custom.value));
            for declaration in &block.declarations {
                match (&declaration.value, declaration.slot) {
                    (Value::Raw(_), Slot::Animation) => found.is_animated = true,
                    (Value::Raw(raw), slot) if slot.is_picture() => {
                        found.uses_custom_picture = true;
                        found.pictures.extend(ground.images(&raw.text));
                    }
                    (Value::Names(_), _) => found.is_animated = true,
                    (Value::Images(images), _) => found.pictures.extend(images.iter().cloned()),
                    (value, slot) => found.written.extend(Written::of(slot, value)),
                }
            }
        }
        found
    }
}

/// The browser's own sheet has no URLs.
fn any_url() -> Arc<Url> {
    #[expect(clippy::unwrap_used, reason = "a constant")]
    Arc::new(Url::parse("about:blank").unwrap())
}

/// Outlooks by the sheets that they are about.
#[derive(Debug, Default)]
pub struct Outlooks(HashMap<Vec<usize>, Arc<Outlook>>);

impl Outlooks {
    /// When there are more, all are forgotten: making them again is not much work.
    const MOST: usize = 32;

    /// What these sheets can ask for.
    pub fn of(&mut self, sheets: Vec<Arc<StyleSheet>>) -> Arc<Outlook> {
        let key = sheets.iter().map(|it| Arc::as_ptr(it) as usize).collect();
        if let Some(known) = self.0.get(&key) {
            return known.clone();
        }
        if self.0.len() >= Self::MOST {
            self.0.clear();
        }
        let outlook = Arc::new(Outlook::of(sheets));
        self.0.insert(key, outlook.clone());
        outlook
    }
}

#[cfg(test)]
mod tests;
