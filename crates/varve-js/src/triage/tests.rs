use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{Goal, Note, Sink, Triage, triage};

fn look(source: &str) -> Triage {
    let found = triage(source, Goal::Either);
    assert_eq!(found.note, None, "{source}");
    found
}

#[track_caller]
fn check_names(source: &str, read: &[&str], written: &[&str]) {
    let found = look(source);
    assert_eq!(Vec::from_iter(&found.globals_read), read, "{source}");
    assert_eq!(Vec::from_iter(&found.globals_written), written, "{source}");
}

#[test]
fn globals_are_what_no_scope_declares() {
    check_names("f(a.b, typeof c)", &["a", "c", "f"], &[]);
    check_names(
        "(function (a) { let b; var c; return a + b + c + d })(e)",
        &["d", "e"],
        &[],
    );
    check_names("(() => { x(); function x() {} })()", &[], &[]);
    check_names("{ let a; a } a", &["a"], &[]);
    check_names("try { a() } catch (e) { e.b }", &["a"], &[]);
    check_names("(class A { m(p = q) { return A + p } })", &["q"], &[]);
    check_names("(function f(n) { return n && f(n - 1) })(2)", &[], &[]);
    check_names(
        "((a, b = a, { c, d: [e] }, ...g) => [a, b, c, e, g, h])()",
        &["h"],
        &[],
    );
    check_names("for (const k in o) k; k", &["k", "o"], &[]);
    check_names("(function (a = b) { var b })()", &["b"], &[]);
    check_names("Math.max(1, undefined, JSON, document)", &[], &[]);
}

#[test]
fn scripts_declare_globals_and_modules_do_not() {
    check_names(
        "var a = 1; let b; const c = 2; function d() {} class E {}",
        &[],
        &["E", "a", "b", "c", "d"],
    );
    check_names("var RLQ = RLQ || []", &["RLQ"], &["RLQ"]);
    check_names("function f() { return f }", &[], &["f"]);
    check_names("{ var a; let b }", &[], &["a"]);
    check_names("import x from 'y'; var a = x; export { a }", &[], &[]);
}

#[test]
fn the_window_has_many_names() {
    check_names("window.a = self.b", &["b"], &["a"]);
    check_names("window['a-b'] = globalThis.c.d", &["c"], &["a-b"]);
    check_names(
        "(function (w, d) { w.a = w.b; d.c })(window, document)",
        &["b"],
        &["a"],
    );
    check_names("!function (g) { g.a = 1 }(this)", &[], &["a"]);
    check_names("(() => { const w = window; w.a.b = 1 })()", &["a"], &["a"]);
    check_names("window.window.a = 1", &[], &["a"]);
    check_names("(function (window) { window.a = 1 })({})", &[], &[]);
}

#[test]
fn assignments_are_seen_in_every_form() {
    check_names("a = 1", &[], &["a"]);
    check_names("a.b.c = 1; d++", &["a"], &["a", "d"]);
    check_names("[a, { b, c: d.e }] = f", &["d", "f"], &["a", "b", "d"]);
    check_names("for (a of b);", &["b"], &["a"]);
    check_names("delete window.a", &[], &["a"]);
    check_names("delete a.b", &["a"], &["a"]);
}

#[test]
fn sinks_are_counted_by_kind() {
    for (source, sink) in [
        ("fetch('/a')", Sink::Fetch),
        ("window.fetch(a)", Sink::Fetch),
        ("const f = fetch", Sink::Fetch),
        ("new XMLHttpRequest", Sink::Xhr),
        ("$.getJSON('/a')", Sink::Xhr),
        ("axios.get('/a')", Sink::Xhr),
        ("new Image().a", Sink::Image),
        ("a.src = b", Sink::Image),
        ("a['srcset'] = b", Sink::Image),
        ("a.setAttribute('src', b)", Sink::Image),
        ("document.createElement('script')", Sink::Script),
        ("d.createElement(`LINK`)", Sink::Link),
        ("d.createElementNS(ns, 'iframe')", Sink::Frame),
        ("d.createElement(tag)", Sink::Element),
        ("a.innerHTML = b", Sink::Markup),
        ("document.write('<p>')", Sink::Markup),
        ("a.insertAdjacentHTML('x', b)", Sink::Markup),
        ("$(a).html(b)", Sink::Markup),
        ("import('./a.js')", Sink::Import),
        ("new Worker('a')", Sink::Worker),
        ("navigator.serviceWorker.register('a')", Sink::Worker),
        ("navigator.sendBeacon('a')", Sink::Beacon),
        ("new WebSocket(a)", Sink::Socket),
        ("new EventSource(a)", Sink::EventSource),
        ("a.style.backgroundImage = b", Sink::Style),
        ("a.style.setProperty('background-image', b)", Sink::Style),
        ("sheet.insertRule(b)", Sink::Style),
        ("new Audio(a)", Sink::Media),
        ("d.createElement('video')", Sink::Media),
    ] {
        let found = look(source);
        assert_eq!(found.sinks.of(sink), 1, "{source}: {:?}", found.sinks);
        assert_eq!(found.sinks.total(), 1, "{source}: {:?}", found.sinks);
        assert!(!found.is_inert(), "{source}");
    }
}

#[test]
fn what_only_looks_like_a_sink_is_none() {
    for source in [
        "d.createElement('div')",
        "a.setAttribute('title', b)",
        "(function (fetch) { fetch(1) })(a)",
        "a.style.display = 'none'",
        "$(a).css('color')",
        "f.open('x')",
        "a.src",
        "import './a.js'",
    ] {
        assert_eq!(look(source).sinks.total(), 0, "{source}");
    }
}

#[test]
fn counts_are_of_what_classifiers_ask_for() {
    type Count = fn(&Triage) -> u32;
    let table: [(Count, u32, &str); 7] = [
        (
            |t| t.navigation,
            6,
            "location = a; location.href = b; location.assign(c); window.location.replace(d);
             history.pushState(e); form.submit()",
        ),
        (
            |t| t.storage,
            3,
            "localStorage.a; window.sessionStorage; w.indexedDB",
        ),
        (|t| t.cookies, 2, "document.cookie; document.cookie = 'a'"),
        (
            |t| t.dom_modifications,
            7,
            "a.appendChild(b); a.className = c; a.classList.add(d); a.style.top = e;
             a.textContent = f; $(a).addClass('g'); a.innerHTML = h",
        ),
        (
            |t| t.listeners,
            6,
            "a.addEventListener('x', f); addEventListener('x', f); a.onclick = f; onload = f;
             $(a).on('x', f); $(a).click(f); a.click(); f.bind(this)",
        ),
        (
            |t| t.requests_ajax,
            5,
            "fetch(a); x.open('GET', a); $.ajax(a); jQuery.get(a); axios(a)",
        ),
        (
            |t| u32::try_from(t.selectors.len()).unwrap_or(0),
            0,
            "$('<p>'); f('.a'); $(a)",
        ),
    ];
    for (count, expected, source) in table {
        assert_eq!(count(&look(source)), expected, "{source}");
    }
}

#[test]
fn selectors_are_css() {
    let source = "document.querySelector('.a > b'); d.getElementById('i'); d.getElementById('1x');
        d.getElementsByClassName('c d'); d.getElementsByTagName('NAV'); e.closest(`[x]`);
        $('#j .k'); jQuery('p').find('.l'); e.matches('m'); e.classList.contains('n');
        d.getElementsByName('o'); a.find(x => x); d.querySelectorAll(q)";
    let expected = [
        "#i",
        "#j .k",
        ".a > b",
        ".c.d",
        ".l",
        ".n",
        "[id=\"1x\"]",
        "[name=\"o\"]",
        "[x]",
        "m",
        "nav",
        "p",
    ];
    assert_eq!(Vec::from_iter(look(source).selectors), expected);
}

#[test]
fn code_chance_and_computed_names_are_noted() {
    for (source, dynamic, chance, computed) in [
        ("eval(a)", true, false, false),
        ("(0, eval)(a)", true, false, false),
        ("new Function(a)", true, false, false),
        ("Function('return this')()", true, false, false),
        ("setTimeout('a()', 1)", true, false, false),
        ("setTimeout(a, 1)", false, false, false),
        ("[].constructor.constructor('a')", true, false, false),
        ("Math.random()", false, true, false),
        ("Date.now()", false, true, false),
        ("new Date", false, true, false),
        ("performance.now()", false, true, false),
        ("crypto.randomUUID()", false, true, false),
        ("window[a]", false, false, true),
        ("window[a] = 1", false, false, true),
        ("a[b]", false, false, false),
        ("with (a) b", false, false, true),
        ("(function (w) { w[a]() })(self)", false, false, true),
    ] {
        let found = look(source);
        let flags = (
            found.dynamic_code,
            found.nondeterminism,
            found.computed_globals,
        );
        assert_eq!(flags, (dynamic, chance, computed), "{source}");
    }
}

#[test]
fn inert_is_only_what_is_understood_wholly() {
    for source in [
        "",
        "'use strict';",
        "/* nothing */",
        "(function () { var a = []; a.push(1); return a.map(function (b) { return b * 2 }) })()",
        "if (navigator.userAgent.indexOf('x') > -1) console.log(document.title)",
        "addEventListener('load', () => console.log(performance.now()))",
        "(() => { const o = {}; o.a = document.querySelector('.b'); f(); function f() {} })()",
        "try { document.getElementById('a').getAttribute('b') } catch (e) {}",
        "(() => { class A { m() {} } new A() })()",
        "setTimeout(function () {}, 10)",
        "Array.prototype.slice.call(document.links)",
        "(() => { const m = new Map(); m.set('a', JSON.parse('{}')) })()",
    ] {
        let found = look(source);
        assert!(found.is_inert(), "{source}: {found:?}");
    }
    for source in [
        "a = 1",
        "var a",
        "f()",
        "mw.loader.load('x')",
        "dataLayer.push({ a: 1 })",
        "window.dataLayer.push(1)",
        "document.body.className = 'a'",
        "document.documentElement.classList.remove('a')",
        "localStorage.setItem('a', 1)",
        "document.cookie",
        "document[a]('b')",
        "(() => { const c = document.createElement; c.call(document, x) })()",
        "addEventListener('load', init)",
        "(function (f) { f() })(g)",
        "(() => { let f = () => {}; f = g; f() })()",
        "(() => { var o = {}; o = document.body; o.a = 1 })()",
        "(() => { var o = {}; o.a.b = 1 })()",
        "(() => { function A() { this.a = 1 } A() })()",
        "document.title = 'x'",
        "location.hash = 'x'",
        "history.back()",
        "(() => { class A extends B {} new A() })()",
        "tag`x`",
        "(() => { const o = { map: f }; o.map(1) })()",
        "[1].forEach(f)",
        "import a from 'b'; a()",
        "(() => { for (const f of g) f() })()",
        "new Foo()",
        "document.forms[0].submit()",
        "Object.assign(document, {})",
        "(() => { var f = function () {}; var f = g; f() })()",
    ] {
        assert!(!look(source).is_inert(), "{source}");
    }
}

#[test]
fn what_cannot_be_parsed_is_not_inert() {
    let broken = triage("f(", Goal::Script);
    assert!(matches!(broken.note, Some(Note::Syntax(_))));
    assert!(!broken.is_inert());
}

#[test]
fn names_are_bounded() {
    let names: Vec<_> = (0..10_000)
        .map(|name| format!("a{name} = b{name}"))
        .collect();
    let found = triage(&names.join(";"), Goal::Script);
    assert_eq!(found.globals_read.len(), 512);
    assert_eq!(found.globals_written.len(), 512);
    assert_eq!(found.note, Some(Note::TooMany));
}

#[test]
fn hostile_nesting_neither_overflows_nor_takes_long() {
    let start = Instant::now();
    for unit in [
        "a.b().c(",
        "(function(a,b){",
        "{let a;",
        "a||",
        "a?b:",
        "[a,",
        "x=>",
        "if(a)",
        "a[",
        "new a(",
        "window.",
        "a.b=",
        "({a}=",
        "class A extends(",
        "f(function(){var b;a();",
        "!",
        "`${",
        "for(var a in b)",
        "a.b.c().",
        "class A{static{",
    ] {
        for depth in [50, 2_000, 100_000] {
            triage(&format!("{}a", unit.repeat(depth)), Goal::Script);
            let closers = unit.chars().rev().filter_map(|open| match open {
                '(' => Some(')'),
                '{' => Some('}'),
                '[' => Some(']'),
                '`' => Some('`'),
                _ => None,
            });
            let close = String::from_iter(closers);
            let closed = format!("{}a{}", unit.repeat(depth), close.repeat(depth));
            triage(&closed, Goal::Script);
        }
    }
    assert!(start.elapsed() < Duration::from_secs(120));
}

proptest! {
    #[test]
    fn any_text_is_looked_into(source in "[ -~\n]{0,80}") {
        triage(&source, Goal::Either);
    }

    #[test]
    fn wrapping_a_script_hides_what_it_declares(name in "[a-z]{1,6}") {
        prop_assume!(triage(&format!("var {name}"), Goal::Script).note.is_none());
        let found = triage(&format!("(function () {{ var {name} = 1; {name} }})()"), Goal::Script);
        prop_assert!(found.is_inert());
    }
}

#[track_caller]
fn check_acts(source: &str, acts: bool, acts_when_asked: bool, triggers: bool) {
    let found = look(source);
    let told = (found.acts, found.acts_when_asked, found.triggers);
    assert_eq!(told, (acts, acts_when_asked, triggers), "{source}");
}

#[test]
fn what_waits_for_somebody_is_told_from_what_does_not() {
    check_acts("fetch('/a')", true, false, false);
    check_acts(
        "a.addEventListener('click', () => fetch('/a'))",
        false,
        true,
        false,
    );
    check_acts(
        "a.addEventListener(event, () => fetch('/a'))",
        true,
        false,
        false,
    );
    check_acts(
        "a.addEventListener('load', () => fetch('/a'))",
        true,
        false,
        false,
    );
    check_acts(
        "a.addEventListener('click', show); function show() { fetch('/a') }",
        true,
        false,
        false,
    );
    check_acts(
        "$('a').on('click.menu keydown', '.b', function () { $('.c').addClass('d') })",
        false,
        true,
        false,
    );
    check_acts(
        "$('a').on('click load', function () { $('.c').addClass('d') })",
        true,
        false,
        false,
    );
    check_acts(
        "$('a').click(function () { $('.c').hide() })",
        false,
        true,
        false,
    );
    check_acts(
        "$('a').scroll(function () { $('.c').hide() })",
        true,
        false,
        false,
    );
    check_acts(
        "a.onchange = () => { b.src = a.value }; a.onload = () => {}",
        false,
        true,
        false,
    );
    check_acts(
        "a.onchange = () => { b.src = a.value }; a.dispatchEvent(e)",
        false,
        true,
        true,
    );
    check_acts("a.click()", false, false, true);
    check_acts(
        "a.addEventListener('click', () => { setTimeout(() => { b.innerHTML = c }) })",
        false,
        true,
        false,
    );
    check_acts("a.className = 'js'", true, false, false);
    check_acts("var a = 1; localStorage.b = a", false, false, false);
}
