//! The maze: whoever follows every link never comes back, and whoever follows too few misses the beds.

use crate::walker::{Order, Walker};
use std::collections::{BTreeMap, BTreeSet};
use url::Url;
use varve_demo::Scheme;
use varve_demo::generated::{BEDS, Generated, bed_path, herbarium, herbarium_pages, maze};

/// Requests that a trap may cost.
const MAX_REQUESTS: usize = 2_000;

fn maze_host(url: &Url) -> Generated {
    maze(Scheme::Http, &url[url::Position::BeforePath..])
}

/// Crawls the maze; gives the number of requests by first segment.
#[track_caller]
fn crawl_the_maze(order: Order, with_sitemaps: bool) -> BTreeMap<String, usize> {
    let seed = Url::parse("http://maze.garden.example/").unwrap();
    let mut walker = Walker::new(&seed, order, &maze_host);
    if with_sitemaps {
        walker.sitemaps(&seed);
    }
    walker.run(&seed);

    let mut by_section: BTreeMap<String, usize> = BTreeMap::new();
    for path in &walker.requests {
        let section = path.split('/').nth(1).unwrap().to_owned();
        *by_section.entry(section).or_default() += 1;
    }
    let asked: BTreeSet<&str> = walker.requests.iter().map(String::as_str).collect();
    let beds = (1..=BEDS)
        .filter(|bed| asked.contains(bed_path(*bed).as_str()))
        .count();
    let report = format!(
        "{order:?}: {beds} beds, {by_section:?}\n{:?}\n{:?}",
        walker.closed, walker.refused
    );
    println!("{report}");
    assert!(beds * 100 >= BEDS * 99, "{report}");
    for (section, requests) in &by_section {
        assert!(*requests <= MAX_REQUESTS, "/{section}: {report}");
    }
    by_section
}

#[test]
fn the_beds_are_found_and_the_traps_are_left() {
    crawl_the_maze(Order::OldestFirst, false);
}

#[test]
fn depth_first_too() {
    crawl_the_maze(Order::NewestFirst, false);
}

#[test]
fn and_in_any_order() {
    crawl_the_maze(Order::Shuffled, false);
}

#[test]
fn sitemaps_without_end_are_left() {
    let requests = crawl_the_maze(Order::OldestFirst, true);
    assert!(requests["sitemaps"] + requests["lots"] <= MAX_REQUESTS);
}

#[test]
fn a_site_without_traps_is_crawled_as_a_whole() {
    const PAGES: usize = 2_000;
    let seed = Url::parse("http://herbarium.garden.example/").unwrap();
    let host = |url: &Url| herbarium(Scheme::Http, &url[url::Position::BeforePath..], PAGES);
    let mut walker = Walker::new(&seed, Order::OldestFirst, &host);
    walker.sitemaps(&seed);
    walker.run(&seed);
    let asked: BTreeSet<&str> = walker.requests.iter().map(String::as_str).collect();
    let missed: Vec<String> = herbarium_pages(PAGES)
        .into_iter()
        .filter(|path| !asked.contains(path.as_str()))
        .collect();
    assert!(
        missed.is_empty(),
        "{} missed: {:?}",
        missed.len(),
        &missed[..5]
    );
    assert!(!asked.contains("/drawer/"));
    assert!(walker.closed.is_empty(), "{:?}", walker.closed);
}
