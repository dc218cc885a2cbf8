//! Pages without scripts need no browser, and lose nothing.

use crate::support::archive::records;
use crate::support::server::{send, server};
use crate::support::stage::{Stage, assert_sound};

#[test]
fn a_page_is_saved_with_what_it_needs() {
    let web = Stage::new();
    let crawled = web.save(&["https://garden.example/", "--tier", "http"]);
    assert_eq!(
        crawled.code,
        Some(0),
        "{}{}",
        crawled.summary,
        crawled.words
    );
    let account = &crawled.summary["account"];
    assert_eq!(account["recorded"]["count"], web.web.log().len());
    assert!(account["by_kind"]["css"]["count"].as_u64() > Some(0));
    assert!(account["by_kind"]["image"]["count"].as_u64() > Some(0));
    assert_sound(&web.archive());
    assert_eq!(clients(&web.archive()), [(1366.0, "en-US".to_owned())]);
}

/// Who the crawls of an archive say that they are: width of the window, language.
fn clients(archive: &std::path::Path) -> Vec<(f64, String)> {
    let records = records(archive).into_iter();
    let said = records.filter(|record| record.url == "urn:varve:client");
    said.map(|record| {
        let said: serde_json::Value = serde_json::from_slice(&record.block).unwrap();
        let client = &said["client"];
        let language = client["languages"][0].as_str().unwrap().to_owned();
        (client["width"].as_f64().unwrap(), language)
    })
    .collect()
}

#[test]
fn what_two_pages_share_is_fetched_once() {
    let web = Stage::new();
    let crawled = web.save(&[
        "https://garden.example/",
        "https://garden.example/tabs/",
        "--tier",
        "http",
    ]);
    assert_eq!(crawled.code, Some(0), "{}", crawled.words);
    let mut asked: Vec<String> = (web.web.log().iter())
        .map(|logged| format!("{}{}", logged.host, logged.target))
        .collect();
    asked.sort();
    let all = asked.len();
    asked.dedup();
    assert_eq!(asked.len(), all, "something was asked for twice");
}

#[test]
fn what_headers_announce_is_fetched_too() {
    let port = server(|asked, stream| {
        let link = match asked.path.as_str() {
            "/" => "Link: </announced.css>; rel=preload; as=style\r\n",
            _ => "",
        };
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nContent-Length: 0\r\n";
        send(stream, &format!("{head}{link}Connection: close\r\n\r\n"));
    });
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("archive");
    let url = format!("http://127.0.0.1:{port}/");
    let crawled = crate::web::crawl(&[&url, "--tier", "http", "-c", archive.to_str().unwrap()]);
    assert_eq!(crawled.code, Some(0), "{}", crawled.words);
    let announced = format!("{url}announced.css");
    assert!(
        records(&archive)
            .iter()
            .any(|record| record.url == announced)
    );
}

#[test]
fn an_archive_of_nothing_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("archive");
    let crawled = crate::web::crawl(&["http://127.0.0.1:1/", "-c", archive.to_str().unwrap()]);
    assert_eq!(crawled.code, Some(1));
    assert!(
        crawled.words.contains("not a single response"),
        "{}",
        crawled.words
    );
}

#[test]
fn addresses_that_are_not_public_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("archive");
    let url = "http://[::1]:1/";
    let crawled = crate::web::crawl(&[url, "-c", archive.to_str().unwrap()]);
    assert_eq!(crawled.reason(0), "blocked.ssrf");
    assert!(records(&archive).iter().all(|record| record.url.is_empty()));
}
