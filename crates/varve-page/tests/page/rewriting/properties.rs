//! What holds for any input.

use proptest::prelude::*;
use url::Url;
use varve_page::{Document, Need, Rewriting, Targets, UrlMap, Use, Viewport, analyse, rewrite};

use super::{Letters, page, rewritten};

/// Pieces of which pages are made, good ones and bad ones.
fn markup() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "<a href=",
        "<img src=",
        "<img srcset=",
        "<iframe src=",
        "<iframe srcdoc=",
        "<p style=",
        "<link rel=stylesheet href=",
        "<link rel=preconnect href=",
        "<script>",
        "</script>",
        "<script src=",
        "<script type=module>",
        "<script type=importmap>",
        "<style>",
        "</style>",
        "<noscript>",
        "</noscript>",
        "<template>",
        "</template>",
        "<svg><image href=q></svg>",
        "<svg><style>a{b:url(v)}</style><rect fill='url(u)'></svg>",
        "<base href=",
        "<meta http-equiv=refresh content=",
        "<!--",
        "-->",
        "<!doctype html>",
        "<html>",
        "<head>",
        "<body>",
        "<title>",
        "</title>",
        "'",
        "\"",
        ">",
        " ",
        "=",
        "/",
        "x",
        "//o/y",
        "http://h/z",
        "?a=1&b=2",
        "&amp;",
        "&#47;",
        "&",
        "#f",
        "a 1x, b 2x",
        "0;url=x",
        "url(x)",
        "url('y')",
        "@import 'z';",
        "a{b:url(w)}",
        "{\"imports\":{\"a\":\"/b\"}}",
        "ü",
        "\u{fffd}",
        "\0",
        "\n",
        "ping=x",
        "integrity=y",
        "target=_top",
        "javascript:x",
        "data:text/html,<a href=http://o/>",
        "<![CDATA[",
        "]]>",
        "<",
        "</a>",
        "<textarea>",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

fn how<'a>(map: &'a dyn UrlMap, client: &'a Viewport) -> Rewriting<'a> {
    Rewriting {
        insert: "<script src=~S></script>",
        insert_srcdoc: "<script src=~D></script>",
        client: Some(client),
        targets: Targets::TOPMOST,
        ..Rewriting::new(map)
    }
}

const KINDS: [&str; 8] = [
    "text/html",
    "text/html; charset=utf-8",
    "text/html; charset=shift_jis",
    "text/html; charset=utf-16le",
    "application/xhtml+xml",
    "text/css",
    "text/plain",
    "application/dash+xml",
];

/// Maps everything to another host, and knows its own.
struct Elsewhere;

impl UrlMap for Elsewhere {
    fn map(&self, _: &str, resolved: &Url, _: Use) -> Option<String> {
        let own = resolved.host_str() == Some("replay");
        (!own).then(|| format!("http://replay/{resolved}"))
    }
}

/// What a page loads and links to.
fn references(html: &[u8]) -> Vec<String> {
    let url = page();
    let document = Document {
        content_type: Some("text/html; charset=utf-8"),
        ..Document::new(&url, html)
    };
    let page = analyse(&document, &Viewport::default());
    // Placeholders of templates are left alone.
    let followed = page.references.into_iter().filter(|reference| {
        reference.need != Need::Weak && !reference.url.as_str().contains("/%7B")
    });
    followed.map(|reference| reference.url.into()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes_are_taken(bytes: Vec<u8>, kind in 0..KINDS.len()) {
        let client = Viewport::default();
        rewritten(KINDS[kind], &bytes, &how(&Letters, &client));
    }

    #[test]
    fn rewriting_twice_is_rewriting_once(html in markup()) {
        let client = Viewport::default();
        let how = how(&Letters, &client);
        let once = rewritten("text/html", html.as_bytes(), &how).body.into_owned();
        let twice = rewritten("text/html", &once, &how);
        prop_assert_eq!(String::from_utf8_lossy(&twice.body), String::from_utf8_lossy(&once));
    }

    #[test]
    fn without_a_map_only_what_is_dangerous_changes(html in markup()) {
        struct Nothing;
        impl UrlMap for Nothing {
            fn map(&self, _: &str, _: &Url, _: Use) -> Option<String> {
                None
            }
        }
        let found = rewritten("text/html", html.as_bytes(), &Rewriting::new(&Nothing));
        if found.counts.disabled == 0 {
            prop_assert_eq!(String::from_utf8_lossy(&found.body), html.as_str());
        } else if !html.contains("srcdoc") && !html.contains("data:") {
            // A document inside of an attribute is escaped anew when something in it changes.
            prop_assert_eq!(found.body.len(), html.len() + found.counts.disabled);
        }
    }

    #[test]
    fn all_that_analysis_finds_leads_into_the_archive(html in markup()) {
        let url = page();
        let document = Document {
            content_type: Some("text/html; charset=utf-8"),
            ..Document::new(&url, html.as_bytes())
        };
        let rewritten = rewrite(&document, &Rewriting::new(&Elsewhere));
        let mapped: Vec<String> = references(html.as_bytes())
            .into_iter()
            .map(|url| format!("http://replay/{url}"))
            .collect();
        let mut found = references(&rewritten.body);
        let mut mapped: Vec<_> = mapped.iter().map(|url| Url::parse(url).unwrap().to_string()).collect();
        found.sort();
        mapped.sort();
        mapped.dedup();
        found.dedup();
        prop_assert_eq!(found, mapped, "{}", String::from_utf8_lossy(&rewritten.body));
    }

    #[test]
    fn a_page_reads_as_it_did(html in markup()) {
        let read = |html: &[u8]| {
            let url = page();
            let document = Document {
                content_type: Some("text/html; charset=utf-8"),
                ..Document::new(&url, html)
            };
            let page = analyse(&document, &Viewport::default());
            (page.title, page.text, page.scripts.len())
        };
        let client = Viewport::default();
        let plain = Rewriting {
            insert: "",
            insert_srcdoc: "",
            ..how(&Elsewhere, &client)
        };
        let new = rewritten("text/html; charset=utf-8", html.as_bytes(), &plain).body;
        prop_assert_eq!(read(&new), read(html.as_bytes()), "{}", String::from_utf8_lossy(&new));
    }
}
