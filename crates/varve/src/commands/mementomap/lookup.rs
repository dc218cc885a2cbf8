//! `varve mementomap lookup`: what a map says about URLs.

use crate::cli::LookupArgs;
use crate::output::Output;
use anyhow::Result;
use std::io::Write;
use varve_mementomap::{Input, KeyFilter, Map, asked_key};
use varve_model::write_json_string;

pub(super) fn run(args: &LookupArgs, output: &Output) -> Result<()> {
    if args.urls.is_empty() && args.batch.is_none() {
        anyhow::bail!("what is asked for? Give URLs or keys, or --batch FILE");
    }
    let map = Map::open(&args.map)?;
    let filter = match &args.filter {
        Some(path) => Some(KeyFilter::open(path, map.headers())?),
        None => None,
    };
    let mut out = varve_mementomap::Output::create(args.out.as_deref())?;
    let mut line = String::new();
    let mut answer = |query: &str| -> Result<()> {
        line.clear();
        tell(&map, filter.as_ref(), query, output.json, &mut line)?;
        Ok(out.write_all(line.as_bytes())?)
    };
    for url in &args.urls {
        answer(url)?;
    }
    if let Some(batch) = &args.batch {
        let mut lines = Input::open(batch)?.lines();
        while let Some(query) = lines.next_line()? {
            let query = String::from_utf8_lossy(query.trim_ascii());
            if !query.is_empty() {
                answer(&query)?;
            }
        }
    }
    Ok(out.finish()?)
}

/// Appends what is said about a URL: `key frequency distance query`, or nothing if nothing speaks
/// for it; as JSON always a line.
fn tell(
    map: &Map,
    filter: Option<&KeyFilter>,
    query: &str,
    json: bool,
    line: &mut String,
) -> Result<()> {
    let (answer, may_be_held) = map.ask(&asked_key(query), filter)?;
    // What the filter knows better, the map does not hold.
    let answer = answer.filter(|answer| may_be_held || !answer.may_be_held());
    if !json {
        if let Some(answer) = answer {
            *line += &format!(
                "{} {} {} {query}\n",
                answer.key, answer.frequency, answer.distance
            );
        }
        return Ok(());
    }
    *line += "{\"query\": ";
    write_json_string(line, query);
    match answer {
        Some(answer) => {
            *line += ", \"key\": ";
            write_json_string(line, &answer.key);
            *line += &format!(
                ", \"frequency\": \"{}\", \"distance\": {}}}\n",
                answer.frequency, answer.distance
            );
        }
        None => *line += ", \"key\": null, \"frequency\": null, \"distance\": null}\n",
    }
    Ok(())
}
