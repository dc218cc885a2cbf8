//! Servers that stall, lie, break off and never end; pages that never come to rest.

use crate::archive::records;
use crate::web::{assert_sound, crawl};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;
use varve_store::warc::RecordType;

const TIMEOUT: u64 = 6;

/// A server that treats every connection like this, until the test ends.
pub(crate) fn server(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer = std::sync::Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (Ok(mut stream), answer) = (stream, answer.clone()) else {
                continue;
            };
            std::thread::spawn(move || {
                let mut request = Vec::new();
                let mut byte = [0; 1];
                while !request.ends_with(b"\r\n\r\n") {
                    match stream.read(&mut byte) {
                        Ok(1) => request.push(byte[0]),
                        _ => return,
                    }
                }
                let text = String::from_utf8_lossy(&request).into_owned();
                let path = text.split(' ').nth(1).unwrap_or("/").to_owned();
                answer(&path, &mut stream);
            });
        }
    });
    port
}

pub(crate) fn send(stream: &mut TcpStream, text: &str) -> bool {
    stream.write_all(text.as_bytes()).is_ok()
}

pub(crate) fn html(stream: &mut TcpStream, body: &str) {
    let length = body.len();
    send(
        stream,
        &format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ),
    );
}

/// Crawls these pages of a server and an innocent one after them; each ends with one of the
/// reasons given, in time.
fn check(tier: &str, port: u16, expected: &[(&str, &[&str])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let quiet = server(|_, stream| html(stream, "<title>quiet</title>"));
    let mut urls: Vec<String> = expected
        .iter()
        .map(|(path, _)| format!("http://127.0.0.1:{port}{path}"))
        .collect();
    urls.push(format!("http://127.0.0.1:{quiet}/"));
    let archive = dir.path().join("archive");
    let timeout = TIMEOUT.to_string();
    let mut args: Vec<&str> = urls.iter().map(String::as_str).collect();
    args.extend(["--tier", tier, "--page-timeout", &timeout]);
    args.extend(["--max-body", "2000000", "-c", archive.to_str().unwrap()]);
    let crawled = crawl(&args);
    let pages = crawled.summary["pages"].as_array().expect(&crawled.words);
    for (url, reasons) in urls.iter().zip(
        expected
            .iter()
            .map(|(_, reasons)| *reasons)
            .chain([&["ok"][..]]),
    ) {
        let page = pages.iter().find(|page| page["url"] == url.as_str());
        let page = page.unwrap_or_else(|| panic!("{url} is missing: {}", crawled.words));
        let reason = page["reason"].as_str().unwrap();
        assert!(
            reasons.contains(&reason),
            "{url}: {reason}, not {reasons:?}\n{}",
            crawled.words
        );
        let ms = page["ms"].as_u64().unwrap();
        assert!(ms < (TIMEOUT + 5) * 1_000, "{url} took {ms} ms");
    }
    assert_eq!(crawled.code, Some(4), "{}", crawled.words);
    assert_sound(&archive);
    dir
}

/// What came of a page is kept, and marked.
#[track_caller]
fn assert_kept(dir: &tempfile::TempDir, part: &str, truncated: &str) {
    let records = records(&dir.path().join("archive"));
    let record = records.iter().find(|record| {
        let mut parts = record.block.windows(part.len());
        record.kind == RecordType::Response && parts.any(|at| at == part.as_bytes())
    });
    let record = record.unwrap_or_else(|| panic!("nothing of {part} is kept"));
    assert_eq!(record.truncated.as_deref(), Some(truncated), "{part}");
}

fn misbehave(path: &str, stream: &mut TcpStream) {
    let pause = || std::thread::sleep(Duration::from_millis(200));
    const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    match path {
        "/silent" => std::thread::sleep(Duration::from_secs(60)),
        "/slow-head" => {
            for byte in format!("{HEAD}X: {}\r\n\r\n", "x".repeat(1_000)).chars() {
                if !send(stream, &byte.to_string()) {
                    return;
                }
                pause();
            }
        }
        "/slow-body" => {
            send(
                stream,
                &format!("{HEAD}Content-Length: 100000\r\n\r\nslow-body "),
            );
            while send(stream, "x") {
                pause();
            }
        }
        "/cut" => {
            send(
                stream,
                &format!("{HEAD}Content-Length: 100000\r\n\r\ncut-body"),
            );
        }
        "/endless" => {
            send(stream, &format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n"));
            while send(stream, &format!("400\r\n{}\r\n", "endless-".repeat(128))) {}
        }
        "/last-chunk-missing" => {
            send(
                stream,
                &format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nparts\r\n"),
            );
        }
        "/huge-chunk" => {
            send(
                stream,
                &format!("{HEAD}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nhuge"),
            );
        }
        "/long-field" => {
            send(stream, &format!("{HEAD}X: {}\r\n\r\n", "x".repeat(400_000)));
        }
        "/many-fields" => {
            send(stream, &format!("{HEAD}{}\r\n", "X: y\r\n".repeat(100_000)));
        }
        "/no-http" => {
            send(stream, "<html>as in 1991</html>");
        }
        "/informational" => while send(stream, "HTTP/1.1 102 Processing\r\n\r\n") {},
        "/around" => {
            send(
                stream,
                "HTTP/1.1 302 Found\r\nLocation: /around\r\nContent-Length: 0\r\n\r\n",
            );
        }
        "/further" => {
            send(
                stream,
                "HTTP/1.1 302 Found\r\nLocation: /further/\r\nContent-Length: 0\r\n\r\n",
            );
        }
        path if path.starts_with("/further/") => {
            send(
                stream,
                &format!("HTTP/1.1 302 Found\r\nLocation: {path}x/\r\nContent-Length: 0\r\n\r\n"),
            );
        }
        "/to-a-file" => {
            send(
                stream,
                "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
            );
        }
        _ => html(stream, "<title>here</title>"),
    }
}

#[test]
fn servers_that_misbehave_end_in_time_and_what_came_is_kept() {
    let port = server(misbehave);
    let dir = check(
        "http",
        port,
        &[
            ("/silent", &["timeout.header"]),
            ("/slow-head", &["timeout.header"]),
            ("/slow-body", &["truncated.time"]),
            ("/cut", &["truncated.disconnect"]),
            ("/endless", &["truncated.length"]),
            ("/last-chunk-missing", &["truncated.disconnect"]),
            ("/huge-chunk", &["truncated.disconnect"]),
            ("/long-field", &["limit.header"]),
            ("/many-fields", &["limit.header"]),
            ("/no-http", &["http.malformed"]),
            ("/informational", &["limit.header"]),
            ("/around", &["redirect.loop"]),
            ("/further", &["redirect.loop"]),
            ("/to-a-file", &["redirect.blocked"]),
        ],
    );
    assert_kept(&dir, "slow-body", "time");
    assert_kept(&dir, "cut-body", "disconnect");
    assert_kept(&dir, "endless-", "length");
}

#[test]
fn the_browser_survives_the_same_servers() {
    let port = server(misbehave);
    let dir = check(
        "browser",
        port,
        &[
            ("/silent", &["timeout.header", "timeout.page"]),
            ("/slow-body", &["timeout.page"]),
            ("/cut", &["truncated.disconnect"]),
            ("/no-http", &["http.malformed"]),
            ("/around", &["navigation.too-many-redirects"]),
        ],
    );
    assert_kept(&dir, "slow-body", "time");
    assert_kept(&dir, "cut-body", "disconnect");
}

fn unruly(path: &str, stream: &mut TcpStream) {
    let script = match path {
        "/loop" => "while (true);",
        "/alerts" => "while (true) alert('again');",
        "/windows" => "setInterval(() => window.open('/x' + Math.random()), 1);",
        "/reload" => "location.reload();",
        "/hog" => "const all = []; while (true) all.push(new Uint8Array(1 << 26).fill(1));",
        "/restless" => "setInterval(() => fetch('/x' + Math.random()), 50);",
        "/workers" => "setInterval(() => new Worker('data:text/javascript,while(true);'), 10);",
        "/mutations" => "(function f(){document.body.append('x'); requestAnimationFrame(f)})();",
        "/leave" => "addEventListener('beforeunload', event => event.preventDefault());",
        "/print" => "print(); document.body.append('printed');",
        _ => "",
    };
    html(
        stream,
        &format!(
            "<!doctype html><title>{path}</title><body><p>unruly</p><script>{script}</script>"
        ),
    );
}

#[test]
fn pages_that_never_rest_end_in_time() {
    let port = server(unruly);
    check(
        "browser",
        port,
        &[
            // Which of these it is depends on how much of the machine the others leave.
            ("/loop", &["browser.hang"]),
            ("/alerts", &["browser.dialog", "browser.hang"]),
            ("/windows", &["ok", "ok.partial", "timeout.page"]),
            ("/reload", &["redirect.loop", "timeout.page"]),
            ("/hog", &["browser.oom", "browser.crash", "browser.hang"]),
            ("/restless", &["timeout.page", "ok.partial", "browser.hang"]),
            (
                "/workers",
                &["ok", "ok.partial", "timeout.page", "browser.hang"],
            ),
            ("/mutations", &["ok", "ok.partial"]),
            ("/leave", &["ok"]),
            ("/print", &["ok"]),
        ],
    );
}
