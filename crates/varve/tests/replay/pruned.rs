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
    let precise = json!({"callCount": false, "detailed": true});
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
    let ranges = functions.map(|function| function["ranges"].as_array().unwrap().as_slice());
    let place = |range: &Value| {
        let [start, end] = ["startOffset", "endOffset"].map(|it| range[it].as_u64().unwrap());
        (start as u32, end as u32)
    };
    let ran = ranges.filter_map(|ranges| {
        let (whole, blocks) = ranges.split_first()?;
        let (start, end) = place(whole);
        let idle = blocks.iter().filter(|block| block["count"] == 0);
        let idle = idle.map(place).collect();
        (whole["count"] != 0).then_some(Ran { start, end, idle })
    });
    ran.collect()
}

/// What is taken out.
#[derive(Clone, Copy, Debug)]
enum Taken {
    Functions,
    Branches,
}

/// What is wrong with a case, if anything.
fn judge(browser: &mut OpenBrowser, case: &Case, taken: Taken) -> Option<String> {
    let whole = run(browser, case.source, case.form());
    let warm = browser.evaluate(&whole, "warm()");
    let mut learned = ran(browser, &whole);
    if let Taken::Functions = taken {
        learned.iter_mut().for_each(|it| it.idle.clear());
    }
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
    let expected = json!({"warm": warm, "restored": 0, "cold": cold, "restored later": !split.cold.is_empty()});
    let threw = cold.get("threw").is_some();
    (threw || seen != expected)
        .then(|| format!("{}, {taken:?}: {seen}, not {expected}\n{hot}", case.about))
}

#[test]
fn what_never_ran_is_there_when_it_is_called() {
    let mut browser = OpenBrowser::start(&[]);
    let both = [Taken::Functions, Taken::Branches];
    let wrong: Vec<String> = cases()
        .iter()
        .flat_map(|case| both.map(|taken| (case, taken)))
        .filter_map(|(case, taken)| judge(&mut browser, case, taken))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
