//! `tests/semantics.json` is run in a browser (`varve/tests/replay/semantics.rs`); here it is looked over.

use serde_json::Value;

use super::{Form, parses, rewrite};

const CASES: &str = include_str!("../../../tests/semantics.json");

#[test]
fn every_case_is_a_program_before_and_after() {
    let document: Value = serde_json::from_str(CASES).unwrap();
    let cases = document["cases"].as_array().unwrap();
    assert!(cases.len() >= 50);
    for case in cases {
        let source = case["source"].as_str().unwrap();
        let form = match case["form"].as_str().unwrap() {
            "classic" => Form::Classic,
            "module" => Form::Module,
            "handler" => Form::Handler,
            other => panic!("a form named {other}"),
        };
        let rewritten = rewrite(source, form);
        assert_eq!(rewritten.note, None, "{source}");
        assert_eq!(parses(source, form), Ok(()), "{source}");
        assert_eq!(parses(&rewritten.text, form), Ok(()), "{source}");
    }
}
