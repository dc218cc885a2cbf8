//! pywb's dialect, `/cdx`.

use super::{Frame, LIMIT, SHA1, blocks, common, is_at_hand, lines, page, page_size, refused};
use crate::interfaces::parameters::{Bad, Parameters};
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::StatusCode;
use axum::http::header;
use std::borrow::Cow;
use varve_model::{Capture, write_json_string};
use varve_store::index::{Collapse, Field, Filter, Query};

/// Answers as pywb does.
pub(in crate::interfaces) fn pywb(serving: &Serving, asked: &Parameters) -> Result<Reply, Bad> {
    let mut query = common(asked)?;
    for text in asked.all("filter").filter(|text| !text.is_empty()) {
        let filter = Filter::parse(&as_indexed(text));
        query.filters.push(filter.map_err(refused("filter"))?);
    }
    if let Some(digits) = asked.number::<usize>("collapseTime")? {
        let collapse = Collapse::parse(&format!("timestamp:{digits}"));
        query
            .collapse
            .push(collapse.map_err(refused("collapseTime"))?);
    }
    let fields = asked.get("fields").or(asked.get("fl"));
    query.fields = fields.map_or(Vec::new(), |fields| {
        let names = fields
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        names.map(Field::named).collect()
    });
    let output = Output::named(asked.get("output"))?;
    let index = serving.archive.index();
    if asked.flag("showNumPages") {
        let pages = page_size(asked)?;
        let all = blocks(index.query(&query).map_err(refused("url"))?)?;
        return Ok(counted(all, pages));
    }
    // Nothing is what pywb takes for no limit.
    query.limit = match asked.number::<i64>("limit")? {
        None => Some(LIMIT),
        Some(0) => None,
        Some(limit) => Some(usize::try_from(limit).unwrap_or(0)),
    };
    page(asked, &mut query)?;
    let hits = index.query(&query).map_err(refused("url"))?;
    let at_hand = is_at_hand(&query);
    let write = move |out: &mut String, capture: &Capture| output.write(out, capture, &query);
    let content_type = output.content_type();
    Ok(lines(hits, at_hand, content_type, Frame::default(), write))
}

/// A filter by a digest as it is told, as one by the digest as it is in the index.
fn as_indexed(text: &str) -> Cow<'_, str> {
    for (sign, digest) in [("=digest:", SHA1), ("~digest:", "(?:sha1:)?")] {
        let (not, rest) = match text.strip_prefix('!') {
            Some(rest) => ("!", rest),
            None => ("", text),
        };
        if let Some(value) = rest.strip_prefix(sign).filter(|it| !it.contains(':')) {
            return format!("{not}{sign}{digest}{value}").into();
        }
    }
    text.into()
}

fn counted(blocks: usize, page_size: usize) -> Reply {
    let pages = blocks.div_ceil(page_size);
    let told = serde_json::json!({"blocks": blocks, "pages": pages, "pageSize": page_size});
    Reply::new(StatusCode::OK, format!("{told}\n")).with(header::CONTENT_TYPE, "application/json")
}

/// The form of an answer.
#[derive(Clone, Copy)]
enum Output {
    Cdxj,
    Json,
    Text,
}

impl Output {
    fn named(name: Option<&str>) -> Result<Output, Bad> {
        match name {
            None | Some("cdxj") => Ok(Output::Cdxj),
            Some("json") => Ok(Output::Json),
            Some("text") => Ok(Output::Text),
            Some(other) => {
                let why = format!(
                    "{other:?} is not one of cdxj, json and text; links are at /timemap/link/URL"
                );
                Err(Bad::new("output", why))
            }
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Output::Cdxj => "text/x-cdxj",
            Output::Json => "text/x-ndjson",
            Output::Text => "text/plain; charset=utf-8",
        }
    }

    fn write(self, out: &mut String, capture: &Capture, query: &Query) {
        match self {
            Output::Cdxj if query.fields.is_empty() => capture.write_line(out),
            Output::Cdxj => {
                let row = query.row(capture).into_iter();
                let row = row.filter(|(name, _)| name != "urlkey" && name != "timestamp");
                out.push_str(capture.key.as_str());
                out.push(' ');
                out.push_str(&capture.timestamp.digits());
                out.push(' ');
                object(out, row);
            }
            Output::Json => object(out, query.row(capture).into_iter()),
            Output::Text if query.fields.is_empty() => {
                let row: Vec<String> = query.row(capture).into_iter().map(|it| it.1).collect();
                out.push_str(&row.join(" "));
            }
            Output::Text => {
                let text = |field: &Field| field.text(capture).unwrap_or("-".into()).into_owned();
                let row: Vec<String> = query.fields.iter().map(text).collect();
                out.push_str(&row.join(" "));
            }
        }
        out.push('\n');
    }
}

fn object(out: &mut String, members: impl Iterator<Item = (String, String)>) {
    out.push('{');
    for (number, (name, value)) in members.enumerate() {
        out.push_str(if number == 0 { "" } else { ", " });
        write_json_string(out, &name);
        out.push_str(": ");
        write_json_string(out, &value);
    }
    out.push('}');
}
