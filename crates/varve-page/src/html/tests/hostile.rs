//! Pages that mean harm, and any bytes at all.

use super::{page, words};
use crate::{Document, Note, Viewport, analyse};
use proptest::prelude::*;
use url::Url;

#[test]
fn hostile_pages_end() {
    for unit in [
        "<a href=x>",
        "<b>",
        "<svg>",
        "<template>",
        "<picture>",
        "<iframe srcdoc=\"",
        "<noscript>",
        "<!--",
        "<a ",
        "<",
        "<![CDATA[",
        "</b>",
        "<title>",
        "<style>",
        "<script>",
        "<select><xmp>",
        "&amp",
        "<a a='",
        "<math>",
        "<table><a>",
        "<plaintext>",
        "<video><source src=x>",
        "<img srcset='a,",
        "<p style='",
        "<object>",
    ] {
        let _ = page(&unit.repeat(50_000));
    }
    let many: String = (0..150_000).map(|n| format!("<a href=/{n}>")).collect();
    assert_eq!(page(&many).notes, [Note::TooManyReferences]);
    let long = format!(
        "<script>import('{}')</script><a href=x>",
        "x".repeat(10_000_000)
    );
    assert_eq!(words(&page(&long)), "link:x");
    let _ = page(&format!("<a {}>", "b ".repeat(3_000_000)));
    let mut deep = "<a href=deep>".to_owned();
    for _ in 0..6 {
        deep = format!(
            "<iframe srcdoc='{}'></iframe>",
            htmlize::escape_all_quotes(deep)
        );
    }
    assert_eq!(page(&deep).notes, [Note::TooDeep]);
}

proptest! {
    #[test]
    fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..300), declared in "(text/html|text/css|text/javascript|application/json|application/xml|image/svg|text/plain)?(;charset=[a-z0-9-]{1,10})?") {
        let url = Url::parse("http://h/").unwrap();
        let document = Document { content_type: Some(&declared), ..Document::new(&url, &bytes) };
        let _ = analyse(&document, &Viewport::default());
    }

    #[test]
    fn any_tags_are_taken(html in "(<(a|img|source|picture|video|svg|style|script|template|noscript|title|iframe|meta|base|link|p|object|image)|</(picture|svg|style|script|template|noscript|title|p)>| (href|src|srcset|srcdoc|style|media|rel|content|type)=|'|\"|>|x|é|url\\(|&amp;|<!--|-->|/| ){0,60}") {
        let found = page(&html);
        for reference in found.references {
            if let Some(span) = reference.span {
                prop_assert!(html.get(span).is_some());
            }
        }
    }

    #[test]
    fn every_link_that_was_written_is_found(paths in prop::collection::vec("[a-z0-9]{1,8}", 1..30), open in "[a-z]{1,3}") {
        let html: String = paths.iter().map(|p| format!("<{open}><a class=x href=\"/{p}\">{p}</a> ")).collect();
        prop_assume!(!matches!(open.as_str(), "a" | "xmp"));
        let found = page(&html);
        for path in paths {
            let url = format!("http://h/{path}");
            prop_assert!(found.references.iter().any(|r| r.url.as_str() == url));
        }
    }
}
