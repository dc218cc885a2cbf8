//! Requests that send something: matched by what they send, as pywb does.
//!
//! What is sent is written as a query, `__wb_method=POST&a=1&b=2`: form fields as they are, parts of
//! a multipart body by their names, JSON by the names of its leaves, anything else in base64.

use super::choice::Candidate;
use super::parameters::{Judgement, Parameters};
use super::{Found, Match, Wish, WishRole};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use url::Url;
use url::form_urlencoded::Serializer;
use varve_store::http::DecodeLimits;

/// The query is cut here.
const MAX_QUERY: usize = 4096;
/// Leaves of a JSON value and parts of a multipart body that are looked at.
const MAX_FIELDS: usize = 1000;
/// Answers up to this length say next to nothing.
const NEXT_TO_NOTHING: u64 = 128;
/// How deep a JSON value is followed.
const MAX_DEPTH: usize = 64;
/// How much of a recorded request's body is read.
const MAX_BODY: u64 = 1 << 20;

/// What a request sends, as a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Posted {
    method: String,
    query: String,
}

impl Posted {
    /// Reads the body of a request.
    pub(crate) fn new(method: &str, content_type: &str, body: &[u8]) -> Posted {
        let method: String = method.chars().filter(char::is_ascii_alphanumeric).collect();
        let mut query = format!("__wb_method={method}&{}", as_query(content_type, body));
        if query.len() > MAX_QUERY {
            let end = (0..=MAX_QUERY).rev().find(|at| query.is_char_boundary(*at));
            query.truncate(end.unwrap_or(0));
        }
        Posted { method, query }
    }

    /// The URL under which other tools' indexes have it.
    pub(super) fn url(&self, url: &Url) -> String {
        let separator = if url.query().is_some() { '&' } else { '?' };
        format!("{url}{separator}{}", self.query)
    }
}

/// The capture that was asked for with the same, or with what differs in nothing that matters.
pub(super) fn choose(candidates: Vec<Candidate>, wish: &Wish, posted: &Posted) -> Option<Found> {
    let wanted = Parameters::of(&posted.query);
    let mut best: Option<(Match, Candidate)> = None;
    for candidate in candidates {
        let Some(sent) = sent(&candidate).filter(|sent| sent.method == posted.method) else {
            continue;
        };
        let matched = match wanted.judge(&Parameters::of(&sent.query), wish.role) {
            Judgement::Same if candidate.is_of(&wish.url) => Match::Exact,
            Judgement::Same => Match::Canonical,
            Judgement::Passing => Match::Query,
            Judgement::Tokens => Match::Distance,
            Judgement::Added | Judgement::Significant => continue,
        };
        // Candidates come from near to far: only a better rule replaces.
        if best.as_ref().is_none_or(|(rule, _)| matched < *rule) {
            best = Some((matched, candidate));
        }
    }
    best.map(|(matched, candidate)| candidate.found(matched))
}

/// An answer that does not depend on what was sent: of several requests to this address all had the
/// same, or the only one says next to nothing. Such are the answers to those who count and measure, and what
/// they are sent is new with every visit.
pub(super) fn stand_in(saved: Vec<Candidate>, wish: &Wish, posted: &Posted) -> Option<Found> {
    if wish.role == WishRole::Frame {
        return None;
    }
    let asked = Parameters::of(wish.url.query().unwrap_or(""));
    let mut alike: Vec<Candidate> = saved
        .into_iter()
        .filter(|candidate| {
            let url = Url::parse(&candidate.hit.capture.url).ok();
            let query = url.as_ref().map_or("", |url| url.query().unwrap_or(""));
            asked.judge(&Parameters::of(query), wish.role) <= Judgement::Tokens
        })
        .filter(|candidate| sent(candidate).is_some_and(|sent| sent.method == posted.method))
        .collect();
    alike.sort_by_key(|candidate| candidate.far_from(wish.time));
    let digests: BTreeSet<_> = alike.iter().map(|it| &it.hit.capture.digest).collect();
    let always_same = digests.len() == 1 && !digests.contains(&None);
    let several = alike.len() > 1;
    let nearest = alike.into_iter().next()?;
    let fits = match several {
        true => always_same,
        false => answer_length(&nearest)? <= NEXT_TO_NOTHING,
    };
    fits.then(|| nearest.found(Match::Distance))
}

/// The length of the answer of a capture, as it is stored.
fn answer_length(candidate: &Candidate) -> Option<u64> {
    let record = candidate.opened.collection().read(&candidate.hit).ok()?;
    let head = record.http()?.as_bytes().len() as u64;
    Some(record.head().content_length().saturating_sub(head))
}

/// What the request of a capture sent.
fn sent(candidate: &Candidate) -> Option<Posted> {
    let request = candidate.opened.collection().request_of(&candidate.hit)?;
    let head = request.http()?.clone();
    let method = String::from_utf8_lossy(head.method()?).into_owned();
    let content_type = head.get("Content-Type").unwrap_or_default().into_owned();
    let mut body = Vec::new();
    let decoded = request.decoded(DecodeLimits::default());
    decoded.take(MAX_BODY).read_to_end(&mut body).ok()?;
    Some(Posted::new(
        &method,
        &String::from_utf8_lossy(&content_type),
        &body,
    ))
}

fn as_query(content_type: &str, body: &[u8]) -> String {
    let essence = content_type.split(';').next().unwrap_or("").trim();
    match essence.to_ascii_lowercase().as_str() {
        "application/x-www-form-urlencoded" => form(body),
        "multipart/form-data" => multipart(content_type, body).unwrap_or_else(|| encoded(body)),
        kind if kind == "application/json" || kind.ends_with("+json") || kind == "text/plain" => {
            json(body).unwrap_or_else(|| encoded(body))
        }
        _ => encoded(body),
    }
}

fn form(body: &[u8]) -> String {
    match std::str::from_utf8(body) {
        Ok(text) if !text.bytes().any(|byte| byte.is_ascii_control()) => text.to_owned(),
        _ => encoded(body),
    }
}

fn encoded(body: &[u8]) -> String {
    let used = &body[..body.len().min(MAX_QUERY)];
    let mut query = Serializer::new(String::new());
    query.append_pair("__wb_post_data", &STANDARD.encode(used));
    query.finish()
}

fn json(body: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(body).ok()?;
    let mut fields = Fields::default();
    flatten(&value, "", &mut fields, 0);
    Some(fields.query())
}

fn flatten(value: &serde_json::Value, name: &str, fields: &mut Fields, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        serde_json::Value::Object(members) => {
            for (name, value) in members {
                flatten(value, name, fields, depth + 1);
            }
        }
        serde_json::Value::Array(values) => {
            for value in values {
                flatten(value, name, fields, depth + 1);
            }
        }
        _ if name.is_empty() => {}
        serde_json::Value::String(text) => fields.push(name, text.clone()),
        other => fields.push(name, other.to_string()),
    }
}

/// Names and values; a name that comes again is numbered.
#[derive(Default)]
struct Fields {
    list: Vec<(String, String)>,
    counts: HashMap<String, usize>,
}

impl Fields {
    fn push(&mut self, name: &str, value: String) {
        if self.list.len() >= MAX_FIELDS {
            return;
        }
        let count = self.counts.entry(name.to_owned()).or_default();
        *count += 1;
        let name = match *count {
            1 => name.to_owned(),
            more => format!("{name}.{more}_"),
        };
        self.list.push((name, value));
    }

    fn query(&self) -> String {
        let mut query = Serializer::new(String::new());
        query.extend_pairs(&self.list);
        query.finish()
    }
}

/// The fields of a multipart body.
fn multipart(content_type: &str, body: &[u8]) -> Option<String> {
    let (_, boundary) = content_type.split_once("boundary=")?;
    let boundary = boundary.split(';').next()?.trim().trim_matches('"');
    let delimiter = format!("--{boundary}");
    let text = String::from_utf8_lossy(body);
    let mut fields = Fields::default();
    for part in text.split(delimiter.as_str()).skip(1).take(MAX_FIELDS) {
        let Some((head, value)) = part.split_once("\r\n\r\n") else {
            continue;
        };
        let Some((_, name)) = head.split_once(" name=\"") else {
            continue;
        };
        let name = name.split('"').next().unwrap_or("");
        fields.push(name, value.trim_end_matches("\r\n").to_owned());
    }
    Some(fields.query())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_as_queries() {
        let check = |content_type: &str, body: &str, expected: &str| {
            let posted = Posted::new("POST", content_type, body.as_bytes());
            assert_eq!(
                posted.query,
                format!("__wb_method=POST&{expected}"),
                "{body}"
            );
        };
        check(
            "application/x-www-form-urlencoded",
            "a=1&b=%20",
            "a=1&b=%20",
        );
        check(
            "application/json",
            r#"{"a": {"b": [1, 2]}, "c": "x y", "b": null}"#,
            "b=1&b.2_=2&b.3_=null&c=x+y",
        );
        check("text/plain;charset=UTF-8", r#"{"q": true}"#, "q=true");
        check("text/plain", "no json", "__wb_post_data=bm8ganNvbg%3D%3D");
        check("", "", "__wb_post_data=");
        let multipart = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n";
        check("multipart/form-data; boundary=x", multipart, "a=1");
        let long = "a=".to_owned() + &"é".repeat(5000);
        let posted = Posted::new(
            "PO ST\r\n",
            "application/x-www-form-urlencoded",
            long.as_bytes(),
        );
        assert!(posted.query.starts_with("__wb_method=POST&a=") && posted.query.len() <= MAX_QUERY);
    }
}
