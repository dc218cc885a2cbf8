//! `varve crawl`: pages of the live web into a collection.

mod config;
mod dry_run;
mod options;
mod report;
mod seeds;

use super::open_or_create;
use super::prune::after_crawl;
use crate::cli::CrawlArgs;
use crate::dashboard::{self, Dashboard};
use crate::display::Display;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::Output;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use varve_crawl::live::{Control, Live, pulse};
use varve_crawl::{CrawlOptions, Profile, Summary, crawl, is_interrupted};
use varve_prune::{Layers, PruneOptions};

/// Where pages go when nothing is said.
const COLLECTION: &str = "varve-archive";

pub(crate) fn run(flags: CrawlArgs, output: &Output) -> Result<Exit> {
    let args = config::resolve(flags)?;
    args.dashboard.map_or(Ok(()), dashboard::check_address)?;
    let root = (args.collection.clone()).unwrap_or_else(|| PathBuf::from(COLLECTION));
    let seeds = seeds::seeds(&args, output)?;
    if seeds.is_empty() && !is_interrupted(&root) {
        bail!("there is no URL to crawl");
    }
    let mut options = options::options(&args, seeds, &root)?;
    let profile = args.profile.as_deref().map(Profile::open).transpose()?;
    if args.dry_run {
        return dry_run::tell(&options, &root, output);
    }
    let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
    if let Some(profile) = &profile {
        runtime.block_on(log_in(profile, &mut options, output))?;
    }
    let collection = Arc::new(open_or_create(&root, output)?);
    if is_interrupted(&root) {
        output.note("going on with the crawl that was interrupted here");
    }
    let interrupt = Interrupt::listen().context("cannot listen for Ctrl-C")?;
    let live = Live::new();
    let control = Arc::new(Control::new(interrupt.flag()));
    let shown = show(&args, &live, &control, output)?;
    let crawled = runtime.block_on(crawl(&collection, options, live, control));
    drop(shown);
    let summary = crawled?;
    report::report(&summary, &root, output)?;
    let exit = exit(&summary, &root)?;
    if args.prune && matches!(exit, Exit::Done | Exit::FailedPages) {
        drop(collection);
        let options = PruneOptions {
            layers: Layers::Last,
            ..PruneOptions::usual(&root, interrupt.flag())
        };
        after_crawl(&options, output)?;
    }
    Ok(exit)
}

/// Takes over what the user's own browser knows.
async fn log_in(profile: &Profile, options: &mut CrawlOptions, output: &Output) -> Result<()> {
    let session = &mut options.session;
    for left_out in session.add_profile(profile, &options.seeds).await? {
        output.note(&format!("not taken from the profile: {left_out}"));
    }
    Ok(())
}

fn exit(summary: &Summary, root: &Path) -> Result<Exit> {
    match summary.ended {
        "interrupted" => return Ok(Exit::Interrupted),
        "disk.full" => return Ok(Exit::DiskFull),
        _ => {}
    }
    if summary.is_empty() {
        bail!(
            "not a single response was recorded: {} holds nothing of this crawl (see the reasons \
             above)",
            root.display()
        );
    }
    Ok(match summary.failed + summary.refused_seeds {
        0 => Exit::Done,
        _ => Exit::FailedPages,
    })
}

/// Whatever shows the crawl, until it is dropped.
fn show(
    args: &CrawlArgs,
    live: &Arc<Live>,
    control: &Arc<Control>,
    output: &Output,
) -> Result<(Option<Dashboard>, Display)> {
    pulse(live).context("cannot start a thread")?;
    let start = |address| Dashboard::start(address, live.clone(), control.clone());
    let dashboard = args.dashboard.map(start).transpose()?;
    if let Some(dashboard) = &dashboard {
        output.note(&format!("dashboard at http://{}/", dashboard.address()));
    }
    let display = Display::start(live.clone(), control.clone(), output.display());
    Ok((dashboard, display.context("cannot start a thread")?))
}
