//! TimeMaps as JSON.

use super::{Rendering, View};
use crate::answer::Memento;
use serde_json::{Value, json};

pub(super) fn begin(map: &Rendering, out: &mut String) {
    let (original, this) = (json!(map.original()), json!(map.this()));
    *out += &format!("{{\n  \"original_uri\": {original},\n  \"self\": {this},\n");
    *out += "  \"mementos\": {\n    \"list\": [";
}

pub(super) fn tell(out: &mut String, number: usize, memento: &Memento) {
    let comma = if number == 0 { "" } else { "," };
    *out += &format!("{comma}\n      {}", one(memento));
}

pub(super) fn end(map: &Rendering, out: &mut String) {
    *out += "\n    ]";
    for number in 0..map.len() {
        // Of a long list only its ends have names.
        if map.view == View::All && number > 0 && number + 1 < map.len() {
            continue;
        }
        let Some((at, memento)) = map.memento(number) else {
            continue;
        };
        for relation in map.relations(at) {
            *out += &format!(",\n    \"{relation}\": {}", one(memento));
        }
    }
    let (forms, gate) = (map.forms(), json!(map.timegate()));
    *out += &format!("\n  }},\n  \"timemap_uri\": {forms},\n  \"timegate_uri\": {gate}");
    if let Some(missing) = map.missing() {
        *out += &format!(",\n  \"missing\": {missing}");
    }
    *out += "\n}\n";
}

fn one(memento: &Memento) -> Value {
    json!({"datetime": memento.time.w3c(), "uri": *memento.uri, "archive": *memento.archive})
}
