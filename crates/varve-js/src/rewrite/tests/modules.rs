//! Modules: specifiers, `import()`, `import.meta.url`.

use super::super::rewrite;
use super::{Form, check, check_as};

#[track_caller]
fn mapped(source: &str, expected: &str) {
    let rewritten = rewrite(source, Form::Module, &mut |specifier| {
        specifier
            .strip_prefix("https://")
            .map(|rest| format!("/r/{rest}"))
    });
    assert_eq!(rewritten.text, expected, "{source}");
}

#[test]
fn specifiers_go_through_the_callback() {
    for (source, expected) in [
        ("import 'https://a/b.js'", "import '/r/a/b.js'"),
        ("import \"https://a/b.js\";", "import \"/r/a/b.js\";"),
        ("import a from'https://a'", "import a from'/r/a'"),
        (
            "import * as a from 'https://a'",
            "import * as a from '/r/a'",
        ),
        (
            "import { location } from 'https://a'; location",
            "import { location } from '/r/a'; location",
        ),
        ("export * from 'https://a'", "export * from '/r/a'"),
        (
            "export * as top from 'https://a'",
            "export * as top from '/r/a'",
        ),
        (
            "export { location } from 'https://a'",
            "export { location } from '/r/a'",
        ),
        (
            "import a from 'https://a' with { type: 'json' }",
            "import a from '/r/a' with { type: 'json' }",
        ),
        ("import '\\x68ttps://a'", "import '/r/a'"),
        ("import './a.js'", "import './a.js'"),
        ("import 'https://a\\'b'", "import '/r/a\\'b'"),
        ("import 'https://a</script>'", "import '/r/a\\x3c/script>'"),
        (
            "import 'https://a'\nimport 'https://b'",
            "import '/r/a'\nimport '/r/b'",
        ),
    ] {
        mapped(source, expected);
    }
}

#[test]
fn specifiers_come_in_order() {
    let mut seen = Vec::new();
    let source = "import a from 'a'; export * from 'b'; import('c'); export { x } from 'd'";
    let _ = rewrite(source, Form::Module, &mut |specifier| {
        seen.push(specifier.to_owned());
        None
    });
    assert_eq!(seen, ["a", "b", "d"]);
}

#[test]
fn dynamic_imports_ask() {
    check(&[
        ("import(a)", "import(__varve.importing(a))"),
        ("import('./a.js')", "import(__varve.importing('./a.js'))"),
        (
            "import(a, { with: b })",
            "import(__varve.importing(a), { with: b })",
        ),
        ("import(a,)", "import(__varve.importing(a),)"),
        (
            "import(location.hash)",
            "import(__varve.importing(__varve.location.hash))",
        ),
        (
            "import(`${a}.js`).then(b)",
            "import(__varve.importing(`${a}.js`)).then(b)",
        ),
        (
            "import(import(a))",
            "import(__varve.importing(import(__varve.importing(a))))",
        ),
    ]);
    for form in [Form::Module, Form::ModuleWorker] {
        check_as(
            form,
            "import(a)",
            "import(__varve.importing(a,import.meta.url))",
        );
        check_as(
            form,
            "import(a, { with: top2 })",
            "import(__varve.importing(a,import.meta.url), { with: top2 })",
        );
        check_as(
            form,
            "import(import.meta.url)",
            "import(__varve.importing(__varve.original(import.meta.url),import.meta.url))",
        );
    }
}

#[test]
fn the_modules_own_url_is_the_archived_one() {
    for (source, expected) in [
        ("import.meta.url", "__varve.original(import.meta.url)"),
        ("import.meta['url']", "__varve.original(import.meta['url'])"),
        ("import.meta?.url", "__varve.original(import.meta?.url)"),
        (
            "import.meta.url.length",
            "__varve.original(import.meta.url).length",
        ),
        (
            "new URL('a', import.meta.url)",
            "new URL('a', __varve.original(import.meta.url))",
        ),
        (
            "function f() { return () => import.meta.url }",
            "function f() { return () => __varve.original(import.meta.url) }",
        ),
        ("import.meta.url = 1", "import.meta.url = 1"),
        ("delete import.meta.url", "delete import.meta.url"),
        (
            "import.meta.resolve('a')",
            "__varve.original(import.meta.resolve('a'))",
        ),
        ("import.meta.resolve?.(a)", "import.meta.resolve?.(a)"),
        ("import.meta?.resolve(a)", "import.meta?.resolve(a)"),
        ("import.meta.env", "import.meta.env"),
    ] {
        check_as(Form::Module, source, expected);
    }
}

#[test]
fn exports_name_declarations() {
    for (source, expected) in [
        (
            "let location; export { location }",
            "let location; export { location }",
        ),
        ("export default location", "export default __varve.location"),
        (
            "export const a = location",
            "export const a = __varve.location",
        ),
        (
            "export const { location } = window",
            "export const { location } = __varve.view(window)",
        ),
        (
            "export function location() {}; location()",
            "export function location() {}; location()",
        ),
        ("import top from 'a'; top()", "import top from 'a'; top()"),
        (
            "import * as location from 'a'; location.b",
            "import * as location from 'a'; location.b",
        ),
        (
            "import { a as top } from 'a'; top",
            "import { a as top } from 'a'; top",
        ),
        (
            "import { top as a } from 'a'; top",
            "import { top as a } from 'a'; __varve.top",
        ),
        ("await location", "await __varve.location"),
    ] {
        check_as(Form::Module, source, expected);
    }
    let free = "export { location }";
    assert_eq!(super::rewrite(free, Form::Module).text, free);
}
