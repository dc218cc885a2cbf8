//! Patterns.

use super::{Form, check, check_as, same};

#[test]
fn what_a_pattern_takes_it_takes_from_a_view() {
    check(&[
        (
            "const { location } = window",
            "const { location } = __varve.view(window)",
        ),
        (
            "const { location: a } = x",
            "const { location: a } = __varve.view(x)",
        ),
        (
            "let { 'location': a } = x",
            "let { 'location': a } = __varve.view(x)",
        ),
        (
            "let { ['location']: a } = x",
            "let { ['location']: a } = __varve.view(x)",
        ),
        ("const { top } = x", "const { top } = __varve.view(x)"),
        (
            "const { a, top, ...b } = x()",
            "const { a, top, ...b } = __varve.view(x())",
        ),
        (
            "const { location = 1 } = x",
            "const { location = 1 } = __varve.view(x)",
        ),
        (
            "const { location: { href } } = x",
            "const { location: { href } } = __varve.view(x)",
        ),
        (
            "const {location}=x, {top}=y",
            "const {location}=__varve.view(x), {top}=__varve.view(y)",
        ),
        (
            "const { location } = a.location",
            "const { location } = __varve.view(__varve.locationOf(a))",
        ),
        (
            "const { location: a } = top",
            "const { location: a } = __varve.view(__varve.top)",
        ),
        (
            "const { location: a } = b => c",
            "const { location: a } = __varve.view(b => c)",
        ),
        (
            "({ location: a } = x)",
            "({ location: a } = __varve.view(x))",
        ),
        (
            "({ location } = x)",
            "({ location:__varve.location } = __varve.view(x))",
        ),
        (
            "({ location = 1 } = x)",
            "({ location:__varve.location = 1 } = __varve.view(x))",
        ),
        ("({ top: a } = x)", "({ top: a } = __varve.view(x))"),
        (
            "({ location: x.location } = y)",
            "({ location: x.location } = __varve.view(y))",
        ),
        (
            "[{ location: a } = x] = y",
            "[{ location: a } = __varve.view(x)] = y",
        ),
        (
            "function f({ location } = window) {}",
            "function f({ location } = __varve.view(window)) {}",
        ),
        (
            "({ top } = self) => top",
            "({ top } = __varve.view(self)) => top",
        ),
        (
            "const [{ location } = x] = y",
            "const [{ location } = __varve.view(x)] = y",
        ),
        (
            "const { a: { top } = x } = y",
            "const { a: { top } = __varve.view(x) } = y",
        ),
        (
            "for (const { location } = x; ;) ;",
            "for (const { location } = __varve.view(x); ;) ;",
        ),
    ]);
}

#[test]
fn other_patterns_stay() {
    same(&[
        "const { a } = window",
        "let { a: location } = {}",
        "const [location] = x",
        "const { ...location } = x",
        "function f({ location }) { return location }",
        "for (const { location } of x) location",
        "const { [a]: b } = x",
    ]);
    check_as(
        Form::ModuleWorker,
        "const { top } = self",
        "const { top } = self",
    );
    check(&[
        (
            "const { [location]: b } = x",
            "const { [__varve.location]: b } = x",
        ),
        (
            "const { a = location } = x",
            "const { a = __varve.location } = x",
        ),
    ]);
}
