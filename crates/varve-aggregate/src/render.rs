//! Answers written down, in the three forms of the field, piece by piece: a long one is never in
//! memory as text.

use crate::answer::{Answer, Memento};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::Arc;
use varve_model::Timestamp;

/// Pieces are about so long.
const PIECE: usize = 32 * 1024;

/// The form of a TimeMap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Links (RFC 7089).
    Link,
    /// JSON.
    Json,
    /// Lines of a time and JSON.
    Cdxj,
}

impl Form {
    /// The form of this name.
    pub fn named(name: &str) -> Option<Form> {
        match name.to_ascii_lowercase().as_str() {
            "link" => Some(Form::Link),
            "json" => Some(Form::Json),
            "cdxj" => Some(Form::Cdxj),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Form::Link => "link",
            Form::Json => "json",
            Form::Cdxj => "cdxj",
        }
    }

    /// Its media type.
    pub fn content_type(self) -> &'static str {
        match self {
            Form::Link => "application/link-format",
            Form::Json => "application/json",
            Form::Cdxj => "application/cdxj+ors",
        }
    }
}

const FORMS: [Form; 3] = [Form::Link, Form::Json, Form::Cdxj];

/// What of an answer is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// All of it.
    All,
    /// The memento nearest to a time, those beside it, the first and the last.
    Around(Timestamp),
}

/// An answer, and how it is to be written down.
#[derive(Clone, Debug)]
pub struct Rendering {
    answer: Arc<Answer>,
    /// Where the aggregator is, with a slash at the end.
    base: String,
    form: Form,
    view: View,
    /// The mementos that are told, by their places.
    told: Vec<usize>,
    closest: Option<usize>,
}

impl Rendering {
    /// `base` is the address of the aggregator, with a slash at its end.
    pub fn new(answer: Arc<Answer>, base: &str, form: Form, view: View) -> Rendering {
        let count = answer.mementos.len();
        let (told, closest) = match view {
            View::All => (Vec::new(), None),
            View::Around(time) => {
                let closest = answer.closest(time);
                let beside =
                    closest.map_or([None; 3], |at| [at.checked_sub(1), Some(at), Some(at + 1)]);
                let ends = [Some(0), count.checked_sub(1)];
                let all = beside.into_iter().chain(ends).flatten();
                let mut told: Vec<usize> = all.filter(|at| *at < count).collect();
                told.sort_unstable();
                told.dedup();
                (told, closest)
            }
        };
        Rendering {
            answer,
            base: base.to_owned(),
            form,
            view,
            told,
            closest,
        }
    }

    /// The memento nearest to the time that was asked for.
    pub fn closest(&self) -> Option<&Memento> {
        self.answer.mementos.get(self.closest?)
    }

    /// How many mementos are told.
    pub fn len(&self) -> usize {
        match self.view {
            View::All => self.answer.mementos.len(),
            View::Around(_) => self.told.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text, in pieces.
    pub fn pieces(self) -> impl Iterator<Item = String> + Send + use<> {
        let mut step = 0;
        std::iter::from_fn(move || {
            let mut piece = String::new();
            while piece.len() < PIECE && step <= self.len() + 1 {
                match step {
                    0 => self.begin(&mut piece),
                    at if at <= self.len() => self.tell(&mut piece, at - 1),
                    _ => self.end(&mut piece),
                }
                step += 1;
            }
            (!piece.is_empty()).then_some(piece)
        })
    }

    /// What a `Link` field says of an answer around a time.
    pub fn link_field(&self) -> String {
        let mut links = vec![link(self.original(), "rel=\"original\"")];
        let told = (0..self.len()).filter_map(|number| self.memento(number));
        links.extend(told.map(|(at, memento)| self.memento_link(at, memento)));
        links.extend(self.places());
        links.join(", ")
    }

    fn original(&self) -> &str {
        self.answer.original.as_str()
    }

    fn memento(&self, number: usize) -> Option<(usize, &Memento)> {
        let at = match self.view {
            View::All => number,
            View::Around(_) => *self.told.get(number)?,
        };
        Some((at, self.answer.mementos.get(at)?))
    }

    /// What a memento is to the others: `closest` among them.
    fn relations(&self, at: usize) -> impl Iterator<Item = &'static str> {
        let last = self.answer.mementos.len().wrapping_sub(1);
        let near = self.closest;
        [
            ("first", at == 0),
            ("last", at == last),
            ("prev", near.is_some_and(|near| at + 1 == near)),
            ("next", near.is_some_and(|near| at == near + 1)),
            ("closest", near == Some(at)),
        ]
        .into_iter()
        .filter_map(|(relation, holds)| holds.then_some(relation))
    }

    fn relation(&self, at: usize) -> String {
        let named = self.relations(at).filter(|relation| *relation != "closest");
        named.chain(["memento"]).collect::<Vec<_>>().join(" ")
    }

    fn own(&self, form: Form) -> String {
        format!("{}timemap/{}/{}", self.base, form.name(), self.original())
    }

    fn timegate(&self) -> String {
        format!("{}timegate/{}", self.base, self.original())
    }

    fn this(&self) -> String {
        match self.view {
            View::All => self.own(self.form),
            View::Around(time) => {
                let (form, time) = (self.form.name(), time.digits14());
                format!("{}memento/{form}/{time}/{}", self.base, self.original())
            }
        }
    }

    /// Links to the TimeMap in all forms, and to the TimeGate.
    fn places(&self) -> impl Iterator<Item = String> {
        let maps = FORMS.map(|form| {
            let attributes = format!("rel=\"timemap\"; type=\"{}\"", form.content_type());
            link(&self.own(form), &attributes)
        });
        let gate = link(&self.timegate(), "rel=\"timegate\"");
        maps.into_iter().chain([gate])
    }

    fn memento_link(&self, at: usize, memento: &Memento) -> String {
        let (relation, date) = (self.relation(at), memento.time.http_date());
        let attributes = format!("rel=\"{relation}\"; datetime=\"{date}\"");
        link(&memento.uri, &attributes)
    }

    fn forms(&self) -> Value {
        json!({
            "link_format": self.own(Form::Link),
            "json_format": self.own(Form::Json),
            "cdxj_format": self.own(Form::Cdxj),
        })
    }

    fn missing(&self) -> Option<Value> {
        let told = self.answer.missing.iter();
        let told = told.map(|one| json!({"archive": *one.archive, "reason": one.trouble.reason()}));
        (!self.answer.missing.is_empty()).then(|| told.collect())
    }

    fn begin(&self, out: &mut String) {
        match self.form {
            Form::Link => {
                *out += &link(self.original(), "rel=\"original\"");
                let attributes = "rel=\"self\"; type=\"application/link-format\"";
                *out += &format!(",\n{}", link(&self.this(), attributes));
            }
            Form::Json => {
                let (original, this) = (json!(self.original()), json!(self.this()));
                *out += &format!("{{\n  \"original_uri\": {original},\n  \"self\": {this},\n");
                *out += "  \"mementos\": {\n    \"list\": [";
            }
            Form::Cdxj => {
                *out += "!context [\"http://tools.ietf.org/html/rfc7089\"]\n";
                *out += &format!("!id {}\n", json!({"uri": self.this()}));
                *out += "!keys [\"memento_datetime_YYYYMMDDhhmmss\"]\n";
                let mut meta = vec![
                    json!({"original_uri": self.original()}),
                    json!({"timegate_uri": self.timegate()}),
                    json!({"timemap_uri": self.forms()}),
                ];
                meta.extend(self.missing().map(|missing| json!({"missing": missing})));
                for one in meta {
                    *out += &format!("!meta {one}\n");
                }
            }
        }
    }

    fn tell(&self, out: &mut String, number: usize) {
        let Some((at, memento)) = self.memento(number) else {
            return;
        };
        match self.form {
            Form::Link => *out += &format!(",\n{}", self.memento_link(at, memento)),
            Form::Json => {
                let comma = if number == 0 { "" } else { "," };
                *out += &format!("{comma}\n      {}", in_json(memento));
            }
            Form::Cdxj => {
                let told = json!({
                    "uri": *memento.uri,
                    "rel": self.relation(at),
                    "datetime": memento.time.http_date(),
                    "archive": *memento.archive,
                });
                *out += &format!("{} {told}\n", memento.time.digits14());
            }
        }
    }

    fn end(&self, out: &mut String) {
        match self.form {
            Form::Link => {
                for place in self.places() {
                    *out += &format!(",\n{place}");
                }
                out.push('\n');
            }
            Form::Json => {
                *out += "\n    ]";
                let all = &self.answer.mementos;
                for number in 0..self.len() {
                    // Of a long list only its ends have names.
                    if self.view == View::All && number > 0 && number + 1 < all.len() {
                        continue;
                    }
                    let Some((at, memento)) = self.memento(number) else {
                        continue;
                    };
                    for relation in self.relations(at) {
                        *out += &format!(",\n    \"{relation}\": {}", in_json(memento));
                    }
                }
                let (forms, gate) = (self.forms(), json!(self.timegate()));
                *out +=
                    &format!("\n  }},\n  \"timemap_uri\": {forms},\n  \"timegate_uri\": {gate}");
                if let Some(missing) = self.missing() {
                    *out += &format!(",\n  \"missing\": {missing}");
                }
                *out += "\n}\n";
            }
            Form::Cdxj => {}
        }
    }
}

fn in_json(memento: &Memento) -> Value {
    json!({"datetime": memento.time.w3c(), "uri": *memento.uri, "archive": *memento.archive})
}

/// A link of RFC 8288. What would end its brackets is written otherwise.
fn link(url: &str, attributes: &str) -> String {
    format!("<{}>; {attributes}", in_brackets(url))
}

/// A URL as it can stand in brackets, and in a header.
pub(crate) fn in_brackets(url: &str) -> Cow<'_, str> {
    let plain = |byte: u8| matches!(byte, b'!'..=b'~') && !matches!(byte, b'<' | b'>' | b'"');
    if url.bytes().all(plain) {
        return url.into();
    }
    let mut out = String::with_capacity(url.len() + 16);
    for byte in url.bytes() {
        match plain(byte) {
            true => out.push(char::from(byte)),
            false => out += &format!("%{byte:02X}"),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::answer::Missing;
    use crate::budget::Reserve;
    use crate::original::Original;
    use crate::trouble::Trouble;
    use varve_model::Links;

    fn answer(times: &[&str]) -> Arc<Answer> {
        let mementos = times.iter().map(|time| Memento {
            time: Timestamp::parse(time).unwrap(),
            uri: format!("http://m/\"{time}\"/<x>").into(),
            archive: "one".into(),
        });
        Arc::new(Answer {
            original: Original::parse("http://a.example/?q=\"x\"").unwrap(),
            mementos: mementos.collect(),
            missing: vec![Missing {
                archive: "two".into(),
                trouble: Trouble::Deadline,
            }],
            asked: 2,
            answered: 1,
            skipped_by_map: 0,
            reserve: Reserve::default(),
        })
    }

    const TIMES: [&str; 5] = [
        "20100101000000",
        "20110101000000",
        "20120101000000",
        "20130101000000",
        "20140101000000",
    ];

    fn text(form: Form, view: View, times: &[&str]) -> String {
        let rendering = Rendering::new(answer(times), "http://us/", form, view);
        rendering.pieces().collect()
    }

    fn around(time: &str) -> View {
        View::Around(Timestamp::earliest_of(time).unwrap())
    }

    #[test]
    fn links_are_read_back() {
        let text = text(Form::Link, View::All, &TIMES);
        let mut links = Links::of(&text);
        let told: Vec<_> = links.by_ref().collect();
        assert_eq!(links.skipped(), 0);
        assert!(told[0].is("original") && told[0].target == "http://a.example/?q=%22x%22");
        assert_eq!(
            told[1].target,
            "http://us/timemap/link/http://a.example/?q=%22x%22"
        );
        let mementos: Vec<_> = told.iter().filter(|link| link.is("memento")).collect();
        assert_eq!(mementos.len(), 5);
        assert!(mementos[0].is("first") && mementos[4].is("last"));
        assert_eq!(mementos[0].target, "http://m/%2220100101000000%22/%3Cx%3E");
        assert_eq!(
            mementos[0].get("datetime"),
            Some("Fri, 01 Jan 2010 00:00:00 GMT")
        );
        assert_eq!(told.iter().filter(|link| link.is("timemap")).count(), 3);
        assert!(told.last().unwrap().is("timegate"));
    }

    #[test]
    fn json_is_json_whatever_addresses_hold() {
        let map: Value = serde_json::from_str(&text(Form::Json, View::All, &TIMES)).unwrap();
        assert_eq!(map["original_uri"], "http://a.example/?q=%22x%22");
        assert_eq!(map["mementos"]["list"].as_array().unwrap().len(), 5);
        assert_eq!(
            map["mementos"]["first"]["uri"],
            "http://m/\"20100101000000\"/<x>"
        );
        assert_eq!(map["mementos"]["last"]["datetime"], "2014-01-01T00:00:00Z");
        assert_eq!(
            map["missing"],
            json!([{"archive": "two", "reason": "deadline"}])
        );
        assert_eq!(
            map["timegate_uri"],
            "http://us/timegate/http://a.example/?q=%22x%22"
        );
    }

    #[test]
    fn cdxj_has_a_line_for_each() {
        let text = text(Form::Cdxj, View::All, &TIMES);
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('!')).collect();
        assert_eq!(lines.len(), 5);
        let (time, rest) = lines[4].split_once(' ').unwrap();
        let told: Value = serde_json::from_str(rest).unwrap();
        assert_eq!(
            (time, &told["rel"]),
            ("20140101000000", &json!("last memento"))
        );
        assert!(
            text.contains("!meta {\"missing\":[{\"archive\":\"two\",\"reason\":\"deadline\"}]}\n"),
            "{text}"
        );
    }

    #[test]
    fn around_a_time_there_are_the_nearest_its_neighbours_and_the_ends() {
        let check = |time: &str, times: &[&str], expected: &[&str]| {
            let text = text(Form::Link, around(time), times);
            let told = Links::of(&text).filter(|link| link.is("memento"));
            let told: Vec<String> = told
                .map(|link| link.get("rel").unwrap().to_owned())
                .collect();
            assert_eq!(told, expected, "{time}");
        };
        check(
            "2012",
            &TIMES,
            &[
                "first memento",
                "prev memento",
                "memento",
                "next memento",
                "last memento",
            ],
        );
        check(
            "1999",
            &TIMES,
            &["first memento", "next memento", "last memento"],
        );
        check(
            "2030",
            &TIMES,
            &["first memento", "prev memento", "last memento"],
        );
        check("2012", &TIMES[..1], &["first last memento"]);
        let map: Value = serde_json::from_str(&text(Form::Json, around("2012"), &TIMES)).unwrap();
        assert_eq!(
            map["mementos"]["closest"]["datetime"],
            "2012-01-01T00:00:00Z"
        );
        assert_eq!(map["mementos"]["next"]["datetime"], "2013-01-01T00:00:00Z");
        assert_eq!(
            map["self"],
            "http://us/memento/json/20120101000000/http://a.example/?q=%22x%22"
        );
    }

    #[test]
    fn nothing_is_written_down_too() {
        let map: Value = serde_json::from_str(&text(Form::Json, View::All, &[])).unwrap();
        assert_eq!(map["mementos"], json!({"list": []}));
    }

    #[test]
    fn long_answers_come_in_pieces() {
        let times = ["20100101000000"; 5_000];
        let rendering = Rendering::new(answer(&times), "http://us/", Form::Cdxj, View::All);
        let pieces: Vec<String> = rendering.pieces().collect();
        assert!(pieces.len() > 10 && pieces.iter().all(|piece| piece.len() < 2 * PIECE));
        let lines = pieces
            .concat()
            .lines()
            .filter(|line| !line.starts_with('!'))
            .count();
        assert_eq!(lines, 5_000);
    }
}
