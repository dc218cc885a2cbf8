//! What one sheet can ask for, with the marks without which it does not.

use std::sync::Arc;

use url::Url;

use super::super::sheet::{Block, StyleSheet};
use super::super::value::{Content, Raw, Slot, Value, Weight};
use super::marks::needed;
use crate::Viewport;
use crate::marks::Mark;

/// What the page must have for it.
pub(super) type Marks = Arc<[Mark]>;

/// What a sheet can ask for.
#[derive(Debug, Default)]
pub(crate) struct Offers {
    pub(super) pictures: Vec<(Url, Marks)>,
    /// Values of custom properties with pictures in them.
    pub(super) custom_pictures: Vec<(Arc<str>, Marks)>,
    /// What pictures are relative to that custom properties bring, if they can.
    pub(super) pictures_by_custom: Option<Ground>,
    pub(super) animations: Vec<(Animation, Marks)>,
    pub(super) written: Vec<(Written, Marks)>,
    /// All that custom properties say.
    pub(super) customs: Vec<Arc<str>>,
    /// Whether it cannot be told what the sheet asks for.
    pub(super) is_open: bool,
}

/// Which animations a rule names.
#[derive(Debug)]
pub(super) enum Animation {
    Named(Arc<[Box<str>]>),
    Any,
}

/// How a rule has something written.
#[derive(Clone, Debug)]
pub(super) enum Written {
    Families(Arc<[Box<str>]>),
    /// In families that some custom property names, or this value.
    AnyFamily(Box<str>),
    Weight(Weight),
    AnyWeight,
    Slanted,
    Text(Box<str>),
}

/// Where values stand, for longer than while a sheet is read.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    base: Arc<Url>,
    encoding: &'static encoding_rs::Encoding,
    viewport: Viewport,
}

impl Ground {
    pub(super) fn images(&self, text: &str) -> Vec<Url> {
        let ground = super::Ground {
            base: &self.base,
            encoding: self.encoding,
            viewport: &self.viewport,
        };
        ground.images(text)
    }
}

impl Written {
    /// What a declaration has to say about it.
    pub(super) fn of(slot: Slot, value: &Value) -> Vec<Written> {
        match (value, slot) {
            (Value::Family(families), _) => vec![Written::Families(families.clone())],
            (Value::Weight(weight), _) => vec![Written::Weight(*weight)],
            (Value::Slant(true), _) => vec![Written::Slanted],
            (Value::Content(content), _) => content_text(content).into_iter().collect(),
            (Value::Raw(raw), Slot::Family) => vec![Written::AnyFamily(raw.text.clone())],
            (Value::Raw(_), Slot::Weight) => vec![Written::AnyWeight],
            (Value::Raw(_), Slot::Slant) => vec![Written::Slanted],
            // Custom properties in it are looked at with all others.
            (Value::Raw(raw), Slot::Content) => vec![Written::Text(raw.text.clone())],
            _ => Vec::new(),
        }
    }
}

/// What is written of a content beyond ASCII, which is written anyway.
fn content_text(content: &Content) -> Option<Written> {
    (!content.text.is_ascii()).then(|| Written::Text(content.text.as_str().into()))
}

/// Whether a value may have a picture in it.
pub(super) fn has_picture(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    value.contains("url(") || has_picture_function(&value)
}

/// Whether strings in a value may be pictures; in lower case.
fn has_picture_function(value: &str) -> bool {
    value.contains("image-set(") || value.contains("image(") || value.contains("cross-fade(")
}

impl Offers {
    /// How much there is.
    pub(super) fn len(&self) -> usize {
        let text: usize = self.customs.iter().map(|value| value.len()).sum();
        let values = self.pictures.len() + self.custom_pictures.len() + self.written.len();
        values + self.animations.len() + text / 64
    }

    pub(crate) fn of(sheet: &StyleSheet) -> Offers {
        let mut offers = Offers::default();
        for rule in &sheet.rules {
            let block = &sheet.blocks[rule.block as usize];
            if let Some(marks) = needed(&rule.selector) {
                offers.block(block, &marks.into(), sheet);
            }
        }
        offers
    }

    fn block(&mut self, block: &Block, marks: &Marks, sheet: &StyleSheet) {
        for custom in &block.custom {
            self.customs.push(custom.value.clone());
            if has_picture(&custom.value) {
                self.is_open |= has_picture_function(&custom.value.to_ascii_lowercase());
                self.custom_pictures
                    .push((custom.value.clone(), marks.clone()));
            }
        }
        for declaration in &block.declarations {
            let slot = declaration.slot;
            match &declaration.value {
                Value::Images(images) => self.add(images, marks),
                Value::Names(names) => self
                    .animations
                    .push((Animation::Named(names.clone()), marks.clone())),
                Value::Raw(_) if slot == Slot::Animation => {
                    self.animations.push((Animation::Any, marks.clone()));
                }
                Value::Raw(raw) if slot.is_picture() => self.raw(raw, marks, sheet),
                value => {
                    match value {
                        Value::Content(content) => self.add(&content.images, marks),
                        Value::Raw(raw) if slot == Slot::Content => self.raw(raw, marks, sheet),
                        _ => {}
                    }
                    let written = Written::of(slot, value).into_iter();
                    self.written.extend(written.map(|it| (it, marks.clone())));
                }
            }
        }
    }

    fn add(&mut self, images: &[Url], marks: &Marks) {
        let images = images.iter().cloned();
        self.pictures.extend(images.map(|url| (url, marks.clone())));
    }

    /// A declaration of pictures that depends on custom properties.
    fn raw(&mut self, raw: &Raw, marks: &Marks, sheet: &StyleSheet) {
        self.is_open |= has_picture_function(&raw.text.to_ascii_lowercase());
        let Some((encoding, viewport)) = &sheet.read_for else {
            self.is_open = true;
            return;
        };
        let ground = Ground {
            base: raw.base.clone(),
            encoding,
            viewport: viewport.clone(),
        };
        self.add(&ground.images(&raw.text), marks);
        self.pictures_by_custom = Some(ground);
    }
}
