use super::super::text::columns;
use super::*;
use varve_crawl::live::{Footprint, InFlight, PageCounts, QueueCounts, RequestCounts};

fn busy() -> Snapshot {
    let page = |url: &str| InFlight {
        url: url.into(),
        tier: "browser",
        seconds: 12.3,
    };
    Snapshot {
        seconds: 3_723.0,
        pages: PageCounts {
            saved: 12_345,
            failed: 3,
            skipped: 0,
        },
        requests: RequestCounts {
            recorded: 1_000,
            reused: 20,
            failed: 4,
        },
        received_bytes: 5 << 20,
        stored_bytes: 3 << 20,
        pages_per_second: 1.55,
        bytes_per_second: 2_048.0,
        page_failures: [("timeout.page".into(), 1), ("dns.nxdomain".into(), 2)].into(),
        queue: QueueCounts {
            queued: 1,
            hosts: 1,
            seen: 20_000,
        },
        in_flight: vec![
            page("https://植物園.example/日記/🌷/\x1b[31m"),
            page("https://garden.example/a/very/long/path/that/goes/on/and/on/and/on/and/on"),
        ],
        browser: Footprint {
            processes: 7,
            bytes: 400 << 20,
        },
        ..Snapshot::default()
    }
}

fn text(snapshot: &Snapshot, rows: usize, width: usize) -> Vec<String> {
    let lines = frame(snapshot, rows);
    lines.iter().map(|line| line.fit(width, false)).collect()
}

#[test]
fn a_busy_crawl_is_told_in_a_few_lines() {
    let expected = [
        "   crawl running for 1:02:03, 2 pages in flight",
        "   pages 12,345 saved  3 failed  0 skipped  1.6/s",
        "   queue 1 page on 1 host, 20,000 seen",
        "    data 5.00 MiB received (2.00 KiB/s), 3.00 MiB on disk, 1,024 requests, 20 reused",
        " browser 400.00 MiB in 7 processes",
        "  failed 2 dns.nxdomain, 1 timeout.page",
        "    0:12 browser https://植物園.example/日記/🌷/ [31m",
        "    0:12 browser https://garden.example/a/very/long/path/that/goes/on/and/on/and/on…",
    ];
    assert_eq!(text(&busy(), 50, 84), expected);
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in 0..120 {
        for line in text(&busy(), 50, width) {
            assert!(columns(&line) <= width, "{width}: {line}");
        }
    }
}

#[test]
fn there_are_no_more_lines_than_rows() {
    for rows in 0..20 {
        assert!(frame(&busy(), rows).len() <= rows.saturating_sub(1));
    }
}

#[test]
fn many_reasons_are_not_all_listed() {
    let mut snapshot = busy();
    snapshot.request_failures = (0..100).map(|n| (format!("odd.{n:03}"), 1)).collect();
    let lines = text(&snapshot, 50, 200);
    let missing = lines.iter().find(|line| line.starts_with(" missing"));
    assert!(missing.is_some_and(|line| line.ends_with("1 odd.005, and 94 more reasons")));
}
