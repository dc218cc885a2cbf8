//! kill -9 at random moments of a crawl in both tiers: nothing that was reported as saved is lost
//! or fetched again, and hosts are never asked faster than they should be.

use crate::support::archive::records;
use crate::support::stage::{Stage, assert_sound};
use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::{Duration, Instant};
use varve_crawl::is_interrupted;
use varve_demo::Logged;
use varve_demo::generated::herbarium_pages;
use varve_store::warc::RecordType;
use varve_store::world::{RealWorld, World};

/// The signal.
const KILL: i32 = 9;
const HOST: &str = "herbarium.garden.example";
const SEED: &str = "https://herbarium.garden.example/";
const DELAY: Duration = Duration::from_millis(50);
/// The way of one request from us to the server's log may take so much longer than that of another;
/// over several requests that does not matter.
const JITTER: Duration = Duration::from_millis(200);
const SEVERAL: u32 = 12;

fn rounds() -> u64 {
    match std::env::var_os("VARVE_SOAK") {
        Some(_) => 200,
        None => 25,
    }
}

fn random_delay() -> Duration {
    let random = u64::from_le_bytes(*RealWorld.random().first_chunk::<8>().unwrap());
    Duration::from_millis(200 + random % 1800)
}

/// How a crawl ended, and the pages that it reported as saved, each with when.
struct Ended {
    killed: bool,
    saved: Vec<(String, Instant)>,
}

/// Crawls, and kills the crawl after a while if one is given.
fn crawl(stage: &Stage, kill_after: Option<Duration>) -> Ended {
    let delay = DELAY.as_millis().to_string();
    let mut command = stage.command(&[SEED, "--delay", &delay, "--no-screenshots"]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let reader = std::thread::spawn(move || {
        let saved = lines.map_while(Result::ok).filter_map(|line| {
            let mut words = line.split_ascii_whitespace();
            let ok = words.next()? == "ok";
            ok.then(|| (words.nth(1).unwrap_or("").to_owned(), Instant::now()))
        });
        saved.collect()
    });
    if let Some(after) = kill_after {
        std::thread::sleep(after);
        let _ = child.kill();
    }
    let status = child.wait().unwrap();
    let killed = status.signal() == Some(KILL);
    assert!(killed || status.success(), "{status}");
    Ended {
        killed,
        saved: reader.join().unwrap(),
    }
}

#[test]
fn a_killed_crawl_loses_nothing_and_repeats_nothing() {
    let mut kills = 0;
    while kills < rounds() {
        kills += kill_until_done(rounds() - kills);
    }
}

/// Crawls the site, killed at most so many times; how often it was. A crawl that is over is not
/// begun again: the next one would fetch everything anew. It may be over when the program is not.
fn kill_until_done(most: u64) -> u64 {
    let stage = Stage::new();
    let mut saved: HashMap<String, Instant> = HashMap::new();
    let mut kills = 0;
    loop {
        let ended = crawl(&stage, (kills < most).then(random_delay));
        saved.extend(ended.saved);
        if stage.archive().join("collection.json").exists() {
            assert_sound(&stage.archive());
        }
        kills += u64::from(ended.killed);
        if !ended.killed || !is_interrupted(&stage.archive()) {
            break;
        }
    }
    assert_archived(&stage, &saved);
    assert_never_again(&stage, &saved);
    assert_polite(&stage);
    kills
}

/// Every page of the site is in the archive, and so above all those that were reported as saved.
fn assert_archived(stage: &Stage, saved: &HashMap<String, Instant>) {
    let records = records(&stage.archive());
    let responses = [RecordType::Response, RecordType::Revisit];
    let archived: HashSet<&str> = records
        .iter()
        .filter(|record| responses.contains(&record.kind))
        .map(|record| record.url.as_str())
        .collect();
    let all = herbarium_pages(300).into_iter();
    let all = all.map(|path| format!("https://{HOST}{path}"));
    let wanted = all.chain(saved.keys().cloned());
    let lost: Vec<_> = wanted
        .filter(|url| !archived.contains(url.as_str()))
        .collect();
    assert!(lost.is_empty(), "lost: {lost:?}");
}

/// No page was asked for after it had been reported as saved.
fn assert_never_again(stage: &Stage, saved: &HashMap<String, Instant>) {
    let log = stage.web.log();
    let again = log.iter().filter_map(|logged| {
        let at = saved.get(&logged.url()).filter(|at| logged.began > **at)?;
        Some(history(&log, &logged.url(), *at))
    });
    let again: Vec<String> = again.collect();
    let first = again.first().map_or("", String::as_str);
    assert!(again.is_empty(), "{} fetched again: {first}", again.len());
}

/// Every request for a page, by when it came: before or after the page was reported as saved.
fn history(log: &[Logged], url: &str, saved: Instant) -> String {
    let of_page = log.iter().filter(|logged| logged.url() == url);
    let lines = of_page.map(|logged| {
        let before = saved.saturating_duration_since(logged.began);
        let after = logged.began.saturating_duration_since(saved);
        let head = String::from_utf8_lossy(&logged.request_head);
        format!("{before:?} before, {after:?} after it was saved:\n{head}")
    });
    format!("{url}\n{}", lines.collect::<String>())
}

/// Between two pages of the host there was always the delay, as far as a log can tell.
fn assert_polite(stage: &Stage) {
    let pages = stage.web.log().into_iter().filter(|logged| {
        logged.host == HOST && (logged.target == "/" || logged.target.starts_with("/sheet/"))
    });
    let pages: Vec<_> = pages
        .filter(|logged| !logged.target.ends_with(".json"))
        .collect();
    assert!(pages.len() >= 300);
    for pages in pages.windows(SEVERAL as usize + 1) {
        let (first, last) = (&pages[0], &pages[SEVERAL as usize]);
        let time = last.began.saturating_duration_since(first.began);
        let (from, to) = (&first.target, &last.target);
        assert!(
            time + JITTER >= DELAY * SEVERAL,
            "{time:?} from {from} to {to}"
        );
    }
}

#[test]
fn an_interrupted_crawl_ends_in_order_and_goes_on() {
    let stage = Stage::new();
    let words = [SEED, "--tier", "http", "--delay", "30"];
    let mut command = stage.command(&words);
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().unwrap();
    while stage.asked(HOST).len() < 20 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let interrupt = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_sound(&stage.archive());
    let summary = stage.crawl(&words, 0);
    let number = |what: &str| summary[what].as_u64().unwrap();
    assert!(number("saved_before") > 0);
    assert_eq!(number("saved") + number("saved_before"), 301);
    let mut pages = stage.asked(HOST);
    pages.retain(|target| target.starts_with("/sheet/"));
    let asked = pages.len();
    pages.sort();
    pages.dedup();
    assert_eq!(pages.len(), asked, "pages were asked for twice");
}
