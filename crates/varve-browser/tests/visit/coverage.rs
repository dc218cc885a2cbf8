//! Which functions of scripts ran, wherever the scripts are.

use crate::setup::{quick, setup};
use crate::site::{Reply, Site};
use varve_browser::{ScriptRun, Visit, VisitOptions};
use varve_model::{Digest, DigestAlgorithm};

const EXTERNAL: &str = "const wide = '😀é'; function ran() { return wide }\n\
    function never() { return 1 } const arrow = () => { ran() }; arrow();\n\
    class A { m() { return this } static s() { return new A().m() } n() {} } A.s();";
const INLINE: &str = "function inInline() { return 2 } function notInInline() {} inInline()";
const MODULE: &str =
    "export function inModule() { return 3 } inModule(); export const other = () => 4;";
const WORKER: &str = "function inWorker() { postMessage(1) } function notInWorker() {} inWorker()";
const FRAME: &str = "function inFrame() { return 5 } function notInFrame() {} inFrame()";
const EVALUATED: &str = "function inEval() { return 6 } function notInEval() {} inEval()";

async fn visit() -> Visit {
    let page = format!(
        "<!doctype html><title>x</title><script src=/a.js></script><script>{INLINE}</script>\
         <script type=module>{MODULE}</script><iframe src=/f.html></iframe>\
         <script>(0, eval)({EVALUATED:?}); new Worker('/w.js')</script>"
    );
    let page: &'static str = page.leak();
    let frame: &'static str = format!("<!doctype html><script>{FRAME}</script>").leak();
    let site = Site::start(move |asked| match asked.url.rsplit('/').next().unwrap() {
        "" => Reply::html(page),
        "f.html" => Reply::html(frame),
        "a.js" => Reply::of_type("text/javascript; charset=utf-8", EXTERNAL),
        "w.js" => Reply::of_type("text/javascript", WORKER),
        _ => Reply::of_type("text/plain", "something"),
    })
    .await;
    let options = VisitOptions {
        coverage: true,
        ..quick()
    };
    setup().await.visit(&site, &options).await
}

fn digest(source: &str) -> String {
    let digest = Digest::of(DigestAlgorithm::Sha256, source.as_bytes());
    digest.to_string().rsplit(':').next().unwrap().to_owned()
}

fn run_of<'v>(visit: &'v Visit, source: &str) -> &'v ScriptRun {
    let length = source.encode_utf16().count();
    let mut runs = visit.scripts.iter();
    let found = runs.find(|run| run.length as usize == length);
    found.unwrap_or_else(|| panic!("{source}: {:#?}", visit.scripts))
}

/// The beginnings of the functions that ran, in the order of the source.
fn ran(visit: &Visit, source: &str) -> Vec<String> {
    let units: Vec<u16> = source.encode_utf16().collect();
    let mut ran = run_of(visit, source).ran.clone();
    ran.sort_unstable();
    let text = |(start, end): (u32, u32)| {
        let text = String::from_utf16(&units[start as usize..end as usize]).unwrap();
        text.split(['(', '{']).next().unwrap().to_owned()
    };
    ran.into_iter().skip(1).map(text).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ran_is_told_of_scripts_everywhere() {
    let visit = visit().await;
    let expected: [(&str, &[&str]); 6] = [
        (EXTERNAL, &["function ran", "", "m", "s"]),
        (INLINE, &["function inInline"]),
        (MODULE, &["function inModule"]),
        (WORKER, &["function inWorker"]),
        (FRAME, &["function inFrame"]),
        (EVALUATED, &["function inEval"]),
    ];
    for (source, functions) in expected {
        assert_eq!(ran(&visit, source), functions, "{source}");
        assert_eq!(run_of(&visit, source).digest, digest(source), "{source}");
    }
    assert!(run_of(&visit, MODULE).is_module && !run_of(&visit, INLINE).is_module);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_stops_at_a_breakpoint() {
    let site = Site::of(
        "<title>x</title><script>setInterval(() => { debugger; document.title = 'went on' }, 10)</script>",
    )
    .await;
    let options = VisitOptions {
        coverage: true,
        ..quick()
    };
    let visit = setup().await.visit(&site, &options).await;
    assert_eq!(
        (visit.outcome.reason().as_ref(), visit.title.as_str()),
        ("ok", "went on")
    );
    assert!(
        visit
            .scripts
            .iter()
            .any(|run| run.url == "http://site.test/")
    );
}
