#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;

const LONG: &str =
    "const filling = 'so long that it is worth a stub, whatever else stands in it here';";

/// The source with `BODY` where a long body stands.
fn long(source: &str) -> String {
    source.replace("BODY", LONG)
}

/// The script without what never ran, with numbers for what is fetched.
fn hot(source: &str, ran: &[&str]) -> String {
    let source = long(source);
    let ran: Vec<Ran> = ran.iter().map(|text| place(&source, &long(text))).collect();
    let split = split(&source, Form::Unknown, &ran).unwrap();
    split
        .hot(&source, &|number| format!("eval({number})"))
        .text
        .replace(LONG, "BODY")
}

/// Where a text stands, in UTF-16.
fn place(source: &str, text: &str) -> Ran {
    let at = source.find(text).unwrap();
    let units = |text: &str| text.encode_utf16().count() as u32;
    let start = units(&source[..at]);
    Ran {
        start,
        end: start + units(text),
        idle: Vec::new(),
    }
}

#[track_caller]
fn check(source: &str, ran: &[&str], expected: &str) {
    assert_eq!(hot(source, ran), expected);
}

#[test]
fn bodies_that_never_ran_are_taken_out() {
    check("function f(a){BODY}", &[], "function f(a){return eval(0)}");
    check(
        "x = function(){BODY}",
        &[],
        "x = function(){return eval(0)}",
    );
    check(
        "x = (a, b) => {BODY}",
        &[],
        "x = (a, b) => {return eval(0)}",
    );
    check("x = { m(){BODY} }", &[], "x = { m(){return eval(0)} }");
    check(
        "x = { get m(){BODY} }",
        &[],
        "x = { get m(){return eval(0)} }",
    );
    check(
        "class A { static m(){BODY} }",
        &[],
        "class A { static m(){return eval(0)} }",
    );
    check(
        "class A { constructor(){BODY} }",
        &[],
        "class A { constructor(){return eval(0)} }",
    );
    check(
        "class A { #m(){BODY} }",
        &[],
        "class A { #m(){return eval(0)} }",
    );
    check(
        "x = async () => {BODY}",
        &[],
        "x = async () => {return eval(0)}",
    );
    check(
        "export function f(){BODY}",
        &[],
        "export function f(){return eval(0)}",
    );
}

#[test]
fn values_of_arrows_are_taken_out() {
    const VALUE: &str =
        "'so long that it is worth a stub, whatever else stands in it here, and more of it'";
    let check = |source: &str, expected: &str| {
        let source = source.replace("VALUE", VALUE);
        let split = split(&source, Form::Unknown, &[]).unwrap();
        let hot = split.hot(&source, &|number| format!("eval({number})")).text;
        assert_eq!(hot.replace(VALUE, "VALUE"), expected);
    };
    check("f = a => VALUE, g()", "f = a => (eval(0)), g()");
    check("f = () => ({ a: VALUE })", "f = () => (eval(0))");
    check("f = () => (a, VALUE)", "f = () => (eval(0))");
    check(
        "f = async () => g(await VALUE)",
        "f = async () => (eval(0))",
    );
    check(
        "f = (a = () => VALUE) => 1",
        "f = (a = () => (eval(0))) => 1",
    );
    // One that never ran within another is gone with it.
    check("f = x => y => VALUE", "f = x => (eval(0))");
    // A line that ended where it did would go on with a stub.
    check(
        "f = x => y => { g(VALUE) }\n(g)()",
        "f = x => y => {return eval(0)}\n(g)()",
    );
    check("f = x => y[VALUE]++\n[1]", "f = x => y[VALUE]++\n[1]");
    check("f = 'x' + VALUE", "f = 'x' + VALUE");
}

#[test]
fn what_ran_stays_and_so_does_what_is_in_it() {
    check(
        "function f(){BODY}",
        &["function f(){BODY}"],
        "function f(){BODY}",
    );
    check("x = { m(){BODY} }", &["m(){BODY}"], "x = { m(){BODY} }");
    check(
        "x = { get m(){BODY} }",
        &["get m(){BODY}"],
        "x = { get m(){BODY} }",
    );
    check(
        "function f(){ BODY; g = () => {BODY} }",
        &["function f(){ BODY; g = () => {BODY} }"],
        "function f(){ BODY; g = () => {return eval(0)} }",
    );
    check(
        "function f(){ BODY; g = () => {BODY} }",
        &[],
        "function f(){return eval(0)}",
    );
}

#[test]
fn an_arrow_at_the_end_of_an_arrow_is_not_taken_for_it() {
    check(
        "f = x => y => {BODY}",
        &["x => y => {BODY}"],
        "f = x => y => {return eval(0)}",
    );
    check(
        "f = x => y => {BODY}",
        &["x => y => {BODY}", "y => {BODY}"],
        "f = x => y => {BODY}",
    );
}

#[test]
fn places_are_in_code_units() {
    check(
        "'é😀'; function f(){BODY} function g(){BODY}",
        &["function g(){BODY}"],
        "'é😀'; function f(){return eval(0)} function g(){BODY}",
    );
}

#[test]
fn directives_stay() {
    check(
        "function f(){'use strict';BODY}",
        &[],
        "function f(){'use strict';;return eval(0)}",
    );
    check(
        "function f(){'use strict'\nBODY}",
        &[],
        "function f(){'use strict';return eval(0)}",
    );
}

#[track_caller]
fn check_left(source: &str, why: Why) {
    let source = long(source);
    let split = split(&source, Form::Unknown, &[]).unwrap();
    // Of what stays, parts can be taken out.
    assert!(split.cold.iter().all(Cold::is_branch), "{source}");
    assert_eq!(split.left[0].0, why, "{source}");
}

#[test]
fn what_could_not_be_restored_is_left() {
    check_left("async function* f(){BODY}", Why::Generator);
    check_left("function* f(){BODY g = () => arguments}", Why::Generator);
    check_left("x = { *m(){ yield super.m(); BODY} }", Why::Generator);
    check_left("function f(a){var a = a || {};BODY}", Why::Redeclares);
    check_left(
        "function f({a}, ...b){ for (var b of c) {} BODY}",
        Why::Redeclares,
    );
    check_left("function f(a){ { function a(){} } BODY}", Why::Redeclares);
    check_left("function f(){ var arguments = 1; BODY}", Why::Redeclares);
    check_left(
        "export function f(){ import.meta.url; BODY}",
        Why::ImportMeta,
    );
    check_left("function f(){ return tag`a${b}`;BODY}", Why::Template);
    check_left("f = () => { g = () => tag`a`;BODY}", Why::Template);
    check_left("export function f(){ x = 2<!--y; BODY}", Why::ImportMeta);
    check_left("function f(a){ eval(b); BODY}", Why::Redeclares);
    check_left("function* f(a){ g = () => eval(b); BODY}", Why::Generator);
    check_left("function f(){ return 1 }", Why::Tiny);
}

#[test]
fn other_names_may_be_declared() {
    check(
        "function f(a){ var b = a, c = () => { var a }; BODY}",
        &[],
        "function f(a){return eval(0)}",
    );
    check(
        "class A extends B { constructor(){ super();BODY} m(){BODY} }",
        &["constructor(){ super();BODY}"],
        "class A extends B { constructor(){ super();BODY} m(){return eval(0)} }",
    );
}

#[test]
fn generators_and_constructors_are_taken_out() {
    check(
        "function* f(a){BODY yield a}",
        &[],
        "function* f(a){return yield*eval(0)}",
    );
    check(
        "function* f(){'use strict';BODY g(function(){ return arguments })}",
        &[],
        "function* f(){'use strict';;return yield*eval(0)}",
    );
    check(
        "class A extends B { constructor(){ super();BODY} }",
        &[],
        "class A extends B { constructor(){return eval(0)} }",
    );
}

#[test]
fn functions_in_what_is_left_are_taken_out() {
    check(
        "async function* f(){ for (const x of () => {BODY}) yield }",
        &[],
        "async function* f(){ for (const x of () => {return eval(0)}) yield }",
    );
    check(
        "function f(a = () => {BODY}){BODY}",
        &[],
        "function f(a = () => {return eval(0)}){return eval(1)}",
    );
}

#[test]
fn a_script_with_an_eval_of_its_own_or_a_mistake_is_left_whole() {
    check(
        "var eval = x; function f(){BODY}",
        &[],
        "var eval = x; function f(){BODY}",
    );
    check(
        "(function(eval){ function f(){BODY} })",
        &[],
        "(function(eval){ function f(){BODY} })",
    );
    for whole in [
        "eval = x; function f(){BODY}",
        "window.eval = x; function f(){BODY}",
        "with (x) { f = () => {BODY} }",
        "function g(){ return g.caller } function f(){BODY}",
    ] {
        check(whole, &[], whole);
    }
    // Other objects may have one.
    check(
        "errors.eval = x; function f(){BODY}",
        &[],
        "errors.eval = x; function f(){return eval(0)}",
    );
    assert!(matches!(
        split("function f( {", Form::Classic, &[]),
        Err(Note::Syntax(_))
    ));
}

#[test]
fn what_is_restored_ends_its_last_comment() {
    let check = |body: &str, marks: &str, expected: &str| {
        let manner = Manner {
            is_async: marks.contains('a'),
            is_expression: marks.contains('e'),
            is_generator: marks.contains('g'),
        };
        assert_eq!(restored(body, manner), expected);
    };
    check("f() // x", "", "(()=>{f() // x\n})()");
    check("await f()", "a", "(async()=>{await f()\n})()");
    check("a, b // x", "e", "(()=>(a, b // x\n))()");
    check("yield 1", "g", "(function*(){yield 1\n}).call(this)");
}

proptest! {
    #[test]
    fn any_ranges_of_any_source_are_taken(
        source in "[ -~é😀\n]{0,80}", ran in proptest::collection::vec((0u32..100, 0u32..100), 0..5)
    ) {
        let ran: Vec<Ran> = ran.into_iter().map(|(start, end)| Ran { start, end, idle: vec![(start / 2, end)] }).collect();
        if let Ok(split) = split(&source, Form::Unknown, &ran) {
            split.hot(&source, &|_| "0".to_owned());
        }
    }

    #[test]
    fn hot_scripts_parse_and_have_nothing_more_to_take_out(kinds in proptest::collection::vec(0usize..8, 1..6)) {
        let parts = [
            "function f(a, b){BODY}", "x = async (a) => {BODY}", "class A { static async m(){BODY} get g(){BODY} }",
            "x = { m(a = () => {BODY}){BODY}, set s(v){BODY} };", "(function(){BODY})();", "x = function* (){ () => {BODY} };",
            "class B extends A { constructor(){ super();BODY} m(){BODY} }", "x = a => b => {BODY};",
        ];
        let source: String = kinds.iter().map(|kind| format!(";{}\n", long(parts[*kind]))).collect();
        let first = split(&source, Form::Module, &[]).or_else(|_| split(&source, Form::Classic, &[]));
        let first = match first { Ok(first) => first, Err(_) => return Ok(()) };
        let hot = first.hot(&source, &|_| "_v".to_owned());
        let second = split(&hot.text, Form::Unknown, &[]).unwrap();
        prop_assert_eq!(second.cold, vec![]);
        prop_assert_eq!(second.functions, first.functions);
    }
}

#[test]
fn bodies_that_import_stay_in_modules() {
    let source = long("export const x = () => {BODY import('./a.js')}");
    let split = split(&source, Form::Module, &[]).unwrap();
    assert!(split.cold.iter().all(Cold::is_branch));
    assert_eq!(split.left.len(), 1);
    assert_eq!(split.left[0].0, Why::ImportMeta);
    let source = long("x = () => {BODY import('./a.js')}");
    assert_eq!(
        super::split(&source, Form::Classic, &[])
            .unwrap()
            .cold
            .len(),
        1
    );
}

#[test]
fn stubs_are_left_alone_by_the_rewriter() {
    let stub = format!("function f() {{return {}}}", restoring("0123", 7));
    let rewritten = crate::rewrite(&stub, Form::Classic, &mut |_| None);
    assert_eq!(rewritten.text, stub);
}

#[test]
fn a_body_is_rewritten_as_it_would_be_in_its_place() {
    let check = |source: &str, expected: &str| {
        let start = source.find("/*<*/").unwrap() + 5;
        let end = source.find("/*>*/").unwrap();
        let is_value = !source[..start].ends_with("{/*<*/");
        let part = crate::rewrite_part(source, Form::Classic, start..end, is_value);
        assert_eq!(part.as_deref(), Some(expected));
    };
    check(
        "function f() {/*<*/ return location.href /*>*/}",
        " return __varve.location.href ",
    );
    check(
        "function f(location) {/*<*/ return location.href /*>*/}",
        " return location.href ",
    );
    check(
        "location.href; function f() {/*<*/ x = 1 /*>*/} top.x",
        " x = 1 ",
    );
    check("f = () => /*<*/location/*>*/, g()", "__varve.location");
    check(
        "f = () => /*<*/(location = x)/*>*/, g()",
        "(__varve.location = x)",
    );
    check(
        "f = () => /*<*/({ location })/*>*/",
        "({ location:__varve.location })",
    );
    // What is around it goes on without it.
    check("location = x => /*<*/top.a/*>*/", "__varve.top.a");
    check("o[k] = x => /*<*/top.a/*>*/", "__varve.top.a");
    check("o.location = x => /*<*/o[k]/*>*/", "o[k]");
    check(
        "var g = top; function f() {/*<*/ return eval(y) /*>*/} let location = 1",
        " return eval(y) ",
    );
}

#[test]
fn a_mark_stands_nowhere_else() {
    let check = |text: &str, expected: &str| {
        let mark = Mark::for_text(text, "0123abcd");
        assert_eq!(mark.as_str(), expected);
        assert_eq!(Mark::parse(mark.as_str()), Some(mark));
    };
    check("f()", "_v");
    check("a_value", "$v");
    check("a_v$v", "_v0");
    check("_v1 $v1 _v0 $v0", "_v0123abcd");
    for wrong in ["", "v", "_v;", "_v v", "_é"] {
        assert_eq!(Mark::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn marks_are_found_where_stubs_stand() {
    let source = "x = async () => {BODY}; function* f(){'use strict'; BODY} y = { m(){BODY} }";
    let source = long(source);
    let split = split(&source, Form::Unknown, &[]).unwrap();
    let mark = Mark::for_text(&source, "key");
    let hot = split.hot(&source, &|_| mark.as_str().to_owned());
    let places = mark.places(hot.text.as_bytes());
    assert_eq!(places.len(), 3);
    for (place, stub) in places.iter().zip(&hot.stubs) {
        assert!(stub.start <= place.start && place.end == stub.end);
    }
}

#[test]
fn comments_are_taken_out() {
    const WORDS: &str = "words that nobody needs to run it, and more of them";
    let check = |source: &str, expected: &str| {
        let source = source.replace("WORDS", WORDS);
        let split = split(&source, Form::Unknown, &[]).unwrap();
        assert!(split.cold.iter().all(Cold::is_comment), "{source}");
        let hot = split.hot(&source, &|_| unreachable!());
        assert_eq!(hot.text.replace(WORDS, "WORDS"), expected);
    };
    check("/* WORDS */\nf()", "f()");
    check("f(); // WORDS\ng()", "f();\ng()");
    check("f();\n  // WORDS\n  // WORDS\r\n  g()", "f();\n  g()");
    check("a = b /* WORDS */ + c", "a = b   + c");
    check("var/* WORDS */a", "var a");
    check("f() // WORDS", "f() ");
    // The end of a line in it counts.
    check("x = y /* WORDS\n */ (z)", "x = y \n (z)");
    check("return_\n/* WORDS\n*/\n(z)", "return_\n(z)");
    // Somebody reads these.
    for kept in [
        "//# sourceMappingURL=a.map WORDS",
        "/*! (c) WORDS */",
        "/* @license WORDS */",
        "f = () => { /* WORDS */ }",
        "f = '/* WORDS */'",
        "f = `// WORDS`",
        "// a",
    ] {
        check(kept, kept);
    }
}

#[test]
fn comments_in_bodies_go_with_them() {
    check(
        "/* so long that it is worth to be taken out */function f(){BODY /* so long that it is worth it */}",
        &[],
        " function f(){return eval(1)}",
    );
}

/// A statement that ran in a function, without its idle parts, which stand between `«` and `»`.
fn without_idle(marked: &str) -> String {
    const VALUE: &str = "told('so long that it is worth a stub', whatever, stands, within, it)";
    let marked = format!("!function(){{{}}}()", marked.replace("VALUE", VALUE));
    let (mut source, mut idle, mut starts) = (String::new(), Vec::new(), Vec::new());
    for letter in marked.chars() {
        let at = source.encode_utf16().count() as u32;
        match letter {
            '«' => starts.push(at),
            '»' => idle.push((starts.pop().unwrap(), at)),
            _ => source.push(letter),
        }
    }
    let end = source.encode_utf16().count() as u32;
    let ran = |start, end, idle| Ran { start, end, idle };
    let ran = [ran(0, end, vec![]), ran(1, end - 2, idle)];
    let split = split(&source, Form::Classic, &ran).unwrap();
    let hot = split.hot(&source, &|_| "_v".to_owned()).text;
    assert!(super::split(&hot, Form::Classic, &[]).is_ok(), "{hot}");
    let within = &hot["!function(){".len()..hot.len() - "}()".len()];
    within.replace(VALUE, "VALUE")
}

#[test]
fn branches_that_never_ran_are_taken_out() {
    let check = |marked: &str, expected: &str| assert_eq!(without_idle(marked), expected);
    check("if (a) «{ VALUE }» else b", "if (a) {!(()=>_v)()} else b");
    check("if (a) «VALUE;» b", "if (a) !(()=>_v)(); b");
    check("if (a) b; else«(VALUE);»", "if (a) b; else!(()=>_v)();");
    check("a ? «VALUE» : b", "a ? (()=>_v)() : b");
    check("x = a ? b : «VALUE»;", "x = a ? b : (()=>_v)();");
    check("x = a || «(b, VALUE)»;", "x = a || (()=>_v)();");
    check("x = { y: a ?? «VALUE» }", "x = { y: a ?? (()=>_v)() }");
    check("é = 1; a && «VALUE»", "é = 1; a && (()=>_v)()");
    check(
        "«x(); var y = VALUE, z = a;»",
        "x(); var y = (()=>_v)(), z = a;",
    );
    check(
        "try { a } catch (e) «{ VALUE }»",
        "try { a } catch (e) {!(()=>_v)()}",
    );
    check("if (a) «{ let b = VALUE; c(b) }»", "if (a) {!(()=>_v)()}");
    check(
        "while (a) «{ for (;;) { VALUE; break } }»",
        "while (a) {!(()=>_v)()}",
    );
}

#[test]
fn branches_that_leave_a_function_leave_it() {
    let check = |marked: &str, expected: &str| assert_eq!(without_idle(marked), expected);
    check("if (a) «return VALUE;» b", "if (a) return (()=>_v)(); b");
    check(
        "if (a) «{ if (b) return 1; return VALUE }»",
        "if (a) {return(()=>_v)()}",
    );
    check(
        "if (a) «{ if (b) return 1; throw VALUE }»",
        "if (a) {return(()=>_v)()}",
    );
    check("if (a) «{ throw VALUE }»", "if (a) {!(()=>_v)()}");
    // It may leave the function, or go on.
    check(
        "if (a) «{ if (b) return; VALUE; }»",
        "if (a) { if (b) return; !(()=>_v)(); }",
    );
}

#[test]
fn what_is_tied_to_its_function_stays() {
    for tied in [
        "for (;;) «{ VALUE; if (a) break }»",
        "for (;;) «{ if (a) continue; VALUE }»",
        "x: for (;;) «{ for (;;) { if (a) break x } VALUE }»",
        "if (a) «{ var b = c; VALUE }»",
        "if (a) «{ function b() {} VALUE }»",
        "if (a) «{ 'use strict'; VALUE }»",
        "if (a) «{ eval(b); VALUE }»",
    ] {
        let hot = without_idle(tied);
        assert!(hot.contains("!(()=>_v)()") && hot.len() > 30, "{hot}");
    }
    for whole in [
        // Somebody wants to know their names.
        "var b = «function () { VALUE }»",
        "let b = «() => { VALUE }»",
        // Without what would end it, a line might go on.
        "«VALUE»\n(b)",
        "a && «VALUE»\n+ b",
        // A tag is given the same array each time.
        "a && «told`so long that it is worth a stub ${whatever} stands in it`»",
        // Too short.
        "a && «b(c, d, e)»",
    ] {
        let hot = without_idle(whole);
        assert!(!hot.contains("(()=>_v)"), "{hot}");
    }
}

#[test]
fn branches_of_functions_that_wait_stay() {
    // V8 says that what runs after a wait that was passed over is idle.
    let check = |source: &str, form: Form| {
        let source = source.replace("VALUE", LONG);
        let idle = source.find("const").unwrap() as u32;
        let whole = |start| Ran {
            start,
            end: source.len() as u32,
            idle: vec![(idle, source.len() as u32 - 2)],
        };
        let split = split(&source, form, &[whole(0)]).unwrap();
        assert_eq!(split.cold, [], "{source}");
    };
    check("async function f(x){ x && await p; VALUE; }", Form::Classic);
    check("function* f(x){ x ??= yield 1; VALUE; }", Form::Classic);
    check("x && await p; VALUE; ;", Form::Module);
}

#[test]
fn asynchronous_bodies_that_wait_for_nothing_do_not() {
    let manners = |source: &str| {
        let source = long(source);
        let split = split(&source, Form::Classic, &[]).unwrap();
        split
            .cold
            .iter()
            .map(|it| it.manner.is_async)
            .collect::<Vec<_>>()
    };
    assert_eq!(manners("async function f(){BODY}"), [false]);
    assert_eq!(manners("async function f(){BODY await a}"), [true]);
    assert_eq!(
        manners("async () => {BODY for await (const a of b) c(a)}"),
        [true]
    );
    assert_eq!(manners("async () => {BODY async () => await a}"), [false]);
}
