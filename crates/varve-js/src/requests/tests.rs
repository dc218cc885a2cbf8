#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::{Base, Goal, Note, RequestKind, Wanted, requests};

#[track_caller]
fn check(source: &str, goal: Goal, expected: &[(&str, RequestKind, Base, Wanted)]) {
    let found = requests(source, goal);
    assert_eq!(found.note, None, "{source}");
    let found: Vec<_> = found
        .requests
        .iter()
        .map(|r| (r.specifier.as_str(), r.kind, r.base, r.wanted))
        .collect();
    assert_eq!(found, expected, "{source}");
}

#[test]
fn modules_import() {
    use Base::Module as Own;
    use RequestKind::{DynamicImport, ExportFrom, Import};
    use Wanted::{Json, Module, Style};
    for (source, expected) in [
        ("import './a.js';", ("./a.js", Import, Own, Module)),
        (
            "import a, { b as c } from \"lib\";",
            ("lib", Import, Own, Module),
        ),
        ("import * as n from'n'", ("n", Import, Own, Module)),
        (
            "export * from './b.js'",
            ("./b.js", ExportFrom, Own, Module),
        ),
        (
            "export { x as default } from './c.js'",
            ("./c.js", ExportFrom, Own, Module),
        ),
        (
            "const m = await import('./d.js')",
            ("./d.js", DynamicImport, Own, Module),
        ),
        ("import(`./t.js`)", ("./t.js", DynamicImport, Own, Module)),
        (
            "import('\\u002e/e.js')",
            ("./e.js", DynamicImport, Own, Module),
        ),
        (
            "import j from './j.json' with { type: 'json' }",
            ("./j.json", Import, Own, Json),
        ),
        (
            "import s from './s.css' with { 'type': 'css' }",
            ("./s.css", Import, Own, Style),
        ),
        (
            "import('./k.json', { with: { type: 'json' } })",
            ("./k.json", DynamicImport, Own, Json),
        ),
        (
            "import '' ; if (a) /'((/.test(b)",
            ("", Import, Own, Module),
        ),
    ] {
        check(source, Goal::Module, &[expected]);
        check(source, Goal::Either, &[expected]);
    }
}

#[test]
fn scripts_start_workers_and_load_more() {
    use RequestKind::{DynamicImport, ImportScripts, ServiceWorker, SharedWorker, Url, Worker};
    use Wanted::{Module, Script, Unknown};
    check(
        "import('./x.js').then(f)",
        Goal::Script,
        &[("./x.js", DynamicImport, Base::Module, Module)],
    );
    check(
        "new Worker('w.js')",
        Goal::Script,
        &[("w.js", Worker, Base::Page, Script)],
    );
    check(
        "new self.Worker(('w.js'), { type: 'module' })",
        Goal::Script,
        &[("w.js", Worker, Base::Page, Module)],
    );
    check(
        "new SharedWorker(new URL('./s.js', import.meta.url))",
        Goal::Module,
        &[("./s.js", SharedWorker, Base::Script, Script)],
    );
    check(
        "img.src = new URL('a.png', import.meta.url).href",
        Goal::Module,
        &[("a.png", Url, Base::Script, Unknown)],
    );
    check(
        "importScripts('a.js', b, 'c.js')",
        Goal::Script,
        &[
            ("a.js", ImportScripts, Base::Script, Script),
            ("c.js", ImportScripts, Base::Script, Script),
        ],
    );
    check(
        "if ('serviceWorker' in navigator) navigator.serviceWorker.register('/sw.js', {scope: '/'})",
        Goal::Script,
        &[("/sw.js", ServiceWorker, Base::Page, Script)],
    );
}

#[test]
fn what_is_computed_or_only_looks_like_a_request_is_left_out() {
    for source in [
        "import(a + '.js'); import(`./${x}.js`); new Worker(u); importScripts(...l)",
        "// import './a.js'\n'import \"b\"'; /import 'c'/",
        "new URL('a', base); x.register('Worker'); new Foo('Worker')",
    ] {
        check(source, Goal::Either, &[]);
    }
}

#[test]
fn the_span_is_the_literal_with_its_quotes() {
    let source = "/* é */ import x from 'lib';";
    let found = requests(source, Goal::Module);
    assert_eq!(&source[found.requests[0].span.clone()], "'lib'");
}

#[test]
fn a_source_that_does_not_parse_gives_a_note() {
    let found = requests("import {{{ from 'a'", Goal::Module);
    assert!(matches!(found.note, Some(Note::Syntax(_))), "{found:?}");
    assert!(found.requests.is_empty());
}

#[test]
fn hostile_nesting_neither_overflows_nor_takes_long() {
    let depths = [50, 1_000, 4_000, 100_000];
    for unit in [
        "(",
        "[",
        "{",
        "!",
        "a?b:",
        "a=>",
        "a=",
        "new ",
        "`${",
        "if(1)",
        "a+",
        "a.",
        "a()",
        "-",
        "x:",
        "if(a)b;else ",
        "do ",
        "typeof ",
        "function f(){",
        "(class extends ",
        "a**",
        "async()=>",
        "async(",
        "(a=(",
        "- ",
        "a[",
        "{a:[",
        "for(;;)",
        "(a,",
        "[...",
        "f(function(){",
        "({a(){",
        "import(",
        "new Worker(",
        "try{",
        "switch(a){case 1:",
        "while(a){",
        "a??",
        "(x=",
        "`${`",
        "class A{static{",
        "{}/'/;(",
        "`",
        "/*",
    ] {
        for depth in depths {
            let source = format!("import('x');{}", unit.repeat(depth));
            let _ = requests(&source, Goal::Script);
        }
    }
}

#[test]
fn deep_but_complete_programs_are_walked() {
    let depth = 400;
    for (open, middle, close) in [
        ("(", "import('x')", ")"),
        ("[", "import('x')", "]"),
        ("f(", "import('x')", ")"),
        ("{", "import('x')", "}"),
        ("if(a){", "import('x')", "}"),
        ("(()=>{", "import('x')", "})();"),
        ("a+", "import('x')", ""),
        ("", "import('x')", "+a"),
        ("", "import('x')", ".a"),
        ("", "import('x')", ".then(()=>b)"),
        ("a?b:", "import('x')", ""),
        ("if(a)b;else ", "import('x')", ""),
        ("!", "import('x')", ""),
        ("`${", "import('x')", "}`"),
        ("({a:", "import('x')", "})"),
        ("function f(){", "import('x')", "}"),
        ("x=class{a(){", "import('x')", "}}"),
    ] {
        let source = format!("{}{middle}{}", open.repeat(depth), close.repeat(depth));
        let found = requests(&source, Goal::Script);
        assert_eq!(
            (found.requests.len(), found.note),
            (1, None),
            "{open} {close}"
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_taken(source in "(?s).{0,200}", words in "[a-z(){}\\[\\]'\"`/$;:,.=>\\n]{0,200}") {
        let _ = requests(&format!("import {source}{words}"), Goal::Either);
    }
}
