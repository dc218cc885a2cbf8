//! Ranges of bodies, short and long, stored whole or in part.

use crate::archive::{Saved, TIME};
use crate::asking::{Answer, Running};

fn ask(running: &Running, url: &str, range: &str) -> Answer {
    let fields = format!("Sec-Fetch-Dest: video\r\nRange: {range}\r\n");
    running.send("GET", &running.url(url, TIME), &fields, "")
}

#[track_caller]
fn check(running: &Running, url: &str, range: &str, status: u16, said: &str, body: &[u8]) {
    let answer = ask(running, url, range);
    assert_eq!(
        (answer.status, answer.header("content-range")),
        (status, said),
        "{range}"
    );
    assert_eq!(answer.body, body, "{range}");
    assert_eq!(
        answer.header("content-length"),
        body.len().to_string(),
        "{range}"
    );
}

#[test]
fn parts_of_what_is_whole() {
    let running = Running::host(&[Saved::new("http://h/v", "video/mp4", b"0123456789")]);
    let url = "http://h/v";
    check(
        &running,
        url,
        "bytes=0-",
        206,
        "bytes 0-9/10",
        b"0123456789",
    );
    check(&running, url, "bytes=2-4", 206, "bytes 2-4/10", b"234");
    check(&running, url, "bytes=-3", 206, "bytes 7-9/10", b"789");
    check(&running, url, "bytes=20-", 416, "bytes */10", b"");
    check(&running, url, "bytes=1-2,4-5", 200, "", b"0123456789");
    let all = running.get(url, "video");
    assert_eq!((all.status, all.header("accept-ranges")), (200, "bytes"));
}

#[test]
fn parts_of_parts() {
    let part = |first: u64, body: &str| {
        let range = format!("bytes {first}-{}/100", first + body.len() as u64 - 1);
        Saved::new("http://h/v", "video/mp4", body)
            .status(206)
            .field("Content-Range", &range)
    };
    let running = Running::host(&[part(10, "abcdef"), part(50, "ghijkl").at("20260101000001")]);
    let url = "http://h/v";
    check(&running, url, "bytes=12-13", 206, "bytes 12-13/100", b"cd");
    check(
        &running,
        url,
        "bytes=10-",
        206,
        "bytes 10-15/100",
        b"abcdef",
    );
    check(
        &running,
        url,
        "bytes=51-99",
        206,
        "bytes 51-55/100",
        b"hijkl",
    );
    assert_eq!(ask(&running, url, "bytes=0-5").status, 404);
}

#[test]
fn long_bodies_come_in_pieces() {
    let body: Vec<u8> = (0..9_000_000u32).map(|n| (n % 251) as u8).collect();
    let running = Running::host(&[
        Saved::new("http://h/v", "video/mp4", &body),
        Saved::new("http://h/short", "video/mp4", b"x"),
    ]);
    let answer = running.get("http://h/v", "video");
    assert_eq!(answer.status, 200);
    assert!(answer.body == body);
    let answer = ask(&running, "http://h/v", "bytes=8999990-");
    assert_eq!(
        answer.header("content-range"),
        "bytes 8999990-8999999/9000000"
    );
    assert_eq!(answer.body, body[8_999_990..]);
    let head = running.send("HEAD", &running.url("http://h/v", TIME), "", "");
    assert_eq!(
        (head.header("content-length"), head.body.len()),
        ("9000000", 0)
    );
}
