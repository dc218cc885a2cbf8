//! Hosts whose pages are made up, and the times of the log.

use crate::client::{get, start};
use std::time::Instant;

#[tokio::test]
async fn generated_hosts_answer() {
    let web = start().await;
    for (host, path, status) in [
        ("herbarium.garden.example", "/sheet/299/", 200),
        ("herbarium.garden.example", "/sheet/300/", 404),
        ("herbarium.garden.example", "/robots.txt", 200),
        ("maze.garden.example", "/bed/500/", 200),
        ("maze.garden.example", "/way/1/", 302),
    ] {
        assert_eq!(get(&web, host, path).await.status(), status, "{host}{path}");
    }
    let robots = get(&web, "maze.garden.example", "/robots.txt").await;
    assert!(robots.body.len() > 600 << 10);
}

#[tokio::test]
async fn the_log_says_when_requests_began() {
    let web = start().await;
    let mut times = vec![Instant::now()];
    for path in ["/sheet/1/", "/sheet/2/"] {
        get(&web, "herbarium.garden.example", path).await;
        let log = web.log();
        times.push(log.last().unwrap().began);
        times.push(Instant::now());
    }
    assert!(times.is_sorted(), "{times:?}");
}
