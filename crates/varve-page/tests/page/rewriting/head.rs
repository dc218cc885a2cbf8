//! The head of a page: what is put there, and what it says.

use varve_page::{Rewriting, Viewport};

use super::{Letters, check, check_how, rewritten, same, text};

#[track_caller]
fn inserted(html: &str, expected: &str) {
    let how = Rewriting {
        insert: "<script src=~S></script>",
        ..Rewriting::new(&Letters)
    };
    let expected = expected.replace('|', "<script src=~S></script>");
    check_how(html, &expected, &how);
    // Where it is already, it is not put again.
    let twice = text("text/html", &expected, &how);
    assert_eq!(twice.matches("src=~S").count(), 1, "{html}");
}

#[test]
fn what_is_inserted_comes_first_and_the_doctype_stays_in_front() {
    inserted("", "|");
    inserted("<p>x", "|<p>x");
    inserted("<!doctype html><p>x", "<!doctype html>|<p>x");
    inserted(
        "<!doctype html>\n<html>\n<head>\n<meta charset=utf-8>",
        "<!doctype html>\n<html>\n<head>|\n<meta charset=utf-8>",
    );
    inserted(
        "<!-- c --><!doctype html><!-- d --><html><!-- e --><body>",
        "<!-- c --><!doctype html><!-- d --><html>|<!-- e --><body>",
    );
    inserted("<html><frameset>", "<html>|<frameset>");
    inserted("<title>x</title>", "|<title>x</title>");
    inserted(
        "<head><script src=a></script>",
        "<head>|<script src=\"~s/d/a\"></script>",
    );
}

#[test]
fn base_counts_for_what_comes_after() {
    check(
        "<base href='/e/'><a href=x>",
        "<base href='~b/e/'><a href=\"~n/e/x\">",
    );
    check(
        "<base href=http://o><a href=x>",
        "<base href=\"~b/http://o/\"><a href=\"~n/http://o/x\">",
    );
    check(
        "<a href=x><base href='/e/'>",
        "<a href=\"~n/d/x\"><base href='~b/e/'>",
    );
    check(
        "<base href='/e/'><base href='/f/'><a href=x>",
        "<base href='~b/e/'><base href='~b/f/'><a href=\"~n/e/x\">",
    );
    check(
        "<base href=''><a href=x>",
        "<base href=''><a href=\"~n/d/x\">",
    );
    check(
        "<template><base href='/e/'></template><a href=x>",
        "<template><base href='~b/e/'></template><a href=\"~n/d/x\">",
    );
    check(
        "<base href='data:,'><a href=x>",
        "<base href='data:,'><a href=\"~n/d/x\">",
    );
}

#[test]
fn refresh_with_and_without_its_word() {
    check(
        "<meta http-equiv=refresh content='0; url=x'>",
        "<meta http-equiv=refresh content='0; url=~n/d/x'>",
    );
    check(
        "<meta http-equiv=Refresh content='5;x'>",
        "<meta http-equiv=Refresh content='5;~n/d/x'>",
    );
    check(
        "<meta http-equiv=refresh content='1 , x'>",
        "<meta http-equiv=refresh content='1 , ~n/d/x'>",
    );
    check(
        "<meta http-equiv=refresh content=\"0;URL='x y'\">",
        "<meta http-equiv=refresh content=\"0;URL='~n/d/x%20y'\">",
    );
    check(
        "<meta http-equiv=refresh content=0;url=x>",
        "<meta http-equiv=refresh content=\"0;url=~n/d/x\">",
    );
    check(
        "<meta http-equiv=refresh content='0; url=x&amp;y'>",
        "<meta http-equiv=refresh content='0; url=~n/d/x&amp;y'>",
    );
    same("<meta http-equiv=refresh content=5>");
    same("<meta http-equiv=refresh>");
}

#[test]
fn what_a_meta_must_not_say() {
    check(
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'self'\">",
        "<meta http-equiv=Content-Security-Policy _content=\"default-src 'self'\">",
    );
    check(
        "<meta content=x http-equiv=' content-security-policy '>",
        "<meta _content=x http-equiv=' content-security-policy '>",
    );
    check(
        "<meta name=referrer content=origin>",
        "<meta name=referrer _content=origin>",
    );
    check(
        "<meta http-equiv=x-dns-prefetch-control content=on>",
        "<meta http-equiv=x-dns-prefetch-control _content=on>",
    );
    check(
        "<meta http-equiv=delegate-ch content='sec-ch-ua https://o'>",
        "<meta http-equiv=delegate-ch _content='sec-ch-ua https://o'>",
    );
    same("<meta charset=utf-8>");
    same("<meta name=viewport content='width=device-width'>");
    same("<meta http-equiv=content-type content='text/html; charset=utf-8'>");
    same("<meta property=og:image content=http://o/x.png>");
    same("<meta name=description content='url(x) http://o/'>");
}

#[test]
fn links_by_their_relation() {
    check(
        "<link rel=stylesheet href=x>",
        "<link rel=stylesheet href=\"~c/d/x\">",
    );
    check(
        "<link rel='alternate stylesheet' href=x>",
        "<link rel='alternate stylesheet' href=\"~c/d/x\">",
    );
    check(
        "<link rel=preload as=script href=x>",
        "<link rel=preload as=script href=\"~s/d/x\">",
    );
    check(
        "<link rel=preload as=style href=x>",
        "<link rel=preload as=style href=\"~c/d/x\">",
    );
    check(
        "<link rel=preload as=image href=x>",
        "<link rel=preload as=image href=\"~i/d/x\">",
    );
    check(
        "<link rel=preload as=font crossorigin href=x>",
        "<link rel=preload as=font crossorigin href=\"~t/d/x\">",
    );
    check(
        "<link rel=preload as=script crossorigin href=x>",
        "<link rel=preload as=script _crossorigin href=\"~s/d/x\">",
    );
    check(
        "<link rel=preload as=fetch href=x>",
        "<link rel=preload as=fetch href=\"~x/d/x\">",
    );
    check(
        "<link rel=preload as=worker href=x>",
        "<link rel=preload as=worker href=\"~w/d/x\">",
    );
    check(
        "<link rel=preload as=document href=x>",
        "<link rel=preload as=document href=\"~f/d/x\">",
    );
    check(
        "<link rel=preload as=video href=x>",
        "<link rel=preload as=video href=\"~v/d/x\">",
    );
    check(
        "<link rel=preload href=x>",
        "<link rel=preload href=\"~z/d/x\">",
    );
    check(
        "<link rel=modulepreload href=x>",
        "<link rel=modulepreload href=\"~m/d/x\">",
    );
    check(
        "<link rel='SHORTCUT ICON' href=x>",
        "<link rel='SHORTCUT ICON' href=\"~i/d/x\">",
    );
    check(
        "<link rel=apple-touch-icon href=x>",
        "<link rel=apple-touch-icon href=\"~i/d/x\">",
    );
    check(
        "<link rel=manifest href=x>",
        "<link rel=manifest href=\"~a/d/x\">",
    );
    check(
        "<link rel=prefetch href=x>",
        "<link rel=prefetch href=\"~z/d/x\">",
    );
    check("<link rel=next href=x>", "<link rel=next href=\"~n/d/x\">");
    check(
        "<link rel=pingback href=x>",
        "<link rel=pingback href=\"~z/d/x\">",
    );
    check("<link href=x>", "<link href=\"~z/d/x\">");
    same("<link rel=canonical href=http://h/x>");
}

#[test]
fn hints_to_connect_are_dropped() {
    check(
        "<link rel=dns-prefetch href=//o>",
        "<link rel=dns-prefetch _href=//o>",
    );
    check(
        "<link rel=preconnect href=//o crossorigin>",
        "<link rel=preconnect _href=//o _crossorigin>",
    );
    check(
        "<link rel='preconnect dns-prefetch' href=//o>",
        "<link rel='preconnect dns-prefetch' _href=//o>",
    );
    check(
        "<link rel='preconnect stylesheet' href=x>",
        "<link rel='stylesheet' href=\"~c/d/x\">",
    );
}

#[test]
fn media_of_styles_are_decided_for_the_client() {
    let client = Viewport::default();
    let how = Rewriting {
        client: Some(&client),
        ..Rewriting::new(&Letters)
    };
    check_how(
        "<link rel=stylesheet media='(hover)' href=x>",
        "<link rel=stylesheet media='(grid:1)' href=\"~c/d/x\">",
        &how,
    );
    check_how(
        "<style media='(prefers-color-scheme: light)'></style>",
        "<style media='(grid:0)'></style>",
        &how,
    );
    check_how(
        "<source media='(min-device-width:1px) and (width)'>",
        "<source media='(grid:0) and (width)'>",
        &how,
    );
    check_how(
        "<img sizes='(pointer: fine) 1px, 2px'>",
        "<img sizes='(grid:1) 1px, 2px'>",
        &how,
    );
}

#[test]
fn the_charset_is_stated() {
    let how = Rewriting::new(&Letters);
    assert_eq!(
        rewritten("text/html", b"<meta charset=koi8-r>", &how).charset,
        "KOI8-R"
    );
    assert_eq!(rewritten("text/html", b"<p>x", &how).charset, "UTF-8");
    assert_eq!(
        rewritten("text/html;charset=gbk", b"<p>x", &how).charset,
        "GBK"
    );
}
