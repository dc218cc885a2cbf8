//! What pages need is within their outlook, whatever they and their sheets say.

use proptest::prelude::*;

use super::needs;

proptest! {
    /// What pages need is within what was foreseen; `needs` looks at that.
    #[test]
    fn whatever_is_needed_was_foreseen(
        rules in proptest::collection::vec((0..SELECTORS.len(), 0..DECLARATIONS.len()), 0..8),
        body in proptest::collection::vec(0..BODIES.len(), 0..6),
    ) {
        let rules = rules.iter();
        let rules = rules.map(|(s, d)| format!("{}{{{}}}", SELECTORS[*s], DECLARATIONS[*d]));
        let css: String = FACES.iter().map(|face| (*face).to_owned()).chain(rules).collect();
        let body: String = body.iter().map(|at| BODIES[*at]).collect();
        needs(&format!("<!doctype html><style>{css}</style><body>{body}"), &[]);
    }
}

const FACES: [&str; 5] = [
    "@font-face{font-family:F;src:url(f)}",
    "@font-face{font-family:F;font-weight:600 800;src:url(f7)}",
    "@font-face{font-family:'Ф g';font-style:italic;src:url(gi)}",
    "@font-face{font-family:'Ф g';unicode-range:U+370-3FF,U+2190-21FF;src:url(gg)}",
    "@keyframes k{from{background:url(k)}}",
];

const SELECTORS: [&str; 16] = [
    ":root",
    "*",
    "p",
    ".a",
    ".b",
    ".a .b",
    ".a>.b::before",
    "#i",
    "[data-x]",
    "[data-x=y]::after",
    ".md\\:c",
    ":is(.a,.c)",
    "p:not(.a)",
    "b,em",
    "td",
    "input::placeholder",
];

const DECLARATIONS: [&str; 18] = [
    "background:url(1)",
    "background:var(--x)",
    "--x:url(2)",
    "--x:var(--y,url(3))",
    "--y:url(4) no-repeat",
    "font:bold 12px F",
    "font-family:'Ф g',F",
    "font-family:var(--f)",
    "--f:F",
    "--f:serif,'Ф g'",
    "font-weight:lighter",
    "font-weight:var(--w,700)",
    "font-style:italic",
    "content:'→' url(5)",
    "content:attr(data-x)",
    "display:none",
    "animation:1s k",
    "animation-name:var(--k,k)",
];

const BODIES: [&str; 12] = [
    "<p class=a>x",
    "<div class='b md:c'>x</div>",
    "<p class='a b'>→</p>",
    "<section class=a><i class=b>α</i></section>",
    "<p data-x=y id=i>",
    "<b>x</b>",
    "<em class=b>&rarr;</em>",
    "<table class=A><td>x</table>",
    "<p style='background:url(s)'>",
    "<p style='font:italic 700 1px F'>x",
    "<p style='--x:url(t);background:var(--x)'>",
    "<input placeholder='&alpha;'>",
];
