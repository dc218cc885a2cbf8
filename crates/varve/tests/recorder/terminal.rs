//! The crawl on a real terminal.

use crate::support::server::{html, server};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;

/// Runs a crawl on a terminal of its own, made by `script`.
fn on_a_terminal(url: &str, dir: &std::path::Path, options: &str) -> Child {
    let crawl = format!(
        "stty cols 60 rows 24; exec '{}' {options} crawl {url} --allow-net 127.0.0.0/8 --scope page --delay 0 --retries 0 --ignore-robots -c '{}'",
        env!("CARGO_BIN_EXE_varve"),
        dir.join("archive").display()
    );
    Command::new("script")
        .args(["-q", "-e", "-c", &crawl, "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn the_picture_is_redrawn_in_place_and_taken_away() {
    let (go, gone) = channel::<()>();
    let gone = std::sync::Mutex::new(gone);
    let port = server(move |asked, stream| {
        if asked.path == "/held" {
            let _ = gone.lock().unwrap().recv();
        }
        html(stream, "<title>held</title>");
    });
    let dir = tempfile::tempdir().unwrap();
    let url = format!("http://127.0.0.1:{port}/held");
    let mut child = on_a_terminal(&url, dir.path(), "--color always");
    let mut terminal = child.stdout.take().unwrap();
    let mut seen = String::new();
    let mut bytes = [0; 4_096];
    let mut go = Some(go);
    while let Ok(read @ 1..) = terminal.read(&mut bytes) {
        seen += &String::from_utf8_lossy(&bytes[..read]);
        // Two pictures have been drawn, one over the other.
        if seen.matches("1 page in flight").count() >= 2 {
            go = None;
        }
    }
    assert!(go.is_none(), "{seen}");
    assert_eq!(child.wait().unwrap().code(), Some(0), "{seen}");
    assert!(seen.contains("\x1b[32mrunning\x1b[0m"), "{seen}");
    let (_, end) = seen.rsplit_once("\x1b[J").unwrap();
    assert!(end.starts_with("1 of 1 page saved"), "{seen}");
}
