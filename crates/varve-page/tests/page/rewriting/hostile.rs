//! Input that means harm: it costs no more than its length, and nothing gets out of its place.

use varve_page::{Fragment, Rewriting, rewrite_fragment};

use super::{Letters, check, page, text};

/// So long that anything quadratic would not come to an end.
const LONG: usize = 400_000;

#[test]
fn long_and_deep_input_comes_to_an_end() {
    let how = Rewriting {
        insert: "<i>",
        ..Rewriting::new(&Letters)
    };
    for piece in [
        "<a href=x ",
        "<a href='x'>",
        "<svg>",
        "<template>",
        "<noscript>",
        "<style>",
        "<script>",
        "<!--",
        "<!doctype ",
        "<html ",
        "&amp;",
        "<a ping ",
        "<iframe srcdoc='",
        "<video>",
        "<p style='a:url(",
        "\"",
        "=",
        "/",
        "<",
        "<base href=x>",
        "<link rel='preconnect ",
    ] {
        text("text/html", &piece.repeat(LONG / piece.len()), &how);
    }
    for piece in [
        "url(",
        "(",
        "{",
        "@media (",
        "@import '",
        "\\",
        "\"",
        "image-set(",
        "@media ((hover) and ",
        "/*",
        "u",
    ] {
        text("text/css", &piece.repeat(LONG / piece.len()), &how);
    }
    for piece in [
        "#EXT-X-KEY:A=,",
        "#EXT-X-STREAM-INF:\n",
        "a\n",
        "#:=\"\",",
        "\n",
    ] {
        text(
            "text/plain",
            &format!("#EXTM3U\n{}", piece.repeat(LONG / piece.len())),
            &how,
        );
    }
    for piece in [
        "<BaseURL>",
        "<Representation>",
        "<Representation/>",
        "<a media='/x'/>",
    ] {
        text(
            "application/dash+xml",
            &format!("<MPD>{}", piece.repeat(LONG / piece.len())),
            &how,
        );
    }
    let srcset = format!("<img srcset='{}'>", "a 1x, ".repeat(LONG / 6));
    text("text/html", &srcset, &how);
}

#[test]
fn what_a_map_says_cannot_break_out() {
    struct Nasty;
    impl varve_page::UrlMap for Nasty {
        fn map(&self, _: &str, _: &url::Url, _: varve_page::Use) -> Option<String> {
            Some("\"'><script>\\)&</style> ,".into())
        }
    }
    let how = Rewriting::new(&Nasty);
    let fragment =
        |written: &str| rewrite_fragment(written, Fragment::Html, &page(), &how).into_owned();
    assert_eq!(
        fragment("<a href=x>"),
        "<a href=\"&quot;'>&lt;script>\\)&amp;&lt;/style> ,\">"
    );
    assert_eq!(
        fragment("<a href='x'>"),
        "<a href='\"&#39;>&lt;script>\\)&amp;&lt;/style> ,'>"
    );
    assert_eq!(
        fragment("<img srcset='x 2x'>"),
        "<img srcset='\"&#39;>&lt;script>\\)&amp;&lt;/style>%20%2C 2x'>"
    );
    assert_eq!(
        fragment("<style>a{b:url(x)}</style>"),
        "<style>a{b:url(\"\\22 '>\\3c script>\\5c )&\\3c /style> ,\")}</style>"
    );
    assert_eq!(
        fragment("<style>a{b:url('x')}</style>"),
        "<style>a{b:url('\"\\27 >\\3c script>\\5c )&\\3c /style> ,')}</style>"
    );
}

#[test]
fn documents_in_documents_end_somewhere() {
    let mut html = "<a href=x>".to_owned();
    for _ in 0..12 {
        html = format!(
            "<iframe srcdoc=\"{}\"></iframe>",
            html.replace('&', "&amp;").replace('"', "&quot;")
        );
    }
    let how = Rewriting::new(&Letters);
    assert_eq!(text("text/html", &html, &how), html);
}

#[test]
fn repeated_attributes_do_not_come_to_life() {
    check(
        "<a href=x PING=a ping=b>",
        "<a href=\"~n/d/x\" _PING=a _ping=b>",
    );
    check(
        "<meta http-equiv=content-security-policy content=a content=b>",
        "<meta http-equiv=content-security-policy _content=a _content=b>",
    );
    check(
        "<link rel=preconnect href=//a href=//b>",
        "<link rel=preconnect _href=//a _href=//b>",
    );
}
