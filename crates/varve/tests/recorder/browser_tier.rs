//! What only a browser finds, and what is kept beside it.

use crate::support::archive::{Record, records};
use crate::support::stage::{Stage, assert_sound};
use varve_store::warc::RecordType;

fn crawl(url: &str) -> (Stage, Vec<Record>) {
    let web = Stage::new();
    let crawled = web.save(&[url, "--tier", "browser"]);
    assert_eq!(
        crawled.code,
        Some(0),
        "{}{}",
        crawled.summary,
        crawled.words
    );
    assert_sound(&web.archive());
    let records = records(&web.archive());
    (web, records)
}

#[test]
fn a_film_that_is_played_in_parts_is_kept_whole() {
    let (_web, records) = crawl("https://garden.example/film/");
    let whole = records.iter().find(|record| {
        record.kind == RecordType::Response
            && record.url.ends_with(".webm")
            && record.block.starts_with(b"HTTP/1.1 200")
    });
    assert_eq!(whole.expect("the film is there").truncated, None);
}

#[test]
fn a_page_is_kept_with_its_picture_text_and_log() {
    let (_web, records) = crawl("https://garden.example/plants/");
    let attachment = |name: &str| {
        let uri = format!("urn:{name}:https://garden.example/plants/");
        let record = records.iter().find(|record| record.url == uri);
        &record.unwrap_or_else(|| panic!("{uri} is missing")).block
    };
    assert!(attachment("view").starts_with(b"\x89PNG"));
    assert!(attachment("thumbnail").starts_with(b"\xff\xd8"));
    assert!(!attachment("text").is_empty());
    let log: serde_json::Value = serde_json::from_slice(attachment("varve:visit")).unwrap();
    assert_eq!(log["client"]["timeZone"], "UTC");
    assert_eq!(log["client"]["width"], 1366.0);
    assert!(log["requests"].as_array().unwrap().len() > 3);
    assert!(log["links"].as_array().unwrap().len() > 3);
}

#[test]
fn the_tier_is_chosen_by_what_the_page_is() {
    let web = Stage::new();
    let crawled = web.save(&[
        "https://garden.example/",
        "https://garden.example/sitemap.xml",
        "https://static.garden.example/css/site.css",
    ]);
    assert_eq!(crawled.code, Some(0), "{}", crawled.words);
    let pages = crawled.summary["pages"].as_array().unwrap();
    let tier = |end: &str| {
        let ends = |page: &&serde_json::Value| page["url"].as_str().unwrap().ends_with(end);
        pages.iter().find(ends).unwrap()["tier"].as_str().unwrap()
    };
    assert_eq!(tier("garden.example/"), "browser");
    assert_eq!(tier("sitemap.xml"), "http");
    assert_eq!(tier("site.css"), "http");
    let documents = (web.web.log().iter())
        .filter(|logged| logged.url() == "https://garden.example/")
        .count();
    assert_eq!(documents, 1, "the page is asked for once");
}
