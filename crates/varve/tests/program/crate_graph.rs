//! The crate graph as code: who may use whom, and which crate alone knows a heavy dependency.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// Our crates and those of ours that each may use.
const GRAPH: [(&str, &[&str]); 11] = [
    // The archive stem.
    ("varve-model", &[]),
    ("varve-store", &["varve-model"]),
    // The content stem: no I/O, no idea of archives.
    ("varve-js", &[]),
    ("varve-page", &["varve-js"]),
    // The network stem.
    ("varve-fetch", &["varve-model"]),
    ("varve-browser", &["varve-fetch", "varve-model"]),
    // All of them together.
    (
        "varve-crawl",
        &[
            "varve-browser",
            "varve-fetch",
            "varve-model",
            "varve-page",
            "varve-store",
        ],
    ),
    // Words and pages, no idea of archives.
    ("varve-search", &[]),
    // Replay: the archive and content stems, and no network.
    (
        "varve-serve",
        &[
            "varve-js",
            "varve-model",
            "varve-page",
            "varve-search",
            "varve-store",
        ],
    ),
    // Replay and the browser that visits it.
    (
        "varve-qa",
        &[
            "varve-browser",
            "varve-model",
            "varve-page",
            "varve-serve",
            "varve-store",
        ],
    ),
    (
        "varve",
        &[
            "varve-crawl",
            "varve-demo",
            "varve-model",
            "varve-qa",
            "varve-serve",
            "varve-store",
        ],
    ),
];

/// Dependencies that one crate alone may name.
const ALONE: [(&str, &str); 26] = [
    ("blake3", "varve-crawl"),
    ("cookie_store", "varve-crawl"),
    ("brotli-decompressor", "varve-store"),
    ("chardetng", "varve-page"),
    ("clap", "varve"),
    ("console", "varve"),
    ("crc32fast", "varve-store"),
    ("cssparser", "varve-page"),
    ("encoding_rs", "varve-page"),
    ("flate2", "varve-store"),
    ("hickory-resolver", "varve-fetch"),
    ("idna", "varve-model"),
    ("indicatif", "varve"),
    ("lol_html", "varve-page"),
    ("oxc_parser", "varve-js"),
    ("fjall", "varve-crawl"),
    ("png", "varve-qa"),
    ("psl", "varve-crawl"),
    ("prometheus-client", "varve"),
    ("rustls-native-certs", "varve-fetch"),
    ("sha1", "varve-model"),
    ("sha2", "varve-model"),
    ("signal-hook", "varve"),
    ("tantivy", "varve-search"),
    ("zip", "varve-store"),
    ("zstd", "varve-store"),
];

/// Who answers requests: replay, and the dashboard of a crawl.
const SERVERS: [&str; 2] = ["varve-serve", "varve"];

/// What can open a connection to another machine. Replay must not even link it.
const CLIENTS: [&str; 8] = [
    "h2",
    "hickory-resolver",
    "reqwest",
    "rustls",
    "tokio-rustls",
    "ureq",
    "varve-browser",
    "varve-fetch",
];

fn packages() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().clone();
    packages
        .into_iter()
        .filter(|package| package["name"].as_str().unwrap().starts_with("varve"))
        .collect()
}

/// The normal dependencies of a package, by name.
fn dependencies(package: &Value) -> BTreeSet<&str> {
    package["dependencies"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|dependency| dependency["kind"].is_null())
        .map(|dependency| dependency["name"].as_str().unwrap())
        .collect()
}

#[test]
fn crates_use_only_those_below_them() {
    for package in packages().iter().filter(|package| !stands_apart(package)) {
        let name = package["name"].as_str().unwrap();
        let (_, allowed) = GRAPH
            .iter()
            .find(|(known, _)| *known == name)
            .expect("every crate is in the graph");
        for dependency in dependencies(package)
            .into_iter()
            .filter(|name| name.starts_with("varve"))
        {
            assert!(
                allowed.contains(&dependency),
                "{name} must not use {dependency}"
            );
        }
    }
}

#[test]
fn heavy_dependencies_are_known_to_one_crate_alone() {
    for package in packages().iter().filter(|package| !stands_apart(package)) {
        let name = package["name"].as_str().unwrap();
        for (heavy, owner) in ALONE {
            assert!(
                name == owner || !dependencies(package).contains(heavy),
                "{name} must not use {heavy}"
            );
        }
    }
}

#[test]
fn only_servers_know_how_to_serve() {
    for package in packages().iter().filter(|package| !stands_apart(package)) {
        let name = package["name"].as_str().unwrap();
        let serves = dependencies(package).contains("axum");
        assert!(
            !serves || SERVERS.contains(&name),
            "{name} must not use axum"
        );
    }
}

#[test]
fn replay_links_no_client() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--offline", "--package", "varve-serve"])
        .args(["--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let linked: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(linked.contains("varve-store"), "{text}");
    for client in CLIENTS {
        assert!(!linked.contains(client), "replay must not link {client}");
    }
}

/// Benchmarks use what they like, and so does the example web: it must not share our mistakes.
fn stands_apart(package: &Value) -> bool {
    let name = package["name"].as_str().unwrap();
    name.starts_with("varve-bench") || name == "varve-demo"
}
