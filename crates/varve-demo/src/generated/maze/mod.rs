//! `maze.garden.example`: a site of 500 pages, and six ways to get lost beside it.

mod calendar;
mod seeds;
mod traps;

use super::words::{name, paragraph};
use super::{Generated, list, split, url_set};
use crate::hosts::MAZE;
use crate::log::Scheme;

/// How many real pages it has, the first one aside.
pub const BEDS: usize = 500;

/// Where its traps begin: paths and what is behind them. The `/lots/` are in the sitemaps alone.
pub const TRAPS: [(&str, &str); 6] = [
    ("/calendar/", "a calendar that goes on for ever"),
    ("/walk/", "the same pages under a new ticket every time"),
    (
        "/lost/",
        "pages that are not there, and link to others that are not",
    ),
    ("/seeds", "a list that can be narrowed down in any order"),
    ("/sitemaps/", "sitemaps of sitemaps, and one that explodes"),
    ("/way/", "redirects that never arrive, each to a new place"),
];

/// How many pages hang on each.
const BRANCHES: usize = 4;

/// How long the robots.txt is: more than anybody reads.
const ROBOTS: usize = 700 << 10;

/// What the maze answers.
pub fn maze(scheme: Scheme, target: &str) -> Generated {
    let (path, query) = split(target);
    let numbered = |prefix, suffix| number_in(path, prefix, suffix);
    match path {
        "/" => gate(),
        "/robots.txt" => robots(scheme),
        "/sitemap.xml" => {
            url_set((1..=BEDS).map(|bed| format!("{scheme}://{MAZE}{}", bed_path(bed))))
        }
        "/seeds" => seeds::seeds(query),
        "/sitemaps/bomb.xml" => traps::bomb(),
        _ if path.starts_with("/lost/") => traps::lost(path),
        _ if path.starts_with("/calendar/") => calendar::calendar(path),
        _ if path.starts_with("/walk/") => traps::walk(path, query),
        _ if path.starts_with("/way/") => traps::way(path),
        _ => None
            .or_else(|| numbered("/bed/", "/").map(bed))
            .or_else(|| numbered("/bed/", ".svg").map(picture))
            .or_else(|| numbered("/sitemaps/", ".xml").map(|n| traps::sitemap(scheme, n)))
            .or_else(|| numbered("/lots/", "/").map(traps::lot))
            .unwrap_or_else(Generated::not_found),
    }
}

/// Where a real page is.
pub fn bed_path(bed: usize) -> String {
    format!("/bed/{bed}/")
}

fn number_in(path: &str, prefix: &str, suffix: &str) -> Option<usize> {
    let number = path.strip_prefix(prefix)?.strip_suffix(suffix)?;
    number.parse().ok()
}

fn gate() -> Generated {
    let mut links = vec![(bed_path(1), "The beds".to_owned())];
    links.extend(entrances());
    Generated::page(
        "The maze",
        "",
        &format!("<p>{}</p>\n{}", paragraph(0, 40), list(links)),
    )
}

/// The ways into the traps, in the navigation of every page.
fn entrances() -> [(String, String); 5] {
    [
        ("/calendar/2026/11/", "What is on"),
        ("/walk/1/", "A walk"),
        ("/lost/", "The lost garden"),
        ("/seeds", "Seeds"),
        ("/way/1/", "This way"),
    ]
    .map(|(to, text)| (to.to_owned(), text.to_owned()))
}

/// A real page: most have some text, some a single word, some only a picture.
fn bed(bed: usize) -> Generated {
    if !(1..=BEDS).contains(&bed) {
        return Generated::not_found();
    }
    let (title, content) = match bed % 5 {
        0 => (
            "A picture".to_owned(),
            format!("<img src=\"/bed/{bed}.svg\" alt=\"\">\n"),
        ),
        1 => (format!("Bed of {}", name(bed)), String::new()),
        _ => (
            format!("Bed {bed}"),
            format!("<p>{}</p>\n", paragraph(bed, 50)),
        ),
    };
    let first = bed * BRANCHES - 2;
    let children = (first..first + BRANCHES).filter(|child| *child <= BEDS);
    let neighbours = [bed - 1, bed + 1].into_iter();
    let neighbours = neighbours.filter(|other| (1..=BEDS).contains(other));
    let links = children.chain(neighbours);
    let mut links: Vec<_> = links
        .map(|bed| (bed_path(bed), format!("Bed {bed}")))
        .collect();
    links.extend(entrances());
    Generated::page(&title, "", &(content + &list(links)))
}

fn picture(bed: usize) -> Generated {
    let (x, y) = (bed % 97, bed % 89);
    let drawing = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\"><circle cx=\"{x}\" cy=\"{y}\" r=\"9\"/></svg>\n"
    );
    Generated::new("image/svg+xml", drawing)
}

/// Rules that everybody reads, and after more than anybody reads, one that closes everything.
fn robots(scheme: Scheme) -> Generated {
    let mut file = format!(
        "User-agent: *\nDisallow: /private/\n\nSitemap: {scheme}://{MAZE}/sitemap.xml\nSitemap: {scheme}://{MAZE}/sitemaps/0.xml\n"
    );
    while file.len() < ROBOTS {
        file.push_str("# Turn left at the yew, then left again, then left again, then left.\n");
    }
    file.push_str("User-agent: *\nDisallow: /\n");
    Generated::new("text/plain", file)
}
