//! What a page complains about: exceptions, `console.error`, the browser's own messages.

use serde::{Deserialize, Serialize};

use super::clip;
use super::log::clip_url;

/// How many are kept, and how much of each.
const MAX_ERRORS: usize = 200;
const MAX_TEXT: usize = 2000;

/// One complaint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConsoleError {
    /// `exception`, `console`, or the part of the browser that says it (`network`, `security`).
    pub source: String,
    /// What it says.
    pub text: String,
    /// The script or document.
    pub url: Option<String>,
    /// The line in it, from 0.
    pub line: Option<u32>,
}

/// The complaints of a visit.
#[derive(Default)]
pub(super) struct ErrorLog {
    errors: Vec<ConsoleError>,
    pub(super) left_out: u64,
}

impl ErrorLog {
    pub(super) fn exception(&mut self, thrown: Thrown) {
        let details = thrown.exception_details;
        let text = details
            .exception
            .and_then(|e| e.description)
            .unwrap_or(details.text);
        self.add("exception", &text, details.url, details.line_number);
    }

    /// A call of `console`; only errors matter.
    pub(super) fn console(&mut self, called: ConsoleCalled) {
        if called.kind != "error" && called.kind != "assert" {
            return;
        }
        let words: Vec<String> = called.args.into_iter().map(Argument::into_text).collect();
        let place = called
            .stack_trace
            .and_then(|stack| stack.call_frames.into_iter().next());
        let (url, line) = place.map_or((None, None), |p| (Some(p.url), p.line_number));
        self.add("console", &words.join(" "), url, line);
    }

    /// A message of the browser; only errors matter.
    pub(super) fn entry(&mut self, added: EntryAdded) {
        let entry = added.entry;
        if entry.level == "error" {
            self.add(&entry.source, &entry.text, entry.url, entry.line_number);
        }
    }

    pub(super) fn into_errors(self) -> Vec<ConsoleError> {
        self.errors
    }

    fn add(&mut self, source: &str, text: &str, url: Option<String>, line: Option<f64>) {
        if self.errors.len() >= MAX_ERRORS {
            self.left_out += 1;
            return;
        }
        let url = url.filter(|url| !url.is_empty()).map(|url| clip_url(&url));
        let (source, text) = (source.to_owned(), clip(text, MAX_TEXT));
        self.errors.push(ConsoleError {
            source,
            text,
            url,
            line: line.map(|line| line as u32),
        });
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Thrown {
    exception_details: Details,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    text: String,
    url: Option<String>,
    line_number: Option<f64>,
    exception: Option<Argument>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConsoleCalled {
    #[serde(rename = "type")]
    kind: String,
    args: Vec<Argument>,
    stack_trace: Option<Trace>,
}

#[derive(Deserialize)]
struct Argument {
    value: Option<serde_json::Value>,
    description: Option<String>,
}

impl Argument {
    fn into_text(self) -> String {
        match (self.value, self.description) {
            (Some(serde_json::Value::String(text)), _) | (_, Some(text)) => text,
            (Some(value), None) => value.to_string(),
            (None, None) => "undefined".to_owned(),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Trace {
    call_frames: Vec<Place>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    url: String,
    line_number: Option<f64>,
}

#[derive(Deserialize)]
pub(super) struct EntryAdded {
    entry: Entry,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    source: String,
    level: String,
    text: String,
    url: Option<String>,
    line_number: Option<f64>,
}
