//! What scripts read and ask for is told, and pages do not notice.

use std::collections::HashSet;
use std::time::Duration;

use varve_browser::{AttributeRead, Cause, Reads, Stacks, Visit, VisitOptions};
use varve_model::{Digest, DigestAlgorithm};

use crate::setup::{quick, setup};
use crate::site::{Reply, Site};

fn watching() -> VisitOptions {
    VisitOptions {
        watch_reads: true,
        stacks: Stacks::Long,
        ..quick()
    }
}

/// A visit of a page with a script of its own.
async fn visit(html: &'static str, script: &'static str) -> Visit {
    let site = site(html, script).await;
    setup().await.visit(&site, &watching()).await
}

async fn site(html: &'static str, script: &'static str) -> Site {
    Site::start(move |asked| match asked.url.rsplit('/').next().unwrap() {
        "" => Reply::html(html),
        "code.js" => Reply::of_type("text/javascript", script),
        "frame" => Reply::html("<script>document.querySelector('#in-frame')</script>"),
        "sheet.css" => Reply::of_type("text/css", "body { background: url(/of-sheet.png) }"),
        "worker.js" => Reply::of_type("text/javascript", ""),
        _ => Reply::of_type("text/plain", "something"),
    })
    .await
}

fn reads(visit: &Visit) -> &Reads {
    assert_eq!(visit.outcome.reason(), "ok");
    visit.reads.as_ref().unwrap()
}

const PAGE: &str = "<!doctype html><meta name=a content=b>\
    <body data-page=1 class=x><p class='a b:c'>text</p><script src=/code.js></script>";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_told_unless_asked_for() {
    let site = site(PAGE, "document.querySelector('p')").await;
    let visit = setup().await.visit(&site, &quick()).await;
    assert_eq!(visit.reads, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn selectors_are_told_and_whether_they_matched() {
    let visit = visit(
        PAGE,
        r##"document.querySelector('.missing > p'); document.querySelectorAll('p.a');
        document.getElementById('a:b'); document.getElementsByClassName(' a  b:c ');
        document.getElementsByTagName('p'); document.getElementsByName('q"r');
        document.body.matches('.dark'); document.body.closest('html'); document.images;
        document.body.classList.contains('x');
        new DocumentFragment().querySelector('i'); document.querySelector('.missing > p');
        try { document.querySelector('!') } catch {}"##,
    )
    .await;
    let reads = reads(&visit);
    let selectors = reads.selectors.iter();
    let selectors: Vec<(&str, bool)> = selectors
        .map(|read| (read.selector.as_str(), read.matched))
        .collect();
    let expected = [
        (".missing > p", false),
        ("p.a", true),
        (r"#a\:b", false),
        (r".a.b\:c", true),
        ("p", true),
        (r#"[name="q\"r"]"#, false),
        (".dark", false),
        ("html", true),
        ("img", false),
        (".x", true),
        ("i", false),
    ];
    assert_eq!(selectors, expected);
    assert!(!reads.cut);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attributes_and_texts_are_told_by_name() {
    let visit = visit(
        PAGE,
        "const { body, head } = document;
        body.getAttribute('data-page'); body.hasAttribute('lang'); body.getAttribute('lang');
        body.dataset.fooBar; 'zip' in body.dataset; body.dataset.set = 'told';
        document.title = [body.getAttribute('data-set'), body.dataset.set, delete body.dataset.set,
            body.dataset === body.dataset, Object.keys(head.dataset), body.dataset.page];
        document.querySelector('meta').content; document.querySelector('p').textContent;",
    )
    .await;
    assert_eq!(visit.title, "told,told,true,true,,1");
    let expected = [
        ("body", "data-page"),
        ("body", "lang"),
        ("body", "data-foo-bar"),
        ("body", "data-zip"),
        ("body", "data-set"),
        ("head", "*"),
        ("meta", "content"),
        ("p", "#text"),
    ];
    let name = |(element, name): (&str, &str)| AttributeRead {
        element: element.to_owned(),
        name: name.to_owned(),
    };
    assert_eq!(reads(&visit).attributes, expected.map(name));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_differs_by_visit_and_visitor_is_told() {
    let visit = visit(
        PAGE,
        "document.URL; document.referrer; document.baseURI; document.cookie;
        localStorage.getItem('theme'); sessionStorage.getItem('seen'); localStorage.length;
        matchMedia('(min-width: 10px)'); navigator.language; screen.width; innerWidth;
        devicePixelRatio; new Date(0).getTimezoneOffset();
        Math.random(); Date.now(); new Date(); performance.now(); crypto.getRandomValues(new Uint8Array(1));",
    )
    .await;
    let reads = reads(&visit);
    assert_eq!(reads.urls, ["document.URL", "document.referrer", "baseURI"]);
    assert!(reads.cookies);
    assert_eq!(reads.storage_keys, ["theme", "seen", "*"]);
    assert_eq!(reads.media, ["(min-width: 10px)"]);
    let environment = [
        "localStorage",
        "sessionStorage",
        "navigator.language",
        "screen.width",
        "innerWidth",
        "devicePixelRatio",
        "Intl",
    ];
    assert_eq!(reads.environment, environment);
    let chance = ["Math.random", "Date", "performance.now", "crypto"];
    assert_eq!(reads.nondeterminism, chance);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_reads_nothing_has_read_nothing() {
    let visit = visit(PAGE, "new Date(2020, 1, 1).getFullYear(); let sum = 1 + 1;").await;
    assert_eq!(reads(&visit), &Reads::default());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn urls_are_told_with_who_named_them_first() {
    let visit = visit(
        PAGE,
        "fetch('/fetch'); fetch(new URL('/url', location)); fetch(new Request('/request'));
        const xhr = new XMLHttpRequest(); xhr.open('GET', 'xhr'); xhr.send();
        function load(url) { new Image().src = url }
        load('/image.png'); load('/image.png'); load('data:image/gif,x');
        new Image().srcset = '/one.png 1x, /two.png 2x';
        const add = (name, key, url) => { const it = document.createElement(name);
            it.setAttribute(key, url); document.body.append(it) };
        add('script', 'src', '/script'); add('a', 'href', '/nothing'); add('video', 'poster', '/poster');
        navigator.sendBeacon('/beacon'); new Worker('/worker.js'); new EventSource('/events');
        document.body.insertAdjacentHTML('beforeend', '<img src=\"/html.png?a&amp;b\"><a href=/no>');
        document.body.style.cssText = 'background: url(\"/style.png\")';",
    )
    .await;
    let asked = &reads(&visit).asked;
    let told: Vec<(&str, &str)> = (asked.iter())
        .map(|one| {
            (
                one.api.as_str(),
                one.url.trim_start_matches("http://site.test"),
            )
        })
        .collect();
    let expected = [
        ("fetch", "/fetch"),
        ("fetch", "/url"),
        ("fetch", "/request"),
        ("XMLHttpRequest", "/xhr"),
        ("img", "/image.png"),
        ("img", "/one.png"),
        ("img", "/two.png"),
        ("script", "/script"),
        ("video", "/poster"),
        ("sendBeacon", "/beacon"),
        ("Worker", "/worker.js"),
        ("EventSource", "/events"),
        ("insertAdjacentHTML", "/html.png?a&b"),
        ("style", "/style.png"),
    ];
    assert_eq!(told, expected);
    let image = asked
        .iter()
        .find(|one| one.url.ends_with("/image.png"))
        .unwrap();
    let frames: Vec<_> = (image.stack.iter())
        .map(|it| (it.function.as_str(), it.line))
        .collect();
    assert_eq!(frames, [("load", 2), ("", 3)]);
    assert_eq!(image.stack[0].url, "http://site.test/code.js");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_tell_too() {
    let visit = visit(
        "<!doctype html><iframe src=/frame></iframe><iframe src=http://other.test/frame></iframe>
         <iframe id=empty></iframe><script>
         empty.contentDocument.querySelector('#in-empty'); document.querySelector('#in-page')
         </script>",
        "",
    )
    .await;
    let selectors = reads(&visit).selectors.iter();
    let selectors: HashSet<&str> = selectors.map(|read| read.selector.as_str()).collect();
    assert_eq!(
        selectors,
        HashSet::from(["#in-frame", "#in-empty", "#in-page"])
    );
}

/// Writes down all that a page can see of the functions of its window: their names, texts and
/// properties, in which order and with which rights.
const INSPECTION: &str = r##"
    const told = [];
    const text = Function.prototype.toString;
    const about = (it) => typeof it !== "function" ? typeof it
        : [text.call(it).slice(0, 100), it.name, it.length, Object.getOwnPropertyNames(it), "prototype" in it];
    const inspect = (name, holder) => {
        for (const key of Reflect.ownKeys(holder)) {
            const { value, get, set, ...rights } = Object.getOwnPropertyDescriptor(holder, key);
            told.push(JSON.stringify([name, String(key), about(value), about(get), about(set), rights]));
        }
    };
    inspect("window", window);
    for (const name of Object.getOwnPropertyNames(window)) {
        const it = Object.getOwnPropertyDescriptor(window, name).value;
        if (typeof it !== "function") continue;
        inspect(name, it);
        if (it.prototype) inspect(name + ".prototype", it.prototype);
    }
    told.push(String(Object.keys(window)), String(new Date() instanceof Date), text.call(text), String(text),
        String(Date.prototype.constructor === Date), Object.prototype.toString.call(document.documentElement.dataset),
        String(class extends Date {}.name), typeof Date(), String(WebSocket.CONNECTING));
    document.body.innerText = told.join("\n");
"##;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_see_the_same_functions_as_ever() {
    let setup = setup().await;
    let site = site(
        "<!doctype html><body><script src=/code.js></script>",
        INSPECTION,
    )
    .await;
    let plain = setup.visit(&site, &quick()).await;
    let watched = setup.visit(&site, &watching()).await;
    assert!(plain.text.lines().count() > 5_000, "{}", plain.text.len());
    for (one, other) in plain.text.lines().zip(watched.text.lines()) {
        assert_eq!(one, other);
    }
    assert_eq!(plain.text.len(), watched.text.len());
    assert!(
        watched
            .text
            .contains("function querySelector() { [native code] }")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_that_change_everything_work_as_ever() {
    let visit = visit(
        PAGE,
        "const nothing = () => { throw new Error('changed') };
        const log = [];
        delete Element.prototype.querySelector; log.push(document.body.querySelector);
        Document.prototype.querySelectorAll = () => 'mine'; log.push(document.querySelectorAll('p'));
        self.fetch = (url) => `instead of ${url}`; log.push(fetch('/x'));
        for (const holder of [Reflect, JSON, Object, Map.prototype, WeakMap.prototype, String.prototype,
            RegExp.prototype, Proxy, Error])
            for (const name of Object.getOwnPropertyNames(holder))
                if (name !== 'constructor' && name !== 'getOwnPropertyNames' && !['prototype'].includes(name))
                    try { holder[name] = nothing } catch {}
        Array.prototype[Symbol.iterator] = nothing; Array.prototype.toJSON = nothing;
        self.queueMicrotask = self.Proxy = self.Reflect = self.URL = self.Error = self.Object = nothing;
        document.querySelector('#after'); document.getElementsByClassName('a b');
        log[log.length] = document.body.getAttribute('data-page'); document.body.dataset.later;
        new Image().src = '/after.png'; document.body.insertAdjacentHTML('beforeend', '<img src=/html.png>');
        document.title = log[0] + ' ' + log[1] + ' ' + log[2] + ' ' + log[3]",
    )
    .await;
    assert_eq!(visit.title, "undefined mine instead of /x 1");
    let reads = reads(&visit);
    let selectors = reads.selectors.iter();
    let selectors: Vec<&str> = selectors.map(|read| read.selector.as_str()).collect();
    assert_eq!(selectors, ["#after", ".a.b"]);
    let asked: Vec<&str> = reads.asked.iter().map(|one| one.url.as_str()).collect();
    assert_eq!(
        asked,
        ["http://site.test/after.png", "http://site.test/html.png"]
    );
    let later = reads
        .attributes
        .iter()
        .any(|read| read.name == "data-later");
    assert!(later, "{:?}", reads.attributes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_that_read_without_end_are_told_in_part() {
    let visit = visit(
        PAGE,
        "let found = 0;
        for (let n = 0; n < 100_000; n += 1) found += document.querySelector('p') ? 1 : 0;
        for (let n = 0; n < 100_000; n += 1) found += document.querySelector('#n' + n) ? 1 : 0;
        for (let n = 0; n < 100; n += 1) document.querySelector('p' + '.x'.repeat(1_000 + n));
        for (let n = 0; n < 10_000; n += 1) document.createElement('img').setAttribute('src', 'data:,' + n);
        document.title = found",
    )
    .await;
    let reads = reads(&visit);
    assert_eq!(visit.title, "100000");
    assert!(
        (1_000..=8_000).contains(&reads.selectors.len()),
        "{}",
        reads.selectors.len()
    );
    assert!(reads.cut && reads.asked.is_empty());
    let longest = reads.selectors.iter().map(|read| read.selector.len()).max();
    assert!(longest <= Some(500));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_that_never_end_are_ended_as_ever() {
    let setup = setup().await;
    let options = VisitOptions {
        deadline: Duration::from_secs(3),
        ..watching()
    };
    for (script, outcome) in [
        ("debugger; document.title = 'went on'", "ok"),
        ("for (;;) document.querySelector('p')", "browser.hang"),
    ] {
        let visit = setup.visit(&site(PAGE, script).await, &options).await;
        assert_eq!(visit.outcome.reason(), outcome, "{script}");
        assert!(visit.took < Duration::from_secs(8), "{:?}", visit.took);
    }
    setup.assert_next_page_is_fine().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_are_caused_by_scripts() {
    const INLINE: &str = "new Image().src = '/of-inline.png'";
    let html = "<!doctype html><link rel=icon href=data:,><body><img src=/of-page.png>\n\
        <script src=/code.js></script><script>new Image().src = '/of-inline.png'</script>";
    let script = "new Image().src = '/image.png';
        setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<img src=/html.png>'));
        document.body.append(Object.assign(document.createElement('video'), { poster: '/poster.png' }));
        document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/sheet.css' }));
        new Worker('/worker.js'); Promise.resolve().then(() => fetch('/fetch'));";
    let visit = visit(html, script).await;
    reads(&visit);
    let causes = visit.causes();
    let of = |path: &str| causes[&format!("http://site.test{path}")].clone();
    let digest = |text: &str| {
        let digest = Digest::of(DigestAlgorithm::Sha256, text.as_bytes()).to_string();
        digest.rsplit(':').next().unwrap().to_owned()
    };
    for (path, line) in [
        ("/image.png", 0),
        ("/html.png", 1),
        ("/poster.png", 2),
        ("/sheet.css", 3),
        ("/of-sheet.png", 3),
        ("/worker.js", 4),
        ("/fetch", 4),
    ] {
        let cause = Cause {
            url: "http://site.test/code.js".to_owned(),
            line,
            inline: false,
            digest: Some(digest(script)),
        };
        assert_eq!(of(path), [cause], "{path}");
    }
    let inline = Cause {
        url: "http://site.test/".to_owned(),
        line: 1,
        inline: true,
        digest: Some(digest(INLINE)),
    };
    assert_eq!(of("/of-inline.png"), [inline]);
    for path in ["/", "/of-page.png", "/code.js"] {
        assert_eq!(of(path), [], "{path}");
    }
}
