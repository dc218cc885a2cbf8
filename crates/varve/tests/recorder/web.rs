//! Crawling the example web with the program.

use std::path::Path;
use std::process::{Command, Output};
use varve_demo::{DemoOptions, DemoWeb};

/// A running example web.
pub(crate) struct Web {
    pub(crate) web: DemoWeb,
    pub(crate) dir: tempfile::TempDir,
    _runtime: tokio::runtime::Runtime,
}

impl Web {
    pub(crate) fn start() -> Web {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let options = DemoOptions {
            log: true,
            ..DemoOptions::default()
        };
        let web = runtime.block_on(DemoWeb::start(options)).unwrap();
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("ca.pem"), web.ca_pem()).unwrap();
        Web {
            web,
            dir,
            _runtime: runtime,
        }
    }

    /// Crawls these URLs of it into `archive`.
    pub(crate) fn crawl(&self, args: &[&str]) -> Crawled {
        let ca = self.dir.path().join("ca.pem");
        let mapping = format!("*={}", self.web.address());
        let collection = self.dir.path().join("archive");
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

    pub(crate) fn archive(&self) -> std::path::PathBuf {
        self.dir.path().join("archive")
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
        words: String::from_utf8_lossy(&output.stderr).into_owned(),
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

/// The program finds nothing wrong with an archive.
#[track_caller]
pub(crate) fn assert_sound(archive: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_varve"))
        .arg("audit")
        .arg(archive)
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{words}");
}
