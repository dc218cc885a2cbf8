//! Where a page leads, and what it says of itself to others.

use super::check;

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
         <link rel=preload as=image media=print href=i><link rel=preload as=image type=image/heic href=j>\
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
fn the_same_words_mean_something_else_after_a_base() {
    check("<a href=x><base href=/e/><a href=x>", "link:x link:/e/x");
    check("<template><base href=/e/></template><a href=x>", "link:x");
    check("<svg><base href=/e/></svg><a href=x>", "link:x");
}
