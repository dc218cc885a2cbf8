//! What administrators did: a line for each, in a file that only grows.

use crate::error::ServeError;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::IpAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use varve_store::world::{RealWorld, World};

/// The log, in the first collection's `state/`.
pub(super) struct Log {
    held: Mutex<Held>,
}

struct Held {
    file: File,
    /// Why the last line is not in it.
    trouble: Option<String>,
}

/// Who did something.
pub(super) struct Author<'a> {
    pub(super) name: &'a str,
    pub(super) from: IpAddr,
}

impl Log {
    /// Opens the log of the collection in a directory, or begins one.
    pub(super) fn open(root: &Path) -> Result<Log, ServeError> {
        let state = root.join("state");
        let path = state.join("admin.jsonl");
        let opened = std::fs::create_dir_all(&state).and_then(|()| {
            let mut options = OpenOptions::new();
            options.append(true).create(true).mode(0o600).open(&path)
        });
        let file = opened.map_err(|error| ServeError::AdminLog { file: path, error })?;
        let held = Held {
            file,
            trouble: None,
        };
        Ok(Log {
            held: Mutex::new(held),
        })
    }

    /// Writes down what somebody did, and what came of it. What cannot be written is told on the
    /// page of administration.
    pub(super) fn write(&self, author: &Author<'_>, did: &str, what: &Value, outcome: &str) {
        let line = json!({
            "time": RealWorld.now().w3c(), "who": author.name, "from": author.from.to_string(),
            "did": did, "what": what, "outcome": outcome,
        });
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let written = held.file.write_all(format!("{line}\n").as_bytes());
        let written = written.and_then(|()| held.file.sync_data());
        held.trouble = written.err().map(|error| error.to_string());
    }

    /// Why the last line is not in the log.
    pub(super) fn trouble(&self) -> Option<String> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.trouble.clone()
    }
}
