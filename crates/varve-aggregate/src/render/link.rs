//! TimeMaps as links (RFC 7089).

use super::Rendering;
use crate::answer::Memento;
use varve_model::{TimeMapForm, link_to};

pub(super) fn begin(map: &Rendering, out: &mut String) {
    *out += &link_to(map.original(), "rel=\"original\"");
    let attributes = "rel=\"self\"; type=\"application/link-format\"";
    *out += &format!(",\n{}", link_to(&map.this(), attributes));
}

pub(super) fn tell(map: &Rendering, out: &mut String, at: usize, memento: &Memento) {
    *out += &format!(",\n{}", one(map, at, memento));
}

pub(super) fn end(map: &Rendering, out: &mut String) {
    for place in places(map) {
        *out += &format!(",\n{place}");
    }
    out.push('\n');
}

/// All of it as the value of a `Link` field.
pub(super) fn field(map: &Rendering) -> String {
    let mut links = vec![link_to(map.original(), "rel=\"original\"")];
    let told = (0..map.len()).filter_map(|number| map.memento(number));
    links.extend(told.map(|(at, memento)| one(map, at, memento)));
    links.extend(places(map));
    links.join(", ")
}

/// Links to the TimeMap in all forms, and to the TimeGate.
fn places(map: &Rendering) -> impl Iterator<Item = String> {
    let maps = TimeMapForm::ALL.map(|form| {
        let attributes = format!("rel=\"timemap\"; type=\"{}\"", form.content_type());
        link_to(&map.own(form), &attributes)
    });
    let gate = link_to(&map.timegate(), "rel=\"timegate\"");
    maps.into_iter().chain([gate])
}

fn one(map: &Rendering, at: usize, memento: &Memento) -> String {
    let (relation, date) = (map.relation(at), memento.time.http_date());
    let attributes = format!("rel=\"{relation}\"; datetime=\"{date}\"");
    link_to(&memento.uri, &attributes)
}
