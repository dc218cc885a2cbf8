//! Six traps beside a real site of 500 pages.

use crate::support::stage::Stage;
use std::collections::HashSet;
use varve_demo::generated::{BEDS, TRAPS, bed_path};

/// What one trap may cost.
const MOST: usize = 2_000;

#[test]
fn traps_are_left_and_real_pages_are_not() {
    let stage = Stage::new();
    // One of the ways leads nowhere.
    stage.crawl(
        &[
            "https://maze.garden.example/",
            "--tier",
            "http",
            "--delay",
            "0",
        ],
        4,
    );
    let asked = stage.asked("maze.garden.example");
    for (path, what) in TRAPS {
        let name = path.split('/').nth(1).unwrap_or("");
        let fetched = asked
            .iter()
            .filter(|target| target.trim_start_matches('/').starts_with(name))
            .count();
        assert!((1..=MOST).contains(&fetched), "{what}: {fetched} requests");
    }
    let asked: HashSet<&str> = asked.iter().map(String::as_str).collect();
    let saved = (1..=BEDS).filter(|bed| asked.contains(bed_path(*bed).as_str()));
    assert!(saved.count() * 100 >= BEDS * 99);
}
