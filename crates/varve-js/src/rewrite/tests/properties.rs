//! What holds for every program, made from a small grammar or by mutating the tables' sources.

use proptest::prelude::*;

use super::tables::SOURCES;
use super::{Form, parses, rewrite};

const FORMS: [Form; 7] = [
    Form::Classic,
    Form::Module,
    Form::ClassicWorker,
    Form::ModuleWorker,
    Form::Handler,
    Form::Eval,
    Form::Unknown,
];

/// What must hold for any text.
fn holds(source: &str, form: Form) -> Result<(), TestCaseError> {
    let rewritten = rewrite(source, form);
    prop_assert!(rewritten.form != Form::Unknown);
    let again = rewrite(&rewritten.text, form);
    prop_assert_eq!(&again.text, &rewritten.text, "again: {}", source);
    if parses(source, form).is_ok() {
        prop_assert_eq!(&rewritten.note, &None, "{}", source);
        prop_assert_eq!(
            parses(&rewritten.text, form),
            Ok(()),
            "{} -> {}",
            source,
            rewritten.text
        );
        prop_assert_eq!(again.form, rewritten.form, "{}", source);
        prop_assert_eq!(kept(source), kept(&rewritten.text), "{}", source);
    }
    Ok(())
}

/// The marks that the grammar puts into strings, comments, templates and expressions, in order.
fn kept(text: &str) -> Vec<&str> {
    text.match_indices('§')
        .filter_map(|(at, _)| text[at..].get(..4))
        .collect()
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "location", "top", "eval", "window", "self", "document", "parent", "a", "b", "f",
    ])
    .prop_map(str::to_owned)
}

fn leaf() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => name(),
        1 => prop::sample::select(vec![
            "this", "1", "'§s1location'", "\"§s2top\"", "`§t1location`", "/§r1top/", "null",
            "[]", "({})", "(a, b)", "new.target", "arguments",
        ])
        .prop_map(str::to_owned),
    ]
}

fn expression() -> impl Strategy<Value = String> {
    leaf().prop_recursive(6, 48, 4, |inner| {
        let some = inner.clone();
        prop_oneof![
            inner.clone().prop_map(|x| format!("{x}.location")),
            inner.clone().prop_map(|x| format!("{x}/*§c1*/.top")),
            inner.clone().prop_map(|x| format!("{x}?.location")),
            inner.clone().prop_map(|x| format!("{x}.self")),
            inner.clone().prop_map(|x| format!("{x}?.b")),
            inner.clone().prop_map(|x| format!("{x} //§c2\n.href")),
            inner.clone().prop_map(|x| format!("{x}['location']")),
            (some.clone(), some.clone()).prop_map(|(x, y)| format!("{x}[{y}]")),
            (some.clone(), some.clone()).prop_map(|(x, y)| format!("{x}?.[{y}]")),
            (some.clone(), some.clone()).prop_map(|(x, y)| format!("{x}({y})")),
            (some.clone(), some.clone()).prop_map(|(x, y)| format!("{x}?.({y})")),
            (some.clone(), some.clone()).prop_map(|(x, y)| format!("{x} = {y}")),
            (some.clone(), some.clone()).prop_map(|(x, y)| format!("{x} += {y}")),
            (some.clone(), some.clone()).prop_map(|(x, y)| format!("{x} || {y}")),
            (some.clone(), some.clone()).prop_map(|(x, y)| format!("({x}, {y})")),
            (some.clone(), some.clone()).prop_map(|(x, y)| format!("({{ location: {x} }} = {y})")),
            (some.clone(), some.clone()).prop_map(|(x, y)| format!("[{x}, ...{y}]")),
            inner
                .clone()
                .prop_map(|x| format!("({{ location, a: {x} }})")),
            inner.clone().prop_map(|x| format!("({x})")),
            inner.clone().prop_map(|x| format!("new {x}")),
            inner.clone().prop_map(|x| format!("new {x}(1)")),
            inner.clone().prop_map(|x| format!("typeof({x})")),
            inner.clone().prop_map(|x| format!("delete {x}")),
            inner.clone().prop_map(|x| format!("{x}++")),
            inner.clone().prop_map(|x| format!("`§t2${{{x}}}location`")),
            inner.clone().prop_map(|x| format!("{x}`§t3`")),
            inner.clone().prop_map(|x| format!("import({x})")),
            inner.clone().prop_map(|x| format!("(top => {x})")),
            inner
                .clone()
                .prop_map(|x| format!("function ({{ location }} = {x}) {{ return {x} }}")),
            inner.prop_map(|x| format!("class {{ location = {x}; static {{ {x} }} }}")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    let plain = prop_oneof![
        expression().prop_map(|x| format!("{x};")),
        expression().prop_map(|x| format!("{x}\n")),
        (name(), expression()).prop_map(|(n, x)| format!("var {n} = {x};")),
        (name(), expression()).prop_map(|(n, x)| format!("let {n} = {x};")),
        expression().prop_map(|x| format!("var {{ top, location: b }} = {x};")),
        expression().prop_map(|x| format!("return {x};")),
        (expression(), expression()).prop_map(|(x, y)| format!("for ({x} of {y}) ;")),
        (name(), expression()).prop_map(|(n, x)| format!("for (var {n} in {x}) ;")),
    ];
    plain.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (expression(), inner.clone()).prop_map(|(x, s)| format!("if ({x}) {{ {s} }}")),
            (expression(), inner.clone()).prop_map(|(x, s)| format!("with ({x}) {{ {s} }}")),
            (name(), inner.clone()).prop_map(|(n, s)| format!("function {n}(a) {{ {s} }}")),
            (name(), inner.clone())
                .prop_map(|(n, s)| format!("try {{ {s} }} catch ({n}) {{ {s} }}")),
            (inner.clone(), inner).prop_map(|(s, t)| format!("{s}{t}")),
        ]
    })
}

proptest! {
    #[test]
    fn programs_stay_programs(
        program in prop::collection::vec(statement(), 1..4),
        form in prop::sample::select(&FORMS[..]),
    ) {
        holds(&program.concat(), form)?;
    }

    #[test]
    fn mutated_sources_stay_what_they_are(
        first in prop::sample::select(SOURCES),
        second in prop::sample::select(SOURCES),
        at in any::<prop::sample::Index>(),
        cut in 0usize..4,
        form in prop::sample::select(&FORMS[..]),
    ) {
        let chars: Vec<char> = first.chars().collect();
        let at = at.index(chars.len() + 1);
        let rest = chars.iter().skip(at + cut);
        for middle in ["", second, "\n", "(", ")", "?.", ".location"] {
            let source: String = chars[..at].iter().copied()
                .chain(middle.chars())
                .chain(rest.clone().copied())
                .collect();
            holds(&source, form)?;
        }
    }

    #[test]
    fn any_text_is_taken(
        words in prop::collection::vec(prop::sample::select(TOKENS), 0..60),
        form in prop::sample::select(&FORMS[..]),
    ) {
        holds(&words.concat(), form)?;
    }
}

const TOKENS: &[&str] = &[
    "location",
    "top",
    "eval",
    "window",
    "import",
    "export",
    ".",
    "?.",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "`",
    "${",
    "'",
    "\"",
    "/",
    "//",
    "/*",
    "*/",
    "\n",
    " ",
    ";",
    ",",
    "=",
    "=>",
    "+",
    "++",
    "new ",
    "delete ",
    "typeof ",
    "var ",
    "let ",
    "function ",
    "class ",
    "async ",
    "await ",
    "yield ",
    "return ",
    "for",
    "of ",
    "in ",
    "with",
    "if",
    "a",
    "#a",
    "this",
    "super",
    "<!--",
    "-->",
    "\\u0061",
    "é",
    "\u{2028}",
    "0",
    "import.meta",
    ".url",
    "...",
    ":",
    "?",
];
