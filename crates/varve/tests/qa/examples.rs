//! The example web is good, in either tier.

use crate::support::stage::Stage;
use crate::{accusations, qa, report_of};

/// Pages of the example web. Not among them are those that replay itself shows otherwise: of
/// `https://garden.example/everything/` the service worker, which is not run, and of
/// `https://garden.example/frames/` a frame within one that is sandboxed.
const EXAMPLES: &[&str] = &[
    "https://garden.example/",
    "https://garden.example/film/",
    "https://garden.example/carousel/",
    "http://garden.example/everything/",
    "https://shop.garden.example/",
    "https://old.garden.example/frames/",
];

#[test]
fn pages_captured_in_the_browser_are_good() {
    let stage = Stage::new();
    let more = ["--tier", "browser", "--scope", "page", "--delay", "0"];
    stage.crawl(&[EXAMPLES, &more].concat(), 0);
    let dir = tempfile::tempdir().unwrap();
    let output = qa(&stage.archive(), dir.path(), &["--all", "--workers", "4"]);
    let report = report_of(&output, 0);
    assert_eq!(accusations(&report), [""; 0]);
    // Some of them are asked for by two names.
    let checked = report["summary"]["checked"].as_u64().unwrap();
    assert!(checked >= EXAMPLES.len() as u64, "{checked}");
    for page in report["pages"].as_array().unwrap() {
        for part in ["picture", "text"] {
            assert_eq!(page[part]["compared"], "compared", "{}", page["url"]);
        }
        assert_eq!(page["console"], "compared");
    }
}

#[test]
fn pages_captured_over_http_are_judged_by_their_requests() {
    let stage = Stage::new();
    let pages = [
        "https://garden.example/plants/ginkgo/",
        "https://old.garden.example/1998/",
    ];
    let more = ["--tier", "http", "--scope", "page", "--delay", "0"];
    stage.crawl(&[&pages[..], &more].concat(), 0);
    let dir = tempfile::tempdir().unwrap();
    let report = report_of(&qa(&stage.archive(), dir.path(), &["--all"]), 0);
    assert_eq!(accusations(&report), [""; 0]);
    assert_eq!(report["summary"]["without_visit"], pages.len());
    for page in report["pages"].as_array().unwrap() {
        assert!(page["requests"]["answered"].as_u64().unwrap() > 1, "{page}");
        assert_eq!(page["picture"]["compared"], "not-recorded");
    }
}

#[test]
fn a_file_that_browsers_save_is_good() {
    let stage = Stage::new();
    let file = ["https://garden.example/downloads/seeds.zip"];
    let more = ["--tier", "http", "--scope", "page", "--delay", "0"];
    stage.crawl(&[&file[..], &more].concat(), 0);
    let dir = tempfile::tempdir().unwrap();
    let report = report_of(&qa(&stage.archive(), dir.path(), &["--all"]), 0);
    assert_eq!(accusations(&report), [""; 0]);
    assert_eq!(report["summary"]["checked"], 1);
}
