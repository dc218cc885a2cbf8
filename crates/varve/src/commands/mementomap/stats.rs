//! `varve mementomap stats`: the holdings of an archive in figures.

use super::feed;
use crate::cli::StatsArgs;
use crate::output::Output;
use anyhow::Result;
use std::io::Write;
use std::path::Path;
use varve_mementomap::{Profiler, html, text};

pub(super) fn run(args: &StatsArgs, output: &Output) -> Result<()> {
    let mut profiler = Profiler::default();
    feed(&args.inputs, &mut profiler, output)?;
    let holdings = profiler.finish()?;
    if let Some(path) = &args.html {
        let names: Vec<String> = args.inputs.iter().map(|input| name(input)).collect();
        let mut page = varve_mementomap::Output::create(Some(path))?;
        page.write_all(html(&holdings, &format!("Holdings of {}", names.join(", "))).as_bytes())?;
        page.finish()?;
    }
    let mut out = varve_mementomap::Output::create(args.out.as_deref())?;
    match output.json {
        true => writeln!(out, "{}", serde_json::to_string(&holdings)?)?,
        false => out.write_all(text(&holdings).as_bytes())?,
    }
    Ok(out.finish()?)
}

fn name(input: &Path) -> String {
    match input == Path::new("-") {
        true => "standard input".to_owned(),
        false => input.display().to_string(),
    }
}
