//! `varve mementomap merge`: one map of several.

use super::{goes_to_file, kept, map_output};
use crate::cli::MergeArgs;
use crate::output::{Output, count};
use anyhow::Result;
use serde_json::json;
use std::path::PathBuf;
use varve_mementomap::{KeyFilter, Map, merge_maps, merged_headers};

pub(super) fn run(args: &MergeArgs, output: &Output) -> Result<()> {
    let maps: Vec<_> = args
        .maps
        .iter()
        .map(|map| kept(map, args.sort))
        .collect::<Result<_>>()?;
    let paths: Vec<PathBuf> = maps.iter().map(|map| map.path.clone()).collect();
    let opened: Vec<Map> = paths
        .iter()
        .map(|path| Map::open(path))
        .collect::<Result<_, _>>()?;
    let mut headers = merged_headers(opened.iter().map(Map::headers));
    // The filter of one map knows nothing of the others.
    headers.retain(|header| maps.len() == 1 || !KeyFilter::is_header(header));
    let mut out = map_output(&args.to, &headers)?;
    let merged = merge_maps(&paths, &mut out)?;
    out.finish()?;
    output.note(&format!(
        "{} of {}",
        count(merged.lines, "line"),
        count(paths.len() as u64, "map")
    ));
    if output.json && goes_to_file(args.to.out.as_deref()) {
        let summary = json!({ "maps": paths.len(), "lines": merged.lines, "bytes": merged.bytes });
        output.result(&summary.to_string())?;
    }
    Ok(())
}
