#![allow(clippy::unwrap_used)]

use super::super::picture::{REASONS, REMEMBERED, TEXT_BYTES};
use super::*;
use crate::account::Account;

fn page(url: &str, reason: &str) -> PageDone {
    PageDone {
        url: url.into(),
        final_url: url.into(),
        tier: "browser",
        phase: None,
        why: None,
        status: Some(200),
        reason: reason.into(),
        title: Some("A page".into()),
        links: 0,
        account: Account::default(),
        took: Duration::from_millis(300),
    }
}

fn finish(live: &Arc<Live>, visit: u64, reason: &str, thumbnail: Option<&[u8]>) {
    let url = Url::parse(&format!("https://a.example/{visit}")).unwrap();
    let underway = live.page_begins(visit, &url);
    if let Some(jpeg) = thumbnail {
        live.page_thumbnail(visit, jpeg);
    }
    underway.done(&page(url.as_str(), reason));
}

#[test]
fn pages_go_from_in_flight_to_finished() {
    let live = Live::new();
    let url = Url::parse("https://a.example/").unwrap();
    let underway = live.page_begins(7, &url);
    live.page_tier(7, Tier::Browser);
    let shown = live.snapshot();
    assert_eq!(shown.in_flight[0].url, "https://a.example/");
    assert_eq!(shown.in_flight[0].tier, "browser");
    underway.done(&page(url.as_str(), "ok"));
    let shown = live.snapshot();
    assert!(shown.in_flight.is_empty());
    assert_eq!(shown.finished[0].url, "https://a.example/");
    assert_eq!(shown.pages.saved, 1);
    assert_eq!(shown.durations["browser"].count(), 1);
}

#[test]
fn a_page_that_is_given_up_is_neither_in_flight_nor_finished() {
    let live = Live::new();
    let url = Url::parse("https://a.example/").unwrap();
    drop(live.page_begins(1, &url));
    let shown = live.snapshot();
    assert!(shown.in_flight.is_empty() && shown.finished.is_empty());
    assert_eq!(shown.pages, PageCounts::default());
}

#[test]
fn failures_are_counted_by_reason() {
    let live = Live::new();
    finish(&live, 1, "ok.partial", None);
    finish(&live, 2, "timeout.page", None);
    finish(&live, 3, "timeout.page", None);
    live.request_failed("dns.nxdomain");
    live.page_skipped("excluded");
    let shown = live.snapshot();
    assert_eq!((shown.pages.saved, shown.pages.failed), (1, 2));
    assert_eq!(shown.page_failures["timeout.page"], 2);
    assert_eq!(shown.request_failures["dns.nxdomain"], 1);
    assert_eq!(shown.skips["excluded"], 1);
}

#[test]
fn the_picture_of_a_long_crawl_is_no_larger() {
    let live = Live::new();
    for visit in 0..5_000 {
        finish(&live, visit, &format!("odd.{visit}"), Some(b"jpeg"));
    }
    live.hosts(vec![HostView::default(); 100_000]);
    let shown = live.snapshot();
    assert_eq!(shown.finished.len(), SHOWN);
    assert_eq!(shown.finished[0].id, 5_000);
    assert_eq!(shown.hosts.len(), HOSTS);
    assert_eq!(shown.page_failures.len(), REASONS + 1);
    assert_eq!(shown.page_failures.values().sum::<u64>(), 5_000);
    assert_eq!(live.finished_after(0).len(), REMEMBERED);
    assert_eq!(live.finished_after(4_998).len(), 2);
}

#[test]
fn thumbnails_are_kept_for_the_pages_shown() {
    let live = Live::new();
    for visit in 1..=SHOWN as u64 + 1 {
        finish(&live, visit, "ok", Some(b"jpeg"));
    }
    assert_eq!(live.thumbnail(1), None);
    assert!(!live.finished_after(0)[0].thumbnail);
    assert_eq!(live.thumbnail(2).as_deref(), Some(&b"jpeg"[..]));
    let large = vec![0; THUMBNAIL_BYTES + 1];
    finish(&live, 100, "ok", Some(&large));
    assert!(!live.snapshot().finished[0].thumbnail);
}

#[test]
fn texts_of_pages_are_cut_at_a_limit() {
    let live = Live::new();
    let url = Url::parse("https://a.example/").unwrap();
    let mut long = page(url.as_str(), "ok");
    long.title = Some("ü".repeat(1_000_000));
    live.page_begins(1, &url).done(&long);
    let title = live.snapshot().finished[0].title.clone().unwrap();
    assert_eq!(title, format!("{}…", "ü".repeat(TEXT_BYTES / 2)));
}

#[test]
fn a_paused_crawl_is_pausing_while_pages_are_in_flight() {
    let live = Live::new();
    let url = Url::parse("https://a.example/").unwrap();
    let underway = live.page_begins(1, &url);
    live.state(State::Paused);
    assert_eq!(live.snapshot().state, State::Pausing);
    drop(underway);
    assert_eq!(live.snapshot().state, State::Paused);
}

#[test]
fn points_hold_what_happened_since_the_last() {
    let live = Live::new();
    finish(&live, 1, "ok", None);
    live.request_recorded(1_000);
    let memory = Footprint {
        processes: 3,
        bytes: 77,
    };
    live.tick(memory);
    live.request_recorded(500);
    live.tick(memory);
    let points: Vec<Point> = live.series().points().copied().collect();
    assert_eq!((points[0].pages, points[0].bytes), (1, 1_000));
    assert_eq!((points[1].pages, points[1].bytes), (0, 500));
    assert_eq!(live.snapshot().browser, memory);
}
