#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use url::Url;

use crate::{
    Destination, Document, Need, Note, Page, Role, ScriptForm, ScriptSource, Viewport, analyse,
};

fn page(html: &str) -> Page {
    page_for(html, &Viewport::default())
}

fn page_for(html: &str, viewport: &Viewport) -> Page {
    let url = Url::parse("http://h/d/p.html").unwrap();
    let document = Document {
        content_type: Some("text/html; charset=utf-8"),
        ..Document::new(&url, html.as_bytes())
    };
    analyse(&document, viewport)
}

/// References as words: role and path, with `~` in front of variants and `?` in front of weak
/// ones. URLs of the directory are shown relative to it.
fn words(page: &Page) -> String {
    let words: Vec<String> = page
        .references
        .iter()
        .map(|r| {
            let sign = match r.need {
                Need::Needed => "",
                Need::Variant => "~",
                Need::Weak => "?",
            };
            let role = match r.role {
                Role::Link => "link",
                Role::Frame => "frame",
                Role::Hint => "hint",
                Role::Embed(Destination::Image) => "image",
                Role::Embed(Destination::Style) => "style",
                Role::Embed(Destination::Script) => "script",
                Role::Embed(Destination::Module) => "module",
                Role::Embed(Destination::Media) => "media",
                Role::Embed(Destination::Font) => "font",
                Role::Embed(Destination::Manifest) => "manifest",
                Role::Embed(Destination::Json) => "json",
                Role::Embed(_) => "other",
            };
            let url = r.url.as_str();
            let short = url
                .strip_prefix("http://h/d/")
                .or(url.strip_prefix("http://h"));
            format!("{sign}{role}:{}", short.unwrap_or(url))
        })
        .collect();
    words.join(" ")
}

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(words(&page(html)), expected, "{html}");
}

#[test]
fn links() {
    check("<a href=x>", "link:x");
    check("<A HREF='/x?a=1&amp;b=2#c'>", "link:/x?a=1&b=2");
    check("<a href=' \n x y '>", "link:x%20y");
    check("<a href=//o/x><area href=y>", "link:http://o/x link:y");
    check(
        "<a href=#x><a href=''><a><a href=mailto:x><a href=javascript:x()><a href=data:,x>",
        "",
    );
    check("<a href=x><a href='./x'><a href='x#y'>", "link:x");
    check(
        "<form action=f><button formaction=b></button><input formaction=i></form>",
        "?link:f ?link:b ?link:i",
    );
    check(
        "<q cite=q></q><blockquote cite=b></blockquote><ins cite=i></ins><del cite=d></del>",
        "?link:q ?link:b ?link:i ?link:d",
    );
    check("<base href=/b/><a href=x>", "link:/b/x");
    check(
        "<base target=_top><base href=/b/><base href=/c/><a href=x>",
        "link:/b/x",
    );
    check("<base href=http://o><img src=x>", "image:http://o/x");
    check("<a href=\"&#x2F;x&sol;y&period;z\">", "link:/x/y.z");
    check(
        "<!-- <a href=x> --><!--[if IE]><a href=y><![endif]--><textarea><a href=z></textarea>",
        "",
    );
    check("<a href=x", "");
    check("<a href='x", "");
    check(
        "<svg><a href=x /><a xlink:href=y></a></svg>",
        "link:x link:y",
    );
}

#[test]
fn meta_refresh_and_what_is_said_to_others() {
    check("<meta http-equiv=refresh content='0; url=x'>", "link:x");
    check(
        "<META HTTP-EQUIV=Refresh CONTENT=\"5;URL='/y'\">",
        "link:/y",
    );
    check("<meta http-equiv=refresh content=5>", "");
    check(
        "<meta property=og:image content=a><meta name=twitter:image content=b><meta property=og:url content=c>\
         <meta itemprop=image content=d><meta name=description content=e>",
        "?image:a ?image:b ?link:c ?image:d",
    );
}

#[test]
fn link_relations() {
    check("<link rel=stylesheet href=a.css>", "style:a.css");
    check(
        "<link rel='STYLESHEET' media=print href=a.css>",
        "style:a.css",
    );
    check(
        "<link rel='alternate stylesheet' href=a.css>",
        "style:a.css",
    );
    check(
        "<link rel=stylesheet type=text/less href=a.css>",
        "?style:a.css",
    );
    check(
        "<link rel='shortcut icon' href=i><link rel=apple-touch-icon href=j>",
        "image:i ?image:j",
    );
    check(
        "<link rel=manifest href=m><link rel=modulepreload href=n.js>",
        "manifest:m module:n.js",
    );
    check(
        "<link rel=prefetch href=p><link rel=prerender href=r>",
        "hint:p ?hint:r",
    );
    check(
        "<link rel=dns-prefetch href=//o><link rel=preconnect href=//o><link rel=pingback href=x>",
        "",
    );
    check(
        "<link rel=next href=n><link rel=prev href=p><link rel=canonical href=c>",
        "link:n link:p ?link:c",
    );
    check(
        "<link rel=alternate type=application/rss+xml href=feed>",
        "?link:feed",
    );
    check(
        "<link rel=preload as=font href=f><link rel=preload as=style href=s><link rel=preload as=fetch href=x>\
         <link rel=preload as=image media=print href=i><link rel=preload as=image type=image/jxl href=j>\
         <link rel=preload href=n>",
        "font:f style:s other:x ~image:i ~image:j ?other:n",
    );
    check(
        "<link rel=preload as=image imagesrcset='a 1x, b 2x' href=c>",
        "image:a ~image:b ~image:c",
    );
    check(
        "<link rel=preload as=image imagesrcset='a 500w, b 1500w' imagesizes=100vw>",
        "~image:a image:b",
    );
}

#[test]
fn images() {
    check("<img src=a.png>", "image:a.png");
    check("<img src=a loading=lazy>", "image:a");
    check("<image src=a>", "image:a");
    check("<img src=a srcset='b 2x'>", "~image:b image:a");
    check(
        "<img srcset='a 400w, b 800w, c 1600w' sizes='(min-width: 1000px) 400px, 100vw' src=d>",
        "image:a ~image:b ~image:c ~image:d",
    );
    check(
        "<img srcset='a 400w, b 800w, c 1600w' src=d>",
        "~image:a ~image:b image:c ~image:d",
    );
    check(
        "<img srcset='a 400w, b 1600w' sizes=auto loading=lazy width=300>",
        "image:a ~image:b",
    );
    check("<img src='' srcset=','>", "");
    check("<img src=a srcset=''>", "image:a");
    check("<img srcset='a?x&amp;y 1x'>", "image:a?x&y");
    check(
        "<img data-src=a data-srcset='b 1x, c 2x' data-other=d>",
        "?image:a ?image:b ?image:c",
    );
    check("<input type=image src=a><input src=b>", "image:a");
    check(
        "<body background=a><table background=b><tr><td background=c>",
        "image:a image:b image:c",
    );
    check(
        "<svg><image href=a xlink:href=b /><use href='c#x'/><use href='#y'/><feImage href=e /></svg>",
        "image:a ~image:b image:c image:e",
    );
    check(
        "<svg><rect fill='url(#a)' mask='url(b.svg#m)'/></svg>",
        "image:b.svg",
    );
    check("<img src=a longdesc=b>", "image:a ?link:b");
}

#[test]
fn pictures() {
    let source = "<source srcset=a media='(max-width: 600px)'>";
    check(
        &format!("<picture>{source}<img src=b></picture>"),
        "~image:a image:b",
    );
    let source = "<source srcset=a media='(min-width: 600px)'>";
    check(
        &format!("<picture>{source}<img src=b></picture>"),
        "image:a ~image:b",
    );
    check(
        &format!("<picture>{source}<source srcset=c><img src=b></picture>"),
        "image:a ~image:c ~image:b",
    );
    check(
        "<picture><source type=image/jxl srcset=a><source type='image/avif' srcset='b, c 2x'><img src=d></picture>",
        "~image:a image:b ~image:c ~image:d",
    );
    check(
        "<picture><source><source srcset=''><img src=a></picture>",
        "image:a",
    );
    check(
        "<picture><source srcset=a></picture><img src=b>",
        "image:a image:b",
    );
    check(
        "<picture><source srcset=a><img src=b><img src=c>",
        "image:a ~image:b image:c",
    );
    check(
        "<picture><source srcset='a 100w, b 2000w' sizes=100px><img src=c></picture>",
        "image:a ~image:b ~image:c",
    );
}

#[test]
fn media() {
    check(
        "<video src=a poster=b></video><audio src=c></audio>",
        "media:a image:b media:c",
    );
    check(
        "<video><source media=print src=a><source type=video/x-foo src=b><source type='video/mp4; codecs=\"x\"' src=c><source src=d></video>",
        "~media:a ~media:b media:c ~media:d",
    );
    check("<video src=a><source src=b></video>", "media:a ~media:b");
    check(
        "<video><track src=a default><track src=b></video>",
        "media:a ?media:b",
    );
    check("<source src=a>", "?media:a");
    check(
        "<embed src=a><object data=b></object><object codebase=/c/ data=d></object>",
        "other:a other:b other:/c/d",
    );
    check(
        "<object><param name=movie value=a><param name=x value=b></object><applet code=c></applet>",
        "?other:a ?other:c",
    );
}

#[test]
fn frames() {
    check(
        "<iframe src=a loading=lazy></iframe><frameset><frame src=b></frameset>",
        "frame:a link:b".replace("link:b", "frame:b").as_str(),
    );
    check(
        "<iframe srcdoc='<img src=a><base href=/o/><img src=b>' src=c></iframe><img src=d>",
        "image:a image:/o/b image:d",
    );
    check(
        "<iframe srcdoc='&lt;a href=x&gt;&lt;iframe srcdoc=\"<img src=y>\">'></iframe>",
        "link:x image:y",
    );
    check("<iframe src=about:blank><a href=x></iframe>", "");
}

#[test]
fn styles() {
    check(
        "<style>@import 'a.css'; b{c:url(d)}</style>",
        "style:a.css image:d",
    );
    check(
        "<style media=print>@import 'a.css'; b{c:url(d)}</style>",
        "style:a.css ~image:d",
    );
    check("<style type=text/less>b{c:url(d)}</style>", "");
    check(
        "<p style='background:url(a)'><p style=\"background:url(&quot;b&quot;)\">",
        "image:a image:b",
    );
    check("<style>a{b:url(c)}", "image:c");
    check(
        "<svg><style><![CDATA[a{b:url(c)}]]></style><style>d{e:url(f)}</style></svg>",
        "image:c image:f",
    );
    check(
        "<link rel=stylesheet href='data:text/css,@import \"http://o/a.css\";@import \"b.css\"'>",
        "style:http://o/a.css",
    );
    check(
        "<style>a{b:url('data:image/svg+xml,<svg><image href=\"http://o/x\"/></svg>')}</style>",
        "",
    );
}

#[test]
fn scripts() {
    check(
        "<script src=a.js></script><script type=module src=b.js></script>",
        "script:a.js module:b.js",
    );
    check(
        "<script nomodule src=a.js></script><script type=text/template src=b></script>",
        "~script:a.js",
    );
    check(
        "<script type=module>import './a.js'; import('./b.js'); import 'bare'</script>",
        "module:a.js module:b.js",
    );
    check(
        "<script>new Worker('w.js'); navigator.serviceWorker.register('/sw.js')</script>",
        "script:w.js script:/sw.js",
    );
    check(
        "<script type=importmap>{\"imports\": {\"lib\": \"/lib.js\", \"x/\": \"/x/\"}}</script>\
         <script type=module>import 'lib'; import 'x/y.js'</script>",
        "module:/lib.js module:/x/y.js",
    );
    check(
        "<script type=speculationrules>{\"prefetch\": [{\"urls\": [\"a\"]}]}</script>",
        "?hint:a",
    );
    check(
        "<script type=application/ld+json>{\"image\": \"/a\"}</script>",
        "?image:/a",
    );
    check(
        "<script>'<a href=x>'</script><script type=text/html><a href=y></script>",
        "",
    );
    check("<svg><script href=a.js /></svg>", "script:a.js");

    let found = page(
        "<script src=a.js></script><script type=module>x()</script><script type=json>{}</script><script> </script><script>cut(",
    );
    assert!(found.has_scripts);
    let scripts: Vec<_> = found
        .scripts
        .into_iter()
        .map(|s| (s.source, s.form))
        .collect();
    let url = Url::parse("http://h/d/a.js").unwrap();
    let expected = [
        (ScriptSource::External(url), ScriptForm::Classic),
        (ScriptSource::Inline("x()".to_owned()), ScriptForm::Module),
    ];
    assert_eq!(scripts, expected);
}

#[test]
fn what_can_run() {
    for (html, expected) in [
        ("<script>x</script>", true),
        ("<script type=text/JavaScript>x</script>", true),
        ("<p onclick='x()'>", true),
        ("<a href='javascript:x()'>", true),
        ("<iframe srcdoc='<script>x</script>'></iframe>", true),
        (
            "<script type=application/json>{}</script><p one=1 on=2>",
            false,
        ),
        ("<script></script><script nomodule>x</script>", false),
        ("<noscript><script>x</script></noscript>", false),
        ("<template><script>x</script></template>", false),
    ] {
        assert_eq!(page(html).has_scripts, expected, "{html}");
    }
}

#[test]
fn what_is_not_live_is_weak() {
    check(
        "<noscript><img src=a><a href=b></a><link rel=stylesheet href=c></noscript><img src=d>",
        "?image:a link:b ?style:c image:d",
    );
    check(
        "<template><img src=a><a href=b></a></template><img src=c>",
        "?image:a ?link:b image:c",
    );
    check(
        "<div><template shadowrootmode=open><img src=a></template></div>",
        "image:a",
    );
    check(
        "<template><template><img src=a></template><img src=b></template><img src=c>",
        "?image:a ?image:b image:c",
    );
    check("<noscript><img src=a></noscript><img src=a>", "image:a");
}

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
