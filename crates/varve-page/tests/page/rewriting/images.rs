//! Images and their candidates.

use super::playlists::Some_;
use super::{check, check_how, same};
use varve_page::Rewriting;

#[test]
fn sources() {
    check("<img src=a>", "<img src=\"~i/d/a\">");
    check(
        "<img lowsrc='a' dynsrc='b' longdesc='c'>",
        "<img lowsrc='~i/d/a' dynsrc='~v/d/b' longdesc='~n/d/c'>",
    );
    check("<image src='a'>", "<image src='~i/d/a'>");
}

#[test]
fn candidates() {
    check(
        "<img srcset='a 1x, b 2x'>",
        "<img srcset='~i/d/a 1x, ~i/d/b 2x'>",
    );
    check("<img srcset='a'>", "<img srcset='~i/d/a'>");
    check("<img srcset=a>", "<img srcset=\"~i/d/a\">");
    check("<img srcset='a,b'>", "<img srcset='~i/d/a,b'>");
    check("<img srcset='a, b'>", "<img srcset='~i/d/a, ~i/d/b'>");
    check(
        "<img srcset='a 100w,b 200w'>",
        "<img srcset='~i/d/a 100w,~i/d/b 200w'>",
    );
    check(
        "<img srcset='a 1x,http://o/b 2x'>",
        "<img srcset='~i/d/a 1x,~i/http://o/b 2x'>",
    );
    check(
        "<img srcset=' , a ,, b '>",
        "<img srcset=' , ~i/d/a ,, ~i/d/b '>",
    );
    check(
        "<img srcset='a bad, b 2x'>",
        "<img srcset='~i/d/a bad, ~i/d/b 2x'>",
    );
    check(
        "<img srcset='a (x,y) 1x, b'>",
        "<img srcset='~i/d/a (x,y) 1x, ~i/d/b'>",
    );
    check(
        "<img srcset='w_1,h_2/a.png 1x, b 2x'>",
        "<img srcset='~i/d/w_1,h_2/a.png 1x, ~i/d/b 2x'>",
    );
    check(
        "<img srcset='a?x&amp;y 1x, b 2x'>",
        "<img srcset='~i/d/a?x&amp;y 1x, ~i/d/b 2x'>",
    );
    check(
        "<img srcset='a?x&y 1x'>",
        "<img srcset='~i/d/a?x&amp;y 1x'>",
    );
    check(
        "<img srcset='data:image/png;base64,AA== 1x, b 2x'>",
        "<img srcset='data:image/png;base64,AA== 1x, ~i/d/b 2x'>",
    );
    check("<source srcset='a 1x'>", "<source srcset='~i/d/a 1x'>");
    check(
        "<picture><source srcset=a media=print><img src=b></picture>",
        "<picture><source srcset=\"~i/d/a\" media=print><img src=\"~i/d/b\"></picture>",
    );
    check(
        "<link rel=preload as=image imagesrcset='a 1x' imagesizes=1px>",
        "<link rel=preload as=image imagesrcset='~i/d/a 1x' imagesizes=1px>",
    );
    same("<img srcset=''>");
    same("<img srcset>");
    same("<img data-src=a data-srcset='b 1x'>");
}

#[test]
fn candidates_that_were_not_captured_are_passed_over() {
    let check = |html, expected| {
        let how = Rewriting::new(&Some_);
        check_how(html, expected, &how);
        check_how(expected, expected, &how);
    };
    check(
        "<img srcset='no.png 1x, yes.png 2x'>",
        "<img srcset='~i/d/no.png 1x varve-absent, ~i/d/yes.png 2x'>",
    );
    check(
        "<img srcset='yes.png 100w,no.png 200w,a, yes2.png 300w'>",
        "<img srcset='~i/d/yes.png 100w,~i/d/no.png 200w varve-absent,~i/d/a varve-absent, \
         ~i/d/yes2.png 300w'>",
    );
    check(
        "<img srcset='no.png 2x' src='yes.png'>",
        "<img srcset='~i/d/no.png 2x varve-absent' src='~i/d/yes.png'>",
    );
    check(
        "<source srcset='data:x 1x, no.png 2x'>",
        "<source srcset='data:x 1x, ~i/d/no.png 2x varve-absent'>",
    );
    check(
        "<link rel=preload as=image href=no.png imagesrcset='yes.png 1x, no.png 2x'>",
        "<link rel=preload as=image href=\"~i/d/no.png\" imagesrcset='~i/d/yes.png 1x, ~i/d/no.png 2x varve-absent'>",
    );
}

#[test]
fn if_nothing_was_captured_the_choice_is_as_good_as_any() {
    let how = Rewriting::new(&Some_);
    for (html, expected) in [
        (
            "<img srcset='a 1x, b 2x'>",
            "<img srcset='~i/d/a 1x, ~i/d/b 2x'>",
        ),
        ("<img srcset='a 2x'>", "<img srcset='~i/d/a 2x'>"),
        (
            "<img src='a' srcset='b 2x'>",
            "<img src='~i/d/a' srcset='~i/d/b 2x'>",
        ),
    ] {
        check_how(html, expected, &how);
    }
}
