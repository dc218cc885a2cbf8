#![allow(clippy::unwrap_used)]

use url::Url;

use super::super::tests::lacking;
use crate::style::{Lacking, StyleSheets};
use crate::{Document, Viewport, analyse};

/// Whether a page with these styles may need anything of what it does not have.
fn lacks(css: &str, body: &str, there: &[&str]) -> bool {
    let url = Url::parse("https://a.example/").unwrap();
    let html = format!("<!doctype html><style>{css}</style><body>{body}");
    let document = Document {
        content_type: Some("text/html; charset=utf-8"),
        ..Document::new(&url, html.as_bytes())
    };
    let page = analyse(&document, &Viewport::default());
    let is_there = |url: &Url| there.contains(&&url.path()[1..]);
    match lacking(&document, &page, &StyleSheets::new(), &is_there) {
        Lacking::AtMost(urls) => !urls.is_empty(),
        Lacking::Unclear => true,
    }
}

#[track_caller]
fn check(css: &str, body: &str, there: &[&str], expected: bool) {
    assert_eq!(lacks(css, body, there), expected, "{css} | {body}");
}

#[test]
fn what_is_there_is_not_lacking() {
    let css = ".a{background:url(a)} .b{background:url(b)}";
    check(css, "<p class=a>", &[], true);
    check(css, "<p class=a>", &["a"], false);
    check(css, "<p class='a b'>", &["a"], true);
    check(css, "<p class='a b'>", &["a", "b"], false);
    check("", "<p style='background:url(a)'>", &[], true);
    check("", "<p style='background:url(a)'>", &["a"], false);
}

#[test]
fn rules_whose_words_are_missing_are_about_others() {
    check(".a .b{background:url(a)}", "<p class=b>", &[], false);
    check(".a:hover{background:url(a)}", "<p class=a>", &[], false);
    check("em::after{content:url(a)}", "<p>", &[], false);
    check("em::after{content:url(a)}", "<em>", &[], true);
}

#[test]
fn custom_properties_bring_pictures() {
    let css = ":root{--p:url(a)} .x{background:var(--p)}";
    check(css, "<p class=x>", &[], true);
    check(css, "<p class=x>", &["a"], false);
    check(
        ".dark{--p:url(a)} p{background:var(--p)}",
        "<p>",
        &[],
        false,
    );
    check("p{background:var(--p,url(a))}", "<p>", &[], true);
    check("", "<p style='--p:url(a)'>", &["a"], true);
    check(
        ":root{--p:'a'} p{background:image-set(var(--p) 1x)}",
        "<p>",
        &[],
        true,
    );
}

#[test]
fn animations_bring_pictures() {
    let frames = "@keyframes k{to{background:url(a)}}";
    check(frames, "<p>", &[], false);
    check(&format!("{frames}.x{{animation:k 1s}}"), "<p>", &[], false);
    check(
        &format!("{frames}.x{{animation:k 1s}}"),
        "<p class=x>",
        &[],
        true,
    );
    check(frames, "<p style='animation:k 1s'>", &[], true);
}

#[test]
fn faces_that_nothing_can_be_written_in_are_not_lacking() {
    let faces = "@font-face{font-family:F;src:url(f)} \
        @font-face{font-family:F;font-weight:700;src:url(bold)} \
        @font-face{font-family:F;font-style:italic;src:url(slanted)} \
        @font-face{font-family:Other;src:url(other)} \
        @font-face{font-family:F;unicode-range:U+400-4FF;src:url(cyrillic)}";
    let css = format!("{faces} body{{font-family:F}} .o{{font-family:F,Other}}");
    check(&css, "<p>x", &[], true);
    check(&css, "<p>x", &["f"], false);
    check(&css, "<p><b>x", &["f"], true);
    check(&css, "<p><em>x", &["f"], true);
    check(&css, "<p>Ж", &["f"], true);
    check(&css, "<p>&#x416;", &["f"], true);
    check(&css, "<p>é", &["f"], false);
    check(&css, "<p class=o>x", &["f"], false);
    check(&css, "<p class=o>→", &["f"], true);
    check(&css, "<p style='font-weight:bold'>", &["f"], true);
    check(&css, "<p style='color:red'>", &["f"], false);
}

#[test]
fn families_of_custom_properties() {
    let css = "@font-face{font-family:F;src:url(f)} @font-face{font-family:G;src:url(g)} \
        :root{--t:'F',serif} body{font-family:var(--t)}";
    check(css, "x", &[], true);
    check(css, "x", &["f"], false);
    check(
        &format!("{css} p{{font-family:var(--u,G)}}"),
        "x",
        &["f"],
        true,
    );
}

#[test]
fn of_too_much_nothing_is_told() {
    let rules = (0..50_001).map(|n| format!(".c{n}{{background:url({n})}}"));
    let css: String = rules.collect();
    check(&css, "<p>", &[], true);
    let many = (0..300).map(|n| format!("@keyframes k{n}{{to{{background:url({n})}}}}"));
    let used = (0..300).map(|n| format!(".c{n}{{animation:var(--k)}}"));
    let css: String = many.chain(used).collect();
    check(&css, "<p>", &[], true);
}

#[test]
fn fonts_without_end_take_little_time() {
    let faces = (0..20_000).map(|n| {
        format!(
            "@font-face{{font-family:F{n};font-weight:{};src:url({n})}}",
            n % 1000 + 1
        )
    });
    let rules = (0..20_000).map(|n| {
        format!(
            "p:nth-child({n}){{font-family:F{n};font-weight:{}}}",
            n % 1000 + 1
        )
    });
    let css: String = faces.chain(rules).collect();
    let start = std::time::Instant::now();
    check(&css, "<p>x", &[], true);
    assert!(start.elapsed() < std::time::Duration::from_secs(20));
}
