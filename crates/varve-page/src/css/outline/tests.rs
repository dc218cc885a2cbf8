use proptest::prelude::*;

use super::Outline;
use crate::css::{Found, Reader, read, read_all};
use crate::{Destination, Need, Viewport};

/// A reader that writes down what it is told.
#[derive(Default)]
struct Told {
    viewport: Viewport,
    lines: Vec<String>,
}

impl Reader for Told {
    fn viewport(&self) -> &Viewport {
        &self.viewport
    }

    fn url(&mut self, found: Found, destination: Destination, need: Need, context: &'static str) {
        let Found { url, span, token } = found;
        let line = format!("{url} {span:?} {token:?} {destination:?} {need:?} {context}");
        self.lines.push(line);
    }

    fn media(&mut self, queries: &str, at: usize) {
        self.lines.push(format!("{queries:?} {at}"));
    }
}

/// Pieces of style sheets: whole rules, and what may be anywhere.
const PIECES: &[&str] = &[
    "a:hover > b, c::after { color: red; margin: 0 1px }",
    "a { b: c(d, e(f)) !important; g: \"h\" }",
    "@media (min-width: 1px) {",
    "@media print { a { b: c; d: e } }",
    "@supports (a: b) {",
    "@font-face { font-family: a; src: url(b) format('woff2'), url(\"c\") }",
    "@font-face { a { b: c } src: url(d); }",
    "@font-face",
    "@import \"a\" screen;",
    "@import url(a)",
    "@layer a, b; @keyframes x { from { y: z } to { y: z } }",
    "@charset \"utf-8\";",
    "a { background: url(b.png) no-repeat; c: d }",
    "a { background: url( \"b}.png\" ) }",
    "a { b: url(c{d}e'f) }",
    "a { b: url(c\\)d) }",
    "a { b: image-set(\"c\" 1x, url(d) 2x) }",
    "a { b: SRC('c') }",
    "a { b: \\75 rl(c) }",
    "a { b: \\75rl(c) }",
    "a { b: ur\\6c(c) }",
    "a { b: \\url(c{) }",
    ".w-1\\/2, .md\\:x { a: b\\9 }",
    "a[href=\"}\"] { b: c }",
    "a { &:hover { b: c } d { e: url(f) } }",
    "/* } { url(x) */",
    "\"}\\\"\"",
    "'\\a\n{'",
    "'no end\n",
    "#url(",
    "1url(",
    "-url(",
    "@m\\65 dia print {",
    "<!-- --> ",
    "--> ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ":",
    "@",
    "\\",
    "\"",
    "'",
    "/",
    "*",
    "url(",
    " ",
    "\n",
    "\u{e4}",
    "\\\u{e4}",
    "\0",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn the_outline_tells_the_same(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 1..12),
        rules in 1usize..4,
    ) {
        // With enough rules that mention nothing, the outline is worth it.
        let between = PIECES[0].repeat(rules);
        let text = pieces.join(&between);
        let (mut quick, mut slow) = (Told::default(), Told::default());
        read(&text, Need::Needed, &mut quick);
        read_all(&text, Need::Needed, &mut slow);
        prop_assert_eq!(quick.lines, slow.lines, "{}", text);
    }
}

/// Checks what is left of a style sheet.
#[track_caller]
fn check(text: &str, expected: Option<&str>) {
    let outline = Outline::of(text);
    assert_eq!(outline.as_ref().map(Outline::text), expected, "{text}");
}

#[test]
fn rules_that_mention_nothing_are_left_out() {
    check(
        "a { b: c(d); e: 'f' } g { h: url(i) }",
        Some(" g { h: url(i) }"),
    );
    check(
        "@media x { a { b: c } d { e: url(f) } }",
        Some("@media x { d { e: url(f) } }"),
    );
    check("@media print { a: b; c: d }", Some("@media print {}"));
    check("a { b { c: d } e { f: g } }", Some(""));
    check("a { b: url(c); d { e: f g h } }", Some("a { b: url(c); }"));
}

#[test]
fn what_may_be_anything_has_no_outline() {
    for text in [
        "a: b",
        "a { b: url(c) }",
        "a { b: c d e } f { g: \\75 rl(h) }",
        "<!-- a { b: c d e f }",
        "a { b: c d e } @import x { y: z }",
    ] {
        check(text, None);
    }
}
