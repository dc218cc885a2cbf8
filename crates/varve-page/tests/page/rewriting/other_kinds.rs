//! Kinds of documents that are served as they are.

use url::Url;
use varve_page::{Destination, Document, Kind, Note, Rewriting, rename_jsonp, rewrite};

use super::{Letters, page, rewritten};

#[test]
fn data_stays_as_it_is() {
    let how = Rewriting {
        insert: "<i>",
        scripts: &|_, _, _| Some("x".into()),
        ..Rewriting::new(&Letters)
    };
    for (content_type, bytes, kind) in [
        (
            "application/json",
            &b"{\"url\": \"http://h/x\"}"[..],
            Kind::Json,
        ),
        (
            "application/ld+json",
            b"{\"url\": \"http://h/x\"}",
            Kind::Json,
        ),
        (
            "application/manifest+json",
            b"{\"start_url\": \"/\"}",
            Kind::Manifest,
        ),
        ("application/xml", b"<a href='http://h/'/>", Kind::Xml),
        ("text/plain", b"<a href=x>", Kind::Text),
        ("text/vtt", b"WEBVTT\n\nhttp://h/x", Kind::Text),
        ("image/png", b"\x89PNG\r\n\x1a\n<a href=x>", Kind::Image),
        ("application/pdf", b"%PDF-1.4 <a href=x>", Kind::Pdf),
        ("font/woff2", b"wOF2 <a href=x>", Kind::Font),
    ] {
        let found = rewritten(content_type, bytes, &how);
        assert_eq!(found.kind, kind);
        assert_eq!(&found.body[..], bytes, "{content_type}");
    }
}

#[test]
fn an_image_runs_nothing_and_stays() {
    let url = page();
    let bytes = b"<svg><image href='http://o/'/></svg>";
    let document = Document {
        content_type: Some("image/svg+xml"),
        destination: Destination::Image,
        ..Document::new(&url, bytes)
    };
    assert_eq!(
        &rewrite(&document, &Rewriting::new(&Letters)).body[..],
        bytes
    );
}

#[test]
fn what_is_too_long_stays() {
    let bytes = vec![b'x'; (32 << 20) + 1];
    let found = rewritten("text/html", &bytes, &Rewriting::new(&Letters));
    assert_eq!(found.notes, [Note::TooLongToRewrite]);
    assert_eq!(found.body.len(), bytes.len());
}

#[test]
fn jsonp_calls_the_function_that_is_asked_for() {
    #[track_caller]
    fn check(body: &str, expected: &str) {
        let captured = Url::parse("http://h/x?callback=old&y").unwrap();
        let requested = Url::parse("http://h/x?callback=new.$1&y").unwrap();
        let found = rename_jsonp(body.as_bytes(), &captured, &requested);
        assert_eq!(String::from_utf8_lossy(&found), expected, "{body}");
    }
    check("old({})", "new.$1({})");
    check("/**/ old ( [1] );", "/**/ new.$1 ( [1] );");
    check("// x\n;old({a: old({})})", "// x\n;new.$1({a: old({})})");
    check("other({})", "other({})");
    check("old", "old");
    check("old(x)", "old(x)");
    check("older({})", "older({})");
    check("var old = old({})", "var old = old({})");
    check("/* old({})", "/* old({})");
    check("", "");
    let plain = Url::parse("http://h/x?callback=alert(1)//").unwrap();
    let captured = Url::parse("http://h/x?callback=old").unwrap();
    assert_eq!(&rename_jsonp(b"old({})", &captured, &plain)[..], b"old({})");
}
