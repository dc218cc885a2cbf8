//! `varve qa`: replayed pages against their captures.

use crate::cli::{MeansArg, QaArgs};
use crate::display::clean;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::{Output, count};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use varve_qa::{
    Choice, Finding, PageReport, Pattern, QaOptions, Report, Thresholds, Verdict, Visitor, check,
};
use varve_serve::Means;

pub(crate) fn run(args: QaArgs, output: &Output) -> Result<Exit> {
    // Says what had to be recovered, once, before anything is served.
    super::open(&args.collection, output)?;
    let interrupt = Interrupt::listen().context("cannot listen for Ctrl-C")?;
    let options = options(args, interrupt.flag());
    let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
    let bar = output.counter(0, "replaying");
    let told = |page: &PageReport, all: usize| {
        bar.set_length(all as u64);
        bar.inc(1);
        if bar.is_hidden() {
            output.note(&line(page));
        }
    };
    let report = runtime.block_on(check(&options, told));
    bar.finish_and_clear();
    // Whoever still reads is not waited for.
    runtime.shutdown_background();
    let report = report?;
    if report.summary.checked == 0 && !report.summary.interrupted {
        bail!("{}: there is no such page to check", report.collection);
    }
    tell(&report, &options.report, output)?;
    Ok(match (report.summary.interrupted, report.summary.bad) {
        (true, _) => Exit::Interrupted,
        (false, 0) => Exit::Done,
        _ => Exit::VerificationFailed,
    })
}

/// What was typed, as what is meant.
fn options(args: QaArgs, stop: Arc<AtomicBool>) -> QaOptions {
    let processors = std::thread::available_parallelism().map_or(2, usize::from);
    QaOptions {
        choice: match args.all {
            true => Choice::All,
            false => Choice::Spread(args.pages),
        },
        pattern: args.url.as_deref().map(Pattern::new),
        workers: args.workers.unwrap_or(processors),
        report: args.report,
        thresholds: Thresholds {
            missing: args.max_missing,
            failed: args.max_failed,
            errors: args.max_errors,
            picture: args.max_picture,
            text: args.max_text,
        },
        visitor: match args.phone {
            true => Visitor::Phone,
            false => Visitor::Captured,
        },
        means: match args.means {
            MeansArg::None => Means {
                matching: false,
                pinning: false,
            },
            MeansArg::Matching => Means {
                pinning: false,
                ..Means::default()
            },
            MeansArg::Pinning => Means {
                matching: false,
                ..Means::default()
            },
            MeansArg::All => Means::default(),
        },
        handlers: false,
        collection: args.collection,
        stop,
    }
}

/// A page that is done, where there is no terminal to draw on.
fn line(page: &PageReport) -> String {
    let url = clean(&page.url);
    match page.verdict {
        Verdict::Good => format!("good {url}"),
        Verdict::Bad => format!(
            "BAD  {url} ({})",
            count(page.findings.len() as u64, "finding")
        ),
    }
}

fn tell(report: &Report, place: &Path, output: &Output) -> Result<()> {
    if output.json {
        return Ok(output.result(&serde_json::to_string(report)?)?);
    }
    for page in &report.pages {
        let shown = page.verdict == Verdict::Bad || output.verbose;
        if shown && !page.findings.is_empty() {
            output.result(&format!("{} {}", page.time, clean(&page.url)))?;
            for finding in &page.findings {
                output.result(&format!("  {}", in_a_line(finding)))?;
            }
        }
    }
    let summary = &report.summary;
    let verdict = match summary.bad {
        0 => "good".to_owned(),
        bad => format!("BAD: {}", count(bad as u64, "page")),
    };
    let checked = count(summary.checked as u64, "page");
    let index = place.join("index.html");
    let mut words = format!("{checked} of {} checked", summary.pages);
    if summary.without_visit > 0 {
        words += &format!("; {} by requests alone", summary.without_visit);
    }
    if summary.restored > 0 {
        let restored = count(summary.restored as u64, "function");
        words += &format!("; {restored} restored that had been taken out");
    }
    if summary.not_restored > 0 {
        let missed = count(summary.not_restored as u64, "function");
        words += &format!("; {missed} called that are not there any more");
    }
    let collection = &report.collection;
    output.result(&format!("{collection}: {verdict} ({words})"))?;
    output.note(&format!("report: {}", index.display()));
    Ok(())
}

/// A row of the table of what is wrong.
fn in_a_line(finding: &Finding) -> String {
    let (kind, what) = (finding.kind.name(), clean(&finding.what));
    match &finding.url {
        Some(url) => format!("{kind:<8} {} ({what})", clean(url)),
        None => format!("{kind:<8} {what}"),
    }
}
