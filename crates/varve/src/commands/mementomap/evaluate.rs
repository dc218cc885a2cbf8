//! `varve mementomap evaluate`: what a map costs, and how often it is right.

use super::{feed, kept};
use crate::cli::EvaluateArgs;
use crate::output::Output;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::io::Write;
use varve_mementomap::{
    Asked, Counter, Evaluation, GRID, Input, KeyFilter, Map, RollUp, Truth, Wanted, Weighed, asked,
    evaluate, grid, grid_chart,
};

pub(super) fn run(args: &EvaluateArgs, output: &Output) -> Result<()> {
    let mut counter = Counter::new(Wanted::default());
    feed(&args.index, &mut counter, output)?;
    let truth = Truth::of(counter)?;
    let asked = asked(Input::open(&args.lookups)?, None)?;
    let text = match args.grid {
        true => judge_grid(args, &truth, &asked, output.json)?,
        false => judge_map(args, &truth, &asked, output.json)?,
    };
    let mut out = varve_mementomap::Output::create(args.out.as_deref())?;
    out.write_all(text.as_bytes())?;
    Ok(out.finish()?)
}

fn judge_map(args: &EvaluateArgs, truth: &Truth, asked: &Asked, json: bool) -> Result<String> {
    let map = args.map.as_deref().context("which map? Give its file")?;
    let map = kept(map, false)?;
    let filter = match &args.filter {
        Some(path) => Some(KeyFilter::open(path, Map::open(&map.path)?.headers())?),
        None => None,
    };
    let found = evaluate(&map.path, filter.as_ref(), truth, asked)?;
    match json {
        true => Ok(serde_json::to_string(&found)? + "\n"),
        false => Ok(told(&found)),
    }
}

fn told(found: &Evaluation) -> String {
    let mut text = format!(
        "lines            {} for {} keys\nrelative cost    {:.4}\n\
         bytes            {} ({:.4} of full detail); in zstd {} ({:.4})\n\
         look-ups         {}, of which {} ask for what is held\naccuracy         {:.4}\n\
         recall           {:.4}; {} keys of the index are lost\nfalse positives  {}\n",
        found.lines,
        found.keys,
        found.cost,
        found.bytes,
        found.byte_cost,
        found.packed_bytes,
        found.packed_cost,
        found.asked,
        found.held,
        found.accuracy,
        found.recall,
        found.lost_keys,
        found.false_positives,
    );
    for (kind, count) in &found.false_positives_by {
        let _ = writeln!(text, "  {kind:<15}{count}");
    }
    text
}

fn judge_grid(args: &EvaluateArgs, truth: &Truth, asked: &Asked, json: bool) -> Result<String> {
    let pairs = GRID.iter().flat_map(|host| GRID.map(|path| (*host, path)));
    let weights: Vec<(f64, f64)> = pairs.collect();
    let rows = grid(truth, asked, &RollUp::default(), &weights)?;
    if let Some(path) = &args.svg {
        let mut svg = varve_mementomap::Output::create(Some(path))?;
        svg.write_all(grid_chart(&rows).as_bytes())?;
        svg.finish()?;
    }
    if json {
        return Ok(serde_json::to_string(&rows)? + "\n");
    }
    let separator = if args.csv { "," } else { "  " };
    let cells = |cells: [String; 8]| match args.csv {
        true => cells.join(separator),
        false => cells.map(|cell| format!("{cell:>15}")).join(separator),
    };
    let head = [
        "host_weight",
        "path_weight",
        "lines",
        "bytes",
        "cost",
        "accuracy",
        "recall",
        "false_positives",
    ];
    let mut text = cells(head.map(str::to_owned)) + "\n";
    for row in &rows {
        text += &cells(row_cells(row));
        text.push('\n');
    }
    Ok(text)
}

fn row_cells(row: &Weighed) -> [String; 8] {
    let found = &row.evaluation;
    [
        row.host_weight.to_string(),
        row.path_weight.to_string(),
        found.lines.to_string(),
        found.bytes.to_string(),
        format!("{:.6}", found.cost),
        format!("{:.4}", found.accuracy),
        format!("{:.4}", found.recall),
        found.false_positives.to_string(),
    ]
}
