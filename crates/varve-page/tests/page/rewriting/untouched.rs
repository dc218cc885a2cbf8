//! What must stay as it is.

use std::borrow::Cow;

use url::Url;
use varve_page::{Document, Reach, Rewriting, UrlMap, Use, reach, rewrite};

use super::{Letters, check_how, page, same};

#[test]
fn urls_that_lead_nowhere_else() {
    for url in [
        "",
        "#",
        "#x",
        " #x ",
        "about:blank",
        "mailto:a@b",
        "tel:1",
        "data:,x",
        "blob:http://h/x",
        "file:///x",
        "javascript:void 0",
        "ftp://h/x",
        "{{url}}",
        "{% url x %}",
        "{x}",
        "ws://h/",
        "http://",
        "http://[",
        "x-app:y",
        "~n/d/x",
    ] {
        same(&format!("<a href='{url}'>x</a>"));
        same(&format!("<img src='{url}'>"));
        same(&format!("<iframe src='{url}'></iframe>"));
    }
}

#[test]
fn markup_that_says_nothing() {
    same("");
    same("text");
    same("<");
    same("<a");
    same("<a href");
    same("<a href=");
    same("<a href=>");
    same("<a href='x");
    same("</a href=x>");
    same("< a href=x>");
    same("<!a href=x>");
    same("<?a href=x>");
    same("<p>a &lt; b && c &amp;&nbsp; d</p>\r\n\t<br/>\0");
    same("<my-element src=x href=y></my-element>");
    same("<p data-src=x data-href=/y data-background-image='url(z)'>");
    same("<a name=x id=y class='url(z)' title=http://o/>");
    same("<div src=x href=y action=z>");
    same("<input value=http://o/><option value=/x>");
}

#[test]
fn bytes_are_kept_as_they_are_when_nothing_changes() {
    let how = Rewriting::new(&Letters);
    for bytes in [
        &b"<p>\xff\xfe\x80</p>"[..],
        b"\xef\xbb\xbf<p>x",
        b"\xff\xfe<\0p\0>\0",
    ] {
        let url = page();
        let found = rewrite(&Document::new(&url, bytes), &how);
        assert!(matches!(found.body, Cow::Borrowed(_)));
        assert_eq!(&found.body[..], bytes);
    }
}

/// A map for a layout in which every origin has a host of its own.
struct Hosts;

impl UrlMap for Hosts {
    fn concerns(&self, written: &str) -> bool {
        matches!(reach(written), Reach::Host | Reach::Scheme)
    }

    fn map(&self, _: &str, resolved: &Url, _: Use) -> Option<String> {
        let host = resolved.host_str()?;
        let mut mapped = resolved.clone();
        if host.ends_with(".replay") {
            return None;
        }
        mapped.set_host(Some(&format!("{host}.replay"))).ok()?;
        Some(mapped.into())
    }
}

#[test]
fn what_a_map_is_not_concerned_with_is_not_resolved() {
    let how = Rewriting::new(&Hosts);
    check_how(
        "<a href=x><a href=/x><a href='?x'>",
        "<a href=x><a href=/x><a href='?x'>",
        &how,
    );
    check_how(
        "<a href='//h/x'><a href='http://h'>",
        "<a href='http://h.replay/x'><a href='http://h.replay/'>",
        &how,
    );
    check_how(
        "<a href='http://h.replay/x'>",
        "<a href='http://h.replay/x'>",
        &how,
    );
    check_how("<a href='/\t/h/x'>", "<a href='http://h.replay/x'>", &how);
}
