//! A disk that runs full: the crawl pauses, goes on when there is room, or can be gone on with.

use crate::support::stage::Stage;
use std::process::Command;

/// Runs a script in a mount namespace with a small disk at `$disk`, which has room for little more
/// than a crawl's state; `crawl WORDS` crawls there and says its exit code.
fn on_a_small_disk(stage: &Stage, script: &str) -> Vec<String> {
    let disk = stage.dir.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let prelude = r#"
        varve=$0 disk=$1 address=$2 ca=$3
        mount -t tmpfs -o size=64m tmpfs "$disk" || exit 77
        head -c 60m /dev/zero > "$disk/ballast"
        crawl() {
            "$varve" crawl https://garden.example/ https://herbarium.garden.example/ --tier http \
                --delay 0 --scope host --max-pages 200 -c "$disk/c" --map-host "*=$address" \
                --allow-net 127.0.0.0/8 --ca-file "$ca" --no-sitemaps "$@" >/dev/null
            echo "crawl $?"
        }
    "#;
    let output = Command::new("unshare")
        .args([
            "-rm",
            "sh",
            "-c",
            &format!("{prelude}\n{script}"),
            env!("CARGO_BIN_EXE_varve"),
        ])
        .arg(&disk)
        .arg(stage.web.address().to_string())
        .arg(stage.dir.path().join("ca.pem"))
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!said.is_empty(), "{words}");
    said.lines().map(str::to_owned).collect()
}

#[test]
fn a_full_disk_that_stays_full_ends_the_crawl_which_can_be_gone_on_with() {
    let stage = Stage::new();
    let script = r#"
        crawl --disk-wait 1
        rm "$disk/ballast"
        "$varve" audit "$disk/c" >/dev/null; echo "audit $?"
        crawl
        "$varve" audit "$disk/c" >/dev/null; echo "audit $?"
    "#;
    let said = on_a_small_disk(&stage, script);
    assert_eq!(said, ["crawl 3", "audit 0", "crawl 0", "audit 0"]);
}

#[test]
fn a_crawl_waits_for_room_and_goes_on() {
    let stage = Stage::new();
    let script = r#"
        crawl --disk-wait 60 & sleep 6
        test -d "$disk/c/state/crawl" && echo waiting
        rm "$disk/ballast"
        wait
        "$varve" audit "$disk/c" >/dev/null; echo "audit $?"
        ls "$disk/c/layers" | wc -l
    "#;
    let said = on_a_small_disk(&stage, script);
    assert_eq!(said, ["waiting", "crawl 0", "audit 0", "1"]);
}
