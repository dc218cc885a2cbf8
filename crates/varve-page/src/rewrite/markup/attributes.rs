//! Attributes: those with URLs by the table, and those that any element may have.

use super::super::media::Decided;
use super::super::{Crossorigin, Targets, Use};
use super::Editor;
use crate::html::{Attribute, Tag, ValueSyntax, is_handler, may_hold_css, rules};

/// What sends something or forbids something; renamed, it does neither.
const DISABLED: &[&str] = &[
    "attributionsrc",
    "csp",
    "integrity",
    "ping",
    "referrerpolicy",
];

impl<'t> Editor<'_, 't, '_> {
    /// The attributes of the table.
    pub(super) fn url_attributes(&mut self, tag: &Tag<'t>) {
        for rule in rules(&tag.name) {
            let Some(value) = tag.attributes.get(rule.attribute) else {
                continue;
            };
            let used_for = match tag.name.as_ref() {
                "script" => self.script_used_for(tag),
                _ => Use::from(rule.role),
            };
            match rule.syntax {
                ValueSyntax::Url => self.url_value(&value, used_for),
                ValueSyntax::Srcset => {
                    let instead = tag.attributes.get("src");
                    self.srcset_value(&value, instead.as_ref(), used_for);
                }
                ValueSyntax::List => self.list_value(&value, &[' ', ','], used_for),
            }
        }
    }

    /// Attributes that any element may have. Repeated ones are disabled, too: if only the first
    /// were renamed, the second would count.
    pub(super) fn any_attributes(&mut self, tag: &Tag<'t>) {
        for attribute in tag.attributes.iter() {
            let name = attribute.name;
            let is = |other: &str| name.eq_ignore_ascii_case(other);
            match name.as_bytes().first().map(u8::to_ascii_lowercase) {
                Some(b'a' | b'i' | b'p' | b'r') if DISABLED.iter().any(|other| is(other)) => {
                    self.disable(attribute);
                }
                Some(b'c') if is("csp") => self.disable(attribute),
                Some(b'c') if is("crossorigin") => self.crossorigin(tag, attribute),
                Some(b's') if is("style") => self.css_value(&attribute.value()),
                Some(b'o') if is_handler(name) => self.handler_value(&attribute.value()),
                Some(b't') if is("target") => self.target(tag, attribute),
                Some(b'f') if is("formtarget") => self.target(tag, attribute),
                Some(b'm') if is("media") => {
                    let decided = self.decided_for(tag);
                    self.media_value(&attribute.value(), decided);
                }
                Some(b's') if is("sizes") => {
                    self.media_value(&attribute.value(), Decided::Device);
                }
                Some(b'i') if is("imagesizes") => {
                    self.media_value(&attribute.value(), Decided::Device);
                }
                _ if may_hold_css(tag, name) && attribute.raw().contains('(') => {
                    self.css_value(&attribute.value());
                }
                _ => {}
            }
        }
    }

    /// What is decided of the media queries of a tag. The window of the topmost document is known;
    /// frames have sizes of their own.
    fn decided_for(&self, tag: &Tag<'t>) -> Decided {
        let topmost = self.mapping.targets == Targets::TOPMOST;
        match topmost && tag.name == "source" {
            true => Decided::Window,
            false => Decided::Device,
        }
    }

    /// Renames an attribute, so that it means nothing.
    pub(super) fn disable(&mut self, attribute: Attribute<'t>) {
        self.edits.insert(attribute.name_at, "_");
        self.mapping.counts.disabled += 1;
    }

    /// Renames an attribute wherever a tag has it.
    pub(super) fn disable_all(&mut self, tag: &Tag<'t>, name: &str) {
        let all = tag.attributes.iter();
        for attribute in all.filter(|attribute| attribute.name.eq_ignore_ascii_case(name)) {
            self.disable(attribute);
        }
    }

    /// A preload must ask in the same way as what it is for; fonts and `fetch` ask with CORS
    /// whatever their elements say.
    fn crossorigin(&mut self, tag: &Tag<'t>, attribute: Attribute<'t>) {
        let wanted = tag.attributes.text("as");
        let asks_anyway = tag.name == "link"
            && ["font", "fetch"]
                .iter()
                .any(|word| wanted.trim().eq_ignore_ascii_case(word));
        if self.mapping.how.crossorigin == Crossorigin::Disable && !asks_anyway {
            self.disable(attribute);
        }
    }

    fn target(&mut self, tag: &Tag<'t>, attribute: Attribute<'t>) {
        let has_target = matches!(
            tag.name.as_ref(),
            "a" | "area" | "base" | "button" | "form" | "input" | "link"
        );
        if !has_target {
            return;
        }
        let value = attribute.value();
        let targets = self.mapping.targets;
        let new = match value.text.trim().to_ascii_lowercase().as_str() {
            "_top" | "_unfencedtop" => targets.top,
            "_parent" => targets.parent,
            "_blank" => targets.blank,
            _ => None,
        };
        if let Some(new) = new.filter(|new| *new != value.text) {
            self.edits.attribute(self.text, &value, new.to_owned());
        }
    }
}
