//! What was answered before is answered again, at once and the same, for as long as it is true.

use crate::archive::{Saved, TIME, add_layer, add_logged};
use crate::asking::{Answer, BOTH, In, Running};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn saved() -> [Saved; 4] {
    [
        Saved::page("https://h/", "<!doctype html><a href=/b>x</a>").field("Set-Cookie", "c=1"),
        Saved::new("https://h/s.js", "text/javascript", "top.location = 1"),
        Saved::new(
            "https://h/s.css",
            "text/css",
            "a { background: url(/i.png) }",
        ),
        Saved::new("https://h/i.png", "image/png", "0123456789"),
    ]
}

/// Everything but the day on which it is said.
fn told(mut answer: Answer) -> (u16, Vec<(String, String)>, Vec<u8>) {
    answer
        .headers
        .retain(|(name, _)| !name.eq_ignore_ascii_case("date"));
    (answer.status, answer.headers, answer.body)
}

#[test]
fn the_second_answer_is_the_first_to_the_last_header() {
    for place in BOTH {
        let running = Running::new(&[&saved()], place);
        for (url, purpose) in [
            ("https://h/", "document"),
            ("https://h/", "iframe"),
            ("https://h/s.js", "script"),
            ("https://h/s.js", "worker"),
            ("https://h/s.css", "style"),
            ("https://h/i.png", "image"),
        ] {
            let first = told(running.get(url, purpose));
            assert_eq!(first.0, 200, "{url}");
            assert_eq!(told(running.get(url, purpose)), first, "{url} {purpose}");
        }
    }
}

#[test]
fn what_is_ready_for_one_purpose_is_not_given_for_another() {
    for place in BOTH {
        let running = Running::new(&[&saved()], place);
        let script = running.get("https://h/s.js", "script").text();
        let data = running.get("https://h/s.js", "empty").text();
        assert_ne!(script, data);
        assert_eq!(data, "top.location = 1");
        assert_eq!(running.get("https://h/s.js", "script").text(), script);
    }
}

#[test]
fn a_part_of_what_is_ready_is_a_part() {
    let running = Running::host(&saved());
    running.get("https://h/i.png", "image");
    let url = running.url("https://h/i.png", TIME);
    let part = running.send("GET", &url, "Range: bytes=2-4\r\n", "");
    assert_eq!((part.status, part.text().as_str()), (206, "234"));
}

#[test]
fn a_newer_capture_takes_the_place_of_what_was_ready() {
    let running = Running::new(&[&saved()], In::Host);
    let asked = || {
        running
            .get_at("https://h/s.js", "20260301000000", "script")
            .text()
    };
    let old = asked();
    assert_eq!(asked(), old);
    let newer = Saved::new("https://h/s.js", "text/javascript", "newer()").at("20260301000000");
    add_layer(running.dir.path(), &[newer]);
    let patience = Instant::now() + Duration::from_secs(20);
    while asked() == old && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(asked().contains("newer()"));
}

#[test]
fn scripts_that_run_as_they_come_come_as_they_came() {
    let page = Saved::page(
        "https://h/",
        "<!doctype html><script async src=/slow.js></script><script async src=/quick.js></script>",
    );
    let script = |url, started, took| serde_json::json!({"url": url, "resource_type": "Script", "started": started, "took": took});
    let log = serde_json::json!({
        "client": {"userAgent": "Recorder/1", "width": 1024.0, "height": 700.0},
        "requests": [script("https://h/slow.js", 1.0, 0.9), script("https://h/quick.js", 1.1, 0.1)],
    });
    for place in BOTH {
        let dir = TempDir::new().unwrap();
        add_logged(dir.path(), &page, "urn:varve:visit:https://h/", &log);
        let scripts = ["slow", "quick"]
            .map(|name| Saved::new(&format!("https://h/{name}.js"), "text/javascript", name));
        add_layer(dir.path(), &scripts);
        let running = Running::over(dir, place);
        running.get("https://h/", "document");
        let from = running.url("https://h/", TIME);
        let (came, order) = mpsc::channel();
        std::thread::scope(|scope| {
            for name in ["slow", "quick"] {
                let (running, from, came) = (&running, &from, came.clone());
                scope.spawn(move || {
                    let url = running.url(&format!("https://h/{name}.js"), TIME);
                    let fields = format!("Sec-Fetch-Dest: script\r\nReferer: {from}\r\n");
                    let text = running.send("GET", &url, &fields, "").text();
                    came.send(text).unwrap();
                });
                // The slow one asks first.
                std::thread::sleep(Duration::from_millis(100));
            }
        });
        drop(came);
        let order: Vec<String> = order.iter().collect();
        assert_eq!(order, ["quick", "slow"], "{place:?}");
    }
}
