//! Scripts without what never ran: with stubs they do what they did, whatever is called later. What
//! ran is what V8 says, in a real browser; so its places are compared with the parser's as well.

use crate::open_browser::{OpenBrowser, Tab};
use serde_json::{Value, json};
use varve_js::{Form, Ran, restored, split};

const CASES: &str = include_str!("../../../varve-js/tests/pruned.js");

struct Case {
    about: &'static str,
    source: &'static str,
}

impl Case {
    fn form(&self) -> Form {
        match self.about {
            "module" => Form::Module,
            _ => Form::Classic,
        }
    }
}

fn cases() -> Vec<Case> {
    let cases = CASES.split("\n//// ").skip(1);
    cases
        .map(|case| case.split_once('\n').unwrap())
        .map(|(about, source)| Case { about, source })
        .collect()
}

/// Runs a script in a page of its own.
fn run(browser: &mut OpenBrowser, source: &str, form: Form) -> Tab {
    let tab = browser.open("about:blank");
    browser.tell(&tab, "Profiler.enable", json!({}));
    let precise = json!({"callCount": false, "detailed": false});
    browser.tell(&tab, "Profiler.startPreciseCoverage", precise);
    let kind = if form == Form::Module { "module" } else { "" };
    let add = format!(
        "(() => {{ window.restored = []; const it = document.createElement('script'); it.type = {kind:?}; \
         it.text = {} + '\\n//# sourceURL=case.js'; document.head.append(it) }})()",
        json!(source)
    );
    browser.evaluate(&tab, &add);
    browser.wait(&tab, "typeof warm === 'function'");
    tab
}

/// What ran of the script until now.
fn ran(browser: &mut OpenBrowser, tab: &Tab) -> Vec<Ran> {
    let taken = browser.tell(tab, "Profiler.takePreciseCoverage", json!({}));
    let scripts = taken["result"].as_array().unwrap().iter();
    let own = scripts.filter(|script| script["url"].as_str().unwrap().ends_with("case.js"));
    let functions = own.flat_map(|script| script["functions"].as_array().unwrap());
    let ranges = functions.flat_map(|function| function["ranges"].as_array().unwrap());
    let ran = ranges.filter(|range| range["count"] != 0);
    let place = |range: &Value, which: &str| range[which].as_u64().unwrap() as u32;
    ran.map(|range| Ran {
        start: place(range, "startOffset"),
        end: place(range, "endOffset"),
    })
    .collect()
}

/// What is wrong with a case, if anything.
fn judge(browser: &mut OpenBrowser, case: &Case) -> Option<String> {
    let whole = run(browser, case.source, case.form());
    let warm = browser.evaluate(&whole, "warm()");
    let learned = ran(browser, &whole);
    let cold = browser.evaluate(&whole, "cold()");

    let split = split(case.source, case.form(), &learned).unwrap();
    let bodies = split.cold.iter().map(|cold| {
        let body = &case.source[cold.body.clone()];
        restored(body, cold.manner)
    });
    let bodies: Vec<String> = bodies.collect();
    let hot = split
        .hot(case.source, &|number| format!("eval(fetched({number}))"))
        .text;
    let fetches = format!(
        "globalThis.fetched = (number) => (window.restored.push(number), {}[number]);",
        json!(bodies)
    );
    let pruned = run(browser, &hot, case.form());
    browser.evaluate(&pruned, &fetches);
    let seen = json!({
        "warm": browser.evaluate(&pruned, "warm()"),
        "restored": browser.evaluate(&pruned, "restored.length"),
        "cold": browser.evaluate(&pruned, "cold()"),
        "restored later": browser.evaluate(&pruned, "restored.length > 0"),
    });
    let expected = json!({"warm": warm, "restored": 0, "cold": cold, "restored later": true});
    let threw = cold.get("threw").is_some();
    (threw || seen != expected).then(|| format!("{}: {seen}, not {expected}\n{hot}", case.about))
}

#[test]
fn what_never_ran_is_there_when_it_is_called() {
    let mut browser = OpenBrowser::start(&[]);
    let wrong: Vec<String> = (cases().iter())
        .filter_map(|case| judge(&mut browser, case))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
