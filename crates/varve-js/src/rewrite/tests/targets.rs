//! Assignments.

use super::{Form, check, check_as, same};

#[test]
fn assigning_to_the_free_location_navigates() {
    check(&[
        ("location = 'x'", "__varve.location = 'x'"),
        ("(location) = 'x'", "(__varve.location) = 'x'"),
        ("location += 'x'", "__varve.location += 'x'"),
        ("location ??= 'x'", "__varve.location ??= 'x'"),
        ("location++", "__varve.location++"),
        ("++location", "++__varve.location"),
        ("a = location = b", "a = __varve.location = b"),
        ("[location] = a", "[__varve.location] = a"),
        ("[a, ...location] = b", "[a, ...__varve.location] = b"),
        ("[location = 1] = a", "[__varve.location = 1] = a"),
        ("({ a: location } = b)", "({ a: __varve.location } = b)"),
        (
            "({ a: location = 1 } = b)",
            "({ a: __varve.location = 1 } = b)",
        ),
        ("for (location of a) ;", "for (__varve.location of a) ;"),
        ("for (location in a) ;", "for (__varve.location in a) ;"),
        ("for (location = 1; ;) ;", "for (__varve.location = 1; ;) ;"),
        ("for ([location] of a) ;", "for ([__varve.location] of a) ;"),
    ]);
}

#[test]
fn assigning_to_the_location_of_something_asks() {
    check(&[
        ("x.location = y", "__varve.setLocation(x,y)"),
        ("window.location='a'", "__varve.setLocation(window,'a')"),
        ("x['location'] = y", "__varve.setLocation(x,y)"),
        ("a = x.location = y", "a = __varve.setLocation(x,y)"),
        (
            "x.location = y.location = z",
            "__varve.setLocation(x,__varve.setLocation(y,z))",
        ),
        (
            "x.location = location",
            "__varve.setLocation(x,__varve.location)",
        ),
        (
            "top.location = self.location",
            "__varve.setLocation(__varve.top,__varve.locationOf(self))",
        ),
        (
            "top.location=self.location.href",
            "__varve.setLocation(__varve.top,__varve.locationOf(self).href)",
        ),
        ("(x.location) = y", "__varve.setLocation(x,y)"),
        ("((x).location) = y", "__varve.setLocation((x),y)"),
        ("(a, b).location = c", "__varve.setLocation((a, b),c)"),
        ("x.location = (a, b)", "__varve.setLocation(x,(a, b))"),
        ("x.location = a, b", "__varve.setLocation(x,a), b"),
        ("x.location = () => y", "__varve.setLocation(x,() => y)"),
        ("x.location = a ? b : c", "__varve.setLocation(x,a ? b : c)"),
        ("f(x.location = y)", "f(__varve.setLocation(x,y))"),
        (
            "if (x) x.location = y; else z",
            "if (x) __varve.setLocation(x,y); else z",
        ),
        ("() => x.location = y", "() => __varve.setLocation(x,y)"),
        (
            "function* f() { x.location = yield a }",
            "function* f() { __varve.setLocation(x,yield a) }",
        ),
        (
            "x.location /* a */ = /* b */ y",
            "__varve.setLocation(x/* a *//* b */,y)",
        ),
        ("x.location = // a\n y", "__varve.setLocation(x// a\n,y)"),
        ("a\nx.location = y\nb", "a\n__varve.setLocation(x,y)\nb"),
        ("x.location.y = z", "__varve.locationOf(x).y = z"),
        (
            "x.location = y.top",
            "__varve.setLocation(x,__varve.topOf(y))",
        ),
        ("var a = x.location = y", "var a = __varve.setLocation(x,y)"),
    ]);
}

#[test]
fn other_targets_of_windows_go_by_key() {
    check(&[
        (
            "window.location += 'x'",
            "window[__varve.key(\"location\")] += 'x'",
        ),
        (
            "document['location'] += 'x'",
            "document[__varve.key(\"location\")] += 'x'",
        ),
        (
            "[self.location] = a",
            "[self[__varve.key(\"location\")]] = a",
        ),
        (
            "({ a: top.location } = b)",
            "({ a: __varve.top[__varve.key(\"location\")] } = b)",
        ),
        (
            "for (window.location of a) ;",
            "for (window[__varve.key(\"location\")] of a) ;",
        ),
    ]);
    same(&["function f(window) { window.location += 1 }"]);
}

#[test]
fn top_is_not_assigned_to() {
    same(&[
        "top = 1",
        "top += 1",
        "[top] = a",
        "for (top of a) ;",
        "({ a: top } = b)",
    ]);
    same(&["window.eval = f", "eval = f"]);
}

#[test]
fn a_var_location_with_a_value_navigates() {
    check(&[
        ("var location = 'x'", "var {}=[__varve.location = 'x']"),
        (
            "var a = 1, location = b, c",
            "var a = 1, {}=[__varve.location = b], c",
        ),
        (
            "var location = location || {}",
            "var {}=[__varve.location = __varve.location || {}]",
        ),
        (
            "var location = x.location = y",
            "var {}=[__varve.location = __varve.setLocation(x,y)]",
        ),
        (
            "if (a) { var location = b }",
            "if (a) { var {}=[__varve.location = b] }",
        ),
        (
            "for (var location = 1; ;) ;",
            "for (var {}=[__varve.location = 1]; ;) ;",
        ),
        ("for (var location of x) ;", "for (__varve.location of x) ;"),
        ("for (var location in x) ;", "for (__varve.location in x) ;"),
    ]);
    same(&[
        "function f() { var location = 'x' }",
        "(() => { for (var location of x) location })",
        "let location = 'x'",
        "class A { static { var location = 1 } }",
        "with (x) { var location = 1 }",
    ]);
    check_as(Form::Module, "var location = 'x'", "var location = 'x'");
}
