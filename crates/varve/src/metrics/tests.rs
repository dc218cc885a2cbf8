use super::*;
use std::time::Duration;
use varve_crawl::live::{Footprint, HostView, InFlight, PageCounts};

fn snapshot() -> Snapshot {
    let mut spread = Spread::default();
    spread.add(Duration::from_millis(400));
    spread.add(Duration::from_secs(200));
    Snapshot {
        state: State::PausedDisk,
        pages: PageCounts {
            saved: 12,
            failed: 3,
            skipped: 1,
        },
        received_bytes: 5_000,
        page_failures: [("timeout.page".into(), 3)].into(),
        browser: Footprint {
            processes: 7,
            bytes: 1_000,
        },
        durations: [("browser", spread)].into(),
        hosts: vec![HostView {
            host: "secret.example".into(),
            ..HostView::default()
        }],
        in_flight: vec![InFlight {
            url: "https://secret.example/?token=1".into(),
            tier: "http",
            seconds: 1.0,
        }],
        ..Snapshot::default()
    }
}

#[test]
fn a_crawl_has_the_metrics_that_people_want() {
    let text = text(snapshot()).unwrap();
    let check = |line: &str| assert!(text.lines().any(|had| had == line), "{line}\n{text}");
    check("# TYPE varve_crawl_pages counter");
    check(r#"varve_crawl_pages_total{outcome="saved"} 12"#);
    check(r#"varve_crawl_pages_total{outcome="failed"} 3"#);
    check(r#"varve_crawl_page_failures_total{reason="timeout.page"} 3"#);
    check("varve_crawl_received_bytes_total 5000");
    check("varve_crawl_pages_in_flight 1");
    check("varve_crawl_browser_memory_bytes 1000");
    check(r#"varve_crawl_state{state="paused.disk"} 1"#);
    check(r#"varve_crawl_state{state="running"} 0"#);
    check(r#"varve_crawl_page_duration_seconds_count{tier="browser"} 2"#);
    check(r#"varve_crawl_page_duration_seconds_bucket{le="0.25",tier="browser"} 0"#);
    check(r#"varve_crawl_page_duration_seconds_bucket{le="0.5",tier="browser"} 1"#);
    check(r#"varve_crawl_page_duration_seconds_bucket{le="120.0",tier="browser"} 1"#);
    check(r#"varve_crawl_page_duration_seconds_bucket{le="+Inf",tier="browser"} 2"#);
    check("# EOF");
}

#[test]
fn no_host_and_no_url_is_in_them() {
    let text = text(snapshot()).unwrap();
    assert!(!text.contains("secret"), "{text}");
}
