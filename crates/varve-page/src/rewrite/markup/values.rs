//! The values of attributes: a URL, a list of them, or a text in another language.

use std::ops::Range;

use super::super::edits::Edits;
use super::super::media::Decided;
use super::super::{Use, css, media};
use super::Editor;
use crate::html::Value;

impl Editor<'_, '_, '_> {
    /// A value that is one URL.
    pub(super) fn url_value(&mut self, value: &Value<'_>, used_for: Use) {
        if let Some(url) = self.mapping.url(&value.text, used_for) {
            self.edits.attribute(self.text, value, url);
        }
    }

    /// A part of a value that is one URL.
    pub(super) fn url_part(&mut self, value: &Value<'_>, part: Range<usize>, used_for: Use) {
        let mut edits = Edits::default();
        if let Some(url) = self.mapping.url(&value.text[part.clone()], used_for) {
            edits.replace(part, url);
        }
        self.edits.within(self.text, value, edits);
    }

    /// URLs with blanks or commas between them.
    pub(super) fn list_value(&mut self, value: &Value<'_>, separators: &[char], used_for: Use) {
        let mut edits = Edits::default();
        let mut at = 0;
        for piece in value.text.split(separators) {
            if let Some(url) = self.mapping.url(piece, used_for) {
                edits.replace(at..at + piece.len(), url);
            }
            at += piece.len() + 1;
        }
        self.edits.within(self.text, value, edits);
    }

    /// Declarations of CSS.
    pub(super) fn css_value(&mut self, value: &Value<'_>) {
        let edits = css::edits(&value.text, self.mapping);
        self.edits.within(self.text, value, edits);
    }

    /// Media queries, or sizes that depend on them.
    pub(super) fn media_value(&mut self, value: &Value<'_>, decided: Decided) {
        if let Some(client) = self.mapping.how.client {
            let edits = media::edits(&value.text, client, decided);
            self.edits.within(self.text, value, edits);
        }
    }

    /// The body of an event handler.
    pub(super) fn handler_value(&mut self, value: &Value<'_>) {
        if let Some(code) = self.mapping.handler(&value.text) {
            let mut edits = Edits::default();
            edits.replace_text(0, &value.text, &code);
            self.edits.within(self.text, value, edits);
        }
    }
}
