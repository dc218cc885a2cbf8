//! Crawling hostile servers with the program, and seeing to it that it does what it promises.

use crate::archive::{Record, records};
use crate::authority::Authority;
use crate::memory;
use crate::serving::{innocent, listen, start};
use crate::table::{Behaviour, Serve};
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use varve_store::warc::RecordType;

/// How long a page may take, and how much longer the program may take to be done with it.
const PAGE_SECONDS: u64 = 8;
const GRACE_SECONDS: u64 = 5;
/// What the program and Chromium together may use.
const MEMORY: u64 = 1_500_000_000;
/// How much of a body is kept. (Code that is not optimised takes long over bodies.)
const BODY_BYTES: u64 = if cfg!(debug_assertions) {
    48 << 20
} else {
    110 << 20
};
const WORKERS: u64 = 4;
/// How often memory is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Held by tests that keep Chromium busy for long: two of them at once would measure each other.
pub(crate) fn busy() -> MutexGuard<'static, ()> {
    static BUSY: Mutex<()> = Mutex::new(());
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A crawl that is over.
struct Crawled {
    log: Vec<Value>,
    records: Vec<Record>,
    peak_memory: u64,
}

/// Crawls these behaviours in one tier, an innocent page after each, and checks every promise.
///
/// Four pages at once, each after all of the machine, may be too much for a machine that others use
/// as well. What was not as promised is tried once more, one page at a time.
pub(crate) fn check(tier: &str, behaviours: &[&'static Behaviour]) {
    let broken = broken_promises(tier, behaviours, WORKERS);
    let names = |name: &&str| broken.iter().any(|(broken, _)| broken == name);
    let again: Vec<_> = behaviours
        .iter()
        .copied()
        .filter(|behaviour| names(&behaviour.name))
        .collect();
    if again.is_empty() {
        return;
    }
    println!("{tier} tier, once more: {broken:#?}");
    let broken = broken_promises(tier, &again, 1);
    assert!(broken.is_empty(), "{tier} tier: {broken:#?}");
}

/// What was not as promised, and of which behaviour.
fn broken_promises(
    tier: &str,
    behaviours: &[&'static Behaviour],
    workers: u64,
) -> Vec<(&'static str, String)> {
    let dir = tempfile::tempdir().unwrap();
    let crawled = crawl(tier, behaviours, workers, dir.path());
    let peak = crawled.peak_memory / 1_000_000;
    let count = behaviours.len();
    println!("{tier} tier: {count} behaviours, at most {peak} MB");
    assert!(crawled.peak_memory <= MEMORY, "{peak} MB were in use");
    assert_sound(dir.path());
    let mut broken = Vec::new();
    for behaviour in behaviours {
        for promise in [
            ends_in_time(&crawled, &behaviour.url()),
            has_reason(&crawled, &behaviour.url(), behaviour.expected(tier)),
            has_reason(&crawled, &innocent_url(behaviour), &["ok"]),
            is_kept(&crawled, behaviour),
        ] {
            broken.extend(promise.err().map(|words| (behaviour.name, words)));
        }
    }
    broken
}

fn innocent_url(behaviour: &Behaviour) -> String {
    format!("http://{}.innocent.test/", behaviour.name)
}

fn crawl(tier: &str, behaviours: &[&Behaviour], workers: u64, dir: &Path) -> Crawled {
    let mut command = Command::new(env!("CARGO_BIN_EXE_varve"));
    command.args(["crawl", "--scope", "page", "--tier", tier]);
    command.args(["--delay", "0", "--retries", "0", "--ignore-robots"]);
    command.args(["--allow-net", "127.0.0.0/8"]);
    command.args(["--workers", &workers.to_string()]);
    command.args(["--page-timeout", &PAGE_SECONDS.to_string()]);
    command.args(["--max-body", &BODY_BYTES.to_string()]);
    let authority = Arc::new(Authority::new());
    std::fs::write(dir.join("ca.pem"), &authority.pem).unwrap();
    command.arg("--ca-file").arg(dir.join("ca.pem"));
    command.arg("-c").arg(dir.join("archive"));
    let address = listen("127.0.0.1:0", innocent);
    command.args(["--map-host", &format!("*.innocent.test={address}")]);
    let mut seeds = String::new();
    for behaviour in behaviours {
        if !matches!(behaviour.serve, Serve::Name(_)) {
            let address = start(behaviour, &authority);
            command.args([
                "--map-host",
                &format!("{}.hostile.test={address}", behaviour.name),
            ]);
        }
        seeds += &format!("{}\n{}\n", behaviour.url(), innocent_url(behaviour));
    }
    std::fs::write(dir.join("seeds.txt"), seeds).unwrap();
    command.arg("--seeds").arg(dir.join("seeds.txt"));
    let in_turn = behaviours.len() as u64 * (PAGE_SECONDS + GRACE_SECONDS);
    run(
        command,
        dir,
        Duration::from_secs(60 + 2 * in_turn / workers),
    )
}

/// Runs the program and watches its memory.
fn run(mut command: Command, dir: &Path, limit: Duration) -> Crawled {
    let said = dir.join("said.txt");
    let output = File::create(&said).unwrap();
    command.stdout(output.try_clone().unwrap()).stderr(output);
    let mut child = command.stdin(Stdio::null()).spawn().unwrap();
    let (begun, mut peak_memory) = (Instant::now(), 0);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if begun.elapsed() > limit {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        peak_memory = peak_memory.max(memory::of_tree(child.id()));
        std::thread::sleep(LOOK);
    };
    let words = String::from_utf8_lossy(&std::fs::read(&said).unwrap()).into_owned();
    let code = status.and_then(|status| status.code());
    assert!(
        matches!(code, Some(0 | 4)),
        "it ended with {status:?}:\n{words}"
    );
    Crawled {
        log: log(&dir.join("archive")),
        records: records(&dir.join("archive")),
        peak_memory,
    }
}

/// The lines of the crawl's log.
pub(crate) fn log(archive: &Path) -> Vec<Value> {
    let mut lines = Vec::new();
    for layer in std::fs::read_dir(archive.join("layers")).unwrap() {
        let path = layer.unwrap().path().join("logs/crawl.jsonl");
        let text = std::fs::read_to_string(path).unwrap();
        lines.extend(
            text.lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap()),
        );
    }
    lines
}

impl Crawled {
    /// What the log says about a page.
    fn page(&self, url: &str) -> Result<&Value, String> {
        let mut pages = self.log.iter().filter(|line| line["kind"] == "page");
        let page = pages.find(|line| line["url"] == url);
        page.ok_or_else(|| format!("{url} is not in the log"))
    }
}

fn ends_in_time(crawled: &Crawled, url: &str) -> Result<(), String> {
    let took = crawled.page(url)?["ms"].as_u64().unwrap();
    match took < (PAGE_SECONDS + GRACE_SECONDS) * 1_000 {
        true => Ok(()),
        false => Err(format!("it took {took} ms")),
    }
}

fn has_reason(crawled: &Crawled, url: &str, expected: &[&str]) -> Result<(), String> {
    let reason = crawled.page(url)?["reason"].as_str().unwrap();
    match expected.contains(&reason) {
        true => Ok(()),
        false => Err(format!("{url} ended with {reason}, not {expected:?}")),
    }
}

/// What was sent is in the archive, and marked where it is not all of it.
fn is_kept(crawled: &Crawled, behaviour: &Behaviour) -> Result<(), String> {
    let Some(words) = behaviour.kept else {
        return Ok(());
    };
    let host = behaviour.url();
    let holds = |record: &&Record| {
        let mut parts = record.block.windows(words.len());
        record.kind == RecordType::Response
            && record.url.starts_with(&host)
            && parts.any(|part| part == words.as_bytes())
    };
    let marks: Vec<_> = crawled
        .records
        .iter()
        .filter(holds)
        .map(|record| record.truncated.as_deref())
        .collect();
    let right = |mark: &Option<&str>| match (mark, behaviour.cut) {
        (mark, []) => mark.is_none(),
        (mark, cut) => cut.contains(&mark.unwrap_or("")),
    };
    match marks.iter().any(right) {
        true => Ok(()),
        false => Err(format!(
            "{words:?} is kept with the marks {marks:?}, not {:?}",
            behaviour.cut
        )),
    }
}

fn assert_sound(dir: &Path) {
    let mut audit = Command::new(env!("CARGO_BIN_EXE_varve"));
    let output = audit
        .arg("audit")
        .arg(dir.join("archive"))
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{words}");
}
