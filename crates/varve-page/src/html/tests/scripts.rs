//! What a page runs, and what it holds back.

use super::{check, page};
use crate::{ScriptForm, ScriptSource};
use url::Url;

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
