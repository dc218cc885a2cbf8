#![allow(clippy::unwrap_used)]

mod foreseen;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use url::Url;

use super::{Lacking, Outlook, StyleSheet, StyleSheets, Styling, Wardrobe};
use crate::{Destination, Document, Page, Viewport, analyse};

/// What a page needs by its styles, as names of files in order.
fn needs(html: &str, sheets: &[(&str, &str)]) -> Vec<String> {
    let url = Url::parse("https://a.example/").unwrap();
    let viewport = Viewport::default();
    let document = Document {
        content_type: Some("text/html; charset=utf-8"),
        ..Document::new(&url, html.as_bytes())
    };
    let page = analyse(&document, &viewport);
    let styling = Styling::new(&document, &page, &viewport).unwrap();
    let mut known: StyleSheets = HashMap::new();
    loop {
        let wanted = styling.wanted(&known);
        if wanted.is_empty() {
            break;
        }
        for url in wanted {
            let text = sheets.iter().find(|(name, _)| url.path() == *name);
            let sheet = text.and_then(|(_, text)| read(&url, text));
            known.insert(url, sheet.map(Arc::new));
        }
    }
    let needs = styling.needs(&known, &viewport);
    for (needed, _) in &needs {
        let foreseen = match lacking(&document, &page, &known, &|url| url != needed) {
            Lacking::AtMost(urls) => urls.iter().any(|(url, _)| url == needed),
            Lacking::Unclear => true,
        };
        assert!(foreseen, "{needed} was not foreseen: {html}");
    }
    let mut names: Vec<String> = needs
        .iter()
        .map(|(url, _)| url.path()[1..].into())
        .collect();
    names.sort();
    names
}

/// What a page may lack, told without its DOM.
pub(super) fn lacking(
    document: &Document<'_>,
    page: &Page,
    known: &StyleSheets,
    is_there: &dyn Fn(&Url) -> bool,
) -> Lacking {
    let text = page.text_of(document);
    let viewport = Viewport::default();
    let sheets = page.styles.sheets.iter();
    let inline = sheets.map(|at| StyleSheet::inline(&text[at.clone()], page, &viewport));
    let wardrobe = Wardrobe::of(page, inline.map(Arc::new).collect());
    let outlook = Outlook::of(wardrobe.sheets(known));
    outlook.lacking(page, &|| &text, &viewport, is_there)
}

pub(super) fn read(url: &Url, text: &str) -> Option<StyleSheet> {
    let document = Document {
        content_type: Some("text/css"),
        destination: Destination::Style,
        ..Document::new(url, text.as_bytes())
    };
    StyleSheet::read(&document, &Viewport::default())
}

#[track_caller]
fn check(css: &str, body: &str, expected: &[&str]) {
    let html = format!("<!doctype html><style>{css}</style><body>{body}");
    assert_eq!(needs(&html, &[]), expected, "{css} | {body}");
}

#[test]
fn pictures_of_rules_that_match() {
    check(
        ".a{background:url(a)} .b{background:url(b)}",
        "<p class=a>",
        &["a"],
    );
    check(
        "p>b{background:url(a)} i b{background:url(b)}",
        "<p><b>x",
        &["a"],
    );
    check("p{background:url(a),url(b)}", "<p>", &["a", "b"]);
    check("p:hover,p:focus{background:url(a)}", "<p>", &[]);
    check(
        "p{cursor:url(c),auto;list-style:url(l)}",
        "<p>",
        &["c", "l"],
    );
    check(
        "p{background:url(data:image/png,x)} b{mask:url(#m)}",
        "<p><b>",
        &[],
    );
    check("p:unheard,b{background:url(a)}", "<b>x", &[]);
    check(
        "p{&.a{background:url(a)} & b{background:url(b)} i &{background:url(c)}}",
        "<p class=a><b>",
        &["a", "b"],
    );
    check("p{color:red;b{background:url(b)}}", "<p><b>", &["b"]);
    check("", "<p style='background:url(s)'>", &["s"]);
    check(
        "[data-a]{background:url(a)} [DATA-B=x]::before{content:url(b)} b[data-c]{background:url(c)}",
        "<p data-a><i data-b=x>x</i><b Data-C>",
        &["a", "b", "c"],
    );
    check(
        "[data-a=y],[data-b]{background:url(a)}",
        "<p data-a=x>",
        &[],
    );
}

#[test]
fn of_declarations_the_one_that_counts() {
    check("p{background:url(a)} p{background:#fff}", "<p>", &[]);
    check(
        "p{background:url(a)} p{background:-moz-x(#fff)}",
        "<p>",
        &["a"],
    );
    check(
        "#i{background:url(a)} p{background:url(b)}",
        "<p id=i>",
        &["a"],
    );
    check(
        "p{background:url(a)!important} #i{background:url(b)}",
        "<p id=i>",
        &["a"],
    );
    check(
        "p{background:url(a)!important}",
        "<p style='background:url(b)'>",
        &["a"],
    );
    check("p{background:url(a)}", "<p style='background:none'>", &[]);
    check(
        "@layer x{#i{background:url(a)}} p{background:url(b)}",
        "<p id=i>",
        &["b"],
    );
    check(
        "@layer y,x;@layer x{p{background:url(a)}} @layer y{#i{background:url(b)}}",
        "<p id=i>",
        &["a"],
    );
    check(
        "@layer x{p{background:url(a)!important}} #i{background:url(b)!important}",
        "<p id=i>",
        &["a"],
    );
    check(
        ":where(#i){background:url(a)} p{background:url(b)}",
        "<p id=i>",
        &["b"],
    );
}

#[test]
fn conditions() {
    check(
        "@media print{p{background:url(a)}} @media screen{p{background:url(b)}}",
        "<p>",
        &["b"],
    );
    check("@media (max-width:10px){p{background:url(a)}}", "<p>", &[]);
    check(
        "@supports (display:grid){p{background:url(a)}}",
        "<p>",
        &["a"],
    );
    check(
        "@supports not (display:grid){p{background:url(a)}}",
        "<p>",
        &[],
    );
    check(
        "@container x (width>1px){p{background:url(a)}}",
        "<p>",
        &["a"],
    );
    check("p{@media screen{background:url(a)}}", "<p>", &["a"]);
    check(
        "p{background:image-set(url(a) 1x,url(b) 2x)}",
        "<p>",
        &["a"],
    );
}

#[test]
fn nothing_for_what_is_not_shown() {
    check(
        "p{background:url(a);display:none} b{background:url(b)}",
        "<p><b>",
        &[],
    );
    check("p{background:url(a)}", "<div hidden><p></div>", &[]);
    check("p{background:url(a);visibility:hidden}", "<p>", &["a"]);
    check(
        "p{background:url(a)}",
        "<details><summary>s</summary><p></details>",
        &[],
    );
    check(
        "p{background:url(a)}",
        "<details open><summary>s</summary><p></details>",
        &["a"],
    );
    check(
        "div{content-visibility:hidden;background:url(d)} p{background:url(a)}",
        "<div><p></div>",
        &["d"],
    );
    check(
        "p{background:url(a)} p{display:none}",
        "<p style='display:block'>",
        &["a"],
    );
    check("script{background:url(a)}", "<script></script>", &[]);
}

#[test]
fn pseudo_elements_that_are_there() {
    check(
        "p::before{content:url(a)} p::after{background:url(b)}",
        "<p>",
        &["a"],
    );
    check("p:after{content:'';background:url(b)}", "<p>", &["b"]);
    check("p::before{content:none;background:url(b)}", "<p>", &[]);
    check("p::selection{background:url(a)}", "<p>", &[]);
    check("p::first-line{background:url(a)}", "<p>x", &["a"]);
    check(
        "input::-webkit-slider-thumb{background:url(a)}",
        "<input type=range>",
        &["a"],
    );
    check("img::before{content:'';background:url(a)}", "<img>", &[]);
}

#[test]
fn custom_properties() {
    check(
        ":root{--u:url(u)} p{background:var(--u)} b{background:var(--v)}",
        "<p><b>",
        &["u"],
    );
    check(
        ":root{--u:url(u)} .x{--u:url(x)} p{background:var(--u)}",
        "<div class=x><p></div>",
        &["x"],
    );
    check("p{background:var(--none,url(f))}", "<p>", &["f"]);
    check(
        ":root{--a:var(--b);--b:url(b)} p{background:#fff var(--a)}",
        "<p>",
        &["b"],
    );
    check(
        "p{--f:F;font:var(--s,1em) var(--f)} @font-face{font-family:F;src:url(f)}",
        "<p>x",
        &["f"],
    );
}

#[test]
fn animations() {
    let frames = "@keyframes k{from{background:url(a)} to{background:url(b)}}";
    check(&format!("{frames} p{{animation:k 1s}}"), "<p>", &["a", "b"]);
    check(&format!("{frames} p{{animation:other 1s}}"), "<p>", &[]);
}

#[test]
fn fonts_that_something_is_written_in() {
    let face = "@font-face{font-family:'My Font';src:local(x),url(f.eot) format('embedded-opentype'),url(f)}";
    check(face, "<p>x", &[]);
    check(
        &format!("{face} p{{font-family:my font,serif}}"),
        "<p>x",
        &["f"],
    );
    check(
        &format!("{face} p{{font-family:'My Font'}}"),
        "<p></p>",
        &[],
    );
    check(
        &format!("{face} p{{font-family:'My Font'}}"),
        "<p> </p>",
        &[],
    );
    check(
        &format!("{face} p{{font-family:'My Font'}}"),
        "<p><b>x</b></p>",
        &["f"],
    );
    check(
        &format!("{face} i{{font-family:'My Font'}}"),
        "<p><i></i>",
        &["f"],
    );
    check(
        &format!("{face} i::before{{content:'\\f101';font:1em 'My Font'}}"),
        "<p><i></i>",
        &["f"],
    );
    check(
        &format!("{face} body{{font-family:'My Font'}} p{{font-family:serif}}"),
        "<p>x",
        &[],
    );
    check(
        &format!("{face} div{{font-family:'My Font'}}"),
        "<div><p style='font:1em serif'><code>x</code><input></p></div>",
        &[],
    );
    check(
        &format!("{face} *{{font-family:'My Font'}}"),
        "<div><input></div>",
        &["f"],
    );
    check(
        &format!("{face} p{{font-family:'My Font';display:none}}"),
        "<p>x",
        &[],
    );
}

#[test]
fn of_faces_those_that_fit() {
    let faces =
        "@font-face{font-family:F;src:url(n)} @font-face{font-family:F;font-weight:bold;src:url(b)}
        @font-face{font-family:F;font-style:italic;src:url(i)} body{font-family:F}";
    check(faces, "<p>x", &["n"]);
    check(faces, "<p>x<b>y</b>", &["b", "n"]);
    check(faces, "<h1>x</h1>", &["b"]);
    check(faces, "<p><em>x</em></p>", &["i", "n"]);
    let ranges = "@font-face{font-family:F;src:url(l);unicode-range:U+0-FF}
        @font-face{font-family:F;src:url(c);unicode-range:U+4??} body{font-family:F}";
    check(ranges, "<p>abc", &["l"]);
    check(ranges, "<p>где", &["c"]);
    check(ranges, "<p>где то", &["c", "l"]);
    let ranged = "@font-face{font-family:F;font-weight:100 900;src:url(v)} body{font-family:F}";
    check(ranged, "<b>x", &["v"]);
    let two = "@font-face{font-family:F;src:url(f)} @font-face{font-family:G;src:url(g)} p{font-family:F,G}";
    check(two, "<p>x", &["f"]);
    check(two, "<p>\u{f101}", &["f", "g"]);
}

#[test]
fn sheets_count_in_their_order() {
    let html = "<link rel=stylesheet href=/a.css><style>@import '/c.css'; p{background:url(own)}</style>
        <link rel=stylesheet href=/print.css media=print><link rel='alternate stylesheet' href=/alt.css>
        <link rel=stylesheet href=/gone.css><p>";
    let p = |name: &str| format!("p{{background:url(/{name})}}");
    let a = format!("@import 'b.css'; @import 'print.css' print; {}", p("a"));
    let all = [
        ("/a.css", a.as_str()),
        ("/b.css", "b{} p{list-style:url(/b)}"),
        (
            "/c.css",
            "p{background:url(/c)} p{cursor:url(/cursor),auto}",
        ),
        ("/print.css", "p{background:url(/print)!important}"),
    ];
    assert_eq!(needs(html, &all), ["b", "cursor", "own"]);
}

#[test]
fn urls_are_relative_to_their_sheet() {
    let html = "<link rel=stylesheet href=/x/a.css><p>";
    assert_eq!(
        needs(html, &[("/x/a.css", "p{background:url(b.png)}")]),
        ["x/b.png"]
    );
}

#[test]
fn large_sheets_and_pages_take_little_time() {
    let css: String = (0..5000)
        .map(|n| {
            format!(".c{n} .d{n}>b:not(.e):nth-child({n}){{background:url({n});display:block}}")
        })
        .collect();
    let body: String = (0..3000)
        .map(|n| format!("<div class=c{n}><p class=d{n}><b>x</b></p></div>"))
        .collect();
    let html = format!("<style>{css}</style>{body}");
    let start = Instant::now();
    assert_eq!(needs(&html, &[]), ["1"]);
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn monstrous_sheets_come_to_an_end() {
    let nested = "a{&&&&{".repeat(50);
    let page = "<i></i>".repeat(20_000);
    for css in [
        nested.clone(),
        "@media screen{".repeat(1000),
        "@layer x{".repeat(1000),
        format!("{}{{background:url(x)}}", ":is(i,".repeat(1000)),
        "i~i~i~u{background:url(x)}".repeat(100),
        "*:has(u){display:none}".repeat(100),
        ":root{--a:var(--b)var(--b);--b:var(--a)var(--a)} i{background:var(--a)}".to_owned(),
    ] {
        let html = format!("<style>{css}</style>{page}");
        let url = Url::parse("https://a.example/").unwrap();
        let document = Document::new(&url, html.as_bytes());
        let viewport = Viewport::default();
        let page = analyse(&document, &viewport);
        let start = Instant::now();
        let styling = Styling::new(&document, &page, &viewport).unwrap();
        styling.needs(&HashMap::new(), &viewport);
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{:?}",
            start.elapsed()
        );
    }
}

proptest! {
    #[test]
    fn any_sheet_will_do(css in "([a-z.#:@{};()!,&*\"'-]|url\\(|var\\(--|@media |@import |@layer |@font-face\\{|font:|background:){0,60}") {
        let html = format!("<p class=a id=b>x<style>{css}</style>");
        let url = Url::parse("https://a.example/").unwrap();
        let document = Document::new(&url, html.as_bytes());
        let viewport = Viewport::default();
        let page = analyse(&document, &viewport);
        let styling = Styling::new(&document, &page, &viewport).unwrap();
        styling.needs(&HashMap::new(), &viewport);
    }
}
