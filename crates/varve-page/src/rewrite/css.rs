//! Style sheets: URLs in place of URLs, media features in place of those that cannot be pinned.

use super::edits::Edits;
use super::mapping::Mapping;
use super::media::Decided;
use super::{Use, media, scheme};
use crate::css::{Found, Reader, read};
use crate::{Destination, Need, Role, Viewport};

/// The edits of a style sheet, or of the value of a `style` attribute.
pub(super) fn edits(text: &str, mapping: &mut Mapping<'_>) -> Edits {
    let mut editor = Editor {
        text,
        mapping,
        edits: Edits::default(),
    };
    read(text, Need::Needed, &mut editor);
    if let Some(client) = editor.mapping.how.client {
        editor.edits.append(0, scheme::in_styles(text, client));
    }
    editor.edits
}

struct Editor<'e, 'a> {
    text: &'e str,
    mapping: &'e mut Mapping<'a>,
    edits: Edits,
}

impl Reader for Editor<'_, '_> {
    fn viewport(&self) -> &Viewport {
        &self.mapping.viewport
    }

    fn url(&mut self, found: Found, destination: Destination, _: Need, _: &'static str) {
        let used_for = Use::from(Role::Embed(destination));
        let written = self.text.get(found.token.clone()).unwrap_or_default();
        if let Some(url) = self.mapping.url(&found.url, used_for) {
            self.edits.replace(found.token, spelt(&url, written));
        }
    }

    fn media(&mut self, queries: &str, at: usize) {
        if let Some(client) = self.mapping.how.client {
            self.edits
                .append(at, media::edits(queries, client, Decided::Device));
        }
    }
}

/// A URL spelt as the token that it replaces: a string in the same quotes, or `url(x)`.
fn spelt(url: &str, written: &str) -> String {
    match written.chars().next() {
        Some(quote @ ('"' | '\'')) => string(url, quote),
        _ if url.chars().all(needs_no_quotes) => format!("url({url})"),
        _ => format!("url({})", string(url, '"')),
    }
}

fn needs_no_quotes(c: char) -> bool {
    c > ' ' && c != '\x7f' && !matches!(c, '"' | '\'' | '(' | ')' | '\\' | '<')
}

fn string(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        // The end tag of a style element must not come into being.
        if c == quote || matches!(c, '\\' | '<') || c < ' ' || c == '\x7f' {
            out.push_str(&format!("\\{:x} ", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out.push(quote);
    out
}
