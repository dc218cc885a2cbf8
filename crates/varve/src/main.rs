//! Varve: a web archive that understands JavaScript.
//!
//! The program turns words typed into plain structs, runs one command, and turns its result into
//! words printed and an exit code. All work is done by the libraries.

mod cli;
mod commands;
mod dashboard;
mod display;
mod exit;
mod interrupt;
mod metrics;
mod output;

use clap::Parser;
use cli::{Cli, Command};
use exit::Exit;
use output::Output;
use std::process::ExitCode;

/// Crawls run for days, on many threads. What the system's own allocator leaves scattered between
/// them grows by tens of megabytes in a thousand pages, although the program holds no more; this
/// one gives it back (`.cargo/config.toml` says how).
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let output = Output::new(&cli.global);
    let outcome = match cli.command {
        Command::Aggregate(args) => commands::aggregate::run(*args, &output),
        Command::Crawl(args) => commands::crawl::run(*args, &output),
        Command::DemoSite(args) => commands::demo_site::run(&args, &output),
        Command::Import(args) => commands::import::run(args, &output),
        Command::Export(args) => commands::export::run(args, &output),
        Command::Filter(args) => commands::filter::run(args, &output),
        Command::Find(args) => commands::find::run(args, &output),
        Command::Serve(args) => commands::serve::run(args, &output),
        Command::Audit(args) => commands::audit::run(args, &output),
        Command::Qa(args) => commands::qa::run(args, &output),
        Command::Prune(args) => commands::prune::run(args, &output),
        Command::Memo(args) => commands::memo::run(args, &output),
        Command::Mementomap(args) => commands::mementomap::run(*args, &output),
    };
    let exit = outcome.unwrap_or_else(|error| {
        output.error(&error);
        Exit::of(&error)
    });
    exit.into()
}
