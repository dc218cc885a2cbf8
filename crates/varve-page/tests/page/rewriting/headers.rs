//! URLs in response headers.

use varve_page::{Use, rewrite_link_header, rewrite_location, rewrite_refresh};

use super::{Letters, page};

#[test]
fn locations() {
    for (value, expected) in [
        ("/x", "~n/x"),
        ("x?a=b", "~n/d/x?a=b"),
        ("http://o/x#y", "~n/http://o/x#y"),
        ("//o", "~n/http://o/"),
        (" x ", "~n/d/x"),
        ("ü", "~n/d/%C3%BC"),
        ("about:blank", ""),
        ("mailto:a@b", ""),
        ("javascript:alert(1)", ""),
        ("http://[", ""),
    ] {
        let found = rewrite_location(value, &page(), &Letters, Use::Navigate);
        assert_eq!(found.unwrap_or_default(), expected, "{value}");
    }
}

#[test]
fn refreshes() {
    for (value, expected) in [
        ("0; url=x", "0; url=~n/d/x"),
        ("5;URL='x' ", "5;URL='~n/d/x' "),
        ("5,x", "5,~n/d/x"),
        ("0;http://o/", "0;~n/http://o/"),
        ("5", "5"),
        ("x", ""),
        ("0;url=javascript:x", ""),
    ] {
        let found = rewrite_refresh(value, &page(), &Letters);
        assert_eq!(found.unwrap_or_default(), expected, "{value}");
    }
}

#[test]
fn links() {
    for (value, expected) in [
        ("<x>; rel=next", "<~n/d/x>; rel=\"next\""),
        (
            "</a.css>;rel=preload;as=style",
            "<~c/a.css>; rel=\"preload\"; as=\"style\"",
        ),
        (
            "<x>; rel=\"preload\"; as=script; integrity=y",
            "<~s/d/x>; rel=\"preload\"; as=\"script\"",
        ),
        (
            "<x>; rel=preload; as=image; imagesrcset=\"http://live/ 2x\"",
            "<~i/d/x>; rel=\"preload\"; as=\"image\"",
        ),
        (
            "<x>; rel=modulepreload, <//o>; rel=preconnect",
            "<~m/d/x>; rel=\"modulepreload\"",
        ),
        (
            "<http://h/x>; rel=canonical",
            "<http://h/x>; rel=\"canonical\"",
        ),
        ("<x,y>; rel=next, <z>", "<~n/d/x,y>; rel=\"next\""),
        (
            "<x>; rel=next; title=\"a, <b>; c\"",
            "<~n/d/x>; rel=\"next\"; title=\"a, <b>; c\"",
        ),
        ("<//o>; rel=dns-prefetch", ""),
        ("<x>; rel=prerender", ""),
        ("<x>; rel=\"preload preconnect\"", ""),
        ("nothing", ""),
        ("<x", ""),
    ] {
        let found = rewrite_link_header(value, &page(), &Letters);
        assert_eq!(found.unwrap_or_default(), expected, "{value}");
    }
}
