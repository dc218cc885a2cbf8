//! Crawling again: servers are asked whether what is there has changed, and what has not is kept
//! by reference.

use crate::site::Site;
use crate::support::archive::{Record, records};
use crate::support::stage::{Stage, assert_sound};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use varve_demo::Logged;
use varve_model::HttpHead;
use varve_store::collection::{Collection, is_revisit};
use varve_store::fs::{Fs, OsFileSystem};
use varve_store::index::{Hit, Query};
use varve_store::warc::RecordType;
use varve_store::world::RealWorld;

/// A page and three that it links to.
const PLANTS: [&str; 6] = [
    "https://garden.example/plants/",
    "--no-sitemaps",
    "--exclude",
    "/plants/[a-fh-z]",
    "--delay",
    "0",
];

#[test]
fn unchanged_resources_are_kept_by_reference_without_a_browser() {
    unchanged_resources_are_kept_by_reference("http");
}

#[test]
fn unchanged_resources_are_kept_by_reference_in_the_browser() {
    unchanged_resources_are_kept_by_reference("browser");
}

#[test]
fn unchanged_resources_are_kept_by_reference_in_either_tier() {
    unchanged_resources_are_kept_by_reference("auto");
}

/// Compares two crawls of a web that does not change with what its servers say.
fn unchanged_resources_are_kept_by_reference(tier: &str) {
    let stage = Stage::new();
    let words = [&PLANTS[..], &["--tier", tier, "--no-screenshots"]].concat();
    let first = stage.crawl(&words, 0);
    let before = stage.web.log().len();
    let second = stage.crawl(&words, 0);
    assert_eq!((&first["saved"], &second["saved"]), (&4.into(), &4.into()));
    let log = stage.web.log();
    let (once, again) = log.split_at(before);
    let urls = |log: &[Logged]| log.iter().map(url).collect::<BTreeSet<_>>();
    assert_eq!(urls(once), urls(again), "other URLs were asked for");
    let held: BTreeMap<String, &Logged> = once
        .iter()
        .filter(|logged| has_validator(logged))
        .map(|logged| (url(logged), logged))
        .collect();
    assert!(held.len() >= 8, "{:?}", held.keys());
    let archive = stage.archive();
    let unchanged = unchanged(&archive);
    for logged in again {
        let (url, status) = (url(logged), head(logged).status());
        let known = held.contains_key(&url);
        assert_eq!(status == Some(304), known, "{url} got {status:?}");
        assert_eq!(unchanged.contains(&url), known, "{url}");
    }
    let counted = second["account"]["unchanged"].as_u64().unwrap();
    let answers = again
        .iter()
        .filter(|logged| head(logged).status() == Some(304));
    assert_eq!(counted, answers.count() as u64);
    for (url, logged) in held {
        assert!(newest_body(&archive, &url) == logged.response_body, "{url}");
    }
    assert_sound(&archive);
}

#[test]
fn what_changed_is_stored_anew_and_what_did_not_still_leads_on() {
    let site = Site::start();
    site.crawl(&[], 0);
    assert_eq!(site.asked(), ["/ 200", "/style.css 200", "/news 200"]);
    site.publish();
    let summary = site.crawl(&[], 0);
    assert_eq!(site.asked(), ["/ 304", "/style.css 304", "/news 200"]);
    assert_eq!(summary["saved"], 2);
    assert_eq!(summary["account"]["unchanged"], 2);
    let archive = site.archive();
    let news = site.url("/news");
    let stored = |record: &&Record| record.kind == RecordType::Response && record.url == news;
    assert_eq!(records(&archive).iter().filter(stored).count(), 2);
    let newest = newest_body(&archive, &news);
    assert!(String::from_utf8_lossy(&newest).contains("edition 1"));
    // The third time nothing is new, and revisits lead to what they stand for.
    let summary = site.crawl(&[], 0);
    assert_eq!(site.asked(), ["/ 304", "/style.css 304", "/news 304"]);
    assert_eq!(summary["saved"], 2);
    assert_eq!(newest_body(&archive, &news), newest);
    assert_sound(&archive);
}

#[test]
fn what_cannot_be_read_any_more_is_fetched_and_stored_again() {
    let site = Site::start();
    site.crawl(&[], 0);
    site.asked();
    let archive = site.archive();
    // The damage is seen when the body is read, or at once where all of it is.
    let damaged = [site.url("/"), site.url("/news")];
    let whole = damaged.clone().map(|url| newest_body(&archive, &url));
    damaged.iter().for_each(|url| damage(&archive, url));
    let summary = site.crawl(&[], 0);
    let asked = ["/ 304", "/ 200", "/style.css 304", "/news 200"];
    assert_eq!(site.asked(), asked);
    assert_eq!(summary["saved"], 2);
    let reasons = &summary["account"]["by_reason"];
    assert_eq!(reasons["unchanged.unreadable"], 1);
    for (url, whole) in damaged.iter().zip(whole) {
        assert!(newest_body(&archive, url) == whole, "{url}");
    }
}

#[test]
fn in_a_session_of_the_users_own_nobody_is_asked_about_what_others_saw() {
    let site = Site::start();
    site.crawl(&[], 0);
    site.asked();
    let session = ["--header", "X-Pass: secret"];
    site.crawl(&session, 0);
    let all = ["/ 200", "/style.css 200", "/news 200"];
    assert_eq!(site.asked(), all);
    // What was seen in it is not asked about without it.
    site.crawl(&[], 0);
    assert_eq!(site.asked(), all);
}

fn head(logged: &Logged) -> HttpHead {
    HttpHead::parse(&logged.response_head).unwrap().0
}

fn url(logged: &Logged) -> String {
    format!("{}://{}{}", logged.scheme, logged.host, logged.target)
}

/// Whether a server may be asked if its answer has changed.
fn has_validator(logged: &Logged) -> bool {
    let head = head(logged);
    let kept = head.get("Set-Cookie").is_none() && !logged.response_body.is_empty();
    head.status() == Some(200) && head.get("ETag").is_some() && kept
}

/// The URLs of revisits that stand for a 304.
fn unchanged(archive: &Path) -> BTreeSet<String> {
    let revisits = records(archive)
        .into_iter()
        .filter(|record| record.kind == RecordType::Revisit && record.block.is_empty());
    revisits.map(|record| record.url).collect()
}

fn open(archive: &Path) -> Collection {
    let fs: Fs = Arc::new(OsFileSystem);
    Collection::open(fs, archive, Arc::new(RealWorld)).unwrap()
}

/// The captures of a URL, those of earlier crawls first.
fn captures(collection: &Collection, url: &str) -> Vec<Hit> {
    let query = Query {
        url: url.into(),
        ..Query::default()
    };
    let hits = collection.index().unwrap().query(&query).unwrap();
    let hits = hits.map(Result::unwrap);
    let mut hits: Vec<Hit> = hits.filter(|hit| hit.capture.url == url).collect();
    // Several crawls may come in one second, which is all that the index tells.
    hits.sort_by_key(|hit| hit.layer);
    hits
}

/// The body of the newest capture as it is stored, revisits resolved.
fn newest_body(archive: &Path, url: &str) -> Vec<u8> {
    let collection = open(archive);
    let hit = captures(&collection, url).pop().unwrap();
    let index = collection.index().unwrap();
    let holder = collection.payload_of(&index, &hit).unwrap().unwrap();
    let mut body = Vec::new();
    let mut record = collection.read(&holder).unwrap();
    record.read_to_end(&mut body).unwrap();
    body
}

/// Changes the checksum of the stored record of a URL: what any other byte does depends on how the
/// record was compressed.
fn damage(archive: &Path, url: &str) {
    let collection = open(archive);
    let hit = captures(&collection, url).remove(0);
    assert!(!is_revisit(&hit.capture));
    let layer = collection.layer_dir(hit.layer);
    let path = layer.join("archive").join(&hit.capture.filename);
    let mut bytes = std::fs::read(&path).unwrap();
    let at = usize::try_from(hit.capture.offset + hit.capture.length).unwrap() - 6;
    bytes[at] ^= 0x55;
    std::fs::write(path, bytes).unwrap();
}
