//! Elements that need more than the table.

use std::ops::Range;

use super::super::{Use, markup, scheme};
use super::{Editor, Holds, Syntax};
use crate::headers::refresh_url;
use crate::html::{Attributes, Inline, Tag, destination, relation, script_kind};
use crate::{Role, ScriptForm};

/// Relations that only make connections, to hosts that are not in the archive.
const CONNECTING: &[&str] = &["dns-prefetch", "preconnect"];

/// What a `<meta>` must not say: it would forbid what replay needs, or reach outside.
const DISABLED_META: &[&str] = &[
    "accept-ch",
    "content-security-policy",
    "delegate-ch",
    "x-dns-prefetch-control",
];

impl<'t> Editor<'_, 't, '_> {
    pub(super) fn element(&mut self, tag: &Tag<'t>) {
        match tag.name.as_ref() {
            "link" => self.link(tag),
            "meta" => self.meta(tag),
            "base" => self.base(tag),
            "iframe" => self.srcdoc(tag),
            "param" => self.param(tag),
            "animate" | "set" => self.animation(tag),
            _ => {}
        }
    }

    /// `<link>`: hints to connect are dropped; what else it loads says its relation.
    fn link(&mut self, tag: &Tag<'t>) {
        if let Some(candidates) = tag.attributes.get("imagesrcset") {
            let instead = tag.attributes.get("href");
            self.srcset_value(&candidates, instead.as_ref(), Use::Image);
        }
        let (Some(href), rel) = (tag.attributes.get("href"), tag.attributes.get("rel")) else {
            return;
        };
        let words = rel.as_ref().map(|rel| rel.text.to_ascii_lowercase());
        let words = words.as_deref().unwrap_or_default();
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        let Some(used_for) = link_used_for(&words, &tag.attributes.text("as")) else {
            self.disable_all(tag, "href");
            return;
        };
        if let Some(rel) = rel
            && words.iter().any(|word| CONNECTING.contains(word))
        {
            let kept = words.into_iter().filter(|word| !CONNECTING.contains(word));
            let kept: Vec<&str> = kept.collect();
            self.edits.attribute(self.text, &rel, kept.join(" "));
        }
        if let Some(used_for) = used_for {
            self.url_value(&href, used_for);
        }
    }

    fn meta(&mut self, tag: &Tag<'t>) {
        let Some(content) = tag.attributes.get("content") else {
            return;
        };
        let equivalent = tag
            .attributes
            .text("http-equiv")
            .trim()
            .to_ascii_lowercase();
        let name = tag.attributes.text("name");
        if equivalent == "refresh" {
            if let Some(url) = refresh_url(&content.text) {
                self.url_part(&content, url, Use::Navigate);
            }
        } else if DISABLED_META.contains(&equivalent.as_str())
            || name.trim().eq_ignore_ascii_case("referrer")
        {
            self.disable_all(tag, "content");
        } else if let Some(client) = self.mapping.how.client
            && name.trim().eq_ignore_ascii_case("color-scheme")
        {
            let edits = scheme::of_value(&content.text, client);
            self.edits.within(self.text, &content, edits);
        }
    }

    /// `<base>`: the first with a URL counts, for what comes after it.
    fn base(&mut self, tag: &Tag<'t>) {
        let Some(href) = tag.attributes.get("href") else {
            return;
        };
        self.url_value(&href, Use::Base);
        let in_template = self.open.iter().any(|e| matches!(e.holds, Holds::Template));
        if self.base_seen || in_template || tag.svg {
            return;
        }
        self.base_seen = true;
        if let Some(base) = self.mapping.resolve(href.text.trim()) {
            self.mapping.base = base;
        }
    }

    /// A page in an attribute.
    fn srcdoc(&mut self, tag: &Tag<'t>) {
        let Some(srcdoc) = tag.attributes.get("srcdoc") else {
            return;
        };
        let edits = self.mapping.nested(|mapping| {
            mapping.targets = mapping.targets.inside();
            let insert = mapping.how.insert_srcdoc;
            markup::edits(&srcdoc.text, Syntax::Html, Some(insert), mapping)
        });
        self.edits.within(self.text, &srcdoc, edits);
    }

    /// `<param name=movie value=x>`, which plug-ins took for a URL.
    fn param(&mut self, tag: &Tag<'t>) {
        let name = tag.attributes.text("name").to_ascii_lowercase();
        if matches!(name.as_str(), "movie" | "src" | "url" | "filename" | "data")
            && let Some(value) = tag.attributes.get("value")
        {
            self.url_value(&value, Use::Object);
        }
    }

    /// An animation of a link. With parentheses in it, it has been read as CSS.
    fn animation(&mut self, tag: &Tag<'t>) {
        let animated = tag.attributes.text("attributeName");
        if !matches!(animated.trim(), "href" | "xlink:href") {
            return;
        }
        for name in ["from", "to", "by", "values"] {
            if let Some(value) = tag.attributes.get(name)
                && !value.text.contains('(')
            {
                self.list_value(&value, &[';'], Use::Navigate);
            }
        }
    }

    /// What the source of a script element is used for.
    pub(super) fn script_used_for(&self, tag: &Tag<'t>) -> Use {
        match script_kind(tag) {
            Inline::Script(ScriptForm::Module) => Use::Module,
            _ => Use::Script,
        }
    }

    /// What a script element holds. Speculation rules get a type that no browser knows.
    pub(super) fn script_element(&mut self, tag: &Tag<'t>) -> Inline {
        let kind = script_kind(tag);
        if kind == Inline::SpeculationRules
            && let Some(value) = tag.attributes.get("type")
        {
            let new = "_speculationrules".to_owned();
            self.edits.attribute(self.text, &value, new);
            self.mapping.counts.disabled += 1;
        }
        if tag.attributes.has("async")
            && matches!(kind, Inline::Script(_))
            && let Some(source) = tag.attributes.get("src")
        {
            self.mapping.async_script(&source.text);
        }
        let sources = match tag.svg {
            true => &["href", "xlink:href"][..],
            false => &["src"],
        };
        match sources.iter().any(|source| tag.attributes.has(source)) {
            true => Inline::Data,
            false => kind,
        }
    }

    /// `<?xml-stylesheet href="x"?>`.
    pub(super) fn stylesheet_instruction(&mut self, inside: Range<usize>) {
        let text = self.text.get(inside.clone()).unwrap_or_default();
        if let Some(rest) = text.strip_prefix("xml-stylesheet") {
            let from = inside.end - rest.len();
            let attributes = Attributes::new(self.text, from, inside.end);
            if let Some(href) = attributes.get("href") {
                self.url_value(&href, Use::Style);
            }
        }
    }
}

/// What the URL of a link with these relations is used for. `None` if it only makes
/// connections; `Some(None)` if nobody loads it: what a page is called elsewhere is for tools to
/// read, which want the name that it had.
pub(in crate::rewrite) fn link_used_for(relations: &[&str], wanted: &str) -> Option<Option<Use>> {
    let has = |relation| relations.contains(&relation);
    let connects = !relations.is_empty() && relations.iter().all(|word| CONNECTING.contains(word));
    if connects {
        return None;
    }
    if has("stylesheet") {
        return Some(Some(Use::Style));
    }
    if has("preload") || has("prefetch") {
        let wanted = wanted.trim().to_ascii_lowercase();
        return Some(Some(match wanted.as_str() {
            "worker" | "sharedworker" => Use::Worker,
            "fetch" => Use::Fetch,
            wanted => destination(wanted).map_or(Use::Other, |to| Use::from(Role::Embed(to))),
        }));
    }
    if has("canonical") {
        return Some(None);
    }
    let known = relations.iter().find_map(|word| relation(word));
    Some(Some(known.map_or(Use::Other, |(role, ..)| Use::from(role))))
}
