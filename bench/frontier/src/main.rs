//! Measures the frontier alone: many URLs over many hosts in, then pages out and their links in.
//!
//! Prints a table and writes a JSON file, from which `measure.py` makes the report. URLs depend on
//! nothing but their number, so that two machines measure the same work.

#![allow(clippy::unwrap_used)]

mod measure;
mod web;

use anyhow::{Context, Result};
use measure::{Measured, Size};
use serde_json::json;
use std::path::Path;

const USAGE: &str = "usage: varve-bench-frontier DIR OUT.json [URLS [HOSTS [PAGES]]]";

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| match args.get(at) {
        Some(text) => text.parse().context(USAGE),
        None => Ok(usual),
    };
    let (dir, out) = (args.first().context(USAGE)?, args.get(1).context(USAGE)?);
    let size = Size {
        urls: number(2, 10_000_000)?,
        hosts: number(3, 100_000)?,
        pages: number(4, 20_000)?,
    };
    let measured = measure::measure(Path::new(dir), size)?;
    print(&measured);
    let json: serde_json::Map<_, _> = measured
        .iter()
        .map(|(name, value, unit)| ((*name).to_owned(), json!({"value": value, "unit": unit})))
        .collect();
    std::fs::write(out, serde_json::to_string_pretty(&json)? + "\n")?;
    Ok(())
}

fn print(measured: &Measured) {
    println!("| what | figure | unit |\n|---|---:|---|");
    for (name, value, unit) in measured {
        println!("| {} | {value:.0} | {unit} |", name.replace('_', " "));
    }
}
