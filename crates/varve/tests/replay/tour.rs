//! A tour through every page of the archive's own: in light and dark, at a desk and on a telephone,
//! judged by axe-core, and once with the keyboard alone.

use crate::open_browser::{OpenBrowser, Tab};
use crate::served::{Saved, Served, TIME, save_crawl};
use crate::stage::In;
use base64::Engine;
use serde_json::{Value, json};
use std::path::Path;
use varve_model::Timestamp;

const EARLIER: &str = "20250314092653";
const URL: &str = "https://garden.test/";

/// How the pages are looked at: width, height, whether on a telephone, and the colours.
pub(crate) const LOOKS: [(u32, u32, bool, &str); 4] = [
    (1280, 800, false, "light"),
    (1280, 800, false, "dark"),
    (390, 844, true, "light"),
    (390, 844, true, "dark"),
];

/// Keeps what the browser reports about our policy.
const REPORTS: &str = "window.reports = []; \
    document.addEventListener('securitypolicyviolation', (it) => reports.push(it.violatedDirective + ' ' + it.blockedURI))";

/// A picture of some page, as the browser draws it.
fn picture(browser: &mut OpenBrowser, words: &str, format: &str) -> Vec<u8> {
    let html = format!(
        "data:text/html,<body style='background:linear-gradient(teal,wheat);font:48px serif'>{words}"
    );
    let tab = browser.visit(&html);
    let taken = browser.tell(&tab, "Page.captureScreenshot", json!({"format": format}));
    browser.close_all();
    let data = taken["data"].as_str().unwrap();
    base64::engine::general_purpose::STANDARD
        .decode(data)
        .unwrap()
}

/// Two crawls of a small site.
fn site(browser: &mut OpenBrowser) -> Served {
    let dir = tempfile::tempdir().unwrap();
    let page = |words: &str, time: &str| {
        let html = format!(
            "<!doctype html><html lang=en><title>The garden</title><main><h1>The garden</h1><p>{words}</p>\
             <img src=/bed.png alt=''><img src=/gone.png alt=''></main>"
        );
        Saved::page(URL, &html).at(time).titled("The garden")
    };
    let other = |path: &str, time: &str| {
        let url = format!("{URL}{path}");
        Saved::page(&url, "<title>A bed</title><p>Tulips")
            .at(time)
            .titled("A bed of tulips with a long name that needs two lines")
    };
    let log = |time: &str| -> Vec<Value> {
        let line = |kind: &str, path: &str, reason: &str| {
            json!({"ts": Timestamp::parse(time).unwrap().w3c(), "kind": kind, "url": format!("{URL}{path}"), "reason": reason,
                "status": 200, "bytes": 5120, "ms": 12, "mime": "text/html"})
        };
        vec![
            line("page", "", "ok"),
            line(
                "page",
                "a/rather/long/path/that/does/not/fit/on/a/telephone/index.html",
                "ok.partial",
            ),
            line("page", "slow", "timeout.page"),
            line("request", "bed.png", "ok"),
            line("request", "gone.png", "dns.nxdomain"),
            line("page", "private", "robots.disallowed"),
        ]
    };
    for (time, words) in [
        (EARLIER, "Everything sleeps."),
        (TIME, "Everything is in bloom."),
    ] {
        let bed = Saved::new(&format!("{URL}bed.png"), "image/png", "x").at(time);
        let saved = [
            page(words, time),
            bed,
            other("tulips", time),
            other("roses", time),
        ];
        let view = picture(browser, words, "png");
        let small = picture(browser, words, "jpeg");
        let pictures = [
            (format!("urn:view:{URL}"), view, time),
            (format!("urn:thumbnail:{URL}"), small, time),
        ];
        save_crawl(dir.path(), &saved, &log(time), &pictures);
    }
    Served::over(dir, In::Host)
}

/// Every page that there is.
fn pages(browser: &mut OpenBrowser, served: &Served) -> Vec<String> {
    let (ui, collection) = (served.ui(), served.collection());
    let tab = browser.visit(&collection);
    let crawl = browser.evaluate(&tab, "document.querySelector('.list a').href");
    browser.close_all();
    let crawl = crawl.as_str().unwrap();
    vec![
        format!("{ui}/"),
        collection.clone(),
        format!("{collection}?q=tulips"),
        crawl.to_owned(),
        format!("{crawl}?outcome=failed"),
        format!("{ui}/web/*/{URL}"),
        format!("{ui}/search?q=garden"),
        format!("{ui}/web/2025*/{URL}"),
        format!("{ui}/web/*/{URL}*"),
        format!("{ui}/web/{TIME}/{URL}"),
        format!("{ui}/beside/{TIME}/{URL}"),
        format!("{ui}/compare/{EARLIER}/{TIME}/{URL}"),
        format!("{ui}/record-view/{TIME}/{URL}"),
        format!("{ui}/web/*/https://none.test/"),
        format!("{ui}/none"),
        format!("{collection}?from=x"),
    ]
}

/// The judge, as a script.
pub(crate) fn axe() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.judges/axe-core/axe.min.js");
    std::fs::read_to_string(&path).unwrap_or_else(|_| {
        panic!(
            "{} is missing: run `make test`, which installs the judges",
            path.display()
        )
    })
}

/// A page that is looked at like this, and keeps what is reported about our policy.
pub(crate) fn look(
    browser: &mut OpenBrowser,
    (width, height, mobile, colours): (u32, u32, bool, &str),
) -> Tab {
    let tab = browser.open("about:blank");
    let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
    browser.tell(&tab, "Emulation.setDeviceMetricsOverride", size);
    let features = json!({"features": [{"name": "prefers-color-scheme", "value": colours}]});
    browser.tell(&tab, "Emulation.setEmulatedMedia", features);
    browser.tell(&tab, "Page.enable", json!({}));
    let script = json!({"source": REPORTS});
    browser.tell(&tab, "Page.addScriptToEvaluateOnNewDocument", script);
    tab
}

#[test]
fn every_page_is_for_everybody_whatever_they_look_at_it_with() {
    let mut browser = OpenBrowser::start(&[]);
    let served = site(&mut browser);
    let pages = pages(&mut browser, &served);
    let axe = axe();
    for looks in LOOKS {
        let tab = look(&mut browser, looks);
        for page in &pages {
            browser.lead(&tab, page);
            if page.contains(&format!("/web/{TIME}/")) {
                browser.wait(
                    &tab,
                    "document.getElementById('sum').textContent === '1 part, 1 missing'",
                );
                browser.evaluate(
                    &tab,
                    "document.querySelectorAll('details').forEach((it) => { it.open = true })",
                );
            }
            take(&mut browser, &tab, page, looks);
            judge(&mut browser, &tab, &axe, &format!("{page} {looks:?}"));
        }
        browser.close_all();
    }
}

/// A page fits its window, can be used by everybody, has all its pictures, and keeps our policy.
pub(crate) fn judge(browser: &mut OpenBrowser, tab: &Tab, axe: &str, page: &str) {
    let fits = "document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.evaluate(tab, fits), json!(true), "{page}");
    browser.evaluate(tab, axe);
    let judged = browser.evaluate(tab, JUDGED);
    assert_eq!(judged, json!([]), "{page}");
    let broken =
        "[...document.images].filter((it) => it.complete && !it.naturalWidth).map((it) => it.src)";
    assert_eq!(browser.evaluate(tab, broken), json!([]), "{page}");
    let reports = browser.evaluate(tab, "window.reports");
    assert_eq!(reports, json!([]), "{page}");
}

/// What axe-core finds that keeps people from using a page.
const JUDGED: &str = "axe.run(document, {iframes: false, preload: false, resultTypes: ['violations']}) \
    .then(({ violations }) => violations \
    .filter(({ impact }) => impact === 'serious' || impact === 'critical') \
    .map(({ id, nodes }) => id + ': ' + nodes.map((it) => it.html).join(' | ').slice(0, 600)))";

/// Keeps a picture of the page, where somebody wants to see it.
pub(crate) fn take(
    browser: &mut OpenBrowser,
    tab: &Tab,
    page: &str,
    (width, _, _, colours): (u32, u32, bool, &str),
) {
    let Some(dir) = std::env::var_os("VARVE_TOUR_PICTURES") else {
        return;
    };
    let whole = json!({"format": "png", "captureBeyondViewport": !page.contains("/web/2026")});
    let taken = browser.tell(tab, "Page.captureScreenshot", whole);
    let bytes = base64::engine::general_purpose::STANDARD.decode(taken["data"].as_str().unwrap());
    let name: String = page
        .chars()
        .skip("http://127.0.0.1:".len())
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let file = format!("{width}-{colours}-{}.png", &name[..name.len().min(80)]);
    std::fs::write(Path::new(&dir).join(file), bytes.unwrap()).unwrap();
}

/// Presses Tab until something has the focus, which can be seen wherever it is on the way.
pub(crate) fn tab_to(browser: &mut OpenBrowser, tab: &Tab, selector: &str) {
    for _ in 0..80 {
        browser.press(tab, "Tab", 9);
        let seen = "(() => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement); \
            const box = document.activeElement.getBoundingClientRect(); \
            return document.activeElement === document.body \
                || (outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2 && box.width > 0 && box.left >= 0); })()";
        let here = browser.evaluate(tab, "document.activeElement.outerHTML.slice(0, 200)");
        assert_eq!(
            browser.evaluate(tab, seen),
            json!(true),
            "no focus to be seen: {here}"
        );
        let found = format!("document.activeElement.matches({})", json!(selector));
        if browser.evaluate(tab, &found) == json!(true) {
            return;
        }
    }
    panic!("never in focus: {selector}");
}

/// Presses Enter and waits for another page.
pub(crate) fn enter(browser: &mut OpenBrowser, tab: &Tab, path: &str) {
    browser.press(tab, "Enter", 13);
    let arrived = format!(
        "decodeURI(location.pathname + location.search).startsWith({}) && document.readyState === 'complete'",
        json!(path)
    );
    browser.wait(tab, &arrived);
}

#[test]
fn a_keyboard_is_enough() {
    let mut browser = OpenBrowser::start(&[]);
    let served = site(&mut browser);
    let tab = look(&mut browser, LOOKS[0]);
    let focus = json!({"enabled": true});
    browser.tell(&tab, "Emulation.setFocusEmulationEnabled", focus);
    browser.lead(&tab, &format!("{}/", served.ui()));
    // The first stop leads past everything that is on all pages.
    browser.press(&tab, "Tab", 9);
    let first = browser.evaluate(&tab, "document.activeElement.className");
    assert_eq!(first, json!("skip"));
    tab_to(&mut browser, &tab, "#url");
    browser.tell(&tab, "Input.insertText", json!({"text": URL}));
    enter(&mut browser, &tab, &format!("/web/*/{URL}"));
    // Compare two captures.
    tab_to(&mut browser, &tab, "button.second");
    enter(
        &mut browser,
        &tab,
        &format!("/compare/{EARLIER}/{TIME}/{URL}"),
    );
    tab_to(&mut browser, &tab, &format!("a[href='/web/{TIME}/{URL}']"));
    enter(&mut browser, &tab, &format!("/web/{TIME}/{URL}"));
    // What is behind the bar.
    tab_to(&mut browser, &tab, "#more summary");
    browser.press(&tab, "Enter", 13);
    browser.wait(&tab, "document.getElementById('more').open");
    tab_to(&mut browser, &tab, "#record");
    enter(&mut browser, &tab, &format!("/record-view/{TIME}/{URL}"));
    tab_to(&mut browser, &tab, ".record a[href*='/crawls/']");
    enter(&mut browser, &tab, "/collections/");
    tab_to(&mut browser, &tab, "#reason");
    browser.tell(&tab, "Input.insertText", json!({"text": "robots"}));
    browser.press(&tab, "Enter", 13);
    browser.wait(
        &tab,
        "document.querySelectorAll('.log tbody tr').length === 1",
    );
}
