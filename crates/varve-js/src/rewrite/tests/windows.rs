//! Computed properties of windows and documents.

use super::{Form, check, check_as, same};

#[test]
fn keys_of_windows_are_translated() {
    check(&[
        ("window[a]", "window[__varve.key(a)]"),
        ("self[a + b]", "self[__varve.key(a + b)]"),
        ("globalThis['a' + b]", "globalThis[__varve.key('a' + b)]"),
        ("document[`a${b}`]", "document[__varve.key(`a${b}`)]"),
        ("parent[a]", "parent[__varve.key(a)]"),
        ("frames[a]", "frames[__varve.key(a)]"),
        ("top[a]", "__varve.top[__varve.key(a)]"),
        ("(window)[a]", "(window)[__varve.key(a)]"),
        ("window[a, b]", "window[__varve.key((a, b))]"),
        ("window[(a, b)]", "window[__varve.key((a, b))]"),
        ("window[a]()", "window[__varve.key(a)]()"),
        ("window[a] = b", "window[__varve.key(a)] = b"),
        ("window[a] += b", "window[__varve.key(a)] += b"),
        ("window[a]++", "window[__varve.key(a)]++"),
        ("delete window[a]", "delete window[__varve.key(a)]"),
        ("window?.[a]", "window?.[__varve.key(a)]"),
        ("new window[a](b)", "new window[__varve.key(a)](b)"),
        ("window[a][b]", "window[__varve.key(a)][b]"),
        (
            "window[window[a]]",
            "window[__varve.key(window[__varve.key(a)])]",
        ),
        (
            "window[location.hash]",
            "window[__varve.key(__varve.location.hash)]",
        ),
        ("[window[a]] = b", "[window[__varve.key(a)]] = b"),
        (
            "for (window[a] of b) ;",
            "for (window[__varve.key(a)] of b) ;",
        ),
        (
            "window[/* a */ b /* c */]",
            "window[/* a */ __varve.key(b) /* c */]",
        ),
    ]);
}

#[test]
fn known_keys_and_other_objects_stay() {
    same(&[
        "window['a']",
        "window[`a`]",
        "frames[0]",
        "window[null]",
        "a[b]",
        "window.a[b]",
        "function f(window) { window[a] }",
        "let document; document[a]",
    ]);
    check_as(Form::ClassicWorker, "self[a]", "self[__varve.key(a)]");
}
