//! Hints at connections (`preconnect`, `dns-prefetch`), which the headless browser does not follow:
//! they are looked for in the documents themselves.

use super::trap::name_in;
use serde_json::Value;
use std::collections::BTreeSet;
use url::{Host, Url};

const HINTS: [&str; 2] = ["preconnect", "dns-prefetch"];

/// The vectors that hint at the trap, somewhere in a document.
pub(super) fn vectors(document: &Value, trap: u16) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let base = Url::parse("about:blank").unwrap();
    look(&document["root"], &base, trap, &mut found);
    found
}

fn look(node: &Value, base: &Url, trap: u16, found: &mut BTreeSet<String>) {
    let own = node["baseURL"]
        .as_str()
        .and_then(|url| Url::parse(url).ok());
    let base = own.as_ref().unwrap_or(base);
    if node["localName"] == "link" && has_hint(node) {
        let url = attribute(node, "href").and_then(|href| base.join(href).ok());
        if let Some(url) = url.filter(|url| is_trap(url, trap)) {
            found.extend(name_in(url.as_str()));
        }
    }
    for inner in ["children", "shadowRoots"] {
        for node in node[inner].as_array().into_iter().flatten() {
            look(node, base, trap, found);
        }
    }
    look_inside(node, base, trap, found);
}

/// The document of a frame.
fn look_inside(node: &Value, base: &Url, trap: u16, found: &mut BTreeSet<String>) {
    if node["contentDocument"].is_object() {
        look(&node["contentDocument"], base, trap, found);
    }
}

fn has_hint(link: &Value) -> bool {
    let rel = attribute(link, "rel").unwrap_or("").to_ascii_lowercase();
    rel.split_ascii_whitespace()
        .any(|word| HINTS.contains(&word))
}

fn attribute<'a>(node: &'a Value, name: &str) -> Option<&'a str> {
    let attributes = node["attributes"].as_array()?;
    let mut pairs = attributes.chunks(2);
    pairs.find(|pair| pair[0] == name)?[1].as_str()
}

fn is_trap(url: &Url, trap: u16) -> bool {
    let at_trap = match url.host() {
        Some(Host::Domain(host)) => host.ends_with(".trap.localhost"),
        Some(host) => host.to_string() == "127.0.0.1",
        None => false,
    };
    at_trap && url.port_or_known_default() == Some(trap)
}
