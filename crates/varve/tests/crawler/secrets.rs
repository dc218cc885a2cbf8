//! A crawl with the user's own cookies: pages are saved as the user sees them, and the secrets
//! are nowhere in what is written.

use crate::support::archive::records;
use crate::support::stage::{Stage, words_of};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

const SECRETS: [&str; 2] = ["c4n4ry-cookie", "c4n4ry-header"];

#[test]
fn secrets_reach_their_own_hosts_and_nothing_that_is_written() {
    let stage = Stage::new();
    let cookies = stage.dir.path().join("cookies.txt");
    let line = "garden.example\tFALSE\t/\tFALSE\t0\tsession\tc4n4ry-cookie\n";
    std::fs::write(&cookies, line).unwrap();
    for tier in ["http", "browser"] {
        let words = [
            "https://garden.example/",
            "--scope",
            "page",
            "--tier",
            tier,
            "--delay",
            "0",
        ];
        let own = [
            "--header",
            "X-Pass: c4n4ry-header",
            "--cookies",
            cookies.to_str().unwrap(),
        ];
        let mut command = stage.command(&[&words[..], &own].concat());
        let output = command.arg("--json").output().unwrap();
        assert!(output.status.success(), "{}", words_of(&output));
        let said = [output.stdout.clone(), output.stderr.clone()].concat();
        assert!(SECRETS.iter().all(|secret| !holds(&said, secret)));
    }
    assert_told_to_own_hosts_only(&stage);
    for record in records(&stage.archive()) {
        let found = SECRETS.iter().find(|secret| holds(&record.block, secret));
        assert_eq!(found, None, "in a record of {}", record.url);
    }
    assert_not_in_files(&stage.archive());
}

/// The host got both, in both tiers; others got neither.
fn assert_told_to_own_hosts_only(stage: &Stage) {
    let log = stage.web.log();
    for secret in SECRETS {
        let told = |own: bool| {
            let hosts = log
                .iter()
                .filter(move |logged| (logged.host == "garden.example") == own);
            hosts
                .filter(|logged| holds(&logged.request_head, secret))
                .count()
        };
        assert!(told(true) >= 4, "{secret} was not sent");
        assert_eq!(told(false), 0, "{secret} was sent to others");
    }
}

/// Logs, indexes and lists are not compressed: they can just be searched.
fn assert_not_in_files(dir: &Path) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert_not_in_files(&path);
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let found = SECRETS.iter().find(|secret| holds(&bytes, secret));
        assert_eq!(found, None, "in {}", path.display());
    }
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

#[test]
fn a_lost_login_pauses_the_crawl_and_the_page_is_not_done_with() {
    let stage = Stage::new();
    let cookies = stage.dir.path().join("cookies.txt");
    let line = "shop.garden.example\tFALSE\t/\tFALSE\t0\tother\tstale\n";
    std::fs::write(&cookies, line).unwrap();
    let account = "https://shop.garden.example/account";
    let words = [account, "--scope", "page", "--tier", "http", "--delay", "0"];
    let own = ["--cookies", cookies.to_str().unwrap()];
    let mut command = stage.command(&[&words[..], &own].concat());
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().unwrap();
    while !stage
        .asked("shop.garden.example")
        .contains(&"/sign-in/".to_owned())
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_secs(2));
    assert!(child.try_wait().unwrap().is_none(), "it does not wait");
    let asked = stage.asked("shop.garden.example").len();
    let interrupt = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(stage.asked("shop.garden.example").len(), asked);
    // Without a session the page is where a stranger is led to.
    let summary = stage.crawl(&words, 0);
    assert_eq!(summary["saved"], 1);
}
