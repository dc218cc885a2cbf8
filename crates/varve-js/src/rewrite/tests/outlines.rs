//! What is planned by the outline of a source is what is planned by the whole.

use proptest::prelude::*;

use super::super::plan::{Plan, by_whole};
use super::Form;
use crate::nesting::look;
use crate::stack::MAX_DEPTH;

/// Functions in all their forms, `@` for what is in them.
const FUNCTIONS: &[&str] = &[
    "function f(a, window) { @ }",
    "x = function (self) { @ };",
    "x = function* g() { @ } / 2;",
    "(function () { @ })();",
    "f(a => { @ });",
    "f(async (location) => { @ }, 1);",
    "async function h() { @ }",
    "x = { m(parent) { @ }, get top() { @ }, async *[b]() { @ } };",
    "class A extends f() { m() { @ } static s(a) { @ } }",
    "x = class { constructor() { @ } };",
    "if (a) { @ } else { @ }",
    "g()\n{ @ }",
    "for (;;) { @ }",
    "try { @ } catch (self) { @ }",
    "switch (a) { case 1: { @ } }",
    "`${function () { @ }}`;",
    "with (a) { @ }",
    "@",
];

/// What may stand in a function, quiet or not.
const CONTENTS: &[&str] = &[
    "return a + b + c + d + e;",
    "var self = this, list = [1, 2, 3];",
    "var window = {}; b(window.a.c);",
    "let document = 'a string', frames;",
    "a['lo\\cation'] = 'a string that is long';",
    "a[\"\\x6cocation\"] = b[`lo\\\ncation`];",
    "return 'it\\'s \\n \\\\';",
    "a.b = /['\"`{(]/.test(c) ? 1 : 2;",
    "// '{ location \n",
    "/* } location */ a = b;",
    "`text ${a} } ${`{`}`;",
    "self[name] = 1;",
    "window /**/ [name];",
    "(parent)[a] = frames?.[b];",
    "return location.href;",
    "location = top.location;",
    "a.postMessage(b);",
    "eval('code');",
    "import('x');",
    "x['top'] = x[`location`];",
    "var { location } = window;",
    "\\u0061(self.b);",
];

fn program() -> impl Strategy<Value = String> {
    let content = prop::sample::select(CONTENTS).prop_map(str::to_owned);
    content.prop_recursive(4, 24, 3, |inner| {
        let function = prop::sample::select(FUNCTIONS);
        let body = prop::collection::vec(inner, 1..4);
        (function, body).prop_map(|(function, body)| function.replace('@', &body.concat()))
    })
}

proptest! {
    #[test]
    fn the_outline_gives_the_same_plan(
        program in prop::collection::vec(program(), 1..4),
        form in prop::sample::select(&[Form::Classic, Form::Module, Form::Handler][..]),
    ) {
        let source = program.concat();
        let Some(look) = look(&source, MAX_DEPTH) else { return Ok(()) };
        let Ok(whole) = by_whole(&source, form, &look) else { return Ok(()) };
        let plan = Plan::of(&source, form);
        let plan = plan.map(|plan| plan.edits.apply(&source));
        prop_assert_eq!(plan, Ok(whole.edits.apply(&source)), "{}", source);
    }
}

/// Checks what is taken out, `|` between the pieces.
#[track_caller]
fn check(source: &str, expected: &str) {
    let quiet = look(source, MAX_DEPTH).unwrap().quiet;
    let quiet: Vec<&str> = quiet.into_iter().map(|range| &source[range]).collect();
    assert_eq!(quiet.join("|"), expected, "{source}");
}

#[test]
fn functions_without_a_word_that_matters_are_quiet() {
    check("function f() { return 1 + 2 + 3 }", " return 1 + 2 + 3 ");
    check("function f() { 1 }", "");
    check("x = (a) => { g(a.b.c.d, 123) }", " g(a.b.c.d, 123) ");
    check(
        "x = { m(a) { return a.length }, n: 1 }",
        " return a.length ",
    );
    check(
        "async function f() { await g(1, 234) }",
        " await g(1, 234) ",
    );
    check(
        "class A extends b() { m() { return 1 } }",
        " m() { return 1 } ",
    );
    check("function f() { return location.href }", "");
    check(
        "function f() { return 'some location' }",
        " return 'some location' ",
    );
    check("function f() { return a['location'] }", "");
    check("function f() { return a['\\x6cocation'] }", "");
    check(
        "function f() { var self = this; self.a }",
        " var self = this; self.a ",
    );
    check("function f() { return self [ name ] }", "");
    // Of a block, the names that it declares reach further.
    check("if (a) { var self = that.other }", "");
    check("g(a)\n{ var self = that.other }", "");
    // Quiet functions are left out of one that is not, and whole if it is.
    let inner = "function () { return 1 + 2 + 3 }";
    check(
        &format!("function f() {{ g({inner}); h({inner}); top }}"),
        " return 1 + 2 + 3 | return 1 + 2 + 3 ",
    );
    check(
        &format!("function f() {{ g({inner}); a }}"),
        &format!(" g({inner}); a "),
    );
}

#[test]
fn a_mistake_in_a_quiet_function_is_left_to_the_browser() {
    let source = "a = location; function f() { this is no script }";
    let rewritten = super::rewrite(source, Form::Classic);
    assert_eq!(rewritten.note, None);
    assert_eq!(
        rewritten.text,
        "a = __varve.location; function f() { this is no script }"
    );
}
