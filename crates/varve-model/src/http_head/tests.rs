#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;

fn parse(message: &str) -> HttpHead {
    HttpHead::parse(message.as_bytes()).unwrap().0
}

/// The view as one text: `name=value` joined by `|`.
fn shown(head: &HttpHead) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let fields = head
        .fields()
        .map(|(name, value)| text(name) + "=" + &text(&value));
    fields.collect::<Vec<_>>().join("|")
}

#[test]
fn fields_of_strange_heads() {
    let check = |head: &str, expected: &str| assert_eq!(shown(&parse(head)), expected, "{head:?}");
    check("HTTP/1.1 200 OK\r\n\r\n", "");
    check(
        "HTTP/1.1 200 OK\r\nA: 1\r\nB:2 \r\na:  3\r\n\r\n",
        "A=1|B=2|a=3",
    );
    check("HTTP/1.1 200 OK\nA: 1\n\n", "A=1");
    check("HTTP/1.1 200 OK\r\nA: 1\n\r\n", "A=1");
    check(
        "HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\n\t3 \r\nB: 4\r\n\r\n",
        "A=1 2 3|B=4",
    );
    check(
        "HTTP/1.1 200 OK\r\nnocolon\r\n folded\r\nB: 4\r\n\r\n",
        "B=4",
    );
    check("HTTP/1.1 200 OK\r\n folded: 1\r\nB: 4\r\n\r\n", "B=4");
    check("HTTP/1.1 200 OK\r\n: 1\r\nB : 4\r\n\r\n", "B=4");
    check("HTTP/1.1 200 OK\r\nA:\r\nB: x:y\r\n\r\n", "A=|B=x:y");
    check("\r\nHTTP/1.1 200 OK\r\nA: 1\r\n\r\n", "A=1");
    check("HTTP/1.1 200 OK\r\nA: 1\rB: 2\r\r\n\r\n", "A=1\rB: 2");
    check("HTTP/1.1 200 OK\r\nA: é\0\r\n\r\n", "A=é\0");
    check("HTTP/1.1 200 OK\r\nA: 1\r\n \r\n\r\n", "A=1");
    check("HTTP/1.1 200 OK\r\nA:\r\n 1\r\n\t\r\n 2\r\n\r\n", "A=1 2");
}

#[test]
fn length_of_the_head() {
    let check = |message: &[u8], expected: Option<usize>| {
        assert_eq!(
            HttpHead::parse(message).map(|(_, n)| n),
            expected,
            "{message:?}"
        );
    };
    check(b"HTTP/1.1 200 OK\r\n\r\nbody\r\n\r\n", Some(19));
    check(b"HTTP/1.1 200 OK\n\nbody", Some(17));
    check(b"HTTP/1.1 200 OK\r\n\nbody", Some(18));
    check(b"HTTP/1.1 200 OK\n\r\nbody", Some(18));
    check(b"HTTP/1.1 200 OK\r\nA: 1\r\n", None);
    check(b"HTTP/1.1 200 OK\r\nA: 1\r\n\r", None);
    check(b"\r\n\r\n", None);
    check(b"\n\nGET / HTTP/1.1\r\n\r\n", Some(20));
    check(b"", None);
}

#[test]
fn start_lines() {
    let text = |bytes: Option<&[u8]>| bytes.map(|b| String::from_utf8_lossy(b).into_owned());
    let check = |line: &str, expected: [Option<&str>; 4]| {
        let head = parse(&format!("{line}\r\n\r\n"));
        let words = [
            head.status_text(),
            head.reason(),
            head.method(),
            head.target(),
        ];
        let words = words.map(text);
        assert_eq!(words.each_ref().map(Option::as_deref), expected, "{line}");
    };
    check("HTTP/1.1 200 OK", [Some("200"), Some("OK"), None, None]);
    check(
        "HTTP/1.1 404 Not Found",
        [Some("404"), Some("Not Found"), None, None],
    );
    check("HTTP/1.0 200", [Some("200"), Some(""), None, None]);
    check("HTTP/1.1", [Some(""), Some(""), None, None]);
    check("http/1.1  20x ", [Some("20x"), Some(""), None, None]);
    check("ICY 200 OK", [Some("200"), Some("OK"), None, None]);
    check("GET / HTTP/1.1", [None, None, Some("GET"), Some("/")]);
    check("GET /a b HTTP/1.1", [None, None, Some("GET"), Some("/a b")]);
    check("GET /", [None, None, Some("GET"), Some("/")]);
    check(
        "CONNECT a:443 HTTP/1.1",
        [None, None, Some("CONNECT"), Some("a:443")],
    );
    check("GET", [None, None, Some("GET"), Some("")]);
}

#[test]
fn statuses() {
    let check = |line: &str, expected: Option<u16>| {
        assert_eq!(
            parse(&format!("{line}\r\n\r\n")).status(),
            expected,
            "{line}"
        );
    };
    check("HTTP/1.1 200 OK", Some(200));
    check("HTTP/2 301", Some(301));
    check("HTTP/1.1 999 x", Some(999));
    check("HTTP/1.1 2000 x", None);
    check("HTTP/1.1 -20 x", None);
    check("GET 200 HTTP/1.1", None);
}

#[test]
fn oddities_are_noted() {
    let check = |head: &str, expected: &[HeadNote]| {
        assert_eq!(parse(head).notes(), expected, "{head:?}");
    };
    check("HTTP/1.1 200 OK\r\nA: 1\r\n\r\n", &[]);
    check("HTTP/1.1 200 OK\nA: 1\r\n\r\n", &[HeadNote::BareLf]);
    check("HTTP/1.1 200 OK\r\nA: 1\r\n\n", &[HeadNote::BareLf]);
    check("\r\nHTTP/1.1 200 OK\r\nA: 1\r\n\r\n", &[]);
    check(
        "HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\n 3\r\n\r\n",
        &[HeadNote::ObsFold],
    );
    check("HTTP/1.1 200 OK\r\nA\r\n\r\n", &[HeadNote::MissingColon]);
    check("HTTP/1.1 200 OK\r\n: 1\r\n\r\n", &[HeadNote::EmptyName]);
    check(
        "HTTP/1.1 200 OK\r\nA : 1\r\n\r\n",
        &[HeadNote::SpaceBeforeColon],
    );
    check(
        "HTTP/1.1 200 \0\r\nA: é\r\n\r\n",
        &[HeadNote::Nul, HeadNote::NonAscii],
    );
}

#[test]
fn parts_cannot_add_lines() {
    let head = HttpHead::from_parts(
        "HTTP/1.1 200 OK",
        &[("A", "1\r\nSet-Cookie: x"), ("B\n", "2\0")],
    );
    assert_eq!(
        head.as_bytes(),
        b"HTTP/1.1 200 OK\r\nA: 1  Set-Cookie: x\r\nB: 2 \r\n\r\n"
    );
    assert_eq!(
        HttpHead::parse(head.as_bytes()),
        Some((head.clone(), head.as_bytes().len()))
    );
    let none: [(&str, &str); 0] = [];
    assert_eq!(
        HttpHead::from_parts("GET / HTTP/1.1", &none).target(),
        Some(&b"/"[..])
    );
}

proptest! {
    #[test]
    fn bytes_are_kept_and_nothing_panics(message in proptest::collection::vec(
        prop_oneof![4 => Just(b'\n'), 2 => Just(b'\r'), 2 => Just(b':'), 1 => Just(b' '), 4 => any::<u8>()], 0..200))
    {
        if let Some((head, length)) = HttpHead::parse(&message) {
            prop_assert_eq!(head.as_bytes(), &message[..length]);
            prop_assert_eq!(HttpHead::parse(head.as_bytes()), Some((head.clone(), length)));
            let _ = (head.start_line(), head.status(), head.reason(), head.method(), head.target(), head.notes());
            prop_assert!(head.fields().all(|(name, _)| head.get_all(&String::from_utf8_lossy(name)).count() <= head.fields().count()));
        }
    }

    #[test]
    fn parts_read_back(fields in proptest::collection::vec(("[!-9;-~]{1,9}", "[!-~]{0,9}"), 0..6)) {
        let head = HttpHead::from_parts("HTTP/1.1 200 OK", &fields);
        let read: Vec<_> = head.fields().map(|(n, v)| (n.to_vec(), v.into_owned())).collect();
        let given: Vec<_> = fields.iter().map(|(n, v)| (n.clone().into_bytes(), v.clone().into_bytes())).collect();
        prop_assert_eq!(read, given);
    }
}
