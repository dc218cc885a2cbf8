//! The headers of a map: lines that begin with an exclamation mark.
//!
//! `!context` says which words are used, `!id` whose map it is, `!fields` what the columns are, and
//! any number of `!meta` whatever else is to be said. Those of others write JSON with or without
//! quotes around names; ours have them. Unknown headers are kept as they are.

use serde_json::{Map, Value, json};

/// Where the words of the format are explained.
const CONTEXT: &str = "http://oduwsdl.github.io/contexts/ukvs";

/// What the headers of a new map say.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The address of the archive.
    pub id: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// When the map was made, as text.
    pub updated_at: Option<String>,
}

impl About {
    /// The headers of a new map.
    pub fn headers(&self) -> Vec<String> {
        let mut headers = vec![format!("!context {}", json!([CONTEXT]))];
        headers.extend(
            self.id
                .iter()
                .map(|id| format!("!id {}", json!({ "uri": id }))),
        );
        headers.push("!fields {\"keys\": [\"surt\"], \"values\": [\"frequency\"]}".to_owned());
        let mut meta = Map::new();
        meta.insert("type".to_owned(), "MementoMap".into());
        if let Some(name) = &self.name {
            meta.insert("name".to_owned(), name.as_str().into());
        }
        headers.push(format!("!meta {}", Value::Object(meta)));
        let updated = self.updated_at.iter();
        headers.extend(updated.map(|at| format!("!meta {}", json!({ "updated_at": at }))));
        headers
    }
}

/// The headers of a map that is made of others: each once, in the order in which they first come.
pub fn merged_headers<'a>(maps: impl IntoIterator<Item = &'a [String]>) -> Vec<String> {
    let mut headers: Vec<String> = Vec::new();
    for header in maps.into_iter().flatten().filter(|header| !is_page(header)) {
        if !headers.contains(header) {
            headers.push(header.clone());
        }
    }
    // What is said once only is said by the first.
    for single in ["!context ", "!id ", "!fields "] {
        let mut seen = false;
        headers.retain(|header| !header.starts_with(single) || !std::mem::replace(&mut seen, true));
    }
    headers
}

/// The header that names the pages of a map that is in several files.
pub(crate) fn page_header(number: usize, previous: Option<&str>, next: Option<&str>) -> String {
    let mut meta = Map::new();
    meta.insert("page".to_owned(), number.into());
    if let Some(previous) = previous {
        meta.insert("prev".to_owned(), previous.into());
    }
    if let Some(next) = next {
        meta.insert("next".to_owned(), next.into());
    }
    format!("!meta {}", Value::Object(meta))
}

/// Whether a header is about pages.
pub(crate) fn is_page(header: &str) -> bool {
    meta(header).is_some_and(|meta| meta.contains_key("page"))
}

/// The page that follows, if a header names one.
pub(crate) fn next_page(header: &str) -> Option<String> {
    Some(meta(header)?.get("next")?.as_str()?.to_owned())
}

fn meta(header: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(header.strip_prefix("!meta ")?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_map_says_what_it_is() {
        let about = About {
            id: Some("https://archive.example/".to_owned()),
            name: Some("An \"archive\"".to_owned()),
            updated_at: None,
        };
        assert_eq!(
            about.headers(),
            [
                r#"!context ["http://oduwsdl.github.io/contexts/ukvs"]"#,
                r#"!id {"uri":"https://archive.example/"}"#,
                r#"!fields {"keys": ["surt"], "values": ["frequency"]}"#,
                r#"!meta {"name":"An \"archive\"","type":"MementoMap"}"#,
            ]
        );
    }

    #[test]
    fn headers_of_several_maps_are_told_once() {
        let one = [
            "!id {uri: \"a\"}",
            "!meta {x: 1}",
            "!meta {\"page\":1,\"next\":\"p2\"}",
        ];
        let other = ["!id {uri: \"b\"}", "!meta {x: 1}", "!meta {y: 2}"];
        let maps = [one, other].map(|map| map.map(str::to_owned));
        assert_eq!(
            merged_headers(maps.iter().map(|map| &map[..])),
            ["!id {uri: \"a\"}", "!meta {x: 1}", "!meta {y: 2}"]
        );
    }
}
