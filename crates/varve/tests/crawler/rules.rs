//! What belongs to a crawl, and when it ends.

use crate::support::archive::records;
use crate::support::stage::{Stage, assert_sound};
use serde_json::Value;
use varve_store::warc::RecordType;

const HERBARIUM: &str = "https://herbarium.garden.example/";

fn number(summary: &Value, what: &str) -> u64 {
    summary[what]
        .as_u64()
        .unwrap_or_else(|| panic!("no {what}: {summary}"))
}

#[test]
fn a_limit_of_pages_is_kept_exactly() {
    let stage = Stage::new();
    let words = [
        HERBARIUM,
        "--tier",
        "http",
        "--delay",
        "0",
        "--max-pages",
        "17",
    ];
    let summary = stage.crawl(&words, 0);
    assert_eq!(number(&summary, "saved"), 17);
    assert_eq!(summary["ended"], "limit.pages");
    assert!(number(&summary, "waiting") > 200);
    assert_sound(&stage.archive());
}

#[test]
fn robots_txt_is_obeyed_unless_told_otherwise() {
    let stage = Stage::new();
    let drawer = format!("{HERBARIUM}drawer/");
    let words = [
        drawer.as_str(),
        "--scope",
        "page",
        "--tier",
        "http",
        "--delay",
        "0",
    ];
    let summary = stage.crawl(&words, 4);
    assert_eq!(number(&summary["skipped"], "robots.disallowed"), 1);
    assert!(
        !stage
            .asked("herbarium.garden.example")
            .contains(&"/drawer/".to_owned())
    );
    stage.crawl(&[&words[..], &["--ignore-robots"]].concat(), 0);
    assert!(
        stage
            .asked("herbarium.garden.example")
            .contains(&"/drawer/".to_owned())
    );
}

#[test]
fn sitemaps_lead_to_pages_that_nothing_links_to_in_reach() {
    let stage = Stage::new();
    let near = [HERBARIUM, "--tier", "http", "--delay", "0", "--depth", "0"];
    let alone = stage.crawl(&[&near[..], &["--no-sitemaps"]].concat(), 0);
    assert_eq!(number(&alone, "saved"), 1);
    let near = [HERBARIUM, "--tier", "http", "--delay", "0", "--depth", "1"];
    let listed = stage.crawl(&near, 0);
    assert_eq!(number(&listed, "saved"), 300);
}

#[test]
fn excluded_and_blocked_urls_are_not_asked_for() {
    let stage = Stage::new();
    let words = [
        HERBARIUM,
        "--tier",
        "http",
        "--delay",
        "0",
        "--exclude",
        "/sheet/[1-9][0-9]",
    ];
    let summary = stage.crawl(&[&words[..], &["--block", "style\\.css$"]].concat(), 0);
    assert_eq!(number(&summary, "saved"), 10);
    let asked = stage.asked("herbarium.garden.example");
    assert!(
        !asked
            .iter()
            .any(|target| target == "/style.css" || target == "/sheet/10/")
    );
    assert!(number(&summary["account"]["by_reason"], "blocked.rule") > 0);
}

#[test]
fn a_second_crawl_stores_what_has_not_changed_by_reference() {
    let stage = Stage::new();
    let words = [
        HERBARIUM,
        "--tier",
        "http",
        "--delay",
        "0",
        "--max-pages",
        "20",
    ];
    stage.crawl(&words, 0);
    let first = records(&stage.archive()).len();
    let archive = stage.archive();
    let again = ["--recrawl", archive.to_str().unwrap(), "--scope", "page"];
    let summary = stage.crawl(
        &[&again[..], &["--tier", "http", "--delay", "0"]].concat(),
        0,
    );
    assert_eq!(number(&summary, "saved"), 20);
    let records = records(&archive);
    let revisits = records[first..]
        .iter()
        .filter(|record| record.kind == RecordType::Revisit);
    assert!(revisits.count() >= 20);
    assert_sound(&archive);
}

#[test]
fn a_dry_run_asks_nobody() {
    let stage = Stage::new();
    let config = stage.dir.path().join("crawl.yaml");
    std::fs::write(
        &config,
        format!("urls: [\"{HERBARIUM}\"]\nscope: host\nmax-pages: 5\n"),
    )
    .unwrap();
    let mut command = stage.command(&["--dry-run", "--config", config.to_str().unwrap()]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains(HERBARIUM),
        "{said}"
    );
    assert!(
        said.contains("within the hosts") && said.contains("5 pages"),
        "{said}"
    );
    assert!(stage.web.log().is_empty());
    assert!(!stage.archive().exists());
}
