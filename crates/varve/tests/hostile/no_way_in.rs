//! Addresses that are not public are not contacted, however they are spelled and whoever asks.
//!
//! All of it happens in a network of its own that has the private addresses and no way out: a
//! guard that fails reaches nothing real. At the addresses *canaries* listen. A page at the one
//! address that is allowed tries every spelling in every way that a page has; each try must be in
//! the log as refused, and no canary may have heard of it. A second crawl, to which everything is
//! allowed, shows that the canaries would have.

mod canaries;
mod page;

use crate::harness::{busy, log};
use crate::name_server::{self, Answer};
use crate::namespace;
use canaries::Canaries;
use page::Tier;
use serde_json::Value;
use std::process::Command;
use url::Url;

/// Spellings of hosts that are not public.
pub(crate) const HOSTS: [&str; 28] = [
    "127.0.0.1",
    "127.0.0.2",
    "127.1",
    "0",
    "0.0.0.0",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "localhost",
    "localhost.",
    "x.localhost",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "private.test",
    "mixed.test",
    "rebinding.test",
];

/// The one private address that is allowed: where the pages are that try to get further.
const ALLOWED: &str = "10.9.9.9";
/// A public one. Nobody listens there.
const PUBLIC: &str = "1.2.3.4";

#[test]
fn there_is_no_way_in() {
    let _busy = busy();
    namespace::run("no_way_in::inside");
}

#[test]
#[ignore = "runs inside a network of its own"]
fn inside() {
    namespace::assert_inside();
    namespace::add_name_server();
    namespace::add_address(&format!("{ALLOWED}/32"));
    namespace::add_address(&format!("{PUBLIC}/32"));
    let canaries = Canaries::start();
    page::start(ALLOWED);
    let mut asked = 0;
    name_server::start(move |name| match name {
        "attack.test" => Answer::Addresses(&[ALLOWED]),
        "private.test" => Answer::Addresses(&["10.0.0.1"]),
        "mixed.test" => Answer::Addresses(&[PUBLIC, "fd00:ec2::254"]),
        // Public when it is looked at (both kinds of addresses), private when it is used.
        "rebinding.test" => {
            asked += 1;
            match asked {
                1 | 2 => Answer::Addresses(&[PUBLIC]),
                _ => Answer::Addresses(&["10.0.0.1"]),
            }
        }
        _ => Answer::NoSuchName,
    });
    for tier in [Tier::Http, Tier::Browser] {
        let refused = crawl(tier, &[&format!("{ALLOWED}/32")]);
        assert_eq!(
            canaries.heard(),
            Vec::<String>::new(),
            "in the {tier:?} tier"
        );
        assert_refused(tier, &refused);
        let refused = crawl_on(tier, &[&format!("{ALLOWED}/32")]);
        let heard = canaries.heard();
        assert_eq!(
            heard,
            Vec::<String>::new(),
            "following links, {tier:?} tier"
        );
        assert_hosts_refused(&refused);
        crawl(tier, &["0.0.0.0/0", "::/0"]);
        assert_eq!(
            canaries.heard(),
            canaries.addresses(),
            "the canaries of the {tier:?} tier are deaf"
        );
    }
}

/// Crawls everything that tries to get in; what the log says.
fn crawl(tier: Tier, allowed: &[&str]) -> Vec<Value> {
    let own = ["--scope", "page", "--ignore-robots"].map(str::to_owned);
    run(tier, allowed, [own.to_vec(), page::seeds()].concat())
}

/// The same from one page, following links and sitemaps.
fn crawl_on(tier: Tier, allowed: &[&str]) -> Vec<Value> {
    let own = [page::LINKS, "--scope", "any"].map(str::to_owned);
    run(tier, allowed, own.to_vec())
}

fn run(tier: Tier, allowed: &[&str], own: Vec<String>) -> Vec<Value> {
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_varve"));
    command.args(["crawl", "--no-screenshots", "--page-timeout", "20"]);
    command.args(["--delay", "0", "--retries", "0"]);
    command
        .args(["--tier", tier.name()])
        .arg("-c")
        .arg(dir.path().join("archive"));
    for net in allowed {
        command.args(["--allow-net", net]);
    }
    let output = command.args(own).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 4)), "{words}");
    log(&dir.path().join("archive"))
}

/// Every host was refused when its robots.txt was asked for, before its page or sitemap could be.
fn assert_hosts_refused(log: &[Value]) {
    for (number, host) in HOSTS.iter().enumerate() {
        let link = Url::parse(&format!("http://{host}/link/{number}")).unwrap();
        let robots = link.join("/robots.txt").unwrap();
        let mut about = log.iter().filter(|line| line["url"] == robots.as_str());
        let refused = about.any(|line| line["reason"] == "blocked.ssrf");
        assert!(refused || *host == "rebinding.test", "{host}");
        let mut pages = log.iter().filter(|line| line["url"] == link.as_str());
        let failed = pages.all(|line| line["reason"] != "ok" && line["kind"] == "page");
        assert!(failed, "{link}");
    }
}

/// Every try is in the log as refused, and the pages that tried are saved.
fn assert_refused(tier: Tier, log: &[Value]) {
    let mut missing = Vec::new();
    for vector in page::vectors(tier) {
        for (number, host) in HOSTS.iter().enumerate() {
            let path = format!("/{vector}/{number}");
            let about = |line: &&Value| {
                let url = line["url"].as_str().unwrap_or_default();
                line["kind"] != "page" && url.ends_with(&path) && !url.contains("attack.test")
            };
            let reasons: Vec<_> = log
                .iter()
                .filter(about)
                .map(|line| line["reason"].clone())
                .collect();
            // Its first address was public, and nobody was there.
            let right = |reason: &Value| {
                reason == "blocked.ssrf"
                    || (*host == "rebinding.test" && reason == "connect.refused")
            };
            if reasons.is_empty() || !reasons.iter().all(right) {
                missing.push(format!("{host} by {vector}: {reasons:?}"));
            }
        }
    }
    assert!(missing.is_empty(), "{tier:?} tier:\n{}", missing.join("\n"));
    for page in page::pages() {
        let mut lines = log.iter().filter(|line| line["kind"] == "page");
        let line = lines.find(|line| line["url"] == page.as_str()).unwrap();
        let saved = line["recorded"].as_u64() > Some(0);
        assert!(saved, "{line}");
    }
}
