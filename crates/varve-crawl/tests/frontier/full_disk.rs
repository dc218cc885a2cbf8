//! A disk that runs full: said so, nothing more is taken, and nothing that was answered is lost.

use crate::setup::{START, impolite, lease, seed, settle, wait};
use std::path::Path;
use std::process::Command;
use varve_crawl::frontier::{EmbeddedFrontier, Frontier, Outcome, Target};

/// Says to a child where the small disk is.
const DIR: &str = "VARVE_FRONTIER_TEST_DISK";
/// Added at once.
const BATCH: u64 = 500;

fn open() -> EmbeddedFrontier {
    let dir = std::env::var_os(DIR).unwrap();
    EmbeddedFrontier::open(&Path::new(&dir).join("state/crawl")).unwrap()
}

fn batch(number: u64) -> Vec<Target> {
    let url = |page| format!("http://h{}.example/{number}/{page}", page % 10);
    (0..BATCH).map(|page| seed(&url(page))).collect()
}

#[test]
#[ignore = "started by the test below, on a small disk"]
fn filler() {
    let frontier = open();
    wait(async {
        for number in 0.. {
            let Err(error) = frontier.add(batch(number)).await else {
                println!("\nadded {number}");
                continue;
            };
            assert!(error.is_disk_full(), "{error}");
            // Memory may be ahead of the disk now.
            assert!(frontier.counts().await.is_err());
            assert!(frontier.claim(START).await.is_err());
            println!("\nfull");
            return;
        }
    });
}

#[test]
#[ignore = "started by the test below, when the disk has room again"]
fn survivor() {
    let frontier = open();
    wait(async {
        frontier.check().await.unwrap();
        let seen = frontier.counts().await.unwrap().seen;
        println!("\nseen {seen}");
        frontier.default_rules(impolite()).await.unwrap();
        let first = lease(&frontier, START).await;
        settle(&frontier, first, Outcome::Saved).await;
        let known = frontier.add(batch(0)).await.unwrap();
        assert_eq!(known.known, BATCH);
        println!("\nwell");
    });
}

#[test]
fn a_full_disk_is_told_and_survived() {
    let may_mount = Command::new("unshare").args(["-rm", "true"]).status();
    if !may_mount.is_ok_and(|status| status.success()) {
        // Only where small disks can be mounted.
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let script = r#"
        mount -t tmpfs -o size=8m tmpfs "$1" || exit 77
        "$0" --ignored --exact --nocapture full_disk::filler
        mount -o remount,size=512m "$1"
        "$0" --ignored --exact --nocapture full_disk::survivor
    "#;
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", script])
        .arg(std::env::current_exe().unwrap())
        .arg(dir.path())
        .env(DIR, dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let added = said
        .lines()
        .filter(|line| line.starts_with("added "))
        .count() as u64;
    let seen = said.lines().find_map(|line| line.strip_prefix("seen "));
    let seen: u64 = seen
        .unwrap_or_else(|| panic!("{said}{errors}"))
        .parse()
        .unwrap();
    assert!(added > 0 && said.contains("\nfull\n"), "{said}{errors}");
    assert!(seen >= added * BATCH, "{seen} of {added} batches");
    assert!(said.contains("\nwell\n"), "{said}{errors}");
}
