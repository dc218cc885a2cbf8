//! JSON that browsers and search engines read: web app manifests, JSON-LD, import maps,
//! speculation rules.

use serde_json::Value;

use crate::collector::{Collector, Offer};
use crate::{Destination, ImportMap, Need, Note, Role};

/// Most values of one JSON text that are looked at.
const MAX_VALUES: usize = 100_000;

const IMAGE: Role = Role::Embed(Destination::Image);

fn parse(text: &str, collector: &mut Collector<'_>) -> Option<Value> {
    let parsed = serde_json::from_str(text.trim_start_matches('\u{feff}'));
    parsed
        .map_err(|error| collector.note(Note::Json(error.to_string())))
        .ok()
}

fn offer(collector: &mut Collector<'_>, url: &str, role: Role, need: Need, context: &'static str) {
    collector.offer(Offer {
        url,
        role,
        need,
        context,
        span: None,
    });
}

/// A web app manifest: icons, screenshots, shortcuts, where the app starts.
pub(crate) fn manifest(text: &str, collector: &mut Collector<'_>) {
    let Some(manifest) = parse(text, collector) else {
        return;
    };
    if let Some(start) = manifest["start_url"].as_str() {
        offer(
            collector,
            start,
            Role::Link,
            Need::Weak,
            "manifest@start_url",
        );
    }
    images(&manifest["icons"], "manifest@icons", collector);
    images(&manifest["screenshots"], "manifest@screenshots", collector);
    for shortcut in manifest["shortcuts"].as_array().into_iter().flatten() {
        if let Some(url) = shortcut["url"].as_str() {
            offer(collector, url, Role::Link, Need::Weak, "manifest@shortcuts");
        }
        images(&shortcut["icons"], "manifest@shortcuts", collector);
    }
}

fn images(list: &Value, context: &'static str, collector: &mut Collector<'_>) {
    for image in list.as_array().into_iter().flatten() {
        if let Some(src) = image["src"].as_str() {
            offer(collector, src, IMAGE, Need::Weak, context);
        }
    }
}

/// An inline import map. Its addresses are offered as well: scripts may import them.
pub(crate) fn import_map(text: &str, collector: &mut Collector<'_>) {
    match ImportMap::parse(text, &collector.base) {
        Ok(map) => {
            let addresses: Vec<_> = map.addresses().cloned().collect();
            collector.import_map.merge(map);
            for url in addresses {
                let offer = Offer {
                    url: "",
                    role: Role::Embed(Destination::Module),
                    need: Need::Weak,
                    context: "importmap",
                    span: None,
                };
                collector.offer_resolved(url, offer);
            }
        }
        Err(error) => collector.note(Note::Json(error.to_string())),
    }
}

/// Speculation rules: lists of URLs to prefetch or prerender.
pub(crate) fn speculation_rules(text: &str, collector: &mut Collector<'_>) {
    let Some(rules) = parse(text, collector) else {
        return;
    };
    let lists = ["prefetch", "prerender"]
        .into_iter()
        .filter_map(|name| rules[name].as_array());
    for rule in lists.flatten() {
        for url in rule["urls"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            offer(collector, url, Role::Hint, Need::Weak, "speculationrules");
        }
    }
}

/// JSON-LD, or any other JSON: strings that are URLs by the name of their property.
pub(crate) fn linked_data(text: &str, collector: &mut Collector<'_>) {
    let Some(data) = parse(text, collector) else {
        return;
    };
    // The parser limits the depth; the list limits the work.
    let mut waiting: Vec<(&str, &Value)> = vec![("", &data)];
    let mut seen = 0;
    while let Some((name, value)) = waiting.pop() {
        seen += 1;
        if seen > MAX_VALUES {
            return;
        }
        match value {
            Value::Object(map) => {
                let own = map
                    .iter()
                    .rev()
                    .map(|(key, value)| (inherited(name, key), value));
                waiting.extend(own);
            }
            Value::Array(list) => waiting.extend(list.iter().rev().map(|value| (name, value))),
            Value::String(text) => property(name, text, collector),
            _ => {}
        }
    }
}

/// The URL of an image object is an image.
fn inherited<'n>(parent: &'n str, key: &'n str) -> &'n str {
    match (role(parent), key) {
        (Some(IMAGE), "url" | "@id") => parent,
        _ => key,
    }
}

fn role(name: &str) -> Option<Role> {
    match name {
        "image" | "logo" | "thumbnailUrl" | "thumbnail" | "photo" | "primaryImageOfPage" => {
            Some(IMAGE)
        }
        "contentUrl" | "embedUrl" => Some(Role::Embed(Destination::Media)),
        "url" | "mainEntityOfPage" => Some(Role::Link),
        _ => None,
    }
}

fn property(name: &str, text: &str, collector: &mut Collector<'_>) {
    let is_url = ["http://", "https://", "/"]
        .iter()
        .any(|start| text.starts_with(start));
    if let Some(role) = role(name)
        && is_url
    {
        offer(collector, text, role, Need::Weak, "json-ld");
    }
}

#[cfg(test)]
mod tests;
