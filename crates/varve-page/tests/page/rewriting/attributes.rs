//! Attributes that hold URLs, in all their spellings.

use super::{check, same};

#[test]
fn links_and_forms() {
    check("<a href=\"x\">y</a>", "<a href=\"~n/d/x\">y</a>");
    check("<area href='/x'>", "<area href='~n/x'>");
    check("<form action=f>", "<form action=\"~n/d/f\">");
    check("<button formaction='b'>", "<button formaction='~n/d/b'>");
    check("<input formaction='b'>", "<input formaction='~n/d/b'>");
    check("<blockquote cite='c'>", "<blockquote cite='~n/d/c'>");
    check("<q cite='c'>", "<q cite='~n/d/c'>");
    check("<ins cite='c'>", "<ins cite='~n/d/c'>");
    check("<del cite='c'>", "<del cite='~n/d/c'>");
    check("<iframe longdesc='l'>", "<iframe longdesc='~n/d/l'>");
}

#[test]
fn embedded_things() {
    check(
        "<iframe src='x'></iframe>",
        "<iframe src='~f/d/x'></iframe>",
    );
    check("<frame src='x'>", "<frame src='~f/d/x'>");
    check("<portal src='x'>", "<portal src='~f/d/x'>");
    check("<fencedframe src='x'>", "<fencedframe src='~f/d/x'>");
    check("<layer src='x'>", "<layer src='~f/d/x'>");
    check("<embed src='x'>", "<embed src='~o/d/x'>");
    check("<object data='x'>", "<object data='~o/d/x'>");
    check("<object codebase='x/'>", "<object codebase='~o/d/x/'>");
    check("<object archive='a b'>", "<object archive='~o/d/a ~o/d/b'>");
    check(
        "<applet archive='a,b' code=c>",
        "<applet archive='~o/d/a,~o/d/b' code=\"~o/d/c\">",
    );
    check(
        "<param name=movie value=m>",
        "<param name=movie value=\"~o/d/m\">",
    );
    same("<param name=quality value=high>");
    check(
        "<video src=v poster=p>",
        "<video src=\"~v/d/v\" poster=\"~i/d/p\">",
    );
    check("<audio src=v>", "<audio src=\"~v/d/v\">");
    check(
        "<video><source src=v><track src=t></video>",
        "<video><source src=\"~v/d/v\"><track src=\"~v/d/t\"></video>",
    );
    check("<bgsound src=v>", "<bgsound src=\"~v/d/v\">");
    check("<html manifest=m>", "<html manifest=\"~a/d/m\">");
    check("<body background=b>", "<body background=\"~i/d/b\">");
    check(
        "<table background=b><tr background=c><td background=d>",
        "<table background=\"~i/d/b\"><tr background=\"~i/d/c\"><td background=\"~i/d/d\">",
    );
    check(
        "<input type=image src=i>",
        "<input type=image src=\"~i/d/i\">",
    );
    check("<input src=i>", "<input src=\"~i/d/i\">");
    check("<command icon=i>", "<command icon=\"~i/d/i\">");
}

#[test]
fn spellings() {
    check("<A HREF=x>", "<A HREF=\"~n/d/x\">");
    check("<a href = 'x'  >", "<a href = '~n/d/x'  >");
    check("<a\nhref\n=\nx\n>", "<a\nhref\n=\n\"~n/d/x\"\n>");
    check("<a/href=x>", "<a/href=\"~n/d/x\">");
    check("<a href=' x '>", "<a href='~n/d/x'>");
    check("<a href='x\n y'>", "<a href='~n/d/x%20y'>");
    check("<a href=x id=i>", "<a href=\"~n/d/x\" id=i>");
    check("<img src=x/>", "<img src=\"~i/d/x/\">");
    check("<img src=x />", "<img src=\"~i/d/x\" />");
    check("<a href=x href=y>", "<a href=\"~n/d/x\" href=y>");
    check(
        "<a href='x' title='<b href=y>'>",
        "<a href='~n/d/x' title='<b href=y>'>",
    );
    check(
        "<a title=\"a 'b' href=c\" href=d>",
        "<a title=\"a 'b' href=c\" href=\"~n/d/d\">",
    );
}

#[test]
fn entities_are_read_and_written() {
    check("<a href='x?a=1&amp;b=2'>", "<a href='~n/d/x?a=1&amp;b=2'>");
    check("<a href='x?a=1&b=2'>", "<a href='~n/d/x?a=1&amp;b=2'>");
    check("<a href='&#x2f;&#47;o/x'>", "<a href='~n/http://o/x'>");
    check("<a href='h&#116;tp://o/'>", "<a href='~n/http://o/'>");
    check("<a href='x&copy=1'>", "<a href='~n/d/x&amp;copy=1'>");
    check("<a href='x&quot;y'>", "<a href='~n/d/x%22y'>");
    check("<a href=\"x'y\">", "<a href=\"~n/d/x'y\">");
    check("<a href='x&apos;y'>", "<a href='~n/d/x&#39;y'>");
    check("<a href=x?a&lt;b>", "<a href=\"~n/d/x?a%3Cb\">");
    same("<p title='&amp; &lt; &copy; & &nbsp'>&amp; &lt; &copy; & &nbsp</p>");
}

#[test]
fn urls_of_all_kinds() {
    check("<a href=//o/x>", "<a href=\"~n/http://o/x\">");
    check("<a href=https://o/x>", "<a href=\"~n/https://o/x\">");
    check("<a href=HTTP://O/x>", "<a href=\"~n/http://o/x\">");
    check("<a href='\\\\o\\x'>", "<a href='~n/http://o/x'>");
    check("<a href='http:\\\\o\\x'>", "<a href='~n/http://o/x'>");
    check("<a href='ht\ntps://o/'>", "<a href='~n/https://o/'>");
    check("<a href=http:x>", "<a href=\"~n/d/x\">");
    check("<a href='?q'>", "<a href='~n/d/p.html?q'>");
    check("<a href='x#f'>", "<a href='~n/d/x#f'>");
    check("<a href=../../x>", "<a href=\"~n/x\">");
    check(
        "<a href=http://bücher.example/>",
        "<a href=\"~n/http://xn--bcher-kva.example/\">",
    );
    check("<a href='ü'>", "<a href='~n/d/%C3%BC'>");
    check("<a href=http://o:81/>", "<a href=\"~n/http://o:81/\">");
    check("<a href=http://[::1]/>", "<a href=\"~n/http://[::1]/\">");
}

#[test]
fn what_sends_or_forbids_is_disabled() {
    check("<a ping='p' href='x'>", "<a _ping='p' href='~n/d/x'>");
    check("<a ping=p PING=q>", "<a _ping=p _PING=q>");
    check(
        "<script src='x' integrity='sha256-x'></script>",
        "<script src='~s/d/x' _integrity='sha256-x'></script>",
    );
    check(
        "<link rel=stylesheet href='x' integrity=y>",
        "<link rel=stylesheet href='~c/d/x' _integrity=y>",
    );
    check(
        "<img crossorigin src='x'>",
        "<img _crossorigin src='~i/d/x'>",
    );
    check(
        "<script crossorigin=anonymous></script>",
        "<script _crossorigin=anonymous></script>",
    );
    check(
        "<img referrerpolicy=no-referrer>",
        "<img _referrerpolicy=no-referrer>",
    );
    check(
        "<img attributionsrc='https://o/'>",
        "<img _attributionsrc='https://o/'>",
    );
    check("<iframe csp='x'></iframe>", "<iframe _csp='x'></iframe>");
    same("<a _ping=x><script _integrity=y></script>");
    same("<a data-ping=x data-integrity=y>");
}
