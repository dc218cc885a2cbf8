//! What a page says, and how its URLs are spelt.

use super::page;
use crate::{Document, Viewport, analyse};
use url::Url;

#[test]
fn title_and_text() {
    let found = page(
        "<!doctype html><title> The\n &lt;title&gt; </title><style>a{}</style><h1>One &amp; two</h1>\n<p>three <b>fo</b>ur\
         <script>no()</script><noscript>no</noscript><template>no</template><p>five</p>six<br>seven\
         <ul><li>a<li>b</ul><svg><title>no</title><text>svg</text></svg><textarea>no</textarea>",
    );
    assert_eq!(found.title.as_deref(), Some("The <title>"));
    assert_eq!(
        found.text,
        "One & two\nthree four\nfive\nsix\nseven\na\nb\nsvg"
    );
    assert_eq!(page("<p>x").title, None);
    assert_eq!(
        page("<iframe srcdoc='<title>no</title>'></iframe><title>yes")
            .title
            .as_deref(),
        Some("yes")
    );
}

#[test]
fn the_span_is_the_url_as_it_is_spelt() {
    let html = "é<a href='x?a&amp;b'><img srcset=\"i 1x, j 2x\"><style>a{b:url(k)}</style><p style='c:url(l)'>\
                <script type=module>import './m'</script><noscript><a href=n></noscript><meta http-equiv=refresh content='0;url=o'>";
    let found = page(html);
    let spans: Vec<_> = found
        .references
        .iter()
        .map(|r| &html[r.span.clone().unwrap()])
        .collect();
    assert_eq!(
        spans,
        ["x?a&amp;b", "i", "j", "url(k)", "url(l)", "'./m'", "n", "o"]
    );
}

#[test]
fn queries_are_sent_in_the_encoding_of_the_page() {
    let url = Url::parse("http://h/").unwrap();
    let document = Document {
        content_type: Some("text/html"),
        ..Document::new(
            &url,
            b"<meta charset=windows-1251><title>\xcf</title><a href='/\xcf?\xcf'>",
        )
    };
    let found = analyse(&document, &Viewport::default());
    assert_eq!(found.charset, "windows-1251");
    assert_eq!(found.title.as_deref(), Some("П"));
    assert_eq!(found.references[0].url.as_str(), "http://h/%D0%9F?%CF");
}
