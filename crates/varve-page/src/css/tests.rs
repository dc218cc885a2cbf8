#![allow(clippy::unwrap_used)]

use encoding_rs::UTF_8;
use proptest::prelude::*;
use url::Url;

use super::{Sheet, find};
use crate::collector::Collector;
use crate::{Destination, Need, Reference, Role, Viewport};

fn references(css: &str, viewport: &Viewport) -> Vec<Reference> {
    let base = Url::parse("http://h/d/").unwrap();
    let mut collector = Collector::new(viewport, base, UTF_8);
    let sheet = Sheet {
        text: css,
        at: Some(0),
        need: Need::Needed,
    };
    find(&sheet, &mut collector);
    collector.references
}

/// References as words: a path, with `~` in front of variants.
#[track_caller]
fn check(css: &str, expected: &str) {
    assert_eq!(words(css, &Viewport::default()), expected, "{css}");
}

fn words(css: &str, viewport: &Viewport) -> String {
    let words: Vec<String> = references(css, viewport)
        .iter()
        .map(|r| {
            let sign = if r.need == Need::Needed { "" } else { "~" };
            let kind = match r.role {
                Role::Embed(Destination::Font) => "font:",
                Role::Embed(Destination::Style) => "style:",
                _ => "",
            };
            format!("{sign}{kind}{}", r.url.path().trim_start_matches("/d/"))
        })
        .collect();
    words.join(" ")
}

#[test]
fn urls_in_all_their_spellings() {
    check("a{background:url(a.png)}", "a.png");
    check("a{background:URL( 'a.png' )}", "a.png");
    check("a{background:url(\"a b.png\")}", "a%20b.png");
    check("a{background:\\75 rl(a.png)}", "a.png");
    check("a{background:url(a\\)b.png)}", "a)b.png");
    check("a{background:url('a\\\nb.png')}", "ab.png");
    check("a{background:url(\\61.png)}", "a.png");
    check("a{background:src('a.png')}", "a.png");
    check("a{background:url(a.png),url(b.png)}", "a.png b.png");
    check(
        "a{background:url()} b{background:url('')} c{fill:url(#d)}",
        "",
    );
    check("a{background:url(data:image/png;base64,AAAA)}", "");
    check("a{background:url(a.png", "a.png");
    check("a{background:url('a.png", "a.png");
    check("/* url(a.png) */ b{content:'url(c.png)'}", "");
    check("a[href='url(x)']{}", "");
    check("a{b:url(x y)} c{d:url(z.png)}", "z.png");
    check("a{b{c{background:url(deep.png)}}}", "deep.png");
    check(
        "a{mask:cross-fade(url(a.png), url(b.png), 50%)}",
        "a.png b.png",
    );
    check("a{b:url('a' x) url(b) url('' \\", "a b");
    check("a{--x:url(a.png);cursor:url(c.cur),auto}", "a.png c.cur");
    check("<!-- a{background:url(a.png)} -->", "a.png");
    check("background:url(inline.png)", "inline.png");
}

#[test]
fn imports() {
    check("@import 'a.css';", "style:a.css");
    check("@IMPORT url(a.css);", "style:a.css");
    check("@import url('a.css') print;", "style:a.css");
    check(
        "@import 'a.css' layer(base) supports(display: grid) screen;",
        "style:a.css",
    );
    check("@import 'a.css' supports(-moz-x: y);", "~style:a.css");
    check(
        "@import 'a.css' supports(not (display: grid)) screen;",
        "style:a.css",
    );
    check("@import 'a.css'", "style:a.css");
    check("@import a.css; b{c:url(d)}", "d");
    check(
        "@charset \"utf-8\"; @namespace url(http://h/n); @namespace s 'x';",
        "",
    );
    check("@namespace svg url(x); a{b:url(c)}", "c");
}

#[test]
fn rules_that_do_not_apply_give_variants() {
    check("@media print{a{b:url(x)}} a{b:url(y)}", "~x y");
    check("@media screen{a{b:url(x)}}", "x");
    check("@media (max-width:1px){@media screen{a{b:url(x)}}}", "~x");
    check(
        "@media (min-width:1px) and (max-width:2000px){a{b:url(x)}}",
        "x",
    );
    check("@supports (display:grid){a{b:url(x)}}", "x");
    check("@supports not (display:grid){a{b:url(x)}}", "~x");
    check(
        "@layer a{b{c:url(x)}} @container (width>1px){a{b:url(y)}}",
        "x y",
    );
    check("@-moz-document url-prefix(http://h/){a{b:url(x)}}", "~x");
    check("@media print{a{b:url(x)}} c{d:url(x)}", "x");
    check("a{@media print{b:url(x)} c:url(y)}", "~x y");
    check(
        "@page{background:url(p)} @keyframes k{from{b:url(f)}}",
        "p f",
    );
    check("@media;a{b:url(x)}", "x");
}

#[test]
fn image_sets_are_chosen_by_density_and_type() {
    let set = "a{b:image-set('1.png' 1x, url(2.png) 2x, '3.png' 3dppx)}";
    check(set, "1.png ~2.png ~3.png");
    let dense = |pixel_ratio| Viewport {
        pixel_ratio,
        ..Viewport::default()
    };
    assert_eq!(words(set, &dense(1.5)), "~1.png 2.png ~3.png");
    assert_eq!(words(set, &dense(5.0)), "~1.png ~2.png 3.png");
    check(
        "a{b:-webkit-image-set(url(1.png) 1x, url(2.png) 192dpi)}",
        "1.png ~2.png",
    );
    check(
        "a{b:image-set('x.heic' type('image/heic'), 'x.avif' type('image/avif'))}",
        "~x.heic x.avif",
    );
    check("a{b:image-set('only.png')}", "only.png");
    check("a{b:image-set(linear-gradient(red, blue) 1x, 'b' 2x)}", "b");
}

#[test]
fn fonts_are_chosen_by_format() {
    check(
        "@font-face{font-family:x;src:url(x.eot);src:local('X'),url(x.eot?#i) format('embedded-opentype'),\
         url(x.woff2) format('woff2'),url(x.woff) format('woff'),url(x.svg#x) format('svg')}",
        "~font:x.eot ~font:x.eot font:x.woff2 ~font:x.woff ~font:x.svg",
    );
    check("@font-face{src:url(x.ttf)}", "font:x.ttf");
    check(
        "@font-face{src:url(x) format(woff2-variations) tech(variations), url(y)}",
        "font:x ~font:y",
    );
    check(
        "@font-face{font-family:'src: url(no)';unicode-range:U+26;src:url(yes)}",
        "font:yes",
    );
    check("@media print{@font-face{src:url(x)}}", "~font:x");
}

#[test]
fn the_span_covers_the_whole_token() {
    let css =
        "/* é */ @import 'a.css'; a{b:url( c.png ) image-set('d' 1x)} @font-face{src:url('e')}";
    let spans: Vec<_> = references(css, &Viewport::default())
        .into_iter()
        .map(|r| &css[r.span.unwrap()])
        .collect();
    assert_eq!(spans, ["'a.css'", "url( c.png )", "'d'", "url('e')"]);
}

#[test]
fn hostile_sheets_end() {
    for unit in [
        "{",
        "(",
        "[",
        "a(",
        "url(",
        "@media ",
        "@media{",
        "image-set(",
        "/*",
        "'",
        "\\",
        "@import ",
        "@font-face{src:",
        "calc(",
    ] {
        let _ = references(&unit.repeat(100_000), &Viewport::default());
        let _ = references(
            &format!("a{{b:{}}}", unit.repeat(10_000)),
            &Viewport::default(),
        );
        let _ = references(
            &format!("@media {} {{", unit.repeat(10_000)),
            &Viewport::default(),
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_taken(text in "(?s).{0,100}", tokens in "(url\\(|'|\"|\\)|\\{|\\}|;|@media |@import |@font-face|src:|image-set\\(|a|,|1x| |\\\\){0,60}") {
        let _ = references(&text, &Viewport::default());
        for reference in references(&tokens, &Viewport::default()) {
            prop_assert!(tokens.get(reference.span.unwrap()).is_some());
        }
    }
}
