//! A site of three files, one of which changes when it is told to.

use crate::support::server::{Asked, send, server};
use crate::support::stage::words_of;
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// The running site, and a place for its archive.
pub(crate) struct Site {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    dir: tempfile::TempDir,
}

#[derive(Default)]
struct State {
    edition: u32,
    /// What was asked for, and the status of the answer.
    asked: Vec<String>,
}

impl Site {
    pub(crate) fn start() -> Site {
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        let port = server(move |asked, stream| answer(asked, stream, &shared));
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let dir = tempfile::tempdir().unwrap();
        Site {
            address,
            state,
            dir,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://site.example{path}")
    }

    pub(crate) fn archive(&self) -> PathBuf {
        self.dir.path().join("archive")
    }

    /// Changes the news.
    pub(crate) fn publish(&self) {
        self.state.lock().unwrap().edition += 1;
    }

    /// What was asked for since the last time.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().unwrap().asked)
    }

    /// Crawls it over HTTP and gives the summary; the crawl must end with this code.
    #[track_caller]
    pub(crate) fn crawl(&self, words: &[&str], code: i32) -> serde_json::Value {
        let output = Command::new(env!("CARGO_BIN_EXE_varve"))
            .args(["crawl", &self.url("/"), "--tier", "http", "--delay", "0"])
            .args(["--ignore-robots", "--no-sitemaps", "--json", "--map-host"])
            .arg(format!("*={}", self.address))
            .args(["--allow-net", "127.0.0.0/8", "-c"])
            .arg(self.archive())
            .args(words)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", words_of(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn answer(asked: &Asked, stream: &mut TcpStream, state: &Mutex<State>) {
    let mut state = state.lock().unwrap();
    let (kind, tag, body) = file(&asked.path, state.edition);
    let head = format!("ETag: {tag}\r\nConnection: close\r\n");
    let (status, reply) = match asked.field("if-none-match") == tag {
        true => (304, format!("HTTP/1.1 304 Not Modified\r\n{head}\r\n")),
        false => {
            let fields = format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
            (200, format!("HTTP/1.1 200 OK\r\n{fields}{head}\r\n{body}"))
        }
    };
    state.asked.push(format!("{} {status}", asked.path));
    send(stream, &reply);
}

/// The type, the tag and the text of a file.
fn file(path: &str, edition: u32) -> (&'static str, String, String) {
    let same = "\"same\"".to_owned();
    match path {
        "/" => {
            let links = "<link rel=stylesheet href=/style.css><a href=/news>News</a>";
            let page = format!("<!doctype html><title>Site</title>{links}<p>{}", noise());
            ("text/html", same, page)
        }
        "/style.css" => ("text/css", same, "p { color: green }".to_owned()),
        _ => {
            let page = format!("<!doctype html><title>News</title><p>edition {edition}");
            ("text/html", format!("\"{edition}\""), page)
        }
    }
}

/// Text that does not compress well: longer than what is read of a record at once.
fn noise() -> String {
    let mut number = 1_u64;
    let mut digit = || {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        char::from(b'a' + (number >> 59) as u8 % 26)
    };
    (0..600_000).map(|_| digit()).collect()
}
