#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{Goal, Note, identity, json_values};

#[track_caller]
fn check_literals(source: &str, expected: &[(&str, &str)]) {
    let found = identity(source, Goal::Either);
    assert_eq!(found.note, None, "{source}");
    let found: Vec<_> = found
        .literals
        .iter()
        .map(|literal| (literal.path.as_str(), literal.value.as_str()))
        .collect();
    assert_eq!(found, expected, "{source}");
}

fn code(source: &str) -> u128 {
    identity(source, Goal::Either).code
}

#[test]
fn other_values_are_the_same_code() {
    for (one, other) in [
        (r#"RLPAGEMODULES=["a","b"];"#, r#"RLPAGEMODULES=["c"];"#),
        (r#"RLPAGEMODULES=["a"];"#, "RLPAGEMODULES=[];"),
        ("x = [{a: 1}]", "x = [{b: [2]}, null]"),
        ("items = {fn: ['a'], mod: []}", "items = {trait: [['b']]}"),
        ("var a = 1, b = 'x'", "var a = -2.5, b = \"y\""),
        ("var user = null", "var user = 'ann'"),
        ("set({id: 7, open: true})", "set({id: 'q', open: !1})"),
        ("f(`a${x}b`)", "f(`c${x}d`)"),
        ("x = JSON.parse('{\"a\":1}')", "x = JSON.parse('[2]')"),
        ("import './a.js'", "import './b.js'"),
        ("import('./a.js')", "import('./b.js')"),
        ("a  =  f ( 1 )", "/* why */ a=f(2) // so"),
        ("<!-- old\nf(1)\n//-->", "f(2)"),
        ("a + +b", "a  +\n+ b"),
    ] {
        assert_eq!(code(one), code(other), "{one} | {other}");
    }
}

#[test]
fn other_words_are_other_code() {
    for (one, other) in [
        ("f(1)", "g(1)"),
        ("x.a = 1", "x.b = 1"),
        ("x['a'] = 1", "x['b'] = 1"),
        ("x[0]", "x[1]"),
        ("set({a: 1})", "set({b: 1})"),
        ("set({a: 1})", "set({a: 1, b: 2})"),
        ("set({a: [], b: 1})", "set({c: [], b: 1})"),
        ("a + +b", "a ++ +b"),
        ("/a/.test(x)", "/b/.test(x)"),
        ("'use strict'", "'use sloppy'"),
        ("var a", "vara"),
        ("f(1)", "f(x)"),
    ] {
        assert_ne!(code(one), code(other), "{one} | {other}");
    }
}

#[test]
fn literals_have_paths() {
    check_literals(
        r#"RLCONF={"wgPageName":"Main_Page","wgId":-7,"ok":true,"wgNs":{"a":null}};"#,
        &[
            ("RLCONF.wgPageName", "Main_Page"),
            ("RLCONF.wgId", "-7"),
            ("RLCONF.ok", "true"),
            ("RLCONF.wgNs.a", "null"),
        ],
    );
    check_literals(
        "window.RLPAGEMODULES = ['site', \"mmv\"]",
        &[("RLPAGEMODULES", "site,mmv")],
    );
    check_literals(
        "a.b.c = [[1, 2], {d: 3}]",
        &[("a.b.c.0", "1,2"), ("a.b.c.1.d", "3")],
    );
    check_literals(
        "mw.config.set({a: 'x', f: function () { return 'inner' }})",
        &[("mw.config.set(0).a", "x"), ("#1", "inner")],
    );
    check_literals(
        "gtag('js', new Date('d')); gtag('config', 'G-1')",
        &[
            ("gtag(0)", "js"),
            ("new Date(0)", "d"),
            ("gtag(0)~2", "config"),
            ("gtag(1)", "G-1"),
        ],
    );
    check_literals("let x = y || {a: 1}", &[("x.a", "1")]);
    check_literals("if (x === 'a') f(`b${c}`)", &[("#0", "a"), ("#1", "b")]);
    check_literals("x = [f('a'), 1]", &[("f(0)", "a"), ("x.1", "1")]);
    check_literals("x = []; y = [{}]", &[("x", "[]"), ("y.0", "{}")]);
    check_literals(
        r#"__MAP__=JSON.parse("{\"a\":[\"b\"],\"c\":1}")"#,
        &[("__MAP__.a", "b"), ("__MAP__.c", "1")],
    );
    check_literals(
        "import a from '/a.js'; export * from '/b.js'",
        &[("import", "/a.js"), ("import~2", "/b.js")],
    );
}

#[test]
fn slots_do_not_move_when_arrays_grow() {
    let slot = |source: &str| {
        let literals = identity(source, Goal::Script).literals;
        literals.last().unwrap().slot
    };
    assert_eq!(
        slot("f([{a: 1}]); g('x')"),
        slot("f([{a: 1}, {b: 2, c: [3]}]); g('y')")
    );
}

#[test]
fn keys_of_maps_are_data() {
    let map = |keys: usize, prefix: &str| {
        let pairs: Vec<_> = (0..keys)
            .map(|key| format!("{prefix}{key}: {key}"))
            .collect();
        format!("pages = {{{}}}", pairs.join(","))
    };
    assert_eq!(code(&map(33, "a")), code(&map(90, "b")));
    assert_ne!(code(&map(32, "a")), code(&map(32, "b")));
    let literals = identity(&map(33, "a"), Goal::Script).literals;
    assert!(
        literals
            .iter()
            .any(|l| l.path == "pages.a32" && l.value == "32")
    );
    assert!(literals.iter().all(|literal| literal.slot == 0));
}

#[test]
fn what_cannot_be_parsed_is_one_piece() {
    let broken = identity("f('a'", Goal::Script);
    assert!(matches!(broken.note, Some(Note::Syntax(_))));
    assert_eq!(broken.literals, []);
    assert_ne!(broken.code, code("f('b'"));
    assert_eq!(broken.code, code("f('a'"));
    let long = " ".repeat(super::MAX_TEXT + 1);
    assert_eq!(identity(&long, Goal::Script).note, Some(Note::TooLong));
}

#[test]
fn literals_are_bounded() {
    let many = "f(1);".repeat(100_000);
    let found = identity(&many, Goal::Script);
    assert_eq!(found.note, Some(Note::TooMany));
    assert_eq!(found.literals.len(), 4_096);
    let value = |end: &str| {
        let source = format!("x = '{}{end}'", "é".repeat(5_000));
        identity(&source, Goal::Script).literals.remove(0).value
    };
    assert!(value("a").len() < 1_100);
    assert_ne!(value("a"), value("b"));
    let long_name = format!("{} = {{a: 1}}", "n".repeat(1_000));
    check_literals(&long_name, &[("#0", "1")]);
}

#[test]
fn json_has_paths() {
    let found = json_values(
        r#"{"props":{"pageProps":{"id":7,"tags":["a","b"],"parts":[{"x":null}],"none":[]}}}"#,
    );
    let mut found: Vec<_> = found
        .iter()
        .map(|literal| (literal.path.as_str(), literal.value.as_str()))
        .collect();
    found.sort_unstable();
    let expected = [
        ("props.pageProps.id", "7"),
        ("props.pageProps.none", "[]"),
        ("props.pageProps.parts.0.x", "null"),
        ("props.pageProps.tags", "a,b"),
    ];
    assert_eq!(found, expected);
    assert_eq!(json_values("\"only\"")[0].value, "only");
    for broken in ["", "{", "<!-- -->", &"[".repeat(100_000)] {
        assert_eq!(json_values(broken), [], "{broken:.20}");
    }
    let wide = format!("[{}{{}}]", "[{}],".repeat(100_000));
    assert!(json_values(&wide).len() <= 4_096);
}

#[test]
fn hostile_nesting_neither_overflows_nor_takes_long() {
    let start = Instant::now();
    for unit in [
        "[",
        "({a:",
        "x=[",
        "f(",
        "a={b:",
        "`${",
        "a||",
        "[[1],",
        "{a:[",
        "new f(",
        "(()=>{",
        "!",
        "x=[{a:1,b:",
        "JSON.parse(",
        "a.b.",
        "-",
        "[,",
        "({...",
        "f(...[",
    ] {
        for depth in [50, 2_000, 100_000] {
            let source = format!("{}1", unit.repeat(depth));
            identity(&source, Goal::Script);
            let closed = format!("{source}{}", closing(unit).repeat(depth));
            identity(&closed, Goal::Script);
        }
    }
    let again = format!(
        "{}{}f(){}",
        "[".repeat(200),
        "1,".repeat(200_000),
        "]".repeat(200)
    );
    identity(&again, Goal::Script);
    assert!(start.elapsed() < Duration::from_secs(120));
}

/// What ends what a unit of nesting begins.
fn closing(unit: &str) -> String {
    let pairs = [('[', "]"), ('(', ")"), ('{', "}"), ('`', "`")];
    let end = |open: char| pairs.iter().find(|(begin, _)| *begin == open);
    unit.chars()
        .rev()
        .filter_map(end)
        .map(|(_, end)| *end)
        .collect()
}

proptest! {
    #[test]
    fn any_text_has_an_identity(source in "[ -~\n]{0,80}") {
        let once = identity(&source, Goal::Either);
        prop_assert_eq!(&once, &identity(&source, Goal::Either));
        let mut paths: Vec<_> = once.literals.iter().map(|literal| &literal.path).collect();
        paths.sort_unstable();
        paths.dedup();
        prop_assert_eq!(paths.len(), once.literals.len());
    }

    #[test]
    fn values_do_not_change_code(one in "[a-z ]{0,9}", other in "[a-z ]{0,9}", number in 0..99_u8) {
        let source = |text: &str| format!("set({{name: '{text}', n: {number}, tags: ['{text}']}})");
        let (one, other) = (source(&one), source(&other));
        prop_assert_eq!(code(&one), code(&other));
    }
}
