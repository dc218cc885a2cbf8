//! Optional chains.

use super::{check, same};

#[test]
fn what_short_circuits_still_does() {
    check(&[
        ("a?.location", "__varve.locationOfMaybe(a)"),
        ("a?.['location']", "__varve.locationOfMaybe(a)"),
        ("a?.location.href", "__varve.locationOfMaybe(a)?.href"),
        ("a?.location?.href", "__varve.locationOfMaybe(a)?.href"),
        (
            "a?.location['href']",
            "__varve.locationOfMaybe(a)?.['href']",
        ),
        ("a?.location[b]", "__varve.locationOfMaybe(a)?.[b]"),
        ("a?.location?.[b]", "__varve.locationOfMaybe(a)?.[b]"),
        (
            "a?.location.assign(x)",
            "__varve.locationOfMaybe(a)?.assign(x)",
        ),
        ("a?.location.b.c.d()", "__varve.locationOfMaybe(a)?.b.c.d()"),
        ("a?.b.location", "__varve.locationOfMaybe(a?.b)"),
        ("a?.b.location.href", "__varve.locationOfMaybe(a?.b)?.href"),
        ("a?.b?.location.href", "__varve.locationOfMaybe(a?.b)?.href"),
        ("a.b?.c.location.d", "__varve.locationOfMaybe(a.b?.c)?.d"),
        ("a?.().location.b", "__varve.locationOfMaybe(a?.())?.b"),
        ("a?.[b].location.c", "__varve.locationOfMaybe(a?.[b])?.c"),
        (
            "a?.location.location",
            "__varve.locationOfMaybe(__varve.locationOfMaybe(a))",
        ),
        (
            "a?.location.location.b",
            "__varve.locationOfMaybe(__varve.locationOfMaybe(a))?.b",
        ),
        (
            "a?.location /* x */ . b",
            "__varve.locationOfMaybe(a)/* x */?.b",
        ),
        ("a?.location\n.b", "__varve.locationOfMaybe(a)?.b"),
        ("a?.location [0]", "__varve.locationOfMaybe(a)?. [0]"),
        (
            "delete a?.location.b",
            "delete __varve.locationOfMaybe(a)?.b",
        ),
        ("x?.top", "__varve.topOfMaybe(x)"),
        ("x?.top.y", "__varve.topOfMaybe(x)?.y"),
        (
            "x?.contentWindow.top.y",
            "__varve.topOfMaybe(x?.contentWindow)?.y",
        ),
        (
            "window?.top?.location",
            "__varve.locationOfMaybe(__varve.topOfMaybe(window))",
        ),
        ("f?.(a?.location.b)", "f?.(__varve.locationOfMaybe(a)?.b)"),
        (
            "class A { #x; f(a) { return a?.location.#x } }",
            "class A { #x; f(a) { return __varve.locationOfMaybe(a)?.#x } }",
        ),
    ]);
}

#[test]
fn what_cannot_short_circuit_stays_strict() {
    check(&[
        ("a.location?.href", "__varve.locationOf(a)?.href"),
        (
            "a.location?.b.location",
            "__varve.locationOfMaybe(__varve.locationOf(a)?.b)",
        ),
        ("(a?.b).location.c", "__varve.locationOf((a?.b)).c"),
        ("(a?.location).href", "(__varve.locationOfMaybe(a)).href"),
        ("a?.[b.location]", "a?.[__varve.locationOf(b)]"),
        ("a?.f(b.location.c)", "a?.f(__varve.locationOf(b).c)"),
        (
            "a?.f(() => b.location.c)",
            "a?.f(() => __varve.locationOf(b).c)",
        ),
        ("a.location.b?.c", "__varve.locationOf(a).b?.c"),
        ("location?.a.b", "__varve.location?.a.b"),
        ("a.location.b`x`?.c", "__varve.locationOf(a).b`x`?.c"),
        ("`${a.location.b}`?.c", "`${__varve.locationOf(a).b}`?.c"),
    ]);
}

#[test]
fn references_in_chains_stay() {
    same(&[
        "a?.location()",
        "(a?.location)()",
        "a?.b.location?.()",
        "delete a?.location",
    ]);
    check(&[
        (
            "a?.location.b.location()",
            "__varve.locationOfMaybe(a)?.b.location()",
        ),
        (
            "a?.location.location()",
            "__varve.locationOfMaybe(a)?.location()",
        ),
    ]);
}
