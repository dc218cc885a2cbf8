//! Documents in XML syntax, and SVG in HTML.

use varve_page::Rewriting;

use super::{Letters, check, same, text};

fn script(text: &str) -> Option<String> {
    text.contains("location")
        .then(|| text.replace("location", "L<&"))
}

#[track_caller]
fn check_as(content_type: &str, xml: &str, expected: &str) {
    let how = Rewriting {
        insert: "<script src=\"~S\"></script>",
        scripts: &|text, _, _| script(text),
        ..Rewriting::new(&Letters)
    };
    let inserted = "<script xmlns=\"http://www.w3.org/1999/xhtml\" src=\"~S\"></script>";
    let expected = expected.replace('|', inserted);
    assert_eq!(text(content_type, xml, &how), expected, "{xml}");
    assert_eq!(
        text(content_type, &expected, &how),
        expected,
        "{xml}, twice"
    );
}

#[test]
fn svg_in_html() {
    check(
        "<svg><image href=x></svg>",
        "<svg><image href=\"~i/d/x\"></svg>",
    );
    check(
        "<svg><image xlink:href='x'/></svg>",
        "<svg><image xlink:href='~i/d/x'/></svg>",
    );
    check(
        "<svg><use href='x#y'/></svg>",
        "<svg><use href='~i/d/x#y'/></svg>",
    );
    check(
        "<svg><feImage href='x'/></svg>",
        "<svg><feImage href='~i/d/x'/></svg>",
    );
    check(
        "<svg><a xlink:href='x' href='y'>",
        "<svg><a xlink:href='~n/d/x' href='~n/d/y'>",
    );
    check(
        "<svg><script href='x'/></svg><p>",
        "<svg><script href='~s/d/x'/></svg><p>",
    );
    check(
        "<svg><script xlink:href='x'></script></svg>",
        "<svg><script xlink:href='~s/d/x'></script></svg>",
    );
    check(
        "<svg><style>a{b:url(x)}</style></svg>",
        "<svg><style>a{b:url(~i/d/x)}</style></svg>",
    );
    check(
        "<svg><style><![CDATA[a{b:url(x)}]]></style></svg>",
        "<svg><style><![CDATA[a{b:url(~i/d/x)}]]></style></svg>",
    );
    check(
        "<svg><rect fill='url(x#y)'/></svg>",
        "<svg><rect fill='url(~i/d/x#y)'/></svg>",
    );
    check(
        "<svg><a><animate attributeName='href' values='x;/y' to=z></a></svg>",
        "<svg><a><animate attributeName='href' values='~n/d/x;~n/y' to=\"~n/d/z\"></a></svg>",
    );
    check(
        "<svg><set attributeName=xlink:href to='javascript:x'>",
        "<svg><set attributeName=xlink:href to='javascript:x'>",
    );
    same("<svg><use href='#y'/><rect fill='url(#g)' d='M0 0'/></svg>");
    same("<svg><animate attributeName='x' values='1;2'/></svg>");
    same("<svg><style><!-- a{b:url(x)} --></style></svg>");
    same("<svg><style>a{b:url(x)}<g>c</g></style></svg>");
}

#[test]
fn xhtml() {
    let xhtml = "application/xhtml+xml";
    check_as(
        xhtml,
        "<html><head><title>x</title></head><body><a href=\"x\"/></body></html>",
        "<html><head>|<title>x</title></head><body><a href=\"~n/d/x\"/></body></html>",
    );
    check_as(
        xhtml,
        "<?xml version=\"1.0\"?><!DOCTYPE html><html><body/></html>",
        "<?xml version=\"1.0\"?><!DOCTYPE html><html>|<body/></html>",
    );
    check_as(
        xhtml,
        "<html><head/><a href=\"x?a&amp;b\"/></html>",
        "<html>|<head/><a href=\"~n/d/x?a&amp;b\"/></html>",
    );
    check_as(
        xhtml,
        "<html><script>a &amp;&amp; b</script></html>",
        "<html>|<script>a &amp;&amp; b</script></html>",
    );
    check_as(
        xhtml,
        "<html><style>a &gt; b{c:url(x)}</style></html>",
        "<html>|<style><![CDATA[a > b{c:url(~i/d/x)}]]></style></html>",
    );
    check_as(
        xhtml,
        "<html><style>b{c:url(x)}</style></html>",
        "<html>|<style>b{c:url(~i/d/x)}</style></html>",
    );
    check_as(
        xhtml,
        "<?xml-stylesheet href=\"x\"?><html></html>",
        "<?xml-stylesheet href=\"~c/d/x\"?><html>|</html>",
    );
}

#[test]
fn scripts_in_xml_are_written_so_that_they_parse() {
    let xhtml = "application/xhtml+xml";
    let how = Rewriting {
        scripts: &|text, _, _| script(text),
        ..Rewriting::new(&Letters)
    };
    let found = text(xhtml, "<html><script>location</script></html>", &how);
    assert_eq!(found, "<html><script><![CDATA[L<&]]></script></html>");
    let found = text(
        xhtml,
        "<html><script>//<![CDATA[\na[b[0]]&gt;location\n//]]>\n</script></html>",
        &how,
    );
    assert_eq!(
        found,
        "<html><script><![CDATA[//\na[b[0]]&gt;L<&\n//\n]]></script></html>"
    );
    let found = text(
        xhtml,
        "<html><script>a[b[0]]&gt;location</script></html>",
        &how,
    );
    assert_eq!(
        found,
        "<html><script><![CDATA[a[b[0]]]]><![CDATA[>L<&]]></script></html>"
    );
}

#[test]
fn svg_documents() {
    let svg = "image/svg+xml";
    check_as(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"x\"/></svg>",
        "<svg xmlns=\"http://www.w3.org/2000/svg\">|<image href=\"~i/d/x\"/></svg>",
    );
    check_as(svg, "<svg/>", "<svg/>");
    check_as(
        svg,
        "<svg:svg><svg:a href=\"x\"/></svg:svg>",
        "<svg:svg>|<svg:a href=\"~n/d/x\"/></svg:svg>",
    );
}

#[test]
fn other_xml_keeps_all_but_its_style_sheet() {
    for kind in ["application/xml", "application/rss+xml"] {
        check_as(
            kind,
            "<?xml version=\"1.0\"?><?xml-stylesheet type=\"text/xsl\" href=\"x\"?><rss><a href=\"http://o/\">http://o/</a></rss>",
            "<?xml version=\"1.0\"?><?xml-stylesheet type=\"text/xsl\" href=\"~c/d/x\"?><rss><a href=\"http://o/\">http://o/</a></rss>",
        );
    }
}
