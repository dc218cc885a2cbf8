//! `varve mementomap`: profiles of archives.

mod compact;
mod evaluate;
mod generate;
mod lookup;
mod merge;
mod stats;

use crate::cli::{IndexFilterArgs, MapTo, MementomapArgs, MementomapCommand, RollUpArgs};
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Result;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use varve_mementomap::{Filter, Input, MapError, MapOutput, PowerLaw, RollUp, sort_map};
use varve_store::index::{LayerIndex, MergedIndex, ZipNum};

pub(crate) fn run(args: MementomapArgs, output: &Output) -> Result<Exit> {
    let outcome = match args.command {
        MementomapCommand::Generate(args) => generate::run(&args, output),
        MementomapCommand::Compact(args) => compact::run(&args, output),
        MementomapCommand::Merge(args) => merge::run(&args, output),
        MementomapCommand::Lookup(args) => lookup::run(&args, output),
        MementomapCommand::Stats(args) => stats::run(&args, output),
        MementomapCommand::Evaluate(args) => evaluate::run(&args, output),
    };
    match outcome {
        // A reader that went away (`| head`) is not an error.
        Err(error) if is_broken_pipe(&error) => Ok(Exit::Done),
        outcome => outcome.map(|()| Exit::Done),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause
            .downcast_ref::<std::io::Error>()
            .map(|error| error.kind());
        let kind = io.or_else(|| cause.downcast_ref::<MapError>()?.kind());
        kind == Some(ErrorKind::BrokenPipe)
    })
}

/// When names roll up; the weights are those given, or else the command's own.
fn roll_up(args: &RollUpArgs, weight: f64) -> RollUp {
    RollUp {
        host: PowerLaw {
            weight: args.host_weight.unwrap_or(weight),
            a: args.ha,
            k: args.hk,
        },
        path: PowerLaw {
            weight: args.path_weight.unwrap_or(weight),
            a: args.pa,
            k: args.pk,
        },
        max_host_depth: args.max_host_depth,
        max_path_depth: args.max_path_depth,
    }
}

fn filter(args: &IndexFilterArgs) -> Filter {
    Filter {
        mime: args.mime.clone(),
        status: args.status.clone(),
        since: args.since.clone(),
    }
}

fn map_output(to: &MapTo, headers: &[String]) -> Result<MapOutput> {
    Ok(MapOutput::create(
        to.out.as_deref(),
        headers,
        to.page_lines,
    )?)
}

/// Whether the results go to a file, so that something else can be said on stdout.
fn goes_to_file(out: Option<&Path>) -> bool {
    out.is_some_and(|out| out != Path::new("-"))
}

/// Something that understands lines of an index.
trait Lines {
    fn push(&mut self, line: &[u8]) -> Result<(), MapError>;
    fn read(&mut self, input: Input) -> Result<(), MapError>;
}

impl Lines for varve_mementomap::Counter {
    fn push(&mut self, line: &[u8]) -> Result<(), MapError> {
        varve_mementomap::Counter::push(self, line)
    }

    fn read(&mut self, input: Input) -> Result<(), MapError> {
        varve_mementomap::Counter::read(self, input)
    }
}

impl Lines for varve_mementomap::Profiler {
    fn push(&mut self, line: &[u8]) -> Result<(), MapError> {
        varve_mementomap::Profiler::push(self, line)
    }

    fn read(&mut self, input: Input) -> Result<(), MapError> {
        varve_mementomap::Profiler::read(self, input)
    }
}

/// Gives all lines of indexes to someone: of files, of ZipNum indexes and of collections.
fn feed(inputs: &[PathBuf], lines: &mut impl Lines, output: &Output) -> Result<()> {
    for input in inputs {
        let index = if input.is_dir() {
            super::open(input, output)?.index()?
        } else if input
            .extension()
            .is_some_and(|extension| extension == "idx")
        {
            let index = ZipNum::open(&super::file_system(), input)?;
            MergedIndex::new(vec![(0, LayerIndex::ZipNum(index))])
        } else {
            lines.read(Input::open(input)?)?;
            continue;
        };
        let mut cursor = index.start()?;
        while let Some((_, line)) = cursor.next_line()? {
            lines.push(line)?;
        }
    }
    Ok(())
}

/// A map that can be read more than once: the file itself, or a copy that lives as long as this.
struct Kept {
    path: PathBuf,
    _copy: Option<NamedTempFile>,
}

/// Sorts a map if that is wanted, and keeps what comes from stdin.
fn kept(map: &Path, sort: bool) -> Result<Kept> {
    if !sort && map != Path::new("-") {
        let path = map.to_owned();
        return Ok(Kept { path, _copy: None });
    }
    let mut copy = NamedTempFile::new()?;
    match sort {
        true => sort_map(map, &mut copy)?,
        false => {
            std::io::copy(&mut std::io::stdin().lock(), &mut copy)?;
        }
    }
    copy.flush()?;
    let path = copy.path().to_owned();
    Ok(Kept {
        path,
        _copy: Some(copy),
    })
}
