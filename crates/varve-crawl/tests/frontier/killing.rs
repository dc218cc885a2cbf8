//! kill -9 at random moments: what the frontier said was settled stays settled, what was queued
//! stays queued, and what was seen is never forgotten.
//!
//! The victim is this test program itself, started again to crawl a web that exists only as
//! arithmetic: page `n` links to pages `3n + 1` to `3n + 3`.

use crate::setup::{Embedded, START, at, impolite, key, lease, seed, seeds, wait};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;
use varve_crawl::frontier::{Claim, EmbeddedFrontier, Frontier, HostRules, Outcome, State, Target};

/// Says to a child which frontier to work on.
const DIR: &str = "VARVE_FRONTIER_TEST_DIR";
/// The web has so many pages.
const PAGES: u32 = 20_000;
/// On so many hosts.
const HOSTS: u32 = 50;
/// Visited by so many at once.
const WORKERS: usize = 8;

fn rounds() -> u32 {
    match std::env::var_os("VARVE_SOAK") {
        Some(_) => 500,
        None => 25,
    }
}

fn url(page: u32) -> String {
    format!("http://h{}.example/{page}", page % HOSTS)
}

fn links(page: u32) -> Vec<Target> {
    let linked = (1..=3).map(|step| 3 * page + step);
    let inside = linked.filter(|linked| *linked < PAGES);
    inside.map(|linked| seed(&url(linked))).collect()
}

fn number(target: &Target) -> u32 {
    target.url.path()[1..].parse().unwrap()
}

/// How a page ends: most are saved, some fail, and some only the second time.
fn outcome(target: &Target) -> Outcome {
    let reason = "x".to_owned();
    match number(target) % 10 {
        7 => Outcome::Failed { reason },
        8 if target.tries == 0 => Outcome::Again {
            not_before: START,
            reason,
        },
        _ => Outcome::Saved,
    }
}

async fn visit_all(frontier: Arc<EmbeddedFrontier>) {
    loop {
        let Claim::Lease(lease) = frontier.claim(START).await.unwrap() else {
            tokio::time::sleep(Duration::from_millis(1)).await;
            continue;
        };
        let (page, outcome) = (number(&lease.target), outcome(&lease.target));
        let settled = frontier.settle(lease, outcome.clone(), links(page));
        settled.await.unwrap();
        // In one write, so that the parent never reads half a line.
        let line = match outcome {
            Outcome::Again { .. } => format!("again {page}\n"),
            _ => format!("settled {page}\n"),
        };
        std::io::stdout().write_all(line.as_bytes()).unwrap();
    }
}

#[test]
#[ignore = "started by the tests below, to be killed"]
fn victim() {
    let dir = std::env::var_os(DIR).unwrap();
    let frontier = Arc::new(EmbeddedFrontier::open(Path::new(&dir)).unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap();
    runtime.block_on(async {
        frontier.default_rules(impolite()).await.unwrap();
        frontier.add(seeds([&url(0)])).await.unwrap();
        println!("\nready");
        let workers = (0..WORKERS).map(|_| tokio::spawn(visit_all(frontier.clone())));
        for worker in workers.collect::<Vec<_>>() {
            worker.await.unwrap();
        }
    });
}

#[test]
#[ignore = "started by the tests below, to be killed"]
fn polite_victim() {
    let dir = std::env::var_os(DIR).unwrap();
    let frontier = EmbeddedFrontier::open(Path::new(&dir)).unwrap();
    wait(async {
        frontier.add(seeds([&url(0), &url(HOSTS)])).await.unwrap();
        let rules = HostRules::every(Duration::from_millis(5_000));
        frontier.host_rules("h0.example", rules).await.unwrap();
        lease(&frontier, at(700)).await;
        println!("\nready");
        std::thread::sleep(Duration::from_secs(600));
    });
}

/// Starts a victim, kills it some time after it is ready, and tells the lines it printed.
fn kill(victim: &str, dir: &Path, after: Duration) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", victim])
        .env(DIR, dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (ready, is_ready) = channel();
    let reader = std::thread::spawn(move || {
        let lines = output.lines().map_while(Result::ok);
        let tell = |line: &String| {
            if line == "ready" {
                ready.send(()).unwrap();
            }
        };
        lines.inspect(tell).collect::<Vec<_>>()
    });
    is_ready.recv_timeout(Duration::from_secs(60)).unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap()
}

/// Pages that the victim reported as settled.
fn settled(lines: &[String]) -> impl Iterator<Item = u32> {
    let pages = lines
        .iter()
        .filter_map(|line| line.strip_prefix("settled "));
    pages.map(|page| page.parse().unwrap())
}

/// Everything that was ever reported is as it was reported.
async fn examine(frontier: &EmbeddedFrontier, reported: &HashSet<u32>) {
    frontier.check().await.unwrap();
    let state = async |page| frontier.state_of(key(&url(page))).await.unwrap();
    for page in reported {
        let expected = match page % 10 {
            7 => State::Failed { reason: "x".into() },
            _ => State::Saved,
        };
        assert_eq!(state(*page).await, Some(expected), "page {page}");
        for link in links(*page) {
            let known = frontier.state_of(link.key).await.unwrap();
            assert!(known.is_some(), "{} was forgotten", link.url);
        }
    }
}

#[test]
fn nothing_is_lost_and_nothing_done_twice() {
    let embedded = Embedded::new();
    let mut reported = HashSet::new();
    for round in 0..rounds() {
        // Any moment will do: these are spread evenly, and the machine adds its own chance.
        let after = Duration::from_millis(u64::from(round * 37 % 101));
        let lines = kill("killing::victim", &embedded.dir(), after);
        for page in settled(&lines) {
            assert!(reported.insert(page), "page {page} was claimed again");
        }
        wait(examine(&embedded.open(), &reported));
    }
    assert!(!reported.is_empty());
    // What is left is exactly what was not settled: together they are the whole web.
    wait(async {
        let frontier = embedded.open();
        frontier.default_rules(impolite()).await.unwrap();
        let before = frontier.counts().await.unwrap();
        let mut waiting = Vec::new();
        while let Claim::Lease(lease) = frontier.claim(START).await.unwrap() {
            let page = number(&lease.target);
            assert!(!reported.contains(&page), "page {page} was claimed again");
            waiting.push(frontier.settle(lease, Outcome::Saved, links(page)));
        }
        for answer in waiting {
            answer.await.unwrap();
        }
        let after = frontier.counts().await.unwrap();
        assert_eq!(after.seen, u64::from(PAGES));
        assert_eq!(after.saved + after.failed, u64::from(PAGES));
        assert!(before.saved + before.failed >= reported.len() as u64);
        assert_eq!(frontier.claim(START).await.unwrap(), Claim::Empty);
    });
}

#[test]
fn the_delay_since_the_last_claim_survives() {
    let embedded = Embedded::new();
    kill("killing::polite_victim", &embedded.dir(), Duration::ZERO);
    wait(async {
        let frontier = embedded.open();
        let claim = frontier.claim(at(5_699)).await.unwrap();
        assert_eq!(claim, Claim::NotBefore(at(5_700)));
        let first = lease(&frontier, at(5_700)).await;
        assert_eq!(first.target.url.as_str(), url(0));
    });
}
