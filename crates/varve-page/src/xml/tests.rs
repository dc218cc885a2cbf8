#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use url::Url;

use crate::{Document, Kind, Need, Page, Viewport, analyse};

fn page(xml: &str) -> Page {
    let url = Url::parse("http://h/d/").unwrap();
    let document = Document {
        content_type: Some("application/xml"),
        ..Document::new(&url, xml.as_bytes())
    };
    analyse(&document, &Viewport::default())
}

/// URLs without their origin, with `?` in front of those that are not needed.
#[track_caller]
fn check(xml: &str, kind: Kind, expected: &str) {
    let page = page(xml);
    assert_eq!(page.kind, kind);
    let words: Vec<_> = page
        .references
        .iter()
        .map(|r| {
            let sign = if r.need == Need::Needed { "" } else { "?" };
            format!("{sign}{}", r.url.as_str().trim_start_matches("http://h"))
        })
        .collect();
    assert_eq!(words.join(" "), expected, "{xml}");
}

#[test]
fn feeds() {
    check(
        "<?xml version='1.0'?><?xml-stylesheet href='s.xsl' type='text/xsl'?><rss><channel><title>T</title><link>http://h/</link>\
         <image><url>/i.png</url></image><item><title>One</title><link><![CDATA[http://h/1?a&b]]></link>\
         <guid isPermaLink='false'>abc</guid><enclosure url='/e.mp3'/><media:thumbnail url='/t.png'/>\
         <description>&lt;a href='/x'&gt;&lt;img src='/y.png'&gt;</description></item></channel></rss>",
        Kind::Feed,
        "/d/s.xsl / ?/i.png /1?a&b ?/e.mp3 ?/t.png /x ?/y.png",
    );
    check(
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><link href='/a'/><link rel='self' href='/feed'/>\
         <entry><id>http://h/1</id><link rel='alternate' href='/1'/><link rel='enclosure' href='/e'/>\
         <content type='html'><![CDATA[<a href=\"/c\">]]></content></entry></feed>",
        Kind::Feed,
        "/a ?/feed /1 ?/e /c",
    );
}

#[test]
fn the_text_of_a_feed() {
    let found = page(
        "<rss><channel><title>News</title><item><title>One</title><description>&lt;p&gt;two&lt;/p&gt;</description></item>",
    );
    assert_eq!(found.title.as_deref(), Some("News"));
    assert_eq!(found.text, "News\nOne\ntwo");
}

#[test]
fn sitemaps() {
    check(
        "<urlset><url><loc> http://h/a?x=1&amp;y=2 </loc><image:image><image:loc>http://h/i.png</image:loc></image:image>\
         <xhtml:link rel='alternate' href='http://h/de'/><video:video><video:content_loc>http://h/v</video:content_loc></video:video></url>\
         <url><loc><![CDATA[http://h/b]]></loc><lastmod>2020</lastmod></url></urlset>",
        Kind::Sitemap,
        "/a?x=1&y=2 ?/i.png /de ?/v /b",
    );
    check(
        "<sitemapindex><sitemap><loc>http://h/s1.xml</loc></sitemap></sitemapindex>",
        Kind::Sitemap,
        "/s1.xml",
    );
    let url = Url::parse("http://h/sitemap.txt").unwrap();
    let document = Document {
        content_type: Some("text/plain"),
        ..Document::new(&url, b"http://h/a\r\nhttp://h/b\n")
    };
    let found = analyse(&document, &Viewport::default());
    assert_eq!((found.kind, found.references.len()), (Kind::Sitemap, 2));
}

#[test]
fn svg_documents() {
    check(
        "<?xml-stylesheet href='s.css'?><svg xmlns='http://www.w3.org/2000/svg'><title>T</title>\
         <style><![CDATA[a{b:url(c)}]]></style><image xlink:href='i.png'/><a href='l'/><script href='j.js'/>\
         <rect style='fill:url(f.svg#x)'/><svg:image href='k.png'/><foreignObject><img src='m.png'/></foreignObject></svg>",
        Kind::Svg,
        "/d/s.css /d/c /d/i.png /d/l /d/j.js /d/f.svg /d/k.png /d/m.png",
    );
}

#[test]
fn xhtml_closes_what_html_would_leave_open() {
    check(
        "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/><script src='a.js'/><style/></head>\
         <body><a href='b'/><p>x</p><script><![CDATA[import('./c.js')]]></script><a href='d'/></body></html>",
        Kind::Xhtml,
        "/d/a.js /d/b /d/c.js /d/d",
    );
}

#[test]
fn hostile_documents_end() {
    for unit in [
        "<",
        "<a",
        "<a>",
        "<a b='",
        "<![CDATA[",
        "<?",
        "<!--",
        "</",
        "&",
        "]]>",
        "<svg>",
        "<!DOCTYPE [",
        "<template>",
        "</template>",
    ] {
        for root in ["<rss>", "<svg>", "<urlset>", "<html>", "<?xml?><x>"] {
            let _ = page(&format!("{root}{}", unit.repeat(20_000)));
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_taken(xml in "(<|>|/|'|\"|rss|svg|urlset|html|link|loc|script|style|<!\\[CDATA\\[|\\]\\]>|<!--|-->|<\\?|\\?>|é|&amp;| |=|href){0,60}") {
        for root in ["", "<rss>", "<svg>", "<urlset>", "<html>"] {
            let _ = page(&format!("{root}{xml}"));
        }
    }
}
