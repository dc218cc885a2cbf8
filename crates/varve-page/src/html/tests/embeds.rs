//! What a page shows: pictures, films, frames, styles.

use super::check;

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
        "<picture><source type=image/heic srcset=a><source type='image/avif' srcset='b, c 2x'><img src=d></picture>",
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
