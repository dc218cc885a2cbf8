//! The crate graph as code: who may use whom, and which crate alone knows a heavy dependency.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// Our crates and those of ours that each may use.
const GRAPH: [(&str, &[&str]); 8] = [
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
    (
        "varve",
        &["varve-crawl", "varve-demo", "varve-model", "varve-store"],
    ),
];

/// Dependencies that one crate alone may name.
const ALONE: [(&str, &str); 25] = [
    ("axum", "varve"),
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
    ("psl", "varve-crawl"),
    ("prometheus-client", "varve"),
    ("rustls-native-certs", "varve-fetch"),
    ("sha1", "varve-model"),
    ("sha2", "varve-model"),
    ("signal-hook", "varve"),
    ("zip", "varve-store"),
    ("zstd", "varve-store"),
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

/// Benchmarks use what they like, and so does the example web: it must not share our mistakes.
fn stands_apart(package: &Value) -> bool {
    let name = package["name"].as_str().unwrap();
    name.starts_with("varve-bench") || name == "varve-demo"
}
