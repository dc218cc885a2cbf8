//! The tags that are found are those that html5ever finds.

use proptest::prelude::*;

use super::super::scan::{Event, Scanner};
use crate::dom::build::tags::tags;

fn found(text: &str) -> Vec<String> {
    Scanner::new(text)
        .map(|event| match event {
            Event::Start { tag, .. } => tag.name.into_owned(),
            Event::End { name, .. } => format!("/{}", name.to_ascii_lowercase()),
        })
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(found(text).join(" "), expected, "{text}");
    assert_eq!(tags(text).join(" "), expected, "{text}, by html5ever");
}

#[test]
fn tags_in_all_their_spellings() {
    check("a < b <p>c</P >", "p /p");
    check("<p title='>'><b x=\">\"><i\n/><u x=a>b>", "p b i u");
    check("<p x='></p>", "");
    check("</><//p></ p><p></p x='>'>", "p /p");
    check("<a/b/c=d/><é><p", "a");
}

#[test]
fn comments_and_declarations() {
    check("<!doctype html><!-- <b> --><p><!--><i><!---><u>", "p i u");
    check("<!-- <b> --!><p><!-- -- > <b> -->", "p");
    check("<!x <p><i><? <u> ?><b>", "i b");
    check("<![CDATA[<p>]]><i>", "i");
    check("<!-- <p>", "");
}

#[test]
fn texts_without_tags() {
    check("<title><b></title><p>", "title /title p");
    check("<style></styles><b></style ><p>", "style /style p");
    check("<textarea><b></TEXTAREA/><p>", "textarea /textarea p");
    check("<noscript><b></noscript><p>", "noscript /noscript p");
    check(
        "<iframe><b></iframe><xmp><b></xmp>",
        "iframe /iframe xmp /xmp",
    );
    check("<plaintext><b></plaintext>", "plaintext");
}

#[test]
fn scripts_end_where_browsers_end_them() {
    check("<script>'<b></scripts>'</script><p>", "script /script p");
    check(
        "<script><!-- <script> </script> <b> </script><p>",
        "script /script p",
    );
    check("<script><!-- <script> --> </script><p>", "script /script p");
    check("<script><!--></script><p>", "script /script p");
    check("<script><!-- </script><p>", "script /script p");
}

#[test]
fn foreign_languages() {
    check(
        "<svg><![CDATA[<b>]]><a/></svg><![CDATA[<b>]]>",
        "svg a /svg",
    );
    check(
        "<svg><title><b></b></title><style><g/>",
        "svg title b /b /title style g",
    );
    check(
        "<svg><style><g></style></svg><style><g></style>",
        "svg style g /style /svg style /style",
    );
    check("<svg><p><style><b></style>", "svg p style /style");
    check(
        "<svg><foreignObject><style><b></style></foreignObject><style><g>",
        "svg foreignobject style /style /foreignobject style g",
    );
    check(
        "<math><mi><style><b></style></mi>",
        "math mi style /style /mi",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_markup(pieces in proptest::collection::vec(0..PIECES.len(), 0..16)) {
        let text: String = pieces.iter().map(|at| PIECES[*at]).collect();
        prop_assert_eq!(found(&text), tags(&text), "{}", text);
    }
}

// Without end tags that browsers hold against what is open outside of foreign elements.
const PIECES: [&str; 33] = [
    "<p>",
    "</p>",
    "<div class=\"a>b\">",
    "<a href=x/>",
    "<br/>",
    "text & more",
    "<",
    ">",
    "</",
    "<!",
    "<!--",
    "-->",
    "--!>",
    "-",
    "<!-->",
    "'",
    "\"",
    "=",
    " ",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<textarea>",
    "</textarea>",
    "<svg>",
    "</svg>",
    "<svg/>",
    "<g/>",
    "<![CDATA[",
    "]]>",
    "<math>",
    "</math>",
];
