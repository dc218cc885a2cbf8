//! Pieces of text that scripts make at run time.

use std::borrow::Cow;

use varve_page::{Fragment, Rewriting, rewrite_fragment};

use super::{Letters, page};

#[track_caller]
fn check(fragment: Fragment, written: &str, expected: &str) {
    let how = Rewriting {
        insert: "<i>",
        insert_srcdoc: "<s>",
        ..Rewriting::new(&Letters)
    };
    assert_eq!(rewrite_fragment(written, fragment, &page(), &how), expected);
}

#[test]
fn markup_for_a_page_that_is_there() {
    check(Fragment::Html, "<img src=x>", "<img src=\"~i/d/x\">");
    check(Fragment::Html, "a<b", "a<b");
    check(
        Fragment::Html,
        "<td background=x>",
        "<td background=\"~i/d/x\">",
    );
    check(
        Fragment::Html,
        "<!doctype html><head>",
        "<!doctype html><head>",
    );
    check(Fragment::Html, "<script src=x>", "<script src=\"~s/d/x\">");
}

#[test]
fn whole_pages_and_styles() {
    check(Fragment::Srcdoc, "<img src=x>", "<s><img src=\"~i/d/x\">");
    check(Fragment::Srcdoc, "", "<s>");
    check(Fragment::Css, "a{b:url(x)}", "a{b:url(~i/d/x)}");
    check(Fragment::Css, "background:url(x)", "background:url(~i/d/x)");
}

#[test]
fn what_does_not_change_is_not_copied() {
    let how = Rewriting::new(&Letters);
    let found = rewrite_fragment("<p>x", Fragment::Html, &page(), &how);
    assert!(matches!(found, Cow::Borrowed(_)));
}
