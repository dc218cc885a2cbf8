//! `varve mementomap compact`: a smaller map.

use super::{Kept, goes_to_file, kept, map_output, roll_up};
use crate::cli::CompactArgs;
use crate::output::{Output, count};
use anyhow::Result;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;
use varve_mementomap::{
    Absent, Asked, Better, Compacted, Fit, Input, KeyFilter, Records, RollUp, asked, compact, fit,
    fitted, improve, shape, weighed_for,
};

pub(super) fn run(args: &CompactArgs, output: &Output) -> Result<()> {
    let once = !args.sort && !args.fit && args.filter.is_none() && args.target_lines.is_none();
    let size = match once && args.target_cost.is_none() {
        true => write(args, &args.map, &roll_up(&args.roll_up, 1.0))?,
        false => several_passes(args, &kept(&args.map, args.sort)?, output)?,
    };
    output.note(&format!(
        "{} of {}, by {}",
        count(size.lines, "line"),
        count(size.keys, "key"),
        count(size.roll_ups, "roll-up")
    ));
    if output.json && goes_to_file(args.to.out.as_deref()) {
        let summary = json!({
            "keys": size.keys, "lines": size.lines, "bytes": size.bytes, "rollups": size.roll_ups,
        });
        output.result(&summary.to_string())?;
    }
    Ok(())
}

/// Compacts a map that has to be read more than once.
fn several_passes(args: &CompactArgs, map: &Kept, output: &Output) -> Result<Compacted> {
    let mut roll_up = roll_up(&args.roll_up, 1.0);
    if args.fit {
        roll_up = fit_to(&map.path, &roll_up, output)?;
    }
    let lines = wanted_lines(args, &map.path, &roll_up)?;
    if let Some(filter) = &args.filter {
        return write_with_filter(args, &map.path, &roll_up, lines, filter, output);
    }
    if let Some(lines) = lines.filter(|_| by_weights(args)) {
        roll_up = weigh(&map.path, &roll_up, lines, output)?;
    }
    write(args, &map.path, &roll_up)
}

/// Whether cut-offs decide what is rolled up.
fn by_weights(args: &CompactArgs) -> bool {
    !args.adaptive && args.absent.is_none()
}

/// How many lines there may be, if somebody says so.
fn wanted_lines(args: &CompactArgs, map: &Path, roll_up: &RollUp) -> Result<Option<u64>> {
    match (args.target_lines, args.target_cost) {
        (None, Some(cost)) => {
            let keys = shape(&mut Records::open(map)?, roll_up)?.keys;
            Ok(Some((cost * keys as f64) as u64))
        }
        (lines, _) => Ok(lines),
    }
}

/// The power laws of the map itself.
fn fit_to(map: &Path, roll_up: &RollUp, output: &Output) -> Result<RollUp> {
    let shape = shape(&mut Records::open(map)?, roll_up)?;
    let tell = |what: &str, fit: Option<Fit>| match fit {
        Some(fit) => output.note(&format!(
            "{what}: a = {:.3}, k = {:.3} (R squared {:.3})",
            fit.a, fit.k, fit.r_squared
        )),
        None => output.note(&format!("{what}: not enough depths to fit a power law")),
    };
    tell("hosts", fit(&shape.host_without_tlds()));
    tell("paths", fit(&shape.path));
    Ok(fitted(&shape, roll_up))
}

/// The weights that leave as many lines as are wanted.
fn weigh(map: &Path, roll_up: &RollUp, lines: u64, output: &Output) -> Result<RollUp> {
    let weighed = weighed_for(map, roll_up, lines)?;
    output.note(&format!(
        "weight of hosts and paths: {:.4}",
        weighed.host.weight
    ));
    Ok(weighed)
}

/// Writes the map with its headers.
fn write(args: &CompactArgs, map: &Path, roll_up: &RollUp) -> Result<Compacted> {
    let mut records = Records::open(map)?;
    let mut headers = records.headers().to_vec();
    headers.retain(|header| !KeyFilter::is_header(header));
    let mut out = map_output(&args.to, &headers)?;
    let size = shrink(args, &mut records, roll_up, args.target_lines, &mut out)?;
    out.finish()?;
    Ok(size)
}

/// The same with a filter beside it, which a header of the map names. What is wanted as a cost is
/// the cost of both: lines make room for the filter.
fn write_with_filter(
    args: &CompactArgs,
    map: &Path,
    roll_up: &RollUp,
    wanted: Option<u64>,
    path: &Path,
    output: &Output,
) -> Result<Compacted> {
    let mut lines = wanted;
    let (small, size, filter) = loop {
        let (small, size) = shrunk(args, map, roll_up, lines, output)?;
        let filter =
            KeyFilter::between(&mut Records::open(map)?, &mut Records::open(small.path())?)?;
        let both = size.lines as f64 + filter.as_lines(&size);
        let over = wanted.map_or(0.0, |wanted| both - wanted as f64);
        if over <= 0.0 || args.target_cost.is_none() {
            break (small, size, filter);
        }
        lines = lines.and_then(|lines| lines.checked_sub(over.ceil() as u64));
        if lines.unwrap_or_default() == 0 {
            anyhow::bail!(
                "{}: no map with its filter has so small a cost; ask for more",
                map.display()
            );
        }
    };
    let mut headers = Records::open(map)?.headers().to_vec();
    headers.retain(|header| !KeyFilter::is_header(header));
    headers.push(filter.header());
    let mut out = varve_mementomap::Output::create(Some(path))?;
    filter.write(&mut out)?;
    out.finish()?;
    let mut out = map_output(&args.to, &headers)?;
    std::io::copy(&mut small.reopen()?, &mut out)?;
    out.finish()?;
    Ok(size)
}

/// The lines that are left, in a scratch file: at most so many, if somebody says so.
fn shrunk(
    args: &CompactArgs,
    map: &Path,
    roll_up: &RollUp,
    lines: Option<u64>,
    output: &Output,
) -> Result<(NamedTempFile, Compacted)> {
    let weighed = match lines.filter(|_| by_weights(args)) {
        Some(lines) => weigh(map, roll_up, lines, output)?,
        None => *roll_up,
    };
    let mut small = NamedTempFile::new()?;
    let size = shrink(args, &mut Records::open(map)?, &weighed, lines, &mut small)?;
    small.flush()?;
    Ok((small, size))
}

/// Rolls up, by cut-offs or by what costs least.
fn shrink(
    args: &CompactArgs,
    records: &mut Records,
    roll_up: &RollUp,
    lines: Option<u64>,
    out: impl Write,
) -> Result<Compacted> {
    if by_weights(args) {
        return Ok(compact(records, roll_up, out)?);
    }
    let read = |path: &Option<std::path::PathBuf>| -> Result<Asked> {
        match path {
            Some(path) => Ok(asked(Input::open(path)?, None)?),
            None => Ok(Asked::default()),
        }
    };
    let absent = Absent {
        asked: read(&args.absent)?,
        least: args.absent_least,
        most: args.absent_most,
    };
    let better = Better {
        roll_up: *roll_up,
        lines,
        cost: args.target_cost,
        asked: read(&args.lookups)?,
        absent: args.absent.is_some().then_some(absent),
    };
    Ok(improve(records, &better, out)?.compacted)
}
