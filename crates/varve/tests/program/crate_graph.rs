//! The crate graph as code: who may use whom, and which crate alone knows a heavy dependency.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Our crates and those of ours that each may use.
const GRAPH: [(&str, &[&str]); 17] = [
    // The archive stem.
    ("varve-model", &[]),
    ("varve-store", &["varve-model"]),
    // Profiles of archives: texts, no idea of records.
    ("varve-mementomap", &["varve-model"]),
    // The content stem: no I/O, no idea of archives.
    ("varve-js", &[]),
    ("varve-page", &["varve-js"]),
    // What visits taught: no I/O, no idea of archives or browsers.
    ("varve-memo", &["varve-js", "varve-page"]),
    // Rules about URLs: no I/O.
    ("varve-filter", &[]),
    // The network stem.
    ("varve-fetch", &["varve-model"]),
    (
        "varve-browser",
        &["varve-authority", "varve-fetch", "varve-model"],
    ),
    // The server's side of TLS, for proxies: no network.
    ("varve-authority", &["varve-model"]),
    // All of them together.
    (
        "varve-crawl",
        &[
            "varve-browser",
            "varve-fetch",
            "varve-filter",
            "varve-memo",
            "varve-model",
            "varve-page",
            "varve-store",
        ],
    ),
    // Other archives; of the store only what takes codings off bodies.
    (
        "varve-aggregate",
        &[
            "varve-fetch",
            "varve-mementomap",
            "varve-model",
            "varve-store",
        ],
    ),
    // Words and pages, no idea of archives.
    ("varve-search", &[]),
    // Replay: the archive and content stems, and no network.
    (
        "varve-serve",
        &[
            "varve-authority",
            "varve-js",
            "varve-mementomap",
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
    // What can run of scripts, proved by replaying.
    (
        "varve-prune",
        &[
            "varve-browser",
            "varve-js",
            "varve-model",
            "varve-page",
            "varve-qa",
            "varve-serve",
            "varve-store",
        ],
    ),
    (
        "varve",
        &[
            "varve-aggregate",
            "varve-crawl",
            "varve-demo",
            "varve-filter",
            "varve-memo",
            "varve-mementomap",
            "varve-model",
            "varve-prune",
            "varve-qa",
            "varve-serve",
            "varve-store",
        ],
    ),
];

/// Dependencies that one crate alone may name.
const ALONE: [(&str, &str); 28] = [
    ("adblock", "varve-filter"),
    ("cookie_store", "varve-crawl"),
    ("brotli-decompressor", "varve-store"),
    ("chardetng", "varve-page"),
    ("clap", "varve"),
    ("console", "varve"),
    ("crc32fast", "varve-store"),
    ("cssparser", "varve-page"),
    ("encoding_rs", "varve-page"),
    ("hickory-resolver", "varve-fetch"),
    ("html5ever", "varve-page"),
    ("idna", "varve-model"),
    ("lepton_jpeg", "varve-store"),
    ("indicatif", "varve"),
    ("oxc_parser", "varve-js"),
    ("fjall", "varve-crawl"),
    ("png", "varve-qa"),
    ("psl", "varve-filter"),
    ("rcgen", "varve-authority"),
    ("prometheus-client", "varve"),
    ("rustls-native-certs", "varve-fetch"),
    ("selectors", "varve-page"),
    ("sha1", "varve-model"),
    ("sha2", "varve-model"),
    ("signal-hook", "varve"),
    ("tantivy", "varve-search"),
    ("zip", "varve-store"),
    ("xorf", "varve-mementomap"),
];

/// Who tells contents apart by their hashes: of bodies, and of scripts.
const HASHING: [&str; 2] = ["varve-crawl", "varve-js"];

/// Who reads and writes compressed files: archives, and texts about them.
const COMPRESSING: [&str; 2] = ["varve-store", "varve-mementomap"];

/// Who answers requests: replay, the aggregator, and the dashboard of a crawl.
const SERVERS: [&str; 3] = ["varve-serve", "varve-aggregate", "varve"];

/// What opens connections to other machines, or is of use only to those who do: names are looked
/// up, and servers' certificates checked against those that all the world trusts. Replay must not
/// even link it. (TLS itself it links: its proxy is a server.)
const CLIENTS: [&str; 10] = [
    "h2",
    "hickory-resolver",
    "native-tls",
    "reqwest",
    "rustls-native-certs",
    "rustls-platform-verifier",
    "ureq",
    "varve-browser",
    "varve-fetch",
    "webpki-roots",
];

/// Features with which what replay links becomes a client.
const CLIENT_FEATURES: [&str; 4] = [
    "hyper feature \"client\"",
    "hyper feature \"full\"",
    "hyper-util feature \"client",
    "hyper-util feature \"full\"",
];

/// Words without which no program of ours connects to anything: of the standard library and tokio,
/// of TLS, and of HTTP. No source of what replay is made of may have them, but for its tests.
const CONNECTING: [&str; 10] = [
    "::connect(",
    ".connect(",
    "ClientConfig",
    "ClientConnection",
    "TlsConnector",
    "TcpSocket",
    "ToSocketAddrs",
    "UdpSocket",
    "UnixStream",
    "client::conn",
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
fn only_those_who_have_files_compress() {
    for package in packages().iter().filter(|package| !stands_apart(package)) {
        let name = package["name"].as_str().unwrap();
        for compression in ["flate2", "zstd"] {
            assert!(
                COMPRESSING.contains(&name) || !dependencies(package).contains(compression),
                "{name} must not use {compression}"
            );
        }
    }
}

#[test]
fn only_those_who_tell_contents_apart_hash() {
    for package in packages().iter().filter(|package| !stands_apart(package)) {
        let name = package["name"].as_str().unwrap();
        let hashes = dependencies(package).contains("blake3");
        assert!(
            !hashes || HASHING.contains(&name),
            "{name} must not use blake3"
        );
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

#[test]
fn nothing_that_replay_links_is_made_a_client() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--offline", "--package", "varve-serve"])
        .args(["--edges", "normal,features", "--prefix", "none"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("hyper feature \"server\""), "{text}");
    for feature in CLIENT_FEATURES {
        assert!(!text.contains(feature), "replay must not have {feature}");
    }
}

#[test]
fn replay_has_no_words_to_connect_with() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (_, used) = GRAPH
        .iter()
        .find(|(name, _)| *name == "varve-serve")
        .unwrap();
    let mut looked_at = 0;
    for name in used.iter().chain(&["varve-serve"]) {
        for file in sources(&crates.join(name).join("src")) {
            let text = std::fs::read_to_string(&file).unwrap();
            // Tests stand at the end.
            let program = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            for word in CONNECTING {
                let found = program.contains(word);
                assert!(!found, "{}: {word}", file.display());
            }
            looked_at += 1;
        }
    }
    assert!(looked_at > 200, "{looked_at}");
}

#[test]
fn the_aggregator_opens_no_collection() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let files = sources(&crates.join("varve-aggregate/src"));
    assert!(files.len() > 20, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let of_the_store = text.matches("varve_store::").count();
        assert_eq!(
            of_the_store,
            text.matches("varve_store::http::").count(),
            "{}",
            file.display()
        );
    }
}

/// The Rust files below a directory.
fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found
}

/// Benchmarks use what they like, and so does the example web: it must not share our mistakes.
fn stands_apart(package: &Value) -> bool {
    let name = package["name"].as_str().unwrap();
    name.starts_with("varve-bench") || name == "varve-demo"
}
