//! A pruned collection, replayed: what was taken out of scripts is there when a page calls it, and
//! whoever asks for a script gets it as it was.

use crate::open_browser::OpenBrowser;
use crate::served::{Saved, save};
use crate::stage::{BOTH, In, Replay, phone};
use crate::support::archive::records;
use crate::support::stage::{Stage, assert_sound, words_of};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use url::{Position, Url};
use varve_model::HttpHead;
use varve_store::http::{BodyReader, DecodeLimits};
use varve_store::warc::RecordType;

const PAGE: &str = "https://garden.example/planner/";
/// A page with its script in it.
const ALMANAC: &str = "https://garden.example/almanac/";
const SCRIPT: &str = "https://garden.example/planner/planner.js";
/// A script that the almanac fetches and seldom runs.
const SOWING: &str = "https://garden.example/almanac/sowing.js";
const RAW_SOWING: &str = "/__varve/raw/almanac/sowing.js";
/// The script as its server has it.
const WHOLE: &[u8] =
    include_bytes!("../../../../examples/site/web/garden.example/planner/planner.js");

const POPPY: &str = "https://static.garden.example/img/poppy-poster.jpg";
const PICTURE: &[u8] =
    include_bytes!("../../../../examples/site/web/static.garden.example/img/poppy-poster.jpg");

/// The page, crawled with these words.
fn crawled(words: &[&str]) -> Stage {
    let stage = Stage::new();
    crawl(&stage, PAGE, words);
    stage
}

fn crawl(stage: &Stage, page: &str, words: &[&str]) {
    let more = ["--tier", "browser", "--scope", "page", "--delay", "0"];
    stage.crawl(&[&[page], words, &more].concat(), 0);
}

fn pruned() -> Stage {
    crawled(&["--prune"])
}

/// The record of the script, as it is stored.
fn stored(archive: &Path) -> Vec<u8> {
    stored_as(archive, SCRIPT)
}

fn stored_as(archive: &Path, url: &str) -> Vec<u8> {
    let records = records(archive);
    let mut records = records.into_iter().filter(|record| record.url == url);
    let response = records.find(|record| record.kind == RecordType::Response);
    response.unwrap().block
}

/// What is stored of a text, without the codings it is stored in.
fn kept_of(archive: &Path, url: &str) -> String {
    let block = stored_as(archive, url);
    let (head, length) = HttpHead::parse(&block).unwrap();
    let mut reader = BodyReader::new(&head, &block[length..], DecodeLimits::default());
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    text
}

/// How many records there are whose names begin so.
fn count(archive: &Path, name: &str) -> usize {
    let records = records(archive).into_iter();
    records.filter(|it| it.url.starts_with(name)).count()
}

fn visit(archive: &Path, place: In, page: &str) -> (String, Vec<String>) {
    let replay = Replay::new(archive, place, phone());
    let visited = replay.visit(&replay.url(page), false);
    assert_eq!(visited.leaked, [""; 0]);
    let complaints = visited.visit.console_errors.iter();
    let complaints = complaints.map(|complaint| complaint.text.clone());
    (visited.visit.text, complaints.collect())
}

#[test]
fn what_never_ran_is_there_when_a_page_needs_it() {
    let stage = pruned();
    let archive = stage.archive();
    assert_sound(&archive);
    let kept = kept_of(&archive, SCRIPT);
    // Handlers ran when it was captured, failures did not occur.
    assert!(kept.contains("queue(instance);"), "{kept}");
    assert!(!kept.contains("The planner stumbled"), "{kept}");
    for place in BOTH {
        let (text, complaints) = visit(&archive, place, &format!("{PAGE}#Triffid"));
        let failure = "The planner stumbled: nobody plants that (garden.example/planner/)";
        assert!(text.contains(failure), "{place:?}: {text} {complaints:?}");
        assert_eq!(complaints, [""; 0], "{place:?}");
        let (text, _) = visit(&archive, place, &format!("{PAGE}#Rose,Mint"));
        assert!(
            text.contains("Rose does not like Mint"),
            "{place:?}: {text}"
        );
    }
}

#[test]
fn scripts_that_stand_in_a_page_are_cut_as_well() {
    let stage = Stage::new();
    crawl(&stage, ALMANAC, &["--prune"]);
    let archive = stage.archive();
    assert_sound(&archive);
    let kept = kept_of(&archive, ALMANAC);
    assert!(kept.contains("waxing crescent"), "{kept}");
    assert!(!kept.contains("gap draws the sun"), "{kept}");
    for place in BOTH {
        let (text, complaints) = visit(&archive, place, ALMANAC);
        assert!(text.contains("1911-05-07"), "{place:?}: {text}");
        assert_eq!(complaints, [""; 0], "{place:?}");
        let (text, complaints) = visit(&archive, place, &format!("{ALMANAC}#eclipse"));
        assert!(text.contains("each gap draws the sun"), "{place:?}: {text}");
        assert_eq!(complaints, [""; 0], "{place:?}");
    }
    // What is exported is the page as it was.
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("whole.warc.gz");
    let output = varve(&["export"], &[&archive, &file]);
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    let again = dir.path().join("again");
    let output = varve(&["import", "-c"], &[&again, &file]);
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    assert_sound(&again);
    let whole = kept_of(&again, ALMANAC);
    assert!(whole.contains("each gap draws the sun"), "{whole}");
}

#[test]
fn who_looks_at_a_function_sees_what_was_taken_out_of_it() {
    let stage = Stage::new();
    crawl(&stage, ALMANAC, &["--learn"]);
    let archive = stage.archive();
    let page = format!("{ALMANAC}#letters");
    let (whole, _) = visit(&archive, In::Host, &page);
    assert!(whole.contains("padStart(2, "), "{whole}");
    let output = varve(&["prune", "--verify", "1"], &[&archive]);
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    let kept = kept_of(&archive, ALMANAC);
    assert!(!kept.contains("gap draws the sun"), "{kept}");
    for place in BOTH {
        let (text, complaints) = visit(&archive, place, &page);
        assert_eq!(text, whole, "{place:?}");
        assert_eq!(complaints, [""; 0], "{place:?}");
    }
}

#[test]
fn a_script_that_was_fetched_and_never_ran_is_set_aside() {
    let stage = Stage::new();
    crawl(&stage, ALMANAC, &["--prune"]);
    let archive = stage.archive();
    let kept = kept_of(&archive, SOWING);
    assert_eq!(kept, "");
    for place in BOTH {
        let (text, complaints) = visit(&archive, place, &format!("{ALMANAC}#sowing"));
        assert!(text.contains("the day of the fair"), "{place:?}: {text}");
        assert_eq!(complaints, [""; 0], "{place:?}");
    }
    // Nobody else sees a difference.
    let replay = Replay::new(&archive, In::Host, phone());
    let whole = raw(&replay.url(SOWING), SOWING, RAW_SOWING);
    assert!(whole.starts_with("// When to sow what"), "{whole}");
    assert!(whole.len() > 2 << 10, "{whole}");
}

#[test]
fn a_script_that_may_run_elsewhere_is_never_dropped() {
    let stage = Stage::new();
    crawl(&stage, ALMANAC, &["--learn"]);
    let output = varve(&["prune", "--cold", "drop"], &[&stage.archive()]);
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    let replay = Replay::new(&stage.archive(), In::Host, phone());
    let whole = raw(&replay.url(SOWING), SOWING, RAW_SOWING);
    assert!(whole.contains("the day of the fair"), "{whole}");
}

#[test]
fn what_replay_asked_for_is_at_hand_in_the_next_layer() {
    let stage = pruned();
    let archive = stage.archive();
    let failing = format!("{PAGE}#Triffid");
    let restored = |page: &str| {
        let replay = Replay::new(&archive, In::Host, phone());
        let url = replay.url(page);
        let text = replay.visit(&url, false).visit.text;
        let page = |path: &str| String::from_utf8(get(&url, None, path)).unwrap();
        let home = page("/");
        let (_, rest) = home.split_once("href=\"/collections/").unwrap();
        let shown = page(&format!("/collections/{}", rest.split_once('"').unwrap().0));
        let metrics = page("/metrics");
        let line = metrics
            .lines()
            .find_map(|it| it.strip_prefix("varve_restores_total{found=\"yes\"} "));
        let is_told = shown.contains("Functions called after all") && shown.contains(SCRIPT);
        let number = line.unwrap().parse::<u32>().unwrap();
        assert_eq!(is_told, number > 0, "{shown}");
        (text, number)
    };
    let (text, needed) = restored(&failing);
    assert!(text.contains("The planner stumbled"), "{text}");
    assert!(needed > 0);
    // The script has not changed, so the next layer has just what was needed of it.
    crawl(&stage, PAGE, &["--prune"]);
    assert_sound(&archive);
    assert_eq!(count(&archive, "urn:varve:hot:"), 1);
    let (text, needed) = restored(&failing);
    assert!(text.contains("The planner stumbled"), "{text}");
    assert_eq!(needed, 0);
}

#[test]
fn who_asks_for_the_script_gets_all_of_it() {
    let stage = pruned();
    assert!(stored(&stage.archive()).len() < WHOLE.len());
    let replay = Replay::new(&stage.archive(), In::Host, phone());
    let raw = raw(
        &replay.url(SCRIPT),
        SCRIPT,
        "/__varve/raw/planner/planner.js",
    );
    assert_eq!(raw, str::from_utf8(WHOLE).unwrap());
}

/// What a server gives to who asks for a script of the garden as it was captured.
fn raw(server: &Url, script: &str, path: &str) -> String {
    let script = Url::parse(script).unwrap();
    String::from_utf8(shown(server, &script, path)).unwrap()
}

/// What is at a path on the host of a URL, at the time when that was captured.
fn shown(server: &Url, url: &Url, path: &str) -> Vec<u8> {
    let captures = get(server, None, &format!("/cdx?url={url}"));
    let time = String::from_utf8(captures).unwrap();
    let time = time.split(' ').nth(1).unwrap().to_owned();
    let host = url.host_str().unwrap();
    let host = format!("{host}.https.{time}.replay.localhost");
    get(server, Some(&host), path)
}

/// The body of an answer.
fn get(server: &Url, host: Option<&str>, path: &str) -> Vec<u8> {
    let address = &server[Position::BeforeHost..Position::AfterPort];
    let port = server.port().unwrap();
    let host = host.map_or(address.to_owned(), |host| format!("{host}:{port}"));
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    answer.split_off(end + 4)
}

#[test]
fn what_a_page_lacks_while_it_is_left_is_noted() {
    const PAGE: &str = "https://a.example/";
    let idle =
        |n| format!("function idle{n}() {{ return 'a text that nobody reads, number {n}' }}\n");
    let leaves = "addEventListener('pagehide', () => { \
                  localStorage.setItem('left', 'a goodbye that nobody hears, with good wishes') });";
    let script = (0..80).map(idle).collect::<String>() + leaves;
    let html = format!("<title>A</title><p>A page</p><script>{script}</script>");
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("archive");
    save(&archive, &[Saved::page(PAGE, &html).titled("A")]);
    let output = varve(&["prune", "--verify", "1"], &[&archive]);
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    let kept = kept_of(&archive, PAGE);
    assert!(!kept.contains("a goodbye"), "{kept}");
    let replay = Replay::new(&archive, In::Host, phone());
    replay.visit(&replay.url(PAGE), false);
    drop(replay);
    let needed = std::fs::read_to_string(archive.join("state").join("needed.json")).unwrap();
    assert!(needed.contains("[80]"), "{needed}");
}

#[test]
fn pictures_that_are_packed_are_shown_byte_for_byte() {
    let stage = Stage::new();
    crawl(&stage, "https://garden.example/", &[]);
    let archive = stage.archive();
    let (prune, pack) = ("prune", ["--compress", "smallest", "--verify", "1"]);
    let output = varve(&[&[prune], &pack[..]].concat(), &[&archive]);
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    assert_sound(&archive);
    let block = stored_as(&archive, POPPY);
    assert!(block.len() < PICTURE.len());
    let replay = Replay::new(&archive, In::Host, phone());
    let url = Url::parse(POPPY).unwrap();
    assert!(shown(&replay.url(POPPY), &url, url.path()) == PICTURE);
}

#[test]
fn what_is_exported_is_whole_and_packed_as_others_know_it() {
    let stage = crawled(&[]);
    let output = varve(&["prune", "--compress", "zstd"], &[&stage.archive()]);
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    assert_sound(&stage.archive());
    let (text, complaints) = visit(&stage.archive(), In::Path, &format!("{PAGE}#Triffid"));
    assert!(text.contains("nobody plants that"), "{text}");
    assert_eq!(complaints, [""; 0]);
    let packed = files(&stage.archive());
    assert!(
        packed.iter().all(|name| name.ends_with(".warc.zst")),
        "{packed:?}"
    );
    let dir = tempfile::tempdir().unwrap();
    for name in ["whole.wacz", "whole.warc.gz"] {
        let file = dir.path().join(name);
        let output = varve(&["export"], &[&stage.archive(), &file]);
        assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
        let again = dir.path().join(format!("{name}-again"));
        let output = varve(&["import", "-c"], &[&again, &file]);
        assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
        assert_sound(&again);
        let names = files(&again);
        assert!(
            names.iter().all(|name| name.ends_with(".warc.gz")),
            "{names:?}"
        );
        let block = stored(&again);
        assert!(block.ends_with(WHOLE), "{name}");
        assert_eq!(count(&again, "urn:varve:cold:"), 0, "{name}");
    }
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

/// The archive files of a collection.
fn files(archive: &Path) -> Vec<String> {
    let layers = std::fs::read_dir(archive.join("layers")).unwrap();
    let dirs = layers.map(|layer| layer.unwrap().path().join("archive"));
    let files = dirs.flat_map(|dir| std::fs::read_dir(dir).unwrap());
    let name = |file: std::io::Result<std::fs::DirEntry>| file.unwrap().file_name();
    files
        .map(|file| name(file).into_string().unwrap())
        .collect()
}

fn varve(words: &[&str], paths: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(words)
        .args(paths)
        .output()
        .unwrap()
}

#[test]
fn what_a_crawl_did_not_tell_is_learned_from_the_archive() {
    let stage = crawled(&[]);
    let archive = stage.archive();
    let output = varve(&["prune", "--json", "--keep-original"], &[&archive]);
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["scripts"]["cut"], 1, "{told}");
    assert_eq!(told["pages_verified"], 1, "{told}");
    assert_sound(&archive);
    let kept = kept_of(&archive, SCRIPT);
    assert!(kept.contains("queue(instance);"), "{kept}");
    assert!(!kept.contains("The planner stumbled"), "{kept}");
    let originals = std::fs::read_dir(archive.join("originals")).unwrap();
    assert_eq!(originals.count(), 1);
    // Nothing is left to be done.
    let output = varve(&["prune", "--json"], &[&archive]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["layers"], 0, "{told}");
}

#[test]
fn what_is_dropped_is_missed_and_says_so() {
    let stage = crawled(&[]);
    let archive = stage.archive();
    let output = varve(&["prune", "--cold", "drop"], &[&archive]);
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    let (text, complaints) = visit(&archive, In::Host, PAGE);
    assert!(text.contains("Nothing planted yet."), "{text}");
    assert_eq!(complaints, [""; 0]);
    let (text, complaints) = visit(&archive, In::Host, &format!("{PAGE}#Triffid"));
    let missed = |complaint: &String| complaint.contains("has no body of this function");
    assert!(complaints.iter().any(missed), "{complaints:?} {text}");
}

/// pywb with a WACZ, until it is dropped.
struct Pywb {
    process: Child,
    port: u16,
}

impl Pywb {
    fn start(dir: &Path, wacz: &Path) -> Pywb {
        let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin");
        let wacz = wacz.to_str().unwrap();
        // The page by itself, not in a frame.
        std::fs::write(dir.join("config.yaml"), "framed_replay: false\n").unwrap();
        for words in [
            &["init", "saved"][..],
            &["add", "saved", "--unpack-wacz", wacz],
        ] {
            let manager = Command::new(tools.join("wb-manager"))
                .args(words)
                .current_dir(dir)
                .output()
                .unwrap();
            assert!(manager.status.success(), "{}", words_of(&manager));
        }
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let process = Command::new(tools.join("wayback"))
            .args(["-b", "127.0.0.1", "-p", &port.to_string()])
            .current_dir(dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let answers = || TcpStream::connect(("127.0.0.1", port)).is_ok();
        for _ in 0..300 {
            if answers() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Pywb { process, port }
    }
}

impl Drop for Pywb {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn pywb_replays_what_is_exported() {
    let stage = pruned();
    let dir = tempfile::tempdir().unwrap();
    let wacz = dir.path().join("saved.wacz");
    let output = varve(&["export"], &[&stage.archive(), &wacz]);
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    let pywb = Pywb::start(dir.path(), &wacz);
    let mut browser = OpenBrowser::start(&[]);
    for (wish, words) in [
        ("", "Nothing planted yet."),
        ("#Triffid", "The planner stumbled"),
    ] {
        let tab = browser.open(&format!(
            "http://127.0.0.1:{}/saved/{PAGE}{wish}",
            pywb.port
        ));
        browser.wait(
            &tab,
            &format!("document.body?.innerText.includes('{words}') ?? false"),
        );
    }
    browser.finish();
}
