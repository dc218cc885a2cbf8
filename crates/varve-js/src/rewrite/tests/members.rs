//! Members: `x.location` and `x.top`.

use super::{check, same};

#[test]
fn the_location_of_anything_is_asked_for() {
    check(&[
        ("x.location", "__varve.locationOf(x)"),
        ("window.location.href", "__varve.locationOf(window).href"),
        ("document.location", "__varve.locationOf(document)"),
        ("this.location", "__varve.locationOf(this)"),
        ("x['location']", "__varve.locationOf(x)"),
        ("x[\"location\"].href", "__varve.locationOf(x).href"),
        ("x[`location`]", "__varve.locationOf(x)"),
        ("x.y.z.location", "__varve.locationOf(x.y.z)"),
        ("x[y].location", "__varve.locationOf(x[y])"),
        ("x().location", "__varve.locationOf(x())"),
        ("(x, y).location", "__varve.locationOf((x, y))"),
        ("(x || y).location", "__varve.locationOf((x || y))"),
        ("location.location", "__varve.locationOf(__varve.location)"),
        ("top.location", "__varve.locationOf(__varve.top)"),
        ("top.location.href", "__varve.locationOf(__varve.top).href"),
        (
            "x.location.location",
            "__varve.locationOf(__varve.locationOf(x))",
        ),
        ("x.location.href = 1", "__varve.locationOf(x).href = 1"),
        ("x.location.href += 1", "__varve.locationOf(x).href += 1"),
        ("x.location.href++", "__varve.locationOf(x).href++"),
        ("x.location.reload()", "__varve.locationOf(x).reload()"),
        ("delete x.location.y", "delete __varve.locationOf(x).y"),
        (
            "f(a.location, b.location)",
            "f(__varve.locationOf(a), __varve.locationOf(b))",
        ),
        ("a[b.location]", "a[__varve.locationOf(b)]"),
        ("`${a.location}`", "`${__varve.locationOf(a)}`"),
        ("`a`.location", "__varve.locationOf(`a`)"),
        ("[].location", "__varve.locationOf([])"),
        ("x = {}.location", "x = __varve.locationOf({})"),
        ("({}).location", "__varve.locationOf(({}))"),
        (
            "x = function () {}.location",
            "x = __varve.locationOf(function () {})",
        ),
        ("1..location", "__varve.locationOf(1.)"),
        ("new X().location", "__varve.locationOf(new X())"),
        ("new X(y.location)", "new X(__varve.locationOf(y))"),
        (
            "class A extends x.location {}",
            "class A extends __varve.locationOf(x) {}",
        ),
        (
            "({ location: x.location })",
            "({ location: __varve.locationOf(x) })",
        ),
        (
            "a = { b: x.location, ...y.location }",
            "a = { b: __varve.locationOf(x), ...__varve.locationOf(y) }",
        ),
        ("x.location, y", "__varve.locationOf(x), y"),
        ("-x.location ", "-__varve.locationOf(x) "),
        (
            "function f(location) { return location.location }",
            "function f(location) { return __varve.locationOf(location) }",
        ),
        (
            "function f() { return new.target.location }",
            "function f() { return __varve.locationOf(new.target) }",
        ),
        (
            "async () => (await x).location",
            "async () => __varve.locationOf((await x))",
        ),
        ("x.loc\\u0061tion", "__varve.locationOf(x)"),
        ("a\nx.location\nb", "a\n__varve.locationOf(x)\nb"),
    ]);
}

#[test]
fn comments_between_stay() {
    check(&[
        (
            "x /* a */ . /* b */ location",
            "__varve.locationOf(x/* a *//* b */)",
        ),
        ("x // a\n.location // b", "__varve.locationOf(x// a\n) // b"),
        ("x\n  .location\n  .href", "__varve.locationOf(x)\n  .href"),
        (
            "x[ /* a */ 'location' /* b */ ]",
            "__varve.locationOf(x/* a *//* b */)",
        ),
    ]);
}

#[test]
fn words_are_kept_apart() {
    check(&[
        ("typeof(x).location", "typeof __varve.locationOf((x))"),
        ("return[x].location", "return __varve.locationOf([x])"),
        ("void'x'.location", "void __varve.locationOf('x')"),
        ("a in(x).location", "a in __varve.locationOf((x))"),
        (
            "if(a);else(x).location",
            "if(a);else __varve.locationOf((x))",
        ),
    ]);
}

#[test]
fn references_stay_references() {
    same(&[
        "x.location()",
        "(x.location)()",
        "x.location`a`",
        "x['location'](y)",
        "new x.location()",
        "new x.location",
        "delete x.location",
        "delete x['location']",
        "delete (x.location)",
        "x.location++",
        "--x.location",
        "x.location += 1",
        "x.location ||= 1",
        "[x.location] = y",
        "({ a: x.location } = y)",
        "[...x.location] = y",
        "for (x.location of y) ;",
        "for (x.location in y) ;",
        "x.top()",
        "delete x.top",
        "x.top = 1",
        "x.top++",
        "x.style.top",
        "f().top",
        "(a || b).top",
        "class A extends B { f() { return super.location + super.top } }",
        "class A extends B { f() { super.location = 1 } }",
        "x.locationOf",
    ]);
    check(&[
        ("x.location.f()", "__varve.locationOf(x).f()"),
        (
            "x.location(y.location)",
            "x.location(__varve.locationOf(y))",
        ),
        ("a.location.location()", "__varve.locationOf(a).location()"),
        (
            "a.location.location = 1",
            "__varve.setLocation(__varve.locationOf(a),1)",
        ),
        (
            "a.location.location += 1",
            "__varve.locationOf(a).location += 1",
        ),
    ]);
}

#[test]
fn new_calls_what_it_called() {
    check(&[
        ("new x.location.Y(z)", "new (__varve.locationOf(x)).Y(z)"),
        ("new x.location.Y", "new (__varve.locationOf(x)).Y"),
        ("new (x.location.Y)(z)", "new (__varve.locationOf(x).Y)(z)"),
        ("new x[y.location]()", "new x[__varve.locationOf(y)]()"),
        ("new self.top.Image()", "new (__varve.topOf(self)).Image()"),
        (
            "new new x.location.Y()()",
            "new new (__varve.locationOf(x)).Y()()",
        ),
        (
            "new a.location.b`x`()",
            "new (__varve.locationOf(a)).b`x`()",
        ),
        ("new (f(x.location))()", "new (f(__varve.locationOf(x)))()"),
    ]);
}

#[test]
fn the_top_of_what_may_be_a_window_is_asked_for() {
    check(&[
        ("window.top", "__varve.topOf(window)"),
        ("x.top", "__varve.topOf(x)"),
        ("x['top']", "__varve.topOf(x)"),
        ("this.top", "__varve.topOf(this)"),
        ("top.top", "__varve.topOf(__varve.top)"),
        ("a.contentWindow.top", "__varve.topOf(a.contentWindow)"),
        ("a.b.defaultView.top", "__varve.topOf(a.b.defaultView)"),
        ("window.parent.top", "__varve.topOf(window.parent)"),
        ("a['self'].top", "__varve.topOf(a['self'])"),
        ("parent.window.top", "__varve.topOf(parent.window)"),
        (
            "window.top.location",
            "__varve.locationOf(__varve.topOf(window))",
        ),
        (
            "window.top.location = x",
            "__varve.setLocation(__varve.topOf(window),x)",
        ),
        (
            "window.top === window.self",
            "__varve.topOf(window) === window.self",
        ),
        ("x.top + x.left", "__varve.topOf(x) + x.left"),
        ("x.top.f()", "__varve.topOf(x).f()"),
    ]);
}
