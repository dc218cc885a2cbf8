//! What the markup of a page is made of: names that selectors may ask for, and values that
//! scripts may read.

use super::scripts::{Inline, kind};
use super::walker::{Container, Follow, Tag, Visitor};
use crate::charset::decode;
use crate::{Document, kind_of};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Most names that are told.
const MAX_MARKS: usize = 20_000;
/// Most attributes whose values are told.
const MAX_VALUES: usize = 20_000;
/// Longest name or value that is told.
const MAX_LENGTH: usize = 4096;
/// Longest block of JSON that is told.
const MAX_JSON: usize = 4 << 20;

/// What the markup of a page is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// What simple selectors would find: `p`, `#id`, `.class`, `[name]`.
    pub marks: BTreeSet<String>,
    /// Values of attributes by `tag@name`, each list in the order of the page. These are what
    /// scripts look at: `data-*`, URLs, and a few more.
    pub values: BTreeMap<String, Vec<String>>,
    /// Contents of `<meta>` by name or property.
    pub metas: BTreeMap<String, String>,
    /// Blocks of JSON that are no scripts: by `id`, or by `type` and number.
    pub json: BTreeMap<String, String>,
}

/// Takes stock of a page.
pub fn inventory(document: &Document<'_>) -> Inventory {
    let text = decode(document, kind_of(document)).text;
    let mut taker = Taker {
        text: &text,
        ..Taker::default()
    };
    super::visit(&text, &mut taker);
    taker.found
}

#[derive(Default)]
struct Taker<'t> {
    text: &'t str,
    found: Inventory,
    values: usize,
    /// The block of JSON that is open: its name, and where it begins.
    open: Option<(String, usize)>,
}

impl Taker<'_> {
    fn mark(&mut self, sign: &str, name: &str, end: &str) {
        if name.is_empty() || name.len() > MAX_LENGTH || self.found.marks.len() >= MAX_MARKS {
            return;
        }
        self.found.marks.insert(format!("{sign}{name}{end}"));
    }

    fn attributes(&mut self, tag: &Tag<'_>) {
        for attribute in tag.attributes.iter() {
            let name = attribute.name.to_ascii_lowercase();
            self.mark("[", &name, "]");
            let told = is_told(&name);
            if !told && !matches!(name.as_str(), "id" | "class") {
                continue;
            }
            let value = attribute.value().text;
            match name.as_str() {
                "id" => self.mark("#", &value, ""),
                "class" => {
                    for class in value.split_ascii_whitespace() {
                        self.mark(".", class, "");
                    }
                }
                _ => self.value(&tag.name, &name, &value),
            }
        }
    }

    fn value(&mut self, tag: &str, name: &str, value: &str) {
        if value.is_empty() || value.len() > MAX_LENGTH || self.values >= MAX_VALUES {
            return;
        }
        self.values += 1;
        let list = self.found.values.entry(format!("{tag}@{name}"));
        list.or_default().push(value.to_owned());
    }

    fn meta(&mut self, tag: &Tag<'_>) {
        let names = ["name", "property", "itemprop"];
        let name = names.iter().find_map(|name| tag.attributes.get(name));
        let content = tag.attributes.text("content");
        if let Some(name) = name.filter(|name| name.text.len() <= MAX_LENGTH)
            && content.len() <= MAX_LENGTH
            && self.found.metas.len() < MAX_MARKS
        {
            let known = self.found.metas.entry(name.text.to_ascii_lowercase());
            known.or_insert_with(|| content.into_owned());
        }
    }

    fn json(&mut self, tag: &Tag<'_>) -> Follow {
        let is_json = kind(tag) == Inline::Data
            && tag.attributes.text("type").contains("json")
            && !tag.attributes.has("src");
        if !is_json || self.found.json.len() >= MAX_MARKS {
            return Follow::No;
        }
        let name = match tag.attributes.get("id") {
            Some(id) => id.text.into_owned(),
            None => format!("json {}", self.found.json.len()),
        };
        self.open = Some((name, tag.end()));
        Follow::UntilEnd(Container::Script)
    }
}

/// Whether the values of an attribute are told: those that are there for scripts, and URLs.
fn is_told(name: &str) -> bool {
    name.starts_with("data-")
        || matches!(
            name,
            "src" | "href" | "lang" | "content" | "value" | "poster"
        )
}

impl<'t> Visitor<'t> for Taker<'_> {
    fn start(&mut self, tag: &Tag<'t>) -> Follow {
        self.mark("", &tag.name, "");
        self.attributes(tag);
        match tag.name.as_ref() {
            "meta" => self.meta(tag),
            "script" => return self.json(tag),
            _ => {}
        }
        Follow::No
    }

    fn end(&mut self, _: Container, at: usize) {
        if let Some((name, start)) = self.open.take()
            && let Some(text) = self.text.get(start..at)
            && text.len() <= MAX_JSON
        {
            self.found.json.insert(name, text.to_owned());
        }
    }

    fn instruction(&mut self, _: Range<usize>) {}
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use url::Url;

    fn of(html: &str) -> Inventory {
        let url = Url::parse("https://garden.example/").unwrap();
        inventory(&Document::new(&url, html.as_bytes()))
    }

    #[test]
    fn names_are_what_simple_selectors_find() {
        let marks = of("<main id=top class='wide  dark'><x-map data-zoom=3></main>").marks;
        let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
        let expected = [
            "#top",
            ".dark",
            ".wide",
            "[class]",
            "[data-zoom]",
            "[id]",
            "main",
            "x-map",
        ];
        assert_eq!(marks, expected);
    }

    #[test]
    fn values_are_in_the_order_of_the_page() {
        let values = of("<img data-src=b.png alt=no><img data-src='a.png?x&amp;y'>").values;
        assert_eq!(values["img@data-src"], ["b.png", "a.png?x&y"]);
        assert!(!values.contains_key("img@alt"));
    }

    #[test]
    fn metas_and_blocks_of_json_have_names() {
        let page = of(concat!(
            "<meta name=Topic content=roses><meta property='og:image' content=/r.png>",
            "<script type=application/json id=state>{\"a\":1}</script>",
            "<script type=application/json>[2]</script><script>run()</script>",
        ));
        assert_eq!(page.metas["topic"], "roses");
        assert_eq!(page.metas["og:image"], "/r.png");
        assert_eq!(page.json["state"], "{\"a\":1}");
        assert_eq!(page.json["json 1"], "[2]");
        assert_eq!(page.json.len(), 2);
    }
}
