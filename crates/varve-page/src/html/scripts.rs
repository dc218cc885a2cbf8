//! `<script>`: what kind of block it is, and what it holds.

use super::containers::unwrapped;
use super::walker::{Container, Source, State, Tag, Walker};
use crate::collector::Surroundings;
use crate::sniff::is_javascript;
use crate::{Destination, Need, Role, ScriptForm, json, script};

/// What an inline script element holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inline {
    /// A script.
    Script(ScriptForm),
    /// An import map.
    ImportMap,
    /// Speculation rules.
    SpeculationRules,
    /// JSON-LD.
    LinkedData,
    /// Nothing that we look into.
    Data,
}

impl<'t> Walker<'_, 't, '_> {
    pub(super) fn script(&mut self, tag: &Tag<'t>) -> Option<(Container, State)> {
        let kind = kind(tag);
        let src = ["src", "href", "xlink:href"]
            .iter()
            .filter(|name| tag.svg == (**name != "src"))
            .find_map(|name| tag.attributes.get(name));
        match (kind, src) {
            (Inline::Script(form), Some(src)) => {
                let destination = match form {
                    ScriptForm::Classic => Destination::Script,
                    ScriptForm::Module => Destination::Module,
                };
                // For browsers without modules, of which there are none left.
                let skipped = form == ScriptForm::Classic && tag.attributes.has("nomodule");
                let need = if skipped { Need::Variant } else { Need::Needed };
                self.offer(&src, Role::Embed(destination), need, "script@src");
                if !skipped && self.collector.surroundings == Surroundings::Live {
                    self.collector.external_script(&src.text, form);
                }
                Some((Container::Script, State::Script(Inline::Data)))
            }
            (kind, None) if !tag.attributes.has("nomodule") => {
                Some((Container::Script, State::Script(kind)))
            }
            _ => Some((Container::Script, State::Script(Inline::Data))),
        }
    }

    /// The text of a script element.
    pub(super) fn inline(&mut self, source: Source<'_>, kind: Inline) {
        let (text, at) = unwrapped(source);
        if text.trim().is_empty() {
            return;
        }
        match kind {
            Inline::Script(form) => {
                if self.collector.surroundings == Surroundings::Live {
                    self.collector.inline_script(&text, form);
                }
                script::find_inline(&text, at, form, self.collector);
            }
            Inline::ImportMap => json::import_map(&text, self.collector),
            Inline::SpeculationRules => json::speculation_rules(&text, self.collector),
            Inline::LinkedData => json::linked_data(&text, self.collector),
            Inline::Data => {}
        }
    }
}

/// What a script element is for, by its type.
pub(crate) fn kind(tag: &Tag<'_>) -> Inline {
    let kind = tag.attributes.text("type").trim().to_ascii_lowercase();
    match kind.as_str() {
        "" => Inline::Script(ScriptForm::Classic),
        "module" => Inline::Script(ScriptForm::Module),
        "importmap" => Inline::ImportMap,
        "speculationrules" => Inline::SpeculationRules,
        "application/ld+json" => Inline::LinkedData,
        _ if is_javascript(&kind) => Inline::Script(ScriptForm::Classic),
        _ => Inline::Data,
    }
}
