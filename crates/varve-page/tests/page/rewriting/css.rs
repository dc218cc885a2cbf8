//! Style sheets, in files, elements and attributes.

use varve_page::Rewriting;

use super::{Letters, text};

#[track_caller]
fn check(css: &str, expected: &str) {
    let how = Rewriting::new(&Letters);
    assert_eq!(text("text/css", css, &how), expected, "{css}");
}

#[track_caller]
fn same(css: &str) {
    check(css, css);
}

#[test]
fn urls_in_all_spellings() {
    check("a{b:url(x)}", "a{b:url(~i/d/x)}");
    check("a{b:url( x )}", "a{b:url(~i/d/x)}");
    check("a{b:url('x')}", "a{b:url('~i/d/x')}");
    check("a{b:url(\"x\")}", "a{b:url(\"~i/d/x\")}");
    check("a{b:url( \"x\" )}", "a{b:url( \"~i/d/x\" )}");
    check("a{b:URL(x)}", "a{b:url(~i/d/x)}");
    check("a{b:\\75rl(x)}", "a{b:url(~i/d/x)}");
    check("a{b:u\\72 l(\"x\")}", "a{b:u\\72 l(\"~i/d/x\")}");
    check("a{b:url(\\78)}", "a{b:url(~i/d/x)}");
    check("a{b:url(\"\\78\\79 z\")}", "a{b:url(\"~i/d/xyz\")}");
    check("a{b:url('a\\\nb')}", "a{b:url('~i/d/ab')}");
    check("a{b:url(x\\)y)}", "a{b:url(\"~i/d/x)y\")}");
    check("a{b:url(\"x'y\")}", "a{b:url(\"~i/d/x'y\")}");
    check("a{b:url('x\\'y')}", "a{b:url('~i/d/x\\27 y')}");
    check("a{b:url(\"x y\")}", "a{b:url(\"~i/d/x%20y\")}");
    check("a{b:url(//o/x)}", "a{b:url(~i/http://o/x)}");
    check("a{b:url(x.svg#y)}", "a{b:url(~i/d/x.svg#y)}");
    check("a{b:src(\"x\")}", "a{b:src(\"~i/d/x\")}");
    check(
        "a{b:url(\"x\" crossorigin(anonymous))}",
        "a{b:url(\"~i/d/x\" crossorigin(anonymous))}",
    );
    check("a{b:url(x", "a{b:url(~i/d/x)");
    check("a{b:url(\"x", "a{b:url(\"~i/d/x\"");
    check("a{b:url(x),url(y)}", "a{b:url(~i/d/x),url(~i/d/y)}");
    check("a{--b:url(x)}", "a{--b:url(~i/d/x)}");
    check("a{b{c:url(x)}}", "a{b{c:url(~i/d/x)}}");
}

#[test]
fn imports_in_all_forms() {
    check("@import 'x';", "@import '~c/d/x';");
    check("@import \"x\" print;", "@import \"~c/d/x\" print;");
    check("@import url(x);", "@import url(~c/d/x);");
    check(
        "@import url('x') layer(a) supports(b:c) screen;",
        "@import url('~c/d/x') layer(a) supports(b:c) screen;",
    );
    check("@IMPORT'x'", "@IMPORT'~c/d/x'");
    check("@\\69mport 'x';", "@\\69mport '~c/d/x';");
    check("@import/**/'x';", "@import/**/'~c/d/x';");
    check(
        "@charset \"utf-8\";@import 'x';",
        "@charset \"utf-8\";@import '~c/d/x';",
    );
}

#[test]
fn images_and_fonts() {
    check(
        "a{b:image-set(\"x\" 1x,url(y) 2x)}",
        "a{b:image-set(\"~i/d/x\" 1x,url(~i/d/y) 2x)}",
    );
    check(
        "a{b:-webkit-image-set('x' 1x)}",
        "a{b:-webkit-image-set('~i/d/x' 1x)}",
    );
    check(
        "a{b:image-set('x' type('image/avif'))}",
        "a{b:image-set('~i/d/x' type('image/avif'))}",
    );
    check(
        "@font-face{src:url(x)format('woff2'),local(y),url('z')}",
        "@font-face{src:url(~t/d/x)format('woff2'),local(y),url('~t/d/z')}",
    );
    check(
        "@font-face{src:url(x);src:url(y)}",
        "@font-face{src:url(~t/d/x);src:url(~t/d/y)}",
    );
    check(
        "@media print{a{b:url(x)}}",
        "@media print{a{b:url(~i/d/x)}}",
    );
    check(
        "@supports (a:b){a{b:url(x)}}",
        "@supports (a:b){a{b:url(~i/d/x)}}",
    );
    check("@layer a{b{c:url(x)}}", "@layer a{b{c:url(~i/d/x)}}");
    check(
        "@keyframes a{to{b:url(x)}}",
        "@keyframes a{to{b:url(~i/d/x)}}",
    );
    check("@page{a:url(x)}", "@page{a:url(~i/d/x)}");
}

#[test]
fn what_is_no_url() {
    same("a{b:'url(x)'}");
    same("/* url(x) @import 'x'; */");
    same("a{b:\"x\"}");
    same("a{b:url()}");
    same("a{b:url('')}");
    same("a{b:url(#x)}");
    same("a{b:url(data:image/png;base64,AA==)}");
    same("a{b:url(about:blank)}");
    same("a{b:url(blob:http://h/x)}");
    same("a{b:curl(x)}");
    same("@namespace url(http://www.w3.org/1999/xhtml);");
    same("@namespace svg 'http://www.w3.org/2000/svg';");
    same("a{b:url(x y)}");
    same("a{b:url(x\"y)}");
    same("a{b:local(x)}");
    same("a:not(url){}");
}

#[test]
fn elements_and_attributes() {
    super::check(
        "<style>a{b:url(x)}</style>",
        "<style>a{b:url(~i/d/x)}</style>",
    );
    super::check("<style>@import 'x';", "<style>@import '~c/d/x';");
    super::check(
        "<style type=text/less>a{b:url(x)}</style>",
        "<style type=text/less>a{b:url(x)}</style>",
    );
    super::check(
        "<style><!-- a{b:url(x)} --></style>",
        "<style><!-- a{b:url(~i/d/x)} --></style>",
    );
    super::check(
        "<style>a{b:url('</p>')}</style>",
        "<style>a{b:url('~i/d/%3C/p%3E')}</style>",
    );
    super::check("<p style='a:url(x)'>", "<p style='a:url(~i/d/x)'>");
    super::check("<p style=a:url(x)>", "<p style=\"a:url(~i/d/x)\">");
    super::check("<p style=\"a:url('x')\">", "<p style=\"a:url('~i/d/x')\">");
    super::check(
        "<p style=\"a:url(&quot;x&quot;)\">",
        "<p style=\"a:url(&quot;~i/d/x&quot;)\">",
    );
    super::check(
        "<p style='a:url(x?a&amp;b);c:d'>",
        "<p style='a:url(~i/d/x?a&amp;b);c:d'>",
    );
    super::check(
        "<p style='a:url(x?a&b)'>",
        "<p style='a:url(~i/d/x?a&amp;b)'>",
    );
    super::check(
        "<base href=/e/><style>a{b:url(x)}</style>",
        "<base href=\"~b/e/\"><style>a{b:url(~i/e/x)}</style>",
    );
}
