//! The check: chosen pages, several at once, and the report.

use crate::capture::Captures;
use crate::error::QaError;
use crate::inspect::Inspector;
use crate::options::QaOptions;
use crate::pages::chosen;
use crate::report::{PageReport, Report, ReportDir, Summary};
use crate::stage::Stage;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::task::JoinSet;
use varve_serve::Restored;
use varve_store::collection::{Collection, PartsKey};
use varve_store::fs::{Fs, OsFileSystem};
use varve_store::world::{RealWorld, World};

/// In larger reports only bad pages have pictures.
const PICTURES_OF_GOOD: usize = 200;

/// Checks a collection and writes the report. `told` hears of every page that is done, with the
/// number of pages that will be.
pub async fn check(
    options: &QaOptions,
    mut told: impl FnMut(&PageReport, usize),
) -> Result<Report, QaError> {
    let world = Arc::new(RealWorld);
    let fs: Fs = Arc::new(OsFileSystem);
    let collection = Collection::open(
        fs.clone(),
        &options.collection,
        Arc::clone(&world) as Arc<dyn World>,
    )?;
    let (pages, all) = chosen(&collection, options.choice, options.pattern.as_ref())?;
    let number = pages.len();
    let inspector = Arc::new(Inspector {
        dir: ReportDir::create(&options.report)?,
        captures: Captures::new(fs, collection)?,
        stage: Stage::start(&options.collection, options.means, options.handlers).await?,
        visitor: options.visitor,
        thresholds: options.thresholds,
        pictures_of_good: number <= PICTURES_OF_GOOD,
    });
    let mut waiting = pages.into_iter().enumerate();
    let mut under_way = JoinSet::new();
    let mut done: Vec<(usize, PageReport)> = Vec::with_capacity(number);
    loop {
        while under_way.len() < options.workers.max(1) && !options.stop.load(Ordering::Relaxed) {
            let Some((number, page)) = waiting.next() else {
                break;
            };
            let inspector = inspector.clone();
            under_way.spawn(async move { (number, inspector.inspect(number, page).await) });
        }
        let Some(ended) = under_way.join_next().await else {
            break;
        };
        let (at, report) =
            ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        let report = report?;
        told(&report, number);
        done.push((at, report));
    }
    done.sort_by_key(|(at, _)| *at);
    let pages: Vec<PageReport> = done.into_iter().map(|(_, report)| report).collect();
    let restored = inspector.stage.restored();
    let mut summary = Summary::new(&pages, all, pages.len() < number);
    summary.restored = restored.iter().filter(|it| it.found).count();
    summary.not_restored = restored.len() - summary.restored;
    summary.index_look_ups = inspector.stage.index_look_ups();
    let report = Report {
        collection: options.collection.display().to_string(),
        time: world.now().to_seconds().w3c(),
        version: env!("CARGO_PKG_VERSION"),
        thresholds: options.thresholds,
        summary,
        restored: called(restored),
        pages,
    };
    inspector.dir.finish(&report)?;
    if let Some(inspector) = Arc::into_inner(inspector) {
        inspector.stage.stop().await;
    }
    Ok(report)
}

/// The functions that were called, each once, whatever the page.
fn called(restored: Vec<Restored>) -> Vec<(PartsKey, usize)> {
    let called = restored.into_iter().map(|it| (it.key, it.part));
    called.collect::<BTreeSet<_>>().into_iter().collect()
}
