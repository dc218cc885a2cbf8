//! Which functions of scripts ran, wherever the scripts are.

use crate::setup::{quick, setup};
use crate::site::{Reply, Site};
use varve_browser::{Detail, Running, ScriptRun, Visit, VisitOptions, When};
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
        coverage: Some(Detail::Functions),
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
    let functions = &run_of(visit, source).ran;
    let mut ran: Vec<(u32, u32)> = functions.iter().map(|it| (it.start, it.end)).collect();
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
async fn what_of_a_function_did_not_run_is_told_if_it_is_asked_for() {
    const SCRIPT: &str = "const wide = '😀';\n\
        function f(a) { if (a) { g('taken') } else { g('not taken') } return a ? 'yes' : 'no' }\n\
        function g(word) { try { document.title = word } catch (e) { document.title = 'caught' } }\n\
        f(1); wide || f(2)";
    let site =
        Site::of(format!("<meta charset=utf-8><title>x</title><script>{SCRIPT}</script>").leak())
            .await;
    let look = async |detail| {
        let options = VisitOptions {
            coverage: Some(detail),
            ..quick()
        };
        setup().await.visit(&site, &options).await
    };
    let visit = look(Detail::Branches).await;
    let units: Vec<u16> = SCRIPT.encode_utf16().collect();
    let idle = run_of(&visit, SCRIPT).ran.iter().flat_map(|it| {
        let ranges = it.idle.as_ref().unwrap().ranges();
        let texts = ranges
            .iter()
            .map(|(start, end)| &units[*start as usize..*end as usize]);
        texts.map(|text| String::from_utf16(text).unwrap())
    });
    let idle: Vec<String> = idle.map(|text| text.trim().to_owned()).collect();
    for branch in [
        "{ g('not taken') }",
        "'no'",
        "{ document.title = 'caught' }",
        "f(2)",
    ] {
        assert!(
            idle.iter().any(|it| it.contains(branch)),
            "{branch}: {idle:?}"
        );
    }
    let all = idle.concat();
    for branch in ["g('taken')", "'yes'", "document.title = word", "f(1)"] {
        assert!(!all.contains(branch), "{branch}: {idle:?}");
    }
    let visit = look(Detail::Functions).await;
    assert!(
        run_of(&visit, SCRIPT)
            .ran
            .iter()
            .all(|it| it.idle.is_none())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_handlers_ran_is_told_apart_from_what_loading_did() {
    const SCRIPT: &str = "function both(a) { if (a) { document.title = 'clicked' } else { document.title = 'loaded' } }\n\
        function never() { if (both) { both(3) } }\n\
        function toggle(a) { if (a) { document.title = 'on' } document.title += a }\n\
        const handler = () => { both(1); toggle(1) }; onclick = handler; both(0); toggle(0)";
    let site = Site::of(format!("<title>x</title><script>{SCRIPT}</script>").leak()).await;
    let options = VisitOptions {
        handlers: Some(Running::All),
        coverage: Some(Detail::Branches),
        ..quick()
    };
    let visit = setup().await.visit(&site, &options).await;
    let ran = run_of(&visit, SCRIPT).ran.iter();
    let ran = ran.map(|it| (&SCRIPT[it.start as usize..it.end as usize], it));
    let of = |text: &str| ran.clone().find(|(whole, _)| whole.starts_with(text));
    let (_, both) = of("function both").unwrap();
    assert_eq!(both.when, When::Loading);
    // One of its branches ran while it was loading, the other when somebody clicked.
    for function in ["function both", "function toggle"] {
        let idle = of(function).unwrap().1.idle.as_ref().unwrap();
        assert_eq!(idle.ranges(), [], "{function}");
    }
    let (_, handler) = of("() =>").unwrap();
    assert_eq!(handler.when, When::Handling);
    assert!(of("function never").is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_stops_at_a_breakpoint() {
    let site = Site::of(
        "<title>x</title><script>setInterval(() => { debugger; document.title = 'went on' }, 10)</script>",
    )
    .await;
    let options = VisitOptions {
        coverage: Some(Detail::Functions),
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
