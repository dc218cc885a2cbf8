//! Sources that mean harm: deep, long, repeated.

use super::super::MAX_SOURCE;
use super::{Form, check_as, rewrite};
use crate::requests::Note;

#[test]
fn hostile_nesting_neither_overflows_nor_takes_long() {
    for unit in [
        "(",
        "[",
        "{",
        "!",
        "a?b:",
        "a=>",
        "a=",
        "new ",
        "`${",
        "if(1)",
        "a+",
        "a.",
        "a()",
        "-",
        "x:",
        "if(a)b;else ",
        "do ",
        "typeof ",
        "function f(){",
        "(class extends ",
        "a**",
        "async()=>",
        "(a=(",
        "a[",
        "{a:[",
        "(a,",
        "[...",
        "f(function(){",
        "({a(){",
        "import(",
        "a?.location.",
        "location[",
        "x.location=",
        "window[",
        "eval(",
        "({location:",
        "with(a)",
        "new x.location.",
        "({location}=",
        "[{location}=",
        "x?.location?.(",
        "var {top}=",
        "class A{static{",
        "{}/'/;(",
        "`",
        "/*",
        "x.top[",
    ] {
        for depth in [50, 2_000, 100_000] {
            let source = format!("location;{}", unit.repeat(depth));
            let _ = rewrite(&source, Form::Unknown);
        }
    }
}

#[test]
fn deep_but_complete_programs_are_rewritten() {
    let depth = 400;
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("f(", ")"),
        ("{", "}"),
        ("(()=>{", "})();"),
        ("a+", ""),
        ("", "+a"),
        ("", ".a"),
        ("", "?.a"),
        ("a?b:", ""),
        ("!", ""),
        ("`${", "}`"),
        ("({a:", "})"),
        ("function f(){", "}"),
        ("x=class{a(){", "}}"),
        ("a=[", "]"),
    ] {
        let (open, close) = (open.repeat(depth), close.repeat(depth));
        let source = format!("{open}location{close}");
        let expected = format!("{open}__varve.location{close}");
        check_as(Form::Classic, &source, &expected);
    }
}

#[test]
fn edits_nest_as_deep_as_their_source() {
    let depth = 300;
    for (unit, open, close) in [
        (".location", "__varve.locationOf(", ")"),
        (".self.top", "__varve.topOf(", ".self)"),
    ] {
        let source = format!("x{}", unit.repeat(depth));
        let expected = format!("{}x{}", open.repeat(depth), close.repeat(depth));
        check_as(Form::Classic, &source, &expected);
    }
    let source = format!("{}y", "x.location=".repeat(depth));
    let expected = format!(
        "{}y{}",
        "__varve.setLocation(x,".repeat(depth),
        ")".repeat(depth)
    );
    check_as(Form::Classic, &source, &expected);
}

#[test]
fn what_is_too_long_or_too_deep_stays_with_a_note() {
    let long = format!("location;{}", " ".repeat(MAX_SOURCE));
    assert_eq!(rewrite(&long, Form::Classic).note, Some(Note::TooLong));
    let deep = format!("location;{}", "(".repeat(100_000));
    assert_eq!(rewrite(&deep, Form::Classic).note, Some(Note::TooDeep));
}

#[test]
fn many_edits_are_made_in_one_pass() {
    let source = "a?.location.b;x.location=location;window[y]=top;".repeat(20_000);
    let rewritten = rewrite(&source, Form::Classic);
    let once = "__varve.locationOfMaybe(a)?.b;__varve.setLocation(x,__varve.location);window[__varve.key(y)]=__varve.top;";
    assert_eq!(rewritten.text, once.repeat(20_000));
}
