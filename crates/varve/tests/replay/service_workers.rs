//! Pages that count on a service worker: they are told that they have one, and get on.

use crate::open_browser::OpenBrowser;
use crate::served::{Saved, Served};
use crate::stage::BOTH;
use serde_json::json;

const PAGE: &str = "https://site.test/";

/// Serves a page with this script, and a worker that says this; waits for the page to be done.
#[track_caller]
fn check(script: &str, worker: &str) {
    let page = format!("<title>waiting</title><script>{script}</script>");
    let saved = [
        Saved::page(PAGE, &page),
        Saved::new("https://site.test/sw.js", "text/javascript", worker),
    ];
    for place in BOTH {
        let served = Served::new(&saved, place);
        let mut browser = OpenBrowser::start(&[]);
        let tab = browser.visit(&served.url(PAGE));
        browser.wait(&tab, "document.title === 'done'");
        let title = browser.evaluate(&tab, "document.title");
        assert_eq!(title, json!("done"), "{place:?}: {script}");
    }
}

#[test]
fn a_page_that_loads_anew_under_its_worker_does_so_once() {
    let script = "if (navigator.serviceWorker.controller) document.title = 'done';
        else navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)
            .then(() => location.reload())";
    check(script, "self.x = 1");
}

#[test]
fn a_page_that_leads_to_itself_when_it_is_taken_over_does_so_once() {
    let script =
        "navigator.serviceWorker.oncontrollerchange = () => { location.href = location.href };
        navigator.serviceWorker.register('/sw.js');
        if (navigator.serviceWorker.controller) setTimeout(() => { document.title = 'done' }, 300)";
    check(script, "onactivate = () => clients.claim()");
}
