#![allow(clippy::unwrap_used)]

use super::Dom;
use proptest::prelude::*;
use std::time::{Duration, Instant};

const PAGE: &str = "<!doctype html><html lang=en-GB><body class='one Two'>
    <main id=m><p>First <a href=/x>link</a></p><p data-k=1>Second</p><p></p></main>
    <form><input type=checkbox checked><input required placeholder=p disabled>
    <fieldset disabled><button>b</button></fieldset></form>
    <details open><summary>s</summary></details>
    <my-own></my-own><svg><circle r=1 /></svg>
    <template><i class=inert></i></template>
    <div><template shadowrootmode=open><b class=shadow>x</b></template></div>
    <noscript><u class=without></u></noscript>";

#[test]
fn selectors_are_true_to_the_document() {
    let dom = Dom::parse(PAGE);
    for (selector, expected) in [
        ("body.one", Some(true)),
        ("body.two", Some(false)),
        ("main > p:nth-child(2)[data-k='1']", Some(true)),
        ("p:empty", Some(true)),
        ("main:has(> p > a)", Some(true)),
        ("main:has(> a)", Some(false)),
        ("p + p ~ p:last-of-type", Some(true)),
        ("p:not([data-k], :empty)", Some(true)),
        (":is(h1, h2, a):any-link", Some(true)),
        ("a:visited, a:hover, a:focus", Some(false)),
        ("input:checked", Some(true)),
        ("input:disabled:required:placeholder-shown", Some(true)),
        ("button:enabled", Some(false)),
        ("button:disabled", Some(true)),
        ("details:open", Some(true)),
        ("my-own:not(:defined)", Some(true)),
        ("p:lang(en)", Some(true)),
        ("p:lang(de)", Some(false)),
        ("p:dir(ltr)", Some(true)),
        ("svg circle[r]", Some(true)),
        (".inert", Some(false)),
        ("div .shadow", Some(true)),
        (".without", Some(false)),
        (":root > body", Some(true)),
        ("p::before", Some(false)),
        ("p:-moz-any(x)", None),
        ("p:unheard-of", None),
        ("p::-moz-x", None),
        ("p >", None),
        ("", None),
    ] {
        assert_eq!(dom.matches(selector), expected, "{selector}");
    }
}

#[test]
fn attributes_and_texts_in_order() {
    let dom = Dom::parse("<a id=1 HREF=x>one</a><table><a id=2 href='y&amp;z'>two</a></table>");
    assert_eq!(dom.attributes("href"), ["x", "y&z"]);
    assert_eq!(dom.select_attribute("a:not([id='1'])", "Href"), ["y&z"]);
    assert_eq!(dom.select_attribute("a:nonsense", "href"), [""; 0]);
    assert_eq!(dom.text_of("body").as_deref(), Some("onetwo"));
    assert_eq!(dom.text_of("b"), None);
}

#[test]
fn names_have_no_case_in_old_documents() {
    assert_eq!(Dom::parse("<p class=One>").matches(".one"), Some(true));
    let strict = Dom::parse("<!doctype html><p class=One>");
    assert_eq!(strict.matches(".one"), Some(false));
}

#[test]
fn monstrous_documents_take_no_longer_than_others() {
    let many = 20_000;
    let attributes: String = (0..many).map(|n| format!(" a{n}")).collect();
    for (name, text) in [
        ("deep", "<div>".repeat(many)),
        ("deep formatting", "<b><i>".repeat(many)),
        ("made anew", "<b id=x><p><u id=y><p>".repeat(many / 10)),
        ("tables", "<table><tr><td>".repeat(many)),
        ("misnested", "<b><p></b>".repeat(many / 10)),
        ("attributes", format!("<p{attributes}>")),
        ("comments", "<!--".repeat(many)),
        ("siblings", "<i></i>".repeat(many)),
    ] {
        let start = Instant::now();
        let dom = Dom::parse(&text);
        for selector in [
            "i ~ b ~ u ~ i",
            "* * * * * p",
            ":has(~ b)",
            ":nth-last-of-type(3)",
        ] {
            assert!(dom.matches(selector).is_some());
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{name}: {:?}",
            start.elapsed()
        );
    }
}

#[test]
fn the_tree_is_there_again_after_a_deep_place() {
    let deep = format!(
        "{}{}<p id=after>x",
        "<div>".repeat(2000),
        "</div>".repeat(2000)
    );
    let dom = Dom::parse(&deep);
    assert_eq!(dom.matches("#after"), Some(true));
}

proptest! {
    #[test]
    fn any_text_and_selector_will_do(text in "(<[a-z]{1,6}( [a-z]{1,3}=.)?>|</[a-z]{1,3}>|.){0,60}", selector in ".{0,40}") {
        let dom = Dom::parse(&text);
        dom.matches(&selector);
        dom.text_of("*");
    }
}
