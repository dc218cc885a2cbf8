//! The stages: add, reopen, claim and settle alone, claim and settle with many workers.

use crate::web::target;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use varve_crawl::frontier::{Claim, EmbeddedFrontier, Frontier, HostRules, Moment, Outcome};

/// Targets are added in batches of this size, each on disk before the next.
const BATCH: u64 = 10_000;
/// A page brings so many links: half of them new, half known.
const LINKS: u64 = 50;
/// So many pages are visited at the same time, in the last stage.
const WORKERS: u64 = 64;
/// So many pages are enough for the stage where each waits for the disk alone.
const ALONE: u64 = 2_000;

/// How much to measure.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) urls: u64,
    pub(crate) hosts: u64,
    pub(crate) pages: u64,
}

/// Names, figures and units.
pub(crate) type Measured = Vec<(&'static str, f64, &'static str)>;

/// Runs all stages in a directory that does not exist yet.
pub(crate) fn measure(dir: &Path, size: Size) -> Result<Measured> {
    if dir.exists() {
        bail!("{} exists already", dir.display());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .build()?;
    runtime.block_on(stages(dir, size))
}

async fn stages(dir: &Path, size: Size) -> Result<Measured> {
    let mut measured: Measured = vec![
        ("urls", size.urls as f64, ""),
        ("hosts", size.hosts as f64, ""),
    ];
    let frontier = EmbeddedFrontier::open(dir)?;
    frontier.default_rules(impolite()).await?;
    measured.push(("inserts", insert(&frontier, size).await?, "per second"));
    measured.push(("cpu_of_inserts", cpu()?, "s (with making the URLs)"));
    measured.push(("rss_peak_after_inserts", peak()?, "MB"));
    drop(frontier);
    measured.push(("disk_after_inserts", disk(dir)? / 1e6, "MB"));

    let began = Instant::now();
    let frontier = Arc::new(EmbeddedFrontier::open(dir)?);
    let opened = began.elapsed().as_secs_f64() * 1e3;
    measured.push(("reopening", opened, "ms"));

    let (claims, slowest) = claim(&frontier, size.pages).await?;
    measured.push(("claims", claims, "per second"));
    measured.push(("claim_p99", slowest, "µs"));
    let alone = ALONE.min(size.pages);
    let cycles = cycles(&frontier, size, 1, alone).await?;
    measured.push(("durable_cycles_one_at_a_time", cycles, "per second"));
    let before = cpu()?;
    let cycles = self::cycles(&frontier, size, WORKERS, size.pages).await?;
    measured.push(("durable_cycles_64_workers", cycles, "per second"));
    let each = (cpu()? - before) / size.pages as f64 * 1e6;
    measured.push((
        "cpu_per_cycle_64_workers",
        each,
        "µs (with making the links)",
    ));
    measured.push(("links_per_cycle", LINKS as f64, ""));
    measured.push(("rss_peak", peak()?, "MB"));
    drop(frontier);
    measured.push(("disk", disk(dir)? / 1e6, "MB"));
    Ok(measured)
}

fn impolite() -> HostRules {
    HostRules {
        in_flight: u32::MAX,
        ..HostRules::every(Duration::ZERO)
    }
}

async fn insert(frontier: &EmbeddedFrontier, size: Size) -> Result<f64> {
    let mut spent = Duration::ZERO;
    for first in (0..size.urls).step_by(BATCH as usize) {
        let numbers = first..(first + BATCH).min(size.urls);
        let targets = numbers.map(|number| target(number, size.hosts)).collect();
        // Making the URLs is not the frontier's work.
        let began = Instant::now();
        frontier.add(targets).await?;
        spent += began.elapsed();
    }
    Ok(size.urls as f64 / spent.as_secs_f64())
}

/// Claims alone: they write when a host was visited, but wait for no disk.
async fn claim(frontier: &EmbeddedFrontier, pages: u64) -> Result<(f64, f64)> {
    let mut times = Vec::new();
    let mut leases = Vec::new();
    for _ in 0..pages {
        let began = Instant::now();
        let Claim::Lease(lease) = frontier.claim(Moment::now()).await? else {
            bail!("nothing to claim");
        };
        times.push(began.elapsed());
        leases.push(lease);
    }
    let released: Vec<_> = leases
        .into_iter()
        .map(|lease| frontier.settle(lease, Outcome::Released, Vec::new()))
        .collect();
    for released in released {
        released.await?;
    }
    times.sort();
    let total: Duration = times.iter().sum();
    let slowest = times[times.len() * 99 / 100].as_secs_f64() * 1e6;
    Ok((pages as f64 / total.as_secs_f64(), slowest))
}

/// Claim, then settle with links, by so many workers.
async fn cycles(
    frontier: &Arc<EmbeddedFrontier>,
    size: Size,
    workers: u64,
    pages: u64,
) -> Result<f64> {
    let left = Arc::new(AtomicU64::new(pages));
    let fresh = Arc::new(AtomicU64::new(frontier.counts().await?.seen));
    let began = Instant::now();
    let tasks: Vec<_> = (0..workers)
        .map(|_| tokio::spawn(work(frontier.clone(), size, left.clone(), fresh.clone())))
        .collect();
    for task in tasks {
        task.await??;
    }
    Ok(pages as f64 / began.elapsed().as_secs_f64())
}

async fn work(
    frontier: Arc<EmbeddedFrontier>,
    size: Size,
    left: Arc<AtomicU64>,
    fresh: Arc<AtomicU64>,
) -> Result<()> {
    let one_less = |left: u64| left.checked_sub(1);
    while left
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less)
        .is_ok()
    {
        let Claim::Lease(lease) = frontier.claim(Moment::now()).await? else {
            bail!("nothing to claim");
        };
        let first = fresh.fetch_add(LINKS / 2, Ordering::Relaxed);
        let known = (1..=LINKS / 2).map(|step| step * 7_919 % size.urls);
        let links = (first..first + LINKS / 2).chain(known);
        let links = links.map(|number| target(number, size.hosts)).collect();
        frontier.settle(lease, Outcome::Saved, links).await?;
    }
    Ok(())
}

/// The most memory that this process ever had, in MB.
fn peak() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_ascii_whitespace().nth(1));
    let kib: f64 = number.context("the kernel does not tell VmHWM")?.parse()?;
    Ok(kib * 1024.0 / 1e6)
}

/// The processor time of this process so far, in seconds.
fn cpu() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(") ").context("no process name")?;
    // User and system time, in hundredths of a second.
    let times = fields.split(' ').skip(11).take(2);
    let ticks: Result<Vec<f64>, _> = times.map(str::parse).collect();
    Ok(ticks?.iter().sum::<f64>() / 100.0)
}

/// The bytes of all files below a directory, as far as they take up room.
fn disk(dir: &Path) -> Result<f64> {
    use std::os::unix::fs::MetadataExt;
    let mut bytes = 0.0;
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        bytes += match entry.file_type()?.is_dir() {
            true => disk(&entry.path())?,
            // Blocks are 512 bytes; the journal's file is longer than what is in it.
            false => entry.metadata()?.blocks() as f64 * 512.0,
        };
    }
    Ok(bytes)
}
