//! The crate graph as code: who may use whom, and which crate alone knows a heavy dependency.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// Our crates and those of ours that each may use.
const GRAPH: [(&str, &[&str]); 3] = [
    ("varve-model", &[]),
    ("varve-store", &["varve-model"]),
    ("varve", &["varve-model", "varve-store"]),
];

/// Dependencies that one crate alone may name.
const ALONE: [(&str, &str); 12] = [
    ("brotli-decompressor", "varve-store"),
    ("clap", "varve"),
    ("crc32fast", "varve-store"),
    ("flate2", "varve-store"),
    ("idna", "varve-model"),
    ("indicatif", "varve"),
    ("regex", "varve-store"),
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
    for package in packages().iter().filter(|package| !is_bench(package)) {
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
    for package in packages().iter().filter(|package| !is_bench(package)) {
        let name = package["name"].as_str().unwrap();
        for (heavy, owner) in ALONE {
            assert!(
                name == owner || !dependencies(package).contains(heavy),
                "{name} must not use {heavy}"
            );
        }
    }
}

/// Benchmarks measure what they like.
fn is_bench(package: &Value) -> bool {
    package["name"].as_str().unwrap().starts_with("varve-bench")
}
