//! Files that are sent become layers, and nothing of them is left elsewhere.

use super::{Browser, archive, bearer, desk, desk_over, files_below, uploads, warc};
use crate::archive::{Saved, add_layer};
use crate::asking::{Answer, Running};
use serde_json::Value;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

const NEW: &str = "https://new.test/";

fn send(running: &Running, name: &str, body: &[u8]) -> Answer {
    running.post(&format!("/admin/import?name={name}"), &bearer(), body)
}

fn job_of(answer: &Answer) -> Value {
    assert_eq!(answer.status, 202, "{}", answer.text());
    let told: Value = serde_json::from_str(&answer.text()).unwrap();
    let place = format!("/admin/jobs/{}", told["job"]);
    assert_eq!(answer.header("location"), place);
    told["job"].clone()
}

fn lines_of(running: &Running, url: &str) -> usize {
    let lines = running.own(&format!("/cdx?url={url}")).text();
    lines.lines().count()
}

#[test]
fn a_program_sends_a_file_and_it_is_found() {
    let running = desk();
    let bytes = warc(NEW, "new words");
    assert_eq!(lines_of(&running, NEW), 0);
    let job = job_of(&send(&running, "new.warc.gz", &bytes));
    let told = running.finished(&job);
    assert_eq!(told["state"], "done", "{told}");
    assert_eq!((&told["pages"], &told["percent"]), (&1.into(), &100.into()));
    assert_eq!(told["outcomes"][0]["file"], "new.warc.gz");
    assert!(told["records"].as_u64().unwrap() >= 2, "{told}");
    // At once, in every interface.
    assert_eq!(lines_of(&running, NEW), 1);
    assert_eq!(running.own(&format!("/timemap/link/{NEW}")).status, 200);
    assert!(running.get(NEW, "document").text().contains("new words"));
    assert_eq!(uploads(&running), 0);
    // Once is enough.
    let job = job_of(&send(&running, "again.warc.gz", &bytes));
    let told = running.finished(&job);
    assert_eq!(told["outcomes"][0]["outcome"], "known", "{told}");
    assert_eq!(told["layer"], Value::Null);
    assert_eq!(lines_of(&running, NEW), 1);
    let jobs = running.asked_by_program("/admin/jobs");
    assert_eq!(jobs["jobs"].as_array().unwrap().len(), 2);
}

/// A form with these files, as a browser sends it.
fn form(browser: &Browser, csrf: &str, files: &[(&str, &[u8])]) -> (String, Vec<u8>) {
    let mut body = Vec::new();
    let mut part = |head: &str, content: &[u8]| {
        let head = format!("--b\r\nContent-Disposition: form-data; {head}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    };
    part("name=\"csrf\"", csrf.as_bytes());
    for (name, content) in files {
        part(&format!("name=\"file\"; filename=\"{name}\""), content);
    }
    body.extend_from_slice(b"--b--\r\n");
    let kind = "Content-Type: multipart/form-data; boundary=b\r\n";
    (format!("{}{kind}", browser.fields), body)
}

#[test]
fn a_form_brings_several_files_and_the_bad_ones_are_named() {
    let running = desk();
    let browser = Browser::sign_in(&running);
    let (good, other) = (warc(NEW, "new"), warc("https://other.test/", "other"));
    let files = [
        ("same.warc.gz", good.as_slice()),
        ("same.warc.gz", other.as_slice()),
        ("<b>notes.txt", b"these are no records"),
        ("empty.warc", b""),
    ];
    let (fields, body) = form(&browser, &browser.csrf, &files);
    let answer = running.post("/admin/import", &fields, &body);
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(answer.header("location"), "/admin?done=import#jobs");
    let told = running.finished(&1.into());
    assert_eq!(told["state"], "partly done", "{told}");
    assert_eq!(
        told["files"],
        serde_json::json!([
            "same.warc.gz",
            "2-same.warc.gz",
            "_b_notes.txt",
            "empty.warc"
        ])
    );
    let outcomes = told["outcomes"].as_array().unwrap().iter();
    let outcomes: Vec<_> = outcomes
        .map(|file| file["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["added", "added", "refused", "refused"]);
    let text = told.to_string();
    assert!(
        text.contains("is empty") && !text.contains("uploads"),
        "{text}"
    );
    assert_eq!(
        lines_of(&running, NEW) + lines_of(&running, "https://other.test/"),
        2
    );
    assert_eq!(uploads(&running), 0);
    let page = running
        .own_with("/admin?done=import", &browser.fields)
        .text();
    assert!(
        page.contains("partly done") && page.contains("The files have arrived"),
        "{page}"
    );
}

#[test]
fn without_the_token_of_the_session_no_file_is_taken() {
    let running = desk();
    let browser = Browser::sign_in(&running);
    let bytes = warc(NEW, "new");
    let (fields, body) = form(&browser, "wrong", &[("a.warc.gz", &bytes)]);
    assert_eq!(running.post("/admin/import", &fields, &body).status, 403);
    // A body without a form is for programs.
    assert_eq!(
        running
            .post("/admin/import", &browser.fields, &bytes)
            .status,
        403
    );
    let (fields, body) = form(&browser, &browser.csrf, &[]);
    assert_eq!(running.post("/admin/import", &fields, &body).status, 400);
    let (fields, body) = form(&browser, &browser.csrf, &[("a.warc.gz", &bytes)]);
    let cut = &body[..body.len() - 6];
    assert_eq!(running.post("/admin/import", &fields, cut).status, 400);
    assert_eq!((uploads(&running), lines_of(&running, NEW)), (0, 0));
    assert_eq!(
        running.asked_by_program("/admin/jobs")["jobs"],
        serde_json::json!([])
    );
}

#[test]
fn names_from_outside_lead_nowhere() {
    let running = desk();
    let outside = running.dir.path().parent().unwrap().join("escaped.warc.gz");
    for (at, name) in [
        "../../../escaped.warc.gz",
        "..%2F..%2F..%2Fescaped.warc.gz",
        "%2Fetc%2Fescaped.warc.gz",
        "..%5C..%5Cescaped.warc.gz",
        "..",
        "%00",
    ]
    .into_iter()
    .enumerate()
    {
        let body = warc(&format!("{NEW}{at}"), "new");
        let told = running.finished(&job_of(&send(&running, name, &body)));
        assert_eq!(told["state"], "done", "{name}: {told}");
        let label = told["files"][0].as_str().unwrap();
        assert!(
            !label.contains(['/', '\\']) && !label.starts_with('.'),
            "{label}"
        );
    }
    assert!(!outside.exists());
    let strays = files_below(running.dir.path());
    let strays = strays
        .iter()
        .filter(|file| file.ends_with("escaped.warc.gz"));
    for stray in strays {
        assert!(
            stray.starts_with(running.dir.path().join("layers")),
            "{stray:?}"
        );
    }
}

#[test]
fn what_is_too_long_is_refused_and_leaves_nothing() {
    let running = desk_over(archive(), 1000);
    let long = vec![b'x'; 100_000];
    assert_eq!(send(&running, "a.warc", &long).status, 413);
    assert_eq!(uploads(&running), 0);
    // One that does not say how long it is.
    let head = format!(
        "POST /admin/import HTTP/1.1\r\nHost: {}\r\n{}Transfer-Encoding: chunked\r\n\
         Connection: close\r\n\r\n",
        running.ui(),
        bearer()
    );
    let mut request = head.into_bytes();
    for _ in 0..20 {
        request.extend_from_slice(format!("64\r\n{}\r\n", "x".repeat(100)).as_bytes());
    }
    request.extend_from_slice(b"0\r\n\r\n");
    let answer = crate::asking::answer(&crate::asking::raw(running.ui(), &request)).unwrap();
    assert_eq!(answer.status, 413, "{}", answer.text());
    let empty = send(&running, "a.warc", b"");
    assert_eq!(empty.status, 400);
    let elsewhere = running.post("/admin/import?collection=none", &bearer(), b"x");
    assert_eq!(elsewhere.status, 404);
    assert_eq!(uploads(&running), 0);
    assert_eq!(
        running.asked_by_program("/admin/jobs")["jobs"],
        serde_json::json!([])
    );
}

#[test]
fn who_hangs_up_leaves_nothing() {
    let running = desk();
    let mut stream = TcpStream::connect(running.ui()).unwrap();
    let head = format!(
        "POST /admin/import HTTP/1.1\r\nHost: {}\r\n{}Content-Length: 1000\r\n\r\nxxx",
        running.ui(),
        bearer()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let until = |expected: usize| {
        let began = Instant::now();
        while uploads(&running) != expected {
            assert!(began.elapsed() < Duration::from_secs(20), "{expected}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    until(1);
    drop(stream);
    until(0);
}

#[test]
fn what_a_server_left_is_removed_by_the_next() {
    let dir = archive();
    let left = dir.path().join("state/uploads/0/left.warc");
    std::fs::create_dir_all(left.parent().unwrap()).unwrap();
    std::fs::write(&left, "half").unwrap();
    let running = desk_over(dir, 1000);
    assert!(!left.exists());
    assert_eq!(uploads(&running), 0);
    let dir = running.stop();
    assert!(dir.path().join("collection.json").exists());
}

#[test]
fn files_are_added_while_a_crawl_writes() {
    use std::sync::Arc;
    use varve_store::collection::{Collection, RecordOptions};
    let running = desk();
    let fs = Arc::new(varve_store::fs::OsFileSystem);
    let world = Arc::new(varve_store::world::RealWorld);
    let collection = Collection::open(fs, running.dir.path(), world).unwrap();
    let recorder = collection.record(RecordOptions::default()).unwrap();
    let told = running.finished(&job_of(&send(&running, "new.warc.gz", &warc(NEW, "new"))));
    assert_eq!(told["state"], "done", "{told}");
    assert_eq!(lines_of(&running, NEW), 1);
    recorder.seal().unwrap();
    add_layer(
        running.dir.path(),
        &[Saved::page("https://later.test/", "x")],
    );
    assert_eq!(lines_of(&running, NEW), 1);
}

#[test]
fn many_that_are_sent_at_once_are_all_added() {
    let running = desk();
    let urls: Vec<String> = (0..6).map(|number| format!("{NEW}{number}")).collect();
    let sent = urls
        .iter()
        .map(|url| send(&running, "a.warc.gz", &warc(url, url)));
    let jobs: Vec<Value> = sent.map(|answer| job_of(&answer)).collect();
    for job in &jobs {
        let told = running.finished(job);
        assert_eq!(told["state"], "done", "{told}");
    }
    assert_eq!(lines_of(&running, &format!("{NEW}*")), urls.len());
}
