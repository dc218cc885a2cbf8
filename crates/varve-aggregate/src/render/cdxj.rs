//! TimeMaps as lines of a time and JSON.

use super::Rendering;
use crate::answer::Memento;
use serde_json::json;

pub(super) fn begin(map: &Rendering, out: &mut String) {
    *out += "!context [\"http://tools.ietf.org/html/rfc7089\"]\n";
    *out += &format!("!id {}\n", json!({"uri": map.this()}));
    *out += "!keys [\"memento_datetime_YYYYMMDDhhmmss\"]\n";
    let mut meta = vec![
        json!({"original_uri": map.original()}),
        json!({"timegate_uri": map.timegate()}),
        json!({"timemap_uri": map.forms()}),
    ];
    meta.extend(map.missing().map(|missing| json!({"missing": missing})));
    for one in meta {
        *out += &format!("!meta {one}\n");
    }
}

pub(super) fn tell(map: &Rendering, out: &mut String, at: usize, memento: &Memento) {
    let told = json!({
        "uri": *memento.uri,
        "rel": map.relation(at),
        "datetime": memento.time.http_date(),
        "archive": *memento.archive,
    });
    *out += &format!("{} {told}\n", memento.time.digits14());
}
