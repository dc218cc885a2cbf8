//! `varve find`: a CDX query on the command line.

use crate::cli::{FindArgs, MatchHow};
use crate::exit::Exit;
use crate::output::Output;
use anyhow::{Context, Result};
use serde_json::{Map, Value};
use varve_model::{KeyRange, Surt, Timestamp, UrlMatch};
use varve_store::index::{Collapse, Field, Filter, Hit, Query, Sort};

pub(crate) fn run(args: FindArgs, output: &Output) -> Result<Exit> {
    let query = query(&args)?;
    let collection = super::open(&args.collection, output)?;
    let mut exit = Exit::Done;
    for hit in collection.index()?.query(&query)? {
        match hit {
            Ok(hit) => output.result(&text(&hit, &query, output.json))?,
            Err(error) => {
                output.failure(&error.to_string());
                exit = Exit::Error;
            }
        }
    }
    Ok(exit)
}

/// What was typed, as what is meant.
fn query(args: &FindArgs) -> Result<Query> {
    // A way of matching that was asked for takes the URL as it stands, stars and all.
    let (url, inferred) = match args.how {
        None => UrlMatch::infer(&args.url),
        Some(_) => (args.url.clone(), UrlMatch::Exact),
    };
    let (matching, keys) = match args.how {
        None if args.until_url.is_some() => (UrlMatch::Exact, Some(range(args))),
        None => (inferred, None),
        Some(MatchHow::Exact) => (UrlMatch::Exact, None),
        Some(MatchHow::Prefix) => (UrlMatch::Prefix, None),
        Some(MatchHow::Host) => (UrlMatch::Host, None),
        Some(MatchHow::Domain) => (UrlMatch::Domain, None),
        Some(MatchHow::Range) => (UrlMatch::Exact, Some(range(args))),
    };
    let sort = match &args.closest {
        Some(at) => Sort::Closest(moment(at, Timestamp::earliest_of)?),
        None if args.reverse => Sort::Reverse,
        None => Sort::Ascending,
    };
    Ok(Query {
        url,
        matching,
        keys,
        from: args
            .from
            .as_deref()
            .map(|at| moment(at, Timestamp::earliest_of))
            .transpose()?,
        to: args
            .to
            .as_deref()
            .map(|at| moment(at, Timestamp::latest_of))
            .transpose()?,
        sort,
        limit: args.limit,
        offset: args.offset,
        filters: args
            .filter
            .iter()
            .map(|text| Filter::parse(text))
            .collect::<Result<_, _>>()?,
        collapse: args
            .collapse
            .iter()
            .map(|text| Collapse::parse(text))
            .collect::<Result<_, _>>()?,
        fields: args.fields.iter().map(|name| Field::named(name)).collect(),
        scan_limit: None,
    })
}

fn range(args: &FindArgs) -> KeyRange {
    KeyRange {
        start: Surt::from_url(&args.url).as_str().to_owned(),
        end: args
            .until_url
            .as_deref()
            .map(|url| Surt::from_url(url).as_str().to_owned()),
    }
}

fn moment<E>(text: &str, read: fn(&str) -> Result<Timestamp, E>) -> Result<Timestamp>
where
    E: std::error::Error + Send + Sync + 'static,
{
    read(text).with_context(|| {
        format!("\"{text}\" is no time: give 4 to 17 digits, such as 2014 or 20140216050221")
    })
}

fn text(hit: &Hit, query: &Query, json: bool) -> String {
    if json {
        let row = query.row(&hit.capture).into_iter();
        let object: Map<String, Value> = row.map(|(name, value)| (name, value.into())).collect();
        return Value::Object(object).to_string();
    }
    if query.fields.is_empty() {
        return hit.capture.to_line();
    }
    let column = |field: &Field| {
        field
            .text(&hit.capture)
            .map_or("-".into(), |text| text.into_owned())
    };
    query
        .fields
        .iter()
        .map(column)
        .collect::<Vec<_>>()
        .join(" ")
}
