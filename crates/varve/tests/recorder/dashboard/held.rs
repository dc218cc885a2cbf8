//! A crawl that stands still where a test wants to look at it: its pages come when they are
//! released.

use super::ask::poll;
use crate::support::server::{html, server};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

/// A server that answers `/page/N` only after it is told to.
pub(crate) struct Held {
    port: u16,
    gate: Arc<(Mutex<Gate>, Condvar)>,
}

#[derive(Default)]
struct Gate {
    asked: usize,
    open: bool,
}

impl Held {
    pub(crate) fn start(body: &'static str) -> Held {
        let gate = Arc::new((Mutex::new(Gate::default()), Condvar::new()));
        let theirs = gate.clone();
        let port = server(move |asked, stream| {
            if asked.path.starts_with("/page/") {
                let (gate, opened) = &*theirs;
                let mut gate = gate.lock().unwrap();
                gate.asked += 1;
                let _open = opened.wait_while(gate, |gate| !gate.open).unwrap();
            }
            html(stream, body);
        });
        Held { port, gate }
    }

    pub(crate) fn url(&self, page: usize) -> String {
        format!("http://127.0.0.1:{}/page/{page}", self.port)
    }

    /// Pages come from now on.
    pub(crate) fn release(&self) {
        self.gate.0.lock().unwrap().open = true;
        self.gate.1.notify_all();
    }

    /// How many pages were asked for.
    pub(crate) fn asked(&self) -> usize {
        self.gate.0.lock().unwrap().asked
    }

    pub(crate) fn wait_until_asked(&self, pages: usize) {
        poll("the request", || (self.asked() >= pages).then_some(()));
    }
}

/// A crawl with a dashboard.
pub(crate) struct Running {
    child: Child,
    /// Where its dashboard is.
    pub(crate) address: String,
    words: Option<JoinHandle<String>>,
    _dir: tempfile::TempDir,
}

impl Running {
    pub(crate) fn start(args: &[&str]) -> Running {
        let dir = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_varve"))
            .args(["crawl", "--allow-net", "127.0.0.0/8", "--scope", "page"])
            .args(["--delay", "0", "--retries", "0", "--ignore-robots", "-c"])
            .arg(dir.path().join("archive"))
            .args(["--dashboard", "127.0.0.1:0"])
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut words = BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        words.read_line(&mut first).unwrap();
        let address = first
            .trim_end()
            .strip_prefix("dashboard at http://")
            .and_then(|rest| rest.strip_suffix('/'))
            .unwrap_or_else(|| panic!("{first}"))
            .to_owned();
        let rest = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = words.read_to_string(&mut text);
            text
        });
        Running {
            child,
            address,
            words: Some(rest),
            _dir: dir,
        }
    }

    /// Waits for its end; its exit code.
    #[track_caller]
    pub(crate) fn end(mut self) -> Option<i32> {
        let status = self.child.wait().unwrap();
        let words = self.words.take().unwrap().join().unwrap();
        println!("{words}");
        status.code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
