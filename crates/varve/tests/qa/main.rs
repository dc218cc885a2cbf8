//! `varve qa` as users meet it: pages are captured by the program in a real Chromium, and what it
//! says about them is compared with what is known to be wrong.

#![allow(clippy::unwrap_used)]

mod damage;
mod examples;
mod faults;
mod other_pages;
mod site;

#[path = "../support/mod.rs"]
mod support;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// `varve qa` with a report in this directory, and these words.
fn qa(collection: &Path, report: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["qa", "--json", "--report"])
        .arg(report)
        .arg(collection)
        .args(words)
        .output()
        .unwrap()
}

/// The report on stdout of a check that ended with this code.
#[track_caller]
fn report_of(output: &Output, code: i32) -> Value {
    let words = support::stage::words_of(output);
    let found = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{words}\n{found}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What is wrong with pages, in words.
fn accusations(report: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for page in report["pages"].as_array().unwrap() {
        for finding in page["findings"].as_array().unwrap() {
            found.push(format!("{}: {finding}", page["url"]));
        }
    }
    found
}
