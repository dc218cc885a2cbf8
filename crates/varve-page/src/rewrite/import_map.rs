//! Import maps: addresses and keys that are URLs are mapped; bare names stay.

use serde_json::{Map, Value};

use super::mapping::Mapping;
use crate::Note;

/// The map as JSON, if it changes. Digests in it are left out: what they are of is rewritten.
pub(super) fn changed(json: &str, mapping: &mut Mapping<'_>) -> Option<String> {
    let mut parsed: Value = match serde_json::from_str(json) {
        Ok(parsed) => parsed,
        Err(error) => {
            mapping.note(Note::Json(error.to_string()));
            return None;
        }
    };
    let before = mapping.counts.urls;
    let map = parsed.as_object_mut()?;
    let digests = map.remove("integrity").is_some();
    if let Some(Value::Object(imports)) = map.get_mut("imports") {
        *imports = entries(std::mem::take(imports), mapping);
    }
    if let Some(Value::Object(scopes)) = map.get_mut("scopes") {
        let mapped = std::mem::take(scopes).into_iter().map(|(prefix, scope)| {
            let prefix = prefix_url(&prefix, mapping).unwrap_or(prefix);
            let scope = match scope {
                Value::Object(scope) => Value::Object(entries(scope, mapping)),
                other => other,
            };
            (prefix, scope)
        });
        *scopes = mapped.collect();
    }
    if mapping.counts.urls == before && !digests {
        return None;
    }
    // It stands in a script element, which must not end here.
    Some(parsed.to_string().replace('<', "\\u003c"))
}

fn entries(map: Map<String, Value>, mapping: &mut Mapping<'_>) -> Map<String, Value> {
    let mapped = map.into_iter().map(|(key, address)| {
        let key = mapping.specifier(&key).unwrap_or(key);
        let address = match address {
            Value::String(address) => Value::String(mapping.specifier(&address).unwrap_or(address)),
            other => other,
        };
        (key, address)
    });
    mapped.collect()
}

/// Prefixes of scopes are URLs, with or without a dot in front.
fn prefix_url(prefix: &str, mapping: &mut Mapping<'_>) -> Option<String> {
    mapping.url(prefix, super::Use::Module)
}
