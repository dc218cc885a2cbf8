//! Saving single pages with the program.

use crate::support::stage::{Stage, words_of};
use std::process::{Command, Output};

impl Stage {
    /// Saves these pages of it, and no others, into the archive.
    pub(crate) fn save(&self, args: &[&str]) -> Crawled {
        let ca = self.dir.path().join("ca.pem");
        let mapping = format!("*={}", self.web.address());
        let collection = self.archive();
        let more = [
            "--map-host",
            &mapping,
            "--ca-file",
            ca.to_str().unwrap(),
            "-c",
            collection.to_str().unwrap(),
        ];
        crawl(&[args, &more].concat())
    }
}

/// How a crawl ended.
pub(crate) struct Crawled {
    pub(crate) code: Option<i32>,
    pub(crate) summary: serde_json::Value,
    pub(crate) words: String,
}

/// Runs `varve crawl` on loopback.
pub(crate) fn crawl(args: &[&str]) -> Crawled {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args([
            "crawl",
            "--json",
            "--allow-net",
            "127.0.0.0/8",
            "--scope",
            "page",
        ])
        .args(["--delay", "0", "--retries", "0", "--ignore-robots"])
        .args(args)
        .output()
        .unwrap();
    Crawled {
        code: output.status.code(),
        summary: serde_json::from_slice(&output.stdout).unwrap_or_default(),
        words: words_of(&output),
    }
}

impl Crawled {
    /// The reason of the n-th page.
    #[track_caller]
    pub(crate) fn reason(&self, page: usize) -> &str {
        let reason = self.summary["pages"][page]["reason"].as_str();
        reason.unwrap_or_else(|| panic!("no such page: {}\n{}", self.summary, self.words))
    }
}
