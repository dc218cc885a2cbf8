//! The dialect of the Internet Archive's Wayback Machine, `/cdx/search/cdx`.

use super::{Frame, LIMIT, blocks, common, is_at_hand, lines, page, page_size, refused};
use crate::interfaces::parameters::{Bad, Parameters};
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::StatusCode;
use axum::http::header;
use std::borrow::Cow;
use varve_model::{Capture, KeyRange, write_json_string};
use varve_store::StoreError;
use varve_store::index::{Collapse, Field, Filter, Hit, MergedIndex, Query, Sort};

/// What is told unless somebody says what to tell.
const FIELDS: &str = "urlkey,timestamp,original,mimetype,statuscode,digest,length";

/// Answers as the Internet Archive does.
pub(in crate::interfaces) fn wayback(serving: &Serving, asked: &Parameters) -> Result<Reply, Bad> {
    let mut query = common(asked)?;
    for text in asked.all("filter").filter(|text| !text.is_empty()) {
        query.filters.push(filter(text)?);
    }
    for text in asked.all("collapse").filter(|text| !text.is_empty()) {
        let collapse = Collapse::parse(text);
        query.collapse.push(collapse.map_err(refused("collapse"))?);
    }
    let names: Vec<&str> = asked.get("fl").unwrap_or(FIELDS).split(',').collect();
    let columns = Columns::new(&names, asked.get("output"))?;
    let index = serving.archive.index();
    if asked.flag("showNumPages") {
        let pages = page_size(asked)?;
        let all = blocks(index.query(&query).map_err(refused("url"))?)?;
        let count = all.div_ceil(pages);
        return Ok(Reply::new(StatusCode::OK, format!("{count}\n"))
            .with(header::CONTENT_TYPE, "text/plain; charset=utf-8"));
    }
    query.offset = asked.number("offset")?.unwrap_or(0);
    let limit = asked.number::<i64>("limit")?.unwrap_or(LIMIT as i64);
    page(asked, &mut query)?;
    if limit < 0 {
        let last = usize::try_from(limit.unsigned_abs()).unwrap_or(usize::MAX);
        return the_last(&index, query, last, &columns);
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    query.limit = Some(query.limit.unwrap_or(usize::MAX).min(limit));
    resume(asked, &mut query)?;
    let key = match asked.flag("showResumeKey") {
        true => resume_key(&index, &query)?,
        false => None,
    };
    let hits = index.query(&query).map_err(refused("url"))?;
    Ok(columns.reply(hits, is_at_hand(&query), key.as_deref()))
}

/// `[!]field:regex`, which must match all of the field.
fn filter(text: &str) -> Result<Filter, Bad> {
    let (not, rest) = match text.strip_prefix('!') {
        Some(rest) => ("!", rest),
        None => ("", text),
    };
    let Some((field, pattern)) = rest.split_once(':') else {
        let why = format!("{text:?} is not FIELD:PATTERN, as in statuscode:200");
        return Err(Bad::new("filter", why));
    };
    let start = match field {
        "digest" => "(?:sha1:)?",
        _ => "",
    };
    Filter::parse(&format!("{not}~{field}:{start}(?:{pattern})$")).map_err(refused("filter"))
}

/// The last captures, in order.
fn the_last(
    index: &MergedIndex,
    mut query: Query,
    last: usize,
    columns: &Columns,
) -> Result<Reply, Bad> {
    query.sort = Sort::Reverse;
    query.limit = Some(last.min(LIMIT));
    let hits = index.query(&query).map_err(refused("url"))?;
    let mut hits: Vec<_> = hits.collect();
    hits.reverse();
    Ok(columns.reply(hits.into_iter(), true, None))
}

/// Where an earlier answer ended: the key and the time of the first capture that it did not tell,
/// and how many of the same it did.
fn resume(asked: &Parameters, query: &mut Query) -> Result<(), Bad> {
    let Some(text) = asked.get("resumeKey") else {
        return Ok(());
    };
    let words: Vec<&str> = text.split(' ').collect();
    let [key, time, told] = words.as_slice() else {
        return Err(Bad::new("resumeKey", "it is none that an answer gave"));
    };
    let told: usize = told
        .parse()
        .map_err(|_| Bad::new("resumeKey", "it is none that an answer gave"))?;
    if query.sort != Sort::Ascending {
        return Err(Bad::new(
            "resumeKey",
            "only answers in order can be resumed",
        ));
    }
    let end = range(query).end;
    let start = format!("{key} {time}");
    query.keys = Some(KeyRange { start, end });
    query.offset = told;
    Ok(())
}

fn range(query: &Query) -> KeyRange {
    match &query.keys {
        Some(keys) => keys.clone(),
        None => varve_model::key_range(&query.url, query.matching),
    }
}

/// Where the next answer begins, if this one ends before the captures do.
fn resume_key(index: &MergedIndex, query: &Query) -> Result<Option<String>, Bad> {
    let limit = query.limit.unwrap_or(LIMIT);
    let all = Query {
        limit: Some(limit.saturating_add(1)),
        ..query.clone()
    };
    let hits = index.query(&all).map_err(refused("url"))?;
    let (mut place, mut told, mut count) = (String::new(), 0, 0);
    for hit in hits.flatten() {
        let here = format!("{} {}", hit.capture.key, hit.capture.timestamp.digits());
        told = match count {
            // Those that an earlier answer told were left out before it.
            0 if query.keys.as_ref().is_some_and(|keys| keys.start == here) => query.offset,
            _ if here == place => told + 1,
            _ => 0,
        };
        place = here;
        count += 1;
    }
    Ok((count > limit).then(|| format!("{place} {told}")))
}

/// Which fields are told, and how.
#[derive(Clone)]
struct Columns {
    fields: Vec<Field>,
    names: Vec<String>,
    json: bool,
}

impl Columns {
    fn new(names: &[&str], output: Option<&str>) -> Result<Columns, Bad> {
        let json = match output {
            None | Some("text" | "cdx") => false,
            Some("json") => true,
            Some(other) => {
                let why = format!("{other:?} is not one of json and text");
                return Err(Bad::new("output", why));
            }
        };
        let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
        Ok(Columns {
            fields: names.iter().map(|name| Field::named(name)).collect(),
            names,
            json,
        })
    }

    fn content_type(&self) -> &'static str {
        match self.json {
            true => "application/json",
            false => "text/plain; charset=utf-8",
        }
    }

    fn reply(
        &self,
        hits: impl Iterator<Item = Result<Hit, StoreError>> + Send + 'static,
        at_hand: bool,
        resume_key: Option<&str>,
    ) -> Reply {
        let columns = self.clone();
        let write = move |out: &mut String, capture: &Capture| columns.write(out, capture);
        let frame = self.frame(resume_key);
        lines(hits, at_hand, self.content_type(), frame, write)
    }

    fn write(&self, out: &mut String, capture: &Capture) {
        let mut row = self.fields.iter().map(|field| text(field, capture));
        match self.json {
            true => {
                out.push_str(",\n");
                array(out, row);
            }
            false => {
                out.push_str(&row.next().unwrap_or_default());
                for value in row {
                    out.push(' ');
                    out.push_str(&value);
                }
                out.push('\n');
            }
        }
    }

    /// Before the captures are the names of the columns, after them is where the next answer begins.
    fn frame(&self, resume_key: Option<&str>) -> Frame {
        let key = resume_key.map(encoded);
        if !self.json {
            return Frame {
                end: key.map_or(String::new(), |key| format!("\n{key}\n")),
                ..Frame::default()
            };
        }
        let (mut begin, mut end) = (String::from("["), String::new());
        array(
            &mut begin,
            self.names.iter().map(|name| name.as_str().into()),
        );
        if let Some(key) = key {
            end.push_str(",\n[],\n");
            array(&mut end, [Cow::Owned(key)].into_iter());
        }
        end.push_str("]\n");
        let nothing = "[]\n".to_owned();
        Frame {
            begin,
            end,
            nothing,
        }
    }
}

fn text<'c>(field: &Field, capture: &'c Capture) -> Cow<'c, str> {
    field.text(capture).unwrap_or("-".into())
}

fn encoded(key: &str) -> String {
    url::form_urlencoded::byte_serialize(key.as_bytes()).collect()
}

fn array<'s>(out: &mut String, values: impl Iterator<Item = Cow<'s, str>>) {
    out.push('[');
    for (number, value) in values.enumerate() {
        out.push_str(if number == 0 { "" } else { "," });
        write_json_string(out, &value);
    }
    out.push(']');
}
