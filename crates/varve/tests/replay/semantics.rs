//! What rewritten scripts mean: each case of `varve-js/tests/semantics.json` is a page of its own, in
//! which the script tells what it sees.

use crate::open_browser::OpenBrowser;
use crate::served::{Saved, Served};
use crate::stage::{BOTH, In};
use serde_json::Value;

const CASES: &str = include_str!("../../../varve-js/tests/semantics.json");
/// Told by the title, which nothing changes.
const REPORT: &str = "<!doctype html><title>nothing</title><script>\
    function report(seen) { document.title = JSON.stringify([seen]) }</script>";

struct Case {
    about: String,
    page: String,
    expected: Value,
}

/// All cases, and the URL that all of them have.
fn cases() -> (String, Vec<Case>) {
    let all: Value = serde_json::from_str(CASES).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let case = |case: &Value| Case {
        about: text(&case["about"]),
        page: page(&text(&case["form"]), &text(&case["source"])),
        expected: case["expected"].clone(),
    };
    let cases = all["cases"].as_array().unwrap().iter().map(case).collect();
    (text(&all["url"]), cases)
}

fn page(form: &str, source: &str) -> String {
    match form {
        "classic" => format!("{REPORT}<script>{source}</script>"),
        "module" => format!("{REPORT}<script type=module>{source}</script>"),
        "handler" => {
            let code = source.replace('&', "&amp;").replace('"', "&quot;");
            format!("{REPORT}<b id=b onclick=\"{code}\"></b><script>b.click()</script>")
        }
        other => panic!("a form named {other}"),
    }
}

/// The time of a case: they are captures of one page.
fn time(case: usize) -> String {
    format!("20260101{:02}{:02}00", case / 60, case % 60)
}

#[track_caller]
fn check(place: In) {
    let (url, cases) = cases();
    let archived = url.split('#').next().unwrap();
    let saved: Vec<Saved> = cases
        .iter()
        .enumerate()
        .map(|(number, case)| Saved::page(archived, &case.page).at(&time(number)))
        .collect();
    let served = Served::new(&saved, place);
    let mut browser = OpenBrowser::start(&[]);
    let mut wrong = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let tab = browser.visit(&(served.url_at(archived, &time(number)) + "#h"));
        let told = browser.evaluate(&tab, "document.title");
        let told: Value = serde_json::from_str(told.as_str().unwrap_or("")).unwrap_or_default();
        if told[0] != case.expected {
            wrong.push(format!("{}: {told}, not {}", case.about, case.expected));
        }
        if number % 20 == 19 {
            browser.close_all();
        }
    }
    assert!(wrong.is_empty(), "{place:?}: {wrong:#?}");
}

#[test]
fn rewritten_scripts_mean_what_they_meant() {
    for place in BOTH {
        check(place);
    }
}
