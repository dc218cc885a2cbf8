//! Behaviours of pages: what a page's scripts found out at capture they find out in replay.
//!
//! The pages of `site/` write a line for each behaviour. The capture is the measure: its lines and
//! those of the replay, visited by another client, are the same.

use crate::site::Site;
use crate::stage::{In, Replay, phone};
use crate::support::archive::records;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// Pages, and behaviours that one origin for everything cannot keep.
const PAGES: &[(&str, &[&str])] = &[
    ("http://one.test/location.html", &[]),
    ("http://one.test/history.html", &[]),
    ("http://one.test/markup.html", &[]),
    (
        "http://one.test/net.html",
        &["fetch of another origin", "fetch without cors"],
    ),
    (
        "http://one.test/frames.html",
        &[
            "a frame of another origin",
            "the location of another origin",
            "messages to another origin",
        ],
    ),
    ("http://one.test/storage.html", &[]),
    ("http://one.test/go-assign.html", &[]),
    ("http://one.test/go-replace.html", &[]),
    ("http://one.test/go-href.html", &[]),
    ("http://one.test/go-document.html", &[]),
    ("http://one.test/go-window-open.html", &[]),
    ("http://one.test/go-form.html", &[]),
    ("http://one.test/go-link.html", &[]),
    ("http://one.test/go-frame-link.html", &[]),
    ("http://one.test/go-frame-form.html", &[]),
    ("http://one.test/go-refresh.html", &[]),
];

/// How many behaviours all pages tell.
const BEHAVIOURS: usize = 141;

/// All pages in one archive, and what they told at capture.
struct Captured {
    dir: TempDir,
    told: BTreeMap<String, BTreeMap<String, String>>,
}

static CAPTURED: LazyLock<Captured> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let urls: Vec<&str> = PAGES.iter().map(|(url, _)| *url).collect();
    Site::start().capture(&urls, dir.path());
    let told = told(dir.path());
    Captured { dir, told }
});

/// The lines of every page, by the page's URL.
fn told(collection: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let texts = records(collection).into_iter().filter_map(|record| {
        let url = record.url.strip_prefix("urn:text:")?.to_owned();
        Some((url, lines(&String::from_utf8_lossy(&record.block))))
    });
    texts.collect()
}

/// What a page's text says about behaviours.
fn lines(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter_map(|line| line.split_once(" = "));
    lines
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Every behaviour of every page that differs, in words.
fn differences(place: In) -> (usize, Vec<String>) {
    let replay = Replay::new(CAPTURED.dir.path(), place, phone());
    let mut found = Vec::new();
    let mut compared = 0;
    for (page, unkept) in PAGES {
        let unkept = match place {
            In::Host => &[],
            In::Path => *unkept,
        };
        let visited = replay.visit(&replay.framed_url(page), false);
        let replayed = lines(&visited.visit.text);
        if replayed.is_empty() {
            let (visit, errors) = (&visited.visit, &visited.visit.console_errors);
            let failed: Vec<_> = visit.failed_requests().collect();
            found.push(format!(
                "{page}: {:?} {errors:#?} {failed:#?}",
                visit.outcome
            ));
        }
        let Some(captured) = CAPTURED.told.get(*page) else {
            found.push(format!("{page}: told nothing at capture"));
            continue;
        };
        for (name, value) in captured {
            if unkept.contains(&name.as_str()) {
                continue;
            }
            compared += 1;
            let now = replayed.get(name).map_or("nothing", String::as_str);
            if now != value {
                found.push(format!("{page}: {name}\n   was {value}\n   is  {now}"));
            }
        }
        for leaked in visited.leaked {
            found.push(format!("{page}: leaked {leaked}"));
        }
    }
    (compared, found)
}

#[track_caller]
fn check(place: In) {
    let (compared, found) = differences(place);
    let all = found.join("\n");
    assert!(found.is_empty(), "{} of {compared}:\n{all}", found.len());
    let unkept = PAGES.iter().map(|(_, unkept)| unkept.len()).sum::<usize>();
    let expected = match place {
        In::Host => BEHAVIOURS,
        In::Path => BEHAVIOURS - unkept,
    };
    assert_eq!(compared, expected, "behaviours that were compared");
}

#[test]
fn pages_behave_as_at_capture_in_the_host_layout() {
    check(In::Host);
}

#[test]
fn pages_behave_as_at_capture_in_the_path_layout() {
    check(In::Path);
}
