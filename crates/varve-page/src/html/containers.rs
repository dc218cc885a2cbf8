//! Elements with content of their own: what their content is when they end.

use std::borrow::Cow;

use super::walker::{Container, Entered, Source, State, Tag, Walker};
use crate::collector::Surroundings;
use crate::css::{self, Sheet};
use crate::media::media_matches;
use crate::{Need, Role, html};

impl<'t> Walker<'_, 't, '_> {
    /// An element ends at `end`; its content is known now.
    pub(super) fn leave(&mut self, entered: &Entered, end: usize) {
        let content = self.source.text.get(entered.start..end).unwrap_or_default();
        let source = Source {
            text: content,
            at: self.source.at.map(|at| at + entered.start),
        };
        match &entered.state {
            State::Style(need) => self.style(source, *need),
            State::Script(inline) => self.inline(source, *inline),
            State::Template(outer) => self.collector.surroundings = *outer,
            State::Nothing | State::Sources { .. } => {}
        }
        match entered.container {
            Container::Title if self.collector.title.is_none() => {
                let title = htmlize::unescape(content);
                let title: Vec<&str> = title.split_ascii_whitespace().collect();
                self.collector.title = Some(title.join(" "));
            }
            // The tokenizer takes it for text, as browsers with scripts do.
            Container::Noscript if content.contains('<') => {
                self.collector.nested(Surroundings::Noscript, |collector| {
                    html::find(source, collector);
                });
            }
            _ => {}
        }
    }

    /// What the rules of a `<style>` are good for.
    pub(super) fn style_need(&self, tag: &Tag<'t>) -> Need {
        let kind = tag.attributes.text("type");
        let kind = kind.trim();
        let is_css = kind.is_empty() || kind.eq_ignore_ascii_case("text/css");
        let matches = media_matches(&tag.attributes.text("media"), self.collector.viewport);
        match (is_css, matches) {
            (true, true) => Need::Needed,
            (true, false) => Need::Variant,
            (false, _) => Need::Weak,
        }
    }

    fn style(&mut self, source: Source<'_>, need: Need) {
        if need == Need::Weak {
            return;
        }
        let (text, at) = unwrapped(source);
        if need == Need::Needed
            && let Some(styles) = self.collector.styles()
        {
            styles.sheet(at.map(|at| at..at + text.len()));
        }
        css::find(
            &Sheet {
                text: &text,
                at,
                need,
            },
            self.collector,
        );
    }

    /// `<template>`: inert, unless it is a declarative shadow tree.
    pub(super) fn template(&mut self, tag: &Tag<'t>) -> Option<(Container, State)> {
        if tag.attributes.has("shadowrootmode") {
            return None;
        }
        let outer = self.collector.surroundings;
        self.collector.surroundings = Surroundings::Inert;
        Some((Container::Template, State::Template(outer)))
    }

    pub(super) fn iframe(&mut self, tag: &Tag<'t>) {
        let Some(srcdoc) = tag.attributes.get("srcdoc") else {
            if let Some(src) = tag.attributes.get("src") {
                self.offer(&src, Role::Frame, Need::Needed, "iframe@src");
            }
            return;
        };
        let at = srcdoc
            .verbatim()
            .and_then(|at| self.source.at.map(|from| from + at));
        self.collector.nested(Surroundings::Live, |collector| {
            let source = Source {
                text: &srcdoc.text,
                at,
            };
            html::find(source, collector);
        });
    }
}

/// The content of a style or script element without the CDATA section or comment around it, as
/// elements of SVG have it.
pub(super) fn unwrapped(source: Source<'_>) -> (Cow<'_, str>, Option<usize>) {
    let trimmed = source.text.trim_start();
    let Some(inside) = trimmed.strip_prefix("<![CDATA[") else {
        return (Cow::Borrowed(source.text), source.at);
    };
    let start = source.text.len() - inside.len();
    let inside = inside.rfind("]]>").map_or(inside, |end| &inside[..end]);
    (Cow::Borrowed(inside), source.at.map(|at| at + start))
}
