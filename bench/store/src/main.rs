//! The part of the storage benchmark that must be in Rust: it makes the inputs and calls the
//! library where no command of `varve` does exactly what is to be measured.
//!
//! Every command is a process of its own, so that `measure.py` can take its CPU time and peak
//! memory from the kernel. Inputs depend on nothing but their size: two machines measure the same
//! bytes. Results are one JSON object on stdout, with the peak memory of the process.

#![allow(clippy::unwrap_used)]

mod boilerplate;
mod captures;
mod dice;
mod headers;
mod indexing;
mod language;
mod lookup;
mod markup;
mod media;
mod sorting;
mod urls;
mod warcs;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;
use std::str::FromStr;

const USAGE: &str = "usage: varve-bench-store COMMAND
  warcs DIR FILES BYTES MEDIAN SIGMA   write WARC files of so many bytes in all
  index OUT FILE...                    index WARC files, as `audit --rebuild-index` does
  lines COUNT                          write index lines in no order to stdout
  sort COUNT DIR                       sort the same lines into DIR/index.cdxj
  zipnum DIR OUT                       write the index in DIR again, in compressed blocks
  split DIR OUT LAYERS                 deal the lines of the index in DIR out to so many layers
  merge DIR...                         read many indexes as one
  lookup KIND DIR COUNT WARMUP TIMES   `closest`, for KIND existing or absent keys";

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    if let Some(mut result) = run(&args)? {
        result["peak_kib"] = peak_memory()?.into();
        println!("{result}");
    }
    Ok(())
}

fn run(args: &[&str]) -> Result<Option<Value>> {
    Ok(Some(match args {
        ["warcs", dir, files, bytes, median, sigma] => {
            let sizes = warcs::Sizes {
                median: number(median)?,
                sigma: number(sigma)?,
            };
            warcs::write(Path::new(dir), number(files)?, number(bytes)?, sizes)?
        }
        ["index", out, files @ ..] => indexing::index(Path::new(out), files)?,
        ["lines", count] => {
            captures::print(number(count)?)?;
            return Ok(None);
        }
        ["sort", count, dir] => sorting::sort(number(count)?, Path::new(dir))?,
        ["zipnum", dir, out] => sorting::zipnum(Path::new(dir), Path::new(out))?,
        ["split", dir, out, layers] => {
            sorting::split(Path::new(dir), Path::new(out), number(layers)?)?
        }
        ["merge", dirs @ ..] => sorting::merge(dirs)?,
        ["lookup", kind, dir, count, warmup, times] => {
            let kind = lookup::Keys::parse(kind).context(USAGE)?;
            let (warmup, times) = (number(warmup)?, number(times)?);
            lookup::measure(Path::new(dir), number(count)?, kind, warmup, times)?
        }
        _ => bail!(USAGE),
    }))
}

fn number<N: FromStr>(text: &str) -> Result<N> {
    text.parse()
        .ok()
        .with_context(|| format!("{text:?} is not a number\n{USAGE}"))
}

/// The most memory that this process ever had, in KiB.
fn peak_memory() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_ascii_whitespace().nth(1));
    number
        .and_then(|number| number.parse().ok())
        .context("the kernel does not tell VmHWM")
}
