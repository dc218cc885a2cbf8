//! `varve prune`: scripts without what never ran.

use crate::cli::{ColdArg, CompressArg, PagesArg, PruneArgs};
use crate::display::clean;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::{Output, count};
use anyhow::{Context, Result};
use varve_prune::{Cold, Outcome, Packing, PruneError, PruneOptions, Step, prune};
use varve_qa::Choice;

pub(crate) fn run(args: PruneArgs, output: &Output) -> Result<Exit> {
    // Says what had to be recovered, once, before anything is read.
    super::open(&args.collection, output)?;
    let interrupt = Interrupt::listen().context("cannot listen for Ctrl-C")?;
    let stop = interrupt.flag();
    let usual = PruneOptions::usual(&args.collection, stop);
    let options = PruneOptions {
        learn: choice(args.learn),
        verify: choice(args.verify),
        workers: args.workers.unwrap_or(usual.workers),
        cold: match args.cold {
            ColdArg::Keep => Cold::Keep,
            ColdArg::Drop => Cold::Drop,
        },
        packing: match args.compress {
            None => Packing::AsItIs,
            Some(CompressArg::Zstd) => Packing::Zstd,
            Some(CompressArg::Smallest) => Packing::Smallest,
        },
        keep_original: args.keep_original,
        dry_run: args.dry_run,
        ..usual
    };
    match apply(&options, output)? {
        Ok(outcome) => {
            tell(&outcome, &options, output)?;
            Ok(Exit::Done)
        }
        Err(error @ PruneError::Interrupted(_)) => {
            output.note(&error.to_string());
            Ok(Exit::Interrupted)
        }
        Err(error @ PruneError::Differs { .. }) => {
            output.note(&error.to_string());
            Ok(Exit::VerificationFailed)
        }
        Err(error) => Err(error.into()),
    }
}

fn choice(pages: PagesArg) -> Choice {
    match pages {
        PagesArg::All => Choice::All,
        PagesArg::Some(number) => Choice::Spread(number),
    }
}

/// What a crawl does at its end. It was a good one even if nothing can be pruned.
pub(crate) fn after_crawl(options: &PruneOptions, output: &Output) -> Result<()> {
    match apply(options, output)? {
        // The result of a crawl is its own.
        Ok(_) if output.json => {}
        Ok(outcome) => tell(&outcome, options, output)?,
        Err(error) => output.warning(&format!("not pruned: {error}")),
    }
    Ok(())
}

/// Prunes, and shows how it goes on.
fn apply(options: &PruneOptions, output: &Output) -> Result<Result<Outcome, PruneError>> {
    let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
    let bytes = output.bar(0, "pruning");
    let pages = output.counter(0, "replaying");
    let lessons = output.counter(0, "learning");
    let again = |differing: usize, therefore: &str| {
        let differing = count(differing as u64, "page");
        output.note(&format!("{differing} differ: {therefore}"));
        pages.set_position(2 * pages.length().unwrap_or(0) / 3);
    };
    let outcome = runtime.block_on(prune(options, |step| match step {
        Step::Learned(all) => {
            lessons.set_length(all as u64);
            lessons.inc(1);
        }
        Step::Remaking(all) => {
            bytes.set_position(0);
            bytes.set_length(all);
        }
        Step::Remade(more) => bytes.inc(more),
        // The same pages, twice before and once after.
        Step::Replayed(all) => {
            pages.set_length(3 * all as u64);
            pages.inc(1);
        }
        Step::Keeping(differing) => again(differing, "the functions that they called stay"),
        Step::Sparing(differing) => again(differing, "their scripts stay whole"),
    }));
    lessons.finish_and_clear();
    bytes.finish_and_clear();
    pages.finish_and_clear();
    runtime.shutdown_background();
    Ok(outcome)
}

fn tell(outcome: &Outcome, options: &PruneOptions, output: &Output) -> Result<()> {
    if output.json {
        return Ok(output.result(&serde_json::to_string(outcome)?)?);
    }
    let scripts = &outcome.scripts;
    let name = options.collection.display();
    let would = if options.dry_run { "would be " } else { "" };
    let apart = match options.cold {
        Cold::Keep => "stored apart",
        Cold::Drop => "removed",
    };
    output.result(&format!(
        "{name}: {} of {} {would}cut, {} {apart}",
        scripts.cut,
        count(scripts.scripts, "script"),
        count(scripts.functions, "function"),
    ))?;
    if scripts.aside > 0 {
        let aside = count(scripts.aside, "script");
        output.result(&format!("  {aside} that never ran {would}set aside whole"))?;
    }
    if scripts.pages > 0 {
        let pages = count(scripts.pages, "page");
        output.result(&format!("  scripts in {pages} {would}cut"))?;
    }
    if outcome.healed > 0 {
        let functions = count(outcome.healed, "function");
        output.result(&format!(
            "  {functions} that were taken out before {would}at hand again, since pages needed them"
        ))?;
    }
    for (why, number) in &scripts.whole {
        output.result(&format!("  left whole: {number} ({why})"))?;
    }
    for page in &outcome.pages_spared {
        let how = outcome.pages_differed.iter().rfind(|it| it.url == *page);
        let how = how.map_or(String::new(), |it| format!(" ({})", it.how.join(", ")));
        output.result(&format!("  differed with less: {}{how}", clean(page)))?;
    }
    let share = |part: u64, whole: u64| match whole {
        0 => 0.0,
        _ => 100.0 * part as f64 / whole as f64,
    };
    let hot = outcome.bytes_after.saturating_sub(outcome.bytes_cold);
    output.result(&format!(
        "layers: {} bytes before, {} after ({:.1} %), of which {} are seldom read; {:.1} % hot",
        outcome.bytes_before,
        outcome.bytes_after,
        share(outcome.bytes_after, outcome.bytes_before),
        outcome.bytes_cold,
        share(hot, outcome.bytes_before),
    ))?;
    let verified = count(outcome.pages_verified as u64, "page");
    output.note(&format!("{verified} replayed before and after"));
    Ok(())
}
