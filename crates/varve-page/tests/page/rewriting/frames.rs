//! Pages in pages, and where links open.

use varve_page::{Rewriting, Targets};

use super::{Letters, check, check_how, same};

#[track_caller]
fn framed(html: &str, expected: &str) {
    let how = Rewriting {
        insert_srcdoc: "<script src=S></script>",
        targets: Targets::TOPMOST,
        ..Rewriting::new(&Letters)
    };
    check_how(html, expected, &how);
}

#[test]
fn srcdoc_is_a_page_of_its_own() {
    check(
        "<iframe srcdoc='<a href=x>'></iframe>",
        "<iframe srcdoc='<a href=\"~n/d/x\">'></iframe>",
    );
    check(
        "<iframe srcdoc=\"<a href=x>\"></iframe>",
        "<iframe srcdoc=\"<a href=&quot;~n/d/x&quot;>\"></iframe>",
    );
    check(
        "<iframe srcdoc='&lt;a href=x>'></iframe>",
        "<iframe srcdoc='&lt;a href=\"~n/d/x\">'></iframe>",
    );
    check(
        "<iframe srcdoc='&lt;p>&amp;amp;&lt;a href=\"x?a&amp;amp;b\">'></iframe>",
        "<iframe srcdoc='&lt;p>&amp;amp;&lt;a href=\"~n/d/x?a&amp;amp;b\">'></iframe>",
    );
    check(
        "<iframe srcdoc='x' src='y'></iframe>",
        "<iframe srcdoc='x' src='~f/d/y'></iframe>",
    );
    check(
        "<iframe srcdoc='<base href=/e/><a href=x>'></iframe><a href=x>",
        "<iframe srcdoc='<base href=\"~b/e/\"><a href=\"~n/e/x\">'></iframe><a href=\"~n/d/x\">",
    );
    check(
        "<iframe srcdoc='<style>a{b:url(x)}</style>'></iframe>",
        "<iframe srcdoc='<style>a{b:url(~i/d/x)}</style>'></iframe>",
    );
    check(
        "<iframe srcdoc='<iframe srcdoc=\"<a href=x>\"></iframe>'></iframe>",
        "<iframe srcdoc='<iframe srcdoc=\"<a href=&amp;quot;~n/d/x&amp;quot;>\"></iframe>'></iframe>",
    );
    framed(
        "<iframe srcdoc='<p>x'></iframe>",
        "<iframe srcdoc='&lt;script src=S>&lt;/script><p>x'></iframe>",
    );
    framed(
        "<iframe srcdoc='<!doctype html><p>x'></iframe>",
        "<iframe srcdoc='<!doctype html>&lt;script src=S>&lt;/script><p>x'></iframe>",
    );
    framed(
        "<iframe srcdoc=x></iframe>",
        "<iframe srcdoc=\"&lt;script src=S>&lt;/script>x\"></iframe>",
    );
}

#[test]
fn links_do_not_leave_the_topmost_document() {
    framed("<a target=_top>", "<a target=\"_self\">");
    framed("<a target='_PARENT'>", "<a target='_self'>");
    framed("<base target='_top'>", "<base target='_self'>");
    framed(
        "<form target='_top'><button formtarget='_parent'>",
        "<form target='_self'><button formtarget='_self'>",
    );
    framed(
        "<a target='_blank'><a target=_self><a target=name>",
        "<a target='_blank'><a target=_self><a target=name>",
    );
    framed("<p target='_top'>", "<p target='_top'>");
    framed(
        "<iframe srcdoc='<a target=\"_top\"><a target=\"_parent\">'></iframe>",
        "<iframe srcdoc='&lt;script src=S>&lt;/script><a target=\"_parent\"><a target=\"_parent\">'></iframe>",
    );
    same("<a target=_top><a target=_parent>");
    let named = Rewriting {
        targets: Targets {
            top: Some("replay"),
            blank: Some("replay"),
            parent: None,
        },
        ..Rewriting::new(&Letters)
    };
    check_how(
        "<a target='_top'><a target='_blank'><a target='_parent'>",
        "<a target='replay'><a target='replay'><a target='_parent'>",
        &named,
    );
}

#[test]
fn content_that_is_not_shown_yet() {
    check(
        "<template><img src=x></template>",
        "<template><img src=\"~i/d/x\"></template>",
    );
    check(
        "<div><template shadowrootmode=open><style>a{b:url(x)}</style></template></div>",
        "<div><template shadowrootmode=open><style>a{b:url(~i/d/x)}</style></template></div>",
    );
    check(
        "<noscript><img src=x></noscript>",
        "<noscript><img src=\"~i/d/x\"></noscript>",
    );
    check(
        "<head><noscript><link rel=stylesheet href=x></noscript>",
        "<head><noscript><link rel=stylesheet href=\"~c/d/x\"></noscript>",
    );
    check(
        "<noscript><style>a{b:url(x)}</style></noscript>",
        "<noscript><style>a{b:url(~i/d/x)}</style></noscript>",
    );
    check(
        "<noscript><base href=/e/></noscript><a href=x>",
        "<noscript><base href=\"~b/e/\"></noscript><a href=\"~n/d/x\">",
    );
    same("<textarea><img src=x></textarea><title><a href=x></title><xmp><a href=x></xmp>");
    same("<!-- <a href=x> --><!--[if IE]><a href=x><![endif]-->");
    same("<plaintext><a href=x>");
}

#[test]
fn data_urls_with_documents_inside() {
    check(
        "<iframe src='data:text/html,<a href=http://o/>'></iframe>",
        "<iframe src='data:text/html,%3Ca%20href=%22~n/http://o/%22%3E'></iframe>",
    );
    check(
        "<iframe src='data:text/html;base64,PGEgaHJlZj1odHRwOi8vby8+'></iframe>",
        "<iframe src='data:text/html,%3Ca%20href=%22~n/http://o/%22%3E'></iframe>",
    );
    check(
        "<link rel=stylesheet href='data:text/css,@import \"http://o/\";'>",
        "<link rel=stylesheet href='data:text/css,@import%20%22~c/http://o/%22;'>",
    );
    same("<iframe src='data:text/html,<a href=x>'></iframe>");
    same("<img src='data:image/svg+xml,<svg><image href=\"http://o/\"/></svg>'>");
    same("<a href='data:text/html,<a href=http://o/>'>");
}
