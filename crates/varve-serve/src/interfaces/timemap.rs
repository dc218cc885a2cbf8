//! TimeMaps (RFC 7089): all mementos of a URL, in the three forms that the field knows.

use super::mementos::{Mementos, memento_link, uri_m};
use super::parameters::Bad;
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::StatusCode;
use axum::http::header;
use serde_json::{Value, json};
use std::fmt::Write;
use varve_model::{Capture, TimeMapForm, Timestamp, link_to};
use varve_store::index::Sort;

/// Mementos of one page of a TimeMap.
const PAGE: usize = 10_000;

/// All that a TimeMap says.
struct TimeMap {
    original: String,
    origin: String,
    form: TimeMapForm,
    page: usize,
    more: bool,
    /// Where each memento is, its time, and what it is to the others.
    mementos: Vec<(String, Timestamp, &'static str)>,
}

/// The TimeMap of a URL. Long ones have pages: `page-2/URL` is the second.
pub(super) fn timemap(serving: &Serving, form: TimeMapForm, rest: &str) -> Result<Reply, Bad> {
    let (page, written) = numbered(rest)?;
    let mementos = Mementos::of(serving, written)?;
    let (first, last) = (mementos.one(Sort::Ascending), mementos.one(Sort::Reverse));
    let mut captures = mementos.some(Sort::Ascending, (page - 1).saturating_mul(PAGE), PAGE + 1);
    let more = captures.len() > PAGE;
    captures.truncate(PAGE);
    if captures.is_empty() {
        return Ok(mementos.none(serving).page());
    }
    let relation = |capture: &Capture| {
        let is = |other: &Option<Capture>| other.as_ref() == Some(capture);
        match (is(&first), is(&last)) {
            (true, true) => "first last memento",
            (true, false) => "first memento",
            (false, true) => "last memento",
            (false, false) => "memento",
        }
    };
    let told = captures.iter().filter_map(|capture| {
        let time = capture.timestamp.to_seconds();
        Some((uri_m(serving, capture)?, time, relation(capture)))
    });
    let map = TimeMap {
        mementos: told.collect(),
        original: mementos.url,
        origin: serving.names.origin(),
        form,
        page,
        more,
    };
    let text = match form {
        TimeMapForm::Link => map.links(),
        TimeMapForm::Json => map.json(),
        TimeMapForm::Cdxj => map.cdxj(),
    };
    Ok(Reply::new(StatusCode::OK, text)
        .with(header::CONTENT_TYPE, form.content_type())
        .with(header::CACHE_CONTROL, "no-cache"))
}

/// The number of a page, if one is named, and the URL.
fn numbered(rest: &str) -> Result<(usize, &str), Bad> {
    let named = rest.split_once('/').and_then(|(first, url)| {
        let number = first.strip_prefix("page-")?;
        Some((number, url))
    });
    match named {
        None => Ok((1, rest)),
        Some((number, url)) => match number.parse() {
            Ok(number) if number > 0 => Ok((number, url)),
            _ => Err(Bad::new(
                "page",
                format!("{number:?} is no number of a page"),
            )),
        },
    }
}

impl TimeMap {
    fn uri(&self, form: TimeMapForm, page: usize) -> String {
        let page = match page {
            1 => String::new(),
            page => format!("page-{page}/"),
        };
        let (origin, form) = (&self.origin, form.name());
        format!("{origin}/timemap/{form}/{page}{}", self.original)
    }

    fn timegate(&self) -> String {
        format!("{}/timegate/{}", self.origin, self.original)
    }

    /// The pages before and after this one.
    fn neighbours(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let before = (self.page > 1).then(|| ("prev", self.page - 1));
        let after = self.more.then(|| ("next", self.page + 1));
        before.into_iter().chain(after)
    }

    fn links(&self) -> String {
        const TYPE: &str = "type=\"application/link-format\"";
        let mut lines = vec![link_to(&self.original, "rel=\"original\"")];
        let span = |at: Option<&(String, Timestamp, &str)>| {
            at.map_or(String::new(), |it| it.1.http_date())
        };
        let (from, until) = (span(self.mementos.first()), span(self.mementos.last()));
        lines.push(link_to(
            &self.uri(TimeMapForm::Link, self.page),
            &format!("rel=\"self\"; {TYPE}; from=\"{from}\"; until=\"{until}\""),
        ));
        lines.push(link_to(&self.timegate(), "rel=\"timegate\""));
        for (relation, page) in self.neighbours() {
            let attributes = format!("rel=\"timemap {relation}\"; {TYPE}");
            lines.push(link_to(&self.uri(TimeMapForm::Link, page), &attributes));
        }
        let mementos = self.mementos.iter();
        lines.extend(mementos.map(|(url, time, relation)| memento_link(url, relation, *time)));
        lines.join(",\n") + "\n"
    }

    fn forms(&self) -> Value {
        json!({
            "link_format": self.uri(TimeMapForm::Link, self.page),
            "json_format": self.uri(TimeMapForm::Json, self.page),
            "cdxj_format": self.uri(TimeMapForm::Cdxj, self.page),
        })
    }

    fn json(&self) -> String {
        let told = |(url, time, _): &(String, Timestamp, &str)| json!({"datetime": time.w3c(), "uri": url});
        let list: Vec<Value> = self.mementos.iter().map(told).collect();
        let mut map = json!({
            "original_uri": self.original,
            "self": self.uri(self.form, self.page),
            "mementos": {"first": list.first(), "last": list.last(), "list": list},
            "timemap_uri": self.forms(),
            "timegate_uri": self.timegate(),
        });
        for (relation, page) in self.neighbours() {
            map[relation] = self.uri(self.form, page).into();
        }
        format!("{map:#}\n")
    }

    fn cdxj(&self) -> String {
        let mut out = String::from("!context [\"http://tools.ietf.org/html/rfc7089\"]\n");
        let head = [
            ("id", json!({"uri": self.uri(self.form, self.page)})),
            ("keys", json!(["memento_datetime_YYYYMMDDhhmmss"])),
            ("meta", json!({"original_uri": self.original})),
            ("meta", json!({"timegate_uri": self.timegate()})),
            ("meta", json!({"timemap_uri": self.forms()})),
        ];
        let pages = self
            .neighbours()
            .map(|(relation, page)| ("meta", json!({relation: self.uri(self.form, page)})));
        for (name, value) in head.into_iter().chain(pages) {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "!{name} {value}");
        }
        for (url, time, relation) in &self.mementos {
            let told = json!({"uri": url, "rel": relation, "datetime": time.http_date()});
            let _ = writeln!(out, "{} {told}", time.digits14());
        }
        out
    }
}
