#![allow(clippy::unwrap_used)]
use super::*;
use axum::body::Body;
use axum::http::HeaderMap;
use proptest::prelude::*;

const FORM: &str = "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nabc\r\n\
     --x\r\ncontent-disposition: form-data; filename=\"a;b.warc\"; name=\"file\"\r\n\
     Content-Type: text/plain\r\n\r\n\r\n--y\r\n-\r\n--x--\r\n";

/// A body that comes in pieces of this size.
fn intake(text: &str, size: usize) -> Intake {
    let pieces: Vec<Result<Bytes, std::io::Error>> = text
        .as_bytes()
        .chunks(size)
        .map(|piece| Ok(Bytes::copy_from_slice(piece)))
        .collect();
    let body = Body::from_stream(futures_util::stream::iter(pieces));
    let mut intake = Intake::new(body);
    intake.allow(&HeaderMap::new(), 1 << 20).unwrap();
    intake
}

/// All parts: field, file and content.
fn parts(text: &str, size: usize) -> Result<Vec<(String, Option<String>, String)>, String> {
    let mut intake = intake(text, size);
    let mut form = Multipart::new("x", &mut intake);
    let reading = async {
        let mut parts = Vec::new();
        while let Some(part) = form.part().await? {
            parts.push((part.name, part.file, form.text().await?));
        }
        Ok(parts)
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let read: Result<_, Refused> = runtime.unwrap().block_on(reading);
    read.map_err(|refused| refused.why().to_owned())
}

#[test]
fn parts_are_the_same_however_they_come() {
    for size in 1..FORM.len() + 1 {
        let expected = vec![
            ("csrf".to_owned(), None, "abc".to_owned()),
            (
                "file".to_owned(),
                Some("a;b.warc".to_owned()),
                "\r\n--y\r\n-".to_owned(),
            ),
        ];
        assert_eq!(parts(FORM, size), Ok(expected), "{size}");
    }
}

#[test]
fn broken_forms_are_told() {
    let check = |text: &str, expected: &str| {
        let why = parts(text, 7).unwrap_err();
        assert!(why.contains(expected), "{text:?}: {why}");
    };
    check("", "ends before");
    check("--x\r\n", "ends before");
    check(&FORM[..FORM.len() - 4], "ends before");
    check("--x\r\nA: b\r\n\r\nc\r\n--x--", "what it is");
    check(
        "--x\r\nContent-Disposition: form-data\r\n\r\nc\r\n--x--",
        "no name",
    );
    check(&format!("--x\r\nA: {}", "b".repeat(20_000)), "too long");
    let long = format!(
        "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n{}\r\n--x--",
        "b".repeat(20_000)
    );
    check(&long, "too long");
}

#[test]
fn parameters_of_headers() {
    let check = |header: &str, name: &str, expected: Option<&str>| {
        assert_eq!(parameter(header, name).as_deref(), expected, "{header}");
    };
    check("form-data; name=\"a\"", "name", Some("a"));
    check("form-data; filename=\"name=b\"; name=c", "name", Some("c"));
    check("form-data; name=\"a\\\"b\\c\"", "name", Some("a\"b\\c"));
    check("form-data; name=\"a", "name", None);
    check("form-data", "name", None);
    assert_eq!(
        boundary("multipart/form-data; boundary=x").as_deref(),
        Some("x")
    );
    assert_eq!(boundary("multipart/mixed; boundary=x"), None);
    assert_eq!(boundary("multipart/form-data; boundary=\"\""), None);
}

proptest! {
    #[test]
    fn anything_is_read_or_refused(text in "(--x|\r\n|[a-z=;\":\\\\-]| |Content-Disposition: form-data; name=a){0,30}", size in 1usize..9) {
        let _ = parts(&text, size);
    }
}
