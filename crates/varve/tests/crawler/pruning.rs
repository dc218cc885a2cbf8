//! Pages that are not the same without all of their scripts keep them.

use crate::support::server::{Asked, send, server};
use crate::support::stage::words_of;
use serde_json::Value;
use std::net::TcpStream;
use std::process::Command;

const PAGE: &str = "<!doctype html><title>guarded</title><body><script src=/guard.js></script>";
/// Statements that nothing compresses.
fn filling() -> String {
    let mut number = 1_u64;
    let mut next = || {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        format!("words.push('{number:x}');")
    };
    (0..200).map(|_| next()).collect()
}

/// A script that looks at its own functions: at a comment in one of them.
fn script() -> String {
    let never = format!("function never(words) {{ {} return words }}", filling());
    let always =
        "function always(word) { /* whoever takes this out will be found out */ return word }";
    let length = always.len();
    format!(
        "{never}\n{always}\nconst is_whole = always.toString().length === {length};\
         document.body.append(always(is_whole ? 'as it was' : 'tampered with'));"
    )
}

fn answer(asked: &Asked, stream: &mut TcpStream) {
    let (kind, body) = match asked.path.as_str() {
        "/" => ("text/html", PAGE.to_owned()),
        "/guard.js" => ("text/javascript", script()),
        _ => ("image/gif", "GIF89a".to_owned()),
    };
    let length = body.len();
    let fields = format!("Content-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close");
    send(
        stream,
        &format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n{body}"),
    );
}

#[test]
fn a_page_that_notices_keeps_its_scripts() {
    let port = server(answer);
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("archive");
    let varve = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_varve"))
            .args(words)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let (to, archive) = (format!("*=127.0.0.1:{port}"), archive.to_str().unwrap());
    let page = "http://guarded.example/";
    varve(&[
        "crawl",
        page,
        "--scope",
        "page",
        "--tier",
        "browser",
        "--learn",
        "--ignore-robots",
        "--no-sitemaps",
        "--json",
        "--allow-net",
        "127.0.0.0/8",
        "--map-host",
        &to,
        "-c",
        archive,
    ]);
    let told = varve(&["prune", archive, "--json"]);
    assert_eq!(told["pages_spared"][0], page, "{told}");
    assert_eq!(told["scripts"]["cut"], 0, "{told}");
    let why = "a page was not the same without";
    assert_eq!(told["scripts"]["whole"][why], 1, "{told}");
}
