//! Free names: `location`, `top`, `eval`.

use super::{Form, check, check_as, same};

#[test]
fn free_names_are_replaced() {
    check(&[
        ("location", "__varve.location"),
        ("location.href", "__varve.location.href"),
        ("location.href = 'x'", "__varve.location.href = 'x'"),
        ("location.href++", "__varve.location.href++"),
        ("location.reload()", "__varve.location.reload()"),
        ("location['href']", "__varve.location['href']"),
        ("location?.href", "__varve.location?.href"),
        ("typeof location", "typeof __varve.location"),
        ("void location", "void __varve.location"),
        ("!location", "!__varve.location"),
        (
            "f(location, ...location)",
            "f(__varve.location, ...__varve.location)",
        ),
        ("[location]", "[__varve.location]"),
        (
            "`a${location}location${top}`",
            "`a${__varve.location}location${__varve.top}`",
        ),
        ("tag`${location}`", "tag`${__varve.location}`"),
        ("a ? location : top", "a ? __varve.location : __varve.top"),
        ("a, location", "a, __varve.location"),
        ("(location)", "(__varve.location)"),
        ("return location", "return __varve.location"),
        ("if (top != self) f()", "if (__varve.top != self) f()"),
        ("top === window", "__varve.top === window"),
        ("top.postMessage(1)", "__varve.post(__varve.top)(1)"),
        ("new top.Image()", "new __varve.top.Image()"),
        ("location\n++x", "__varve.location\n++x"),
        ("a\nlocation\nb", "a\n__varve.location\nb"),
        ("loc\\u0061tion.href", "__varve.location.href"),
        ("x = () => location", "x = () => __varve.location"),
        (
            "x = async () => await location",
            "x = async () => await __varve.location",
        ),
        (
            "function* f() { yield location }",
            "function* f() { yield __varve.location }",
        ),
        (
            "class A extends location {}",
            "class A extends __varve.location {}",
        ),
        (
            "class A { x = location; static y = top }",
            "class A { x = __varve.location; static y = __varve.top }",
        ),
        (
            "class A { [location]() {} }",
            "class A { [__varve.location]() {} }",
        ),
        ("({ [top]: 1 })", "({ [__varve.top]: 1 })"),
        (
            "switch (location) { case top: }",
            "switch (__varve.location) { case __varve.top: }",
        ),
        ("throw location", "throw __varve.location"),
        ("for (x in location) ;", "for (x in __varve.location) ;"),
        ("for (x of location) ;", "for (x of __varve.location) ;"),
        (
            "location /* location */ // location\n",
            "__varve.location /* location */ // location\n",
        ),
    ]);
}

#[test]
fn shorthand_properties_get_a_value() {
    check(&[
        ("({ location })", "({ location:__varve.location })"),
        ("({ a, top, b })", "({ a, top:__varve.top, b })"),
        (
            "f({location,eval})",
            "f({location:__varve.location,eval:__varve.eval})",
        ),
        (
            "({ location: location })",
            "({ location: __varve.location })",
        ),
    ]);
}

#[test]
fn what_is_only_spelled_so_stays() {
    same(&[
        "'location'",
        "\"top\" + `location`",
        "/location/.test(x)",
        "// location\n/* top */",
        "location: for (;;) break location",
        "({ location: 1, top() {}, get eval() { return 1 } })",
        "class A { location = 1; static top() {} #location; f() { return this.#location } }",
        "({ async location() {}, *top() {} })",
        "a.locations; a.topmost; stop; relocation",
        "class A { #location; f(x) { return #location in x } }",
    ]);
}

#[test]
fn declared_names_are_not_the_windows() {
    same(&[
        "function f(location) { return location }",
        "function f({ location }, [top]) { return location + top }",
        "function f(...location) { return location }",
        "function f() { return location; var location }",
        "function f() { if (a) { var top = 1 } return top }",
        "function f() { { function location() {} } location() }",
        "function f() { location(); function location() {} }",
        "(location => location)",
        "(function location() { location() })",
        "(class location { static x = location })",
        "{ let location = 1; location }",
        "{ const top = 1; f(() => top) }",
        "{ class location {} new location() }",
        "try {} catch (location) { location }",
        "try {} catch ({ top }) { top }",
        "for (let location of x) location",
        "for (const top in x) top",
        "for (let top = 0; top < 1; top++) ;",
        "switch (1) { case 1: let location; case 2: location }",
        "let location; location",
        "const top = 1; top",
        "class location {} location",
        "let f = function () { return location }, location",
        "class A { static { var location = 1; location } }",
        "function f() { for (var top of x) ; return top }",
        "function f(eval) { return eval('x') }",
        "function f(a, b = () => top, top) {}",
    ]);
}

#[test]
fn declarations_elsewhere_do_not_count() {
    check(&[
        (
            "function f(location) {} location",
            "function f(location) {} __varve.location",
        ),
        ("{ let top } top", "{ let top } __varve.top"),
        (
            "try {} catch (location) {} location",
            "try {} catch (location) {} __varve.location",
        ),
        (
            "(function top() {}); top",
            "(function top() {}); __varve.top",
        ),
        (
            "for (let top of x) ; top",
            "for (let top of x) ; __varve.top",
        ),
        (
            "function f(a = location) { var location }",
            "function f(a = __varve.location) { var location }",
        ),
        (
            "function f() { var location } function g() { location }",
            "function f() { var location } function g() { __varve.location }",
        ),
        (
            "class A { location() { return location } }",
            "class A { location() { return __varve.location } }",
        ),
    ]);
}

#[test]
fn a_var_on_the_top_level_is_the_windows_property() {
    check(&[
        ("var location; location", "var location; __varve.location"),
        ("var top = window.x; top", "var top = window.x; __varve.top"),
        (
            "function f() { return top } var top",
            "function f() { return __varve.top } var top",
        ),
        (
            "if (a) { var top = 1 } top",
            "if (a) { var top = 1 } __varve.top",
        ),
        (
            "{ function top() {} } top",
            "{ function top() {} } __varve.top",
        ),
    ]);
    same(&[
        "var parent = {}; parent[x]",
        "function eval() {} eval(x)",
        "var self = this; self[x]",
    ]);
    check_as(
        Form::Module,
        "var location; location",
        "var location; location",
    );
    check_as(
        Form::Handler,
        "var top = 1; return top",
        "var top = 1; return top",
    );
    check_as(Form::Eval, "var top = 1; top", "var top = 1; top");
}

#[test]
fn names_in_with_are_left_to_the_run_time() {
    same(&[
        "with (x) { location; top; eval(y) }",
        "with (x) f(function () { return location })",
        "with (x) window[y]",
    ]);
    check(&[
        ("with (location) href", "with (__varve.location) href"),
        (
            "with (x) { a.location }",
            "with (x) { __varve.locationOf(a) }",
        ),
        ("with (x) {} location", "with (x) {} __varve.location"),
    ]);
}

#[test]
fn deleting_a_name_does_nothing_as_before() {
    same(&["delete location", "delete (top)"]);
}

#[test]
fn there_is_no_top_in_workers() {
    for form in [Form::ClassicWorker, Form::ModuleWorker] {
        check_as(form, "top; self.top; top[x]", "top; self.top; top[x]");
        check_as(form, "location", "__varve.location");
        check_as(form, "self.location", "__varve.locationOf(self)");
    }
}
