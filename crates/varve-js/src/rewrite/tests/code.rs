//! Code that is made at run time.

use super::{Form, check, check_as, same};

#[test]
fn direct_eval_gets_rewritten_text() {
    check(&[
        ("eval(a)", "eval(__varve.code(a))"),
        ("(eval)(a)", "(eval)(__varve.code(a))"),
        ("eval('location')", "eval(__varve.code('location'))"),
        ("eval(a, b)", "eval(__varve.code(a), b)"),
        ("eval(a,)", "eval(__varve.code(a),)"),
        (
            "eval(location.hash)",
            "eval(__varve.code(__varve.location.hash))",
        ),
        ("eval(eval(a))", "eval(__varve.code(eval(__varve.code(a))))"),
        (
            "x = eval('(' + a + ')')",
            "x = eval(__varve.code('(' + a + ')'))",
        ),
        (
            "function f(x) { return eval(x) }",
            "function f(x) { return eval(__varve.code(x)) }",
        ),
        ("eval(a).b", "eval(__varve.code(a)).b"),
        ("eval(a)?.b", "eval(__varve.code(a))?.b"),
    ]);
    same(&["eval()", "eval(...a)"]);
    check(&[("eval(...location)", "eval(...__varve.location)")]);
}

#[test]
fn eval_where_location_means_something_else_stays() {
    same(&[
        "function f(location) { return eval(x) }",
        "function f() { var top; eval(x) }",
        "{ let location; eval(x) }",
    ]);
}

#[test]
fn indirect_eval_is_ours() {
    check(&[
        ("(0, eval)(a)", "(0, __varve.eval)(a)"),
        ("eval?.(a)", "__varve.eval?.(a)"),
        ("x = eval", "x = __varve.eval"),
        ("x = window.eval", "x = window[__varve.key(\"eval\")]"),
        ("window.eval(a)", "window[__varve.key(\"eval\")](a)"),
        ("window['eval'](a)", "window[__varve.key(\"eval\")](a)"),
        ("window?.eval(a)", "window?.[__varve.key(\"eval\")](a)"),
        (
            "window.eval.call(window, a)",
            "window[__varve.key(\"eval\")].call(window, a)",
        ),
        ("top.eval(a)", "__varve.top[__varve.key(\"eval\")](a)"),
        ("eval.call(null, a)", "__varve.eval.call(null, a)"),
        ("typeof eval", "typeof __varve.eval"),
    ]);
    same(&[
        "x.eval(a)",
        "x = { eval: 1 }",
        "function f(eval) { (0, eval)(a) }",
    ]);
}

#[test]
fn handlers_and_eval_are_bodies() {
    for form in [Form::Handler, Form::Eval] {
        check_as(
            form,
            "return location.href = 'x'",
            "return __varve.location.href = 'x'",
        );
        check_as(form, "location", "__varve.location");
        check_as(form, "await location", "await __varve.location");
        check_as(form, "import(x)", "import(__varve.importing(x))");
    }
    check_as(
        Form::Handler,
        "javascript:top.location='x'",
        "javascript:__varve.setLocation(__varve.top,'x')",
    );
    check_as(
        Form::Handler,
        "this.form.submit(); return !top",
        "this.form.submit(); return !__varve.top",
    );
}
