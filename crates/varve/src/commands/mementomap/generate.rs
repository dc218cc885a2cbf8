//! `varve mementomap generate`: what an archive holds.

use super::{feed, filter, goes_to_file, map_output, roll_up};
use crate::cli::{FormatArg, GenerateArgs};
use crate::output::{Output, count};
use anyhow::Result;
use serde_json::json;
use varve_mementomap::{About, Counter, Format, Wanted};
use varve_model::Timestamp;
use varve_store::world::{RealWorld, World};

pub(super) fn run(args: &GenerateArgs, output: &Output) -> Result<()> {
    let mut counter = Counter::new(Wanted {
        format: args.format.map(format),
        filter: filter(&args.filter),
        originals: args.originals,
    });
    feed(&args.inputs, &mut counter, output)?;
    let about = About {
        id: args.id.clone(),
        name: args.name.clone(),
        updated_at: Some(now().to_seconds().w3c()),
    };
    let mut map = map_output(&args.to, &about.headers())?;
    let generated = counter.finish(&roll_up(&args.roll_up, f64::INFINITY), &mut map)?;
    map.finish()?;
    let size = generated.map;
    output.note(&format!(
        "{} read, {}, {}; {} in the map",
        count(generated.lines, "line"),
        count(generated.mementos, "memento"),
        count(size.keys, "key"),
        count(size.lines, "line")
    ));
    if output.json && goes_to_file(args.to.out.as_deref()) {
        let summary = json!({
            "read": generated.lines, "mementos": generated.mementos, "keys": size.keys,
            "lines": size.lines, "bytes": size.bytes, "rollups": size.roll_ups,
        });
        output.result(&summary.to_string())?;
    }
    Ok(())
}

fn now() -> Timestamp {
    RealWorld.now()
}

pub(super) fn format(format: FormatArg) -> Format {
    match format {
        FormatArg::Index => Format::Index,
        FormatArg::Urls => Format::Urls,
        FormatArg::Log => Format::AccessLog,
    }
}
