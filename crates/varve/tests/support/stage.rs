//! The example web, and the program crawling it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use varve_demo::{DemoOptions, DemoWeb};

/// A running example web and a place for archives.
pub(crate) struct Stage {
    pub(crate) web: DemoWeb,
    pub(crate) dir: tempfile::TempDir,
    _runtime: tokio::runtime::Runtime,
}

impl Stage {
    pub(crate) fn new() -> Stage {
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
        Stage {
            web,
            dir,
            _runtime: runtime,
        }
    }

    pub(crate) fn archive(&self) -> PathBuf {
        self.dir.path().join("archive")
    }

    /// `varve crawl` with these words, into the archive.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_varve"));
        command
            .arg("crawl")
            .args(words)
            .arg("--map-host")
            .arg(format!("*={}", self.web.address()))
            .args(["--allow-net", "127.0.0.0/8", "--ca-file"])
            .arg(self.dir.path().join("ca.pem"))
            .arg("-c")
            .arg(self.archive());
        command
    }

    /// Crawls and gives the summary; the crawl must end with this code.
    #[track_caller]
    pub(crate) fn crawl(&self, words: &[&str], code: i32) -> serde_json::Value {
        let output = self.command(words).arg("--json").output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", words_of(&output));
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    /// The targets that a host was asked for, in order.
    pub(crate) fn asked(&self, host: &str) -> Vec<String> {
        let log = self.web.log().into_iter();
        log.filter(|logged| logged.host == host)
            .map(|logged| logged.target)
            .collect()
    }
}

/// What a program said to people.
pub(crate) fn words_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The program finds nothing wrong with an archive.
#[track_caller]
pub(crate) fn assert_sound(archive: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_varve"))
        .arg("audit")
        .arg(archive)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
}
