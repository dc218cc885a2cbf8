//! Every event handler of a page is run once.

use crate::setup::{quick, setup};
use crate::site::Site;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use varve_browser::{Detail, KnownHandlers, Running, Visit, VisitOptions};

async fn visit(site: &Site) -> Visit {
    let options = VisitOptions {
        handlers: Some(Running::All),
        coverage: Some(Detail::Functions),
        ..quick()
    };
    setup().await.visit(site, &options).await
}

/// What the handlers of a page asked for: `/seen/NAME`.
fn seen(site: &Site) -> BTreeSet<String> {
    let asked = site.asked().into_iter();
    asked
        .filter_map(|url| Some(url.split_once("/seen/")?.1.to_owned()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handlers_of_all_kinds_are_run() {
    let site = Site::of(
        "<title>x</title><button id=a class=menu-button>menu</button><p id=b>text</p><input id=c>
         <div id=root><span></span><span></span><span></span><span></span>
           <button class=tab>one</button><a href=#x role=tab>two</a></div>
         <form action=/send id=f><button id=g>Send</button></form><div id=host></div>
         <button id=h onclick=\"said('attribute')\">attribute</button>
         <script>
           function said(what) { fetch('/seen/' + what) }
           a.addEventListener('click', (e) => said('click-' + (e.bubbles && e.clientX > 0)));
           b.onmouseenter = () => said('property');
           c.addEventListener('keydown', (e) => { if (e.key === 'Escape') said('escape') });
           c.addEventListener('input', (e) => said(e.constructor.name));
           root.addEventListener('click', (e) => { const it = e.target.closest('.tab, [role=tab]'); if (it) said(it.textContent) });
           f.addEventListener('submit', (e) => { e.preventDefault(); said('submitted') });
           g.addEventListener('click', () => said('transaction'));
           addEventListener('resize', () => said('resize'));
           addEventListener('storage', () => said('storage'));
           const inner = host.attachShadow({ mode: 'closed' }); inner.innerHTML = '<button>in the shadow</button>';
           inner.firstChild.addEventListener('click', () => said('shadow'));
         </script>",
    )
    .await;
    let visit = visit(&site).await;
    assert_eq!(visit.outcome.reason(), "ok");
    let expected = [
        "InputEvent",
        "attribute",
        "click-true",
        "escape",
        "one",
        "property",
        "resize",
        "shadow",
        "two",
    ];
    let expected: BTreeSet<String> = expected.map(str::to_owned).into();
    assert_eq!(seen(&site), expected, "{:?}", visit.handled);
    let handled = visit.handled.unwrap();
    assert_eq!(handled.found["menu"], 1);
    assert_eq!(handled.ran["menu"], 1);
    assert_eq!(handled.found["transaction"], 2);
    assert_eq!(handled.ran.get("transaction"), None);
    // None of it is part of the page's loading.
    assert!(
        visit
            .requests
            .iter()
            .all(|request| !request.url.contains("/seen/"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_be_seen_is_touched_as_by_a_hand() {
    let site = Site::of(
        "<title>x</title><style>#low { margin-top: 3000px }</style>
         <button id=a>seen</button><button id=b style='visibility: hidden'>hidden</button>
         <div style='position: relative'><button id=c>covered</button>
           <p style='position: absolute; inset: 0; margin: 0'>over it</p></div>
         <select id=d><option>1<option>2</select><input id=e><button id=low>low</button>
         <iframe id=f srcdoc='<button id=g>framed</button>'></iframe>
         <script>
           const tell = (it, type) => it.addEventListener(type, (e) =>
             fetch('/seen/' + it.id + '-' + type + (e.isTrusted ? '-real' : '')));
           tell(a, 'click'); tell(a, 'mouseenter'); tell(b, 'click'); tell(c, 'click'); tell(d, 'click'); tell(low, 'mousedown');
           e.addEventListener('click', () => fetch('/seen/focus-' + document.activeElement.id));
           f.onload = () => tell(f.contentDocument.getElementById('g'), 'click');
         </script>",
    )
    .await;
    let visit = visit(&site).await;
    assert_eq!(visit.outcome.reason(), "ok");
    let expected = [
        "a-click-real",
        "a-mouseenter-real",
        "b-click",
        "c-click",
        "d-click",
        "focus-e",
        "g-click-real",
        "low-mousedown-real",
    ];
    let expected: BTreeSet<String> = expected.map(str::to_owned).into();
    assert_eq!(seen(&site), expected, "{:?}", visit.handled);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_handlers_run_counts_as_run() {
    let site = Site::of(
        "<title>x</title><button id=a>a</button><script>
         function onlyWhenPressed() { return 1 } function never() {}
         a.onclick = () => onlyWhenPressed()</script>",
    )
    .await;
    let visit = visit(&site).await;
    let own = visit
        .scripts
        .iter()
        .find(|run| run.url == "http://site.test/");
    // The script, the arrow function and what it calls.
    assert_eq!(own.unwrap().ran.len(), 3, "{own:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handlers_that_do_harm_end_nothing() {
    let site = Site::of(
        "<title>x</title><p>text</p><button id=a>a</button><button id=b>b</button><button id=c>c</button>
         <script>a.onclick = () => { document.documentElement.remove(); throw new Error('gone') };
         b.onclick = () => { alert('stop'); window.open('/popup') };
         c.onclick = () => { for (;;) {} }</script>",
    )
    .await;
    let visit = visit(&site).await;
    assert_eq!(
        (visit.outcome.reason().as_ref(), visit.text.trim()),
        ("ok", "text\n\nabc")
    );
    assert_eq!(visit.console_errors.len(), 0, "{:?}", visit.console_errors);
    assert!(visit.took.as_secs() < 12, "{:?}", visit.took);
    assert_eq!(visit.handled.unwrap().found["control"], 3);
}

/// A page with six buttons, of which five look the same; `more` is one more of its scripts.
fn buttons(more: &str) -> &'static str {
    let page = format!(
        "<title>x</title><button class=go>1</button><button class=go>2</button><button class=go>3</button>
         <button class=go>4</button><button class=go>5</button><button class=stop>6</button><script>
         for (const it of document.querySelectorAll('button')) it.onclick = () => fetch('/seen/' + it.textContent);
         </script><script>{more}</script>"
    );
    // Pages of test sites live as long as the test.
    page.leak()
}

async fn visit_for_news(site: &Site, known: &Arc<KnownHandlers>) -> BTreeMap<&'static str, u32> {
    visit_running(site, Running::New(known.clone())).await
}

async fn visit_running(site: &Site, running: Running) -> BTreeMap<&'static str, u32> {
    let options = VisitOptions {
        handlers: Some(running),
        coverage: Some(Detail::Functions),
        ..quick()
    };
    let visit = setup().await.visit(site, &options).await;
    // V8's account is as good as ever.
    assert!(visit.scripts.iter().any(|run| run.ran.len() > 1));
    visit.handled.unwrap().alike
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_handlers_that_are_alike_some_are_enough() {
    let known = Arc::default();
    let site = Site::of(buttons("")).await;
    assert_eq!(visit_for_news(&site, &known).await["control"], 3);
    let expected: BTreeSet<String> = ["1", "2", "6"].map(str::to_owned).into();
    assert_eq!(seen(&site), expected);
    // The button to stop has been run once, and is now once more.
    let site = Site::of(buttons("")).await;
    assert_eq!(visit_for_news(&site, &known).await["control"], 5);
    assert_eq!(seen(&site), BTreeSet::from(["6".to_owned()]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handlers_of_new_scripts_are_run_whatever_they_look_like() {
    let known = Arc::default();
    let site = Site::of(buttons("")).await;
    visit_for_news(&site, &known).await;
    let more = "document.querySelector('.go').onclick = () => fetch('/seen/new')";
    let site = Site::of(buttons(more)).await;
    visit_for_news(&site, &known).await;
    assert!(seen(&site).contains("new"), "{:?}", seen(&site));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_little_is_to_be_learned_only_new_code_is_run() {
    let known: Arc<KnownHandlers> = Arc::default();
    let first = Site::of(buttons("")).await;
    visit_running(&first, Running::NewCode(known.clone())).await;
    assert_eq!(seen(&first), BTreeSet::from(["1".to_owned()]));
    let more = "document.querySelector('.stop').onclick = () => fetch('/seen/new')";
    let second = Site::of(buttons(more)).await;
    visit_running(&second, Running::NewCode(known)).await;
    assert_eq!(seen(&second), BTreeSet::from(["new".to_owned()]));
}
