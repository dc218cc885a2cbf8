#![allow(clippy::unwrap_used)]

use url::Url;

use super::kind_of;
use crate::{Destination, Document, Kind};

#[track_caller]
fn check(content_type: &str, destination: Destination, bytes: &[u8], expected: Kind) {
    let url = Url::parse("https://example.com/sitemap.txt").unwrap();
    let document = Document {
        content_type: Some(content_type).filter(|t| !t.is_empty()),
        destination,
        ..Document::new(&url, bytes)
    };
    assert_eq!(
        kind_of(&document),
        expected,
        "{content_type} {destination:?}"
    );
}

#[test]
fn declarations_are_believed_where_browsers_do() {
    use Destination::Document as Page;
    check("text/html", Page, b"hello", Kind::Html);
    check(
        "text/html;charset=utf-8",
        Page,
        b"\x89PNG\r\n\x1a\n",
        Kind::Html,
    );
    check("text/plain", Page, b"<html>", Kind::Text);
    check("application/xhtml+xml", Page, b"<html/>", Kind::Xhtml);
    check("text/css", Page, b"a{}", Kind::Css);
    check("TEXT/JavaScript1.5", Page, b"a()", Kind::Script);
    check("application/ld+json", Page, b"{}", Kind::Json);
    check("application/pdf", Page, b"", Kind::Pdf);
    check("application/zip", Page, b"PK", Kind::Other);
    check("image/webp", Page, b"", Kind::Image);
    check("video/mp4", Page, b"", Kind::Media);
    check("application/font-woff2", Page, b"", Kind::Font);
    check(
        "text/plain",
        Page,
        b"https://example.com/a\n",
        Kind::Sitemap,
    );
}

#[test]
fn without_a_declaration_the_bytes_speak() {
    use Destination::Document as Page;
    for declared in ["", "application/octet-stream", "nonsense"] {
        check(declared, Page, b"  <!DOCTYPE html><p>", Kind::Html);
        check(declared, Page, b"\xef\xbb\xbf<html lang=en>", Kind::Html);
        check(declared, Page, b"<a href=x>", Kind::Html);
        check(declared, Page, b"GIF89a", Kind::Image);
        check(declared, Page, b"\0\0\0\x20ftypisom", Kind::Media);
        check(declared, Page, b"\0\0\0\x20ftypavif", Kind::Image);
        check(declared, Page, b"RIFF1234WEBP", Kind::Image);
        check(declared, Page, b"%PDF-1.7", Kind::Pdf);
        check(declared, Page, b" {\"a\": 1}", Kind::Json);
        check(declared, Page, b"<?xml version='1.0'?><rss>", Kind::Feed);
        check(
            declared,
            Page,
            b"<svg xmlns='http://www.w3.org/2000/svg'>",
            Kind::Svg,
        );
        check(declared, Page, b"just words", Kind::Text);
        check(declared, Page, b"\x01\x02\x03", Kind::Other);
        check(declared, Page, b"", Kind::Text);
    }
}

#[test]
fn xml_is_told_apart_by_its_first_element() {
    use Destination::Document as Page;
    for declared in [
        "text/xml",
        "application/xml; charset=utf-8",
        "application/rss+xml",
    ] {
        check(
            declared,
            Page,
            b"<?xml version='1.0'?><!-- x --><feed xmlns=''>",
            Kind::Feed,
        );
        check(declared, Page, b"<urlset>", Kind::Sitemap);
        check(declared, Page, b"<sitemapindex >", Kind::Sitemap);
        check(
            declared,
            Page,
            b"<!DOCTYPE svg PUBLIC '-'><svg:svg>",
            Kind::Svg,
        );
        check(declared, Page, b"<html>", Kind::Xhtml);
        check(declared, Page, b"<other/>", Kind::Xml);
        check(declared, Page, b"", Kind::Xml);
    }
}

#[test]
fn what_was_asked_for_counts_more_than_a_wrong_declaration() {
    check("text/plain", Destination::Style, b"a{}", Kind::Css);
    check("", Destination::Script, b"f()", Kind::Script);
    check("text/plain", Destination::Module, b"f()", Kind::Script);
    check("application/json", Destination::Module, b"{}", Kind::Json);
    check("text/html", Destination::Script, b"f()", Kind::Script);
    check("text/plain", Destination::Image, b"<svg>", Kind::Svg);
    check(
        "image/svg+xml",
        Destination::Image,
        b"\x89PNG\r\n\x1a\n",
        Kind::Image,
    );
    check("image/png", Destination::Image, b"", Kind::Image);
    check(
        "application/json",
        Destination::Manifest,
        b"{}",
        Kind::Manifest,
    );
    check("text/vtt", Destination::Media, b"WEBVTT", Kind::Text);
}

#[test]
fn an_error_page_is_html_whatever_was_asked_for() {
    for destination in [
        Destination::Style,
        Destination::Script,
        Destination::Image,
        Destination::Font,
    ] {
        check(
            "text/html",
            destination,
            b"<!doctype html><h1>Not found",
            Kind::Html,
        );
    }
}
