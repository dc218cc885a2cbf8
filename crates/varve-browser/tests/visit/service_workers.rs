//! Service workers: what they ask for, and what they answer by themselves.

use varve_browser::Source;

use crate::setup::{quick, setup};
use crate::site::{Reply, Site};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_worker_controls_its_page_and_is_heard() {
    let setup = setup().await;
    let site = Site::start(|asked| match asked.url.rsplit('/').next().unwrap() {
        "" => Reply::html(
            "<script>(async () => {
               await navigator.serviceWorker.register('/service.js');
               await new Promise(done => navigator.serviceWorker.oncontrollerchange = done);
               document.title = await (await fetch('/made-up')).text();
             })()</script>",
        ),
        "service.js" => Reply::of_type(
            "text/javascript",
            "oninstall = event => event.waitUntil(fetch('/stocked').then(() => skipWaiting()));
             onactivate = event => event.waitUntil(clients.claim());
             onfetch = event => event.request.url.endsWith('/made-up')
               && event.respondWith(fetch('/really').then(() => new Response('by the worker')))",
        ),
        _ => Reply::of_type("text/plain", "."),
    })
    .await;
    let url = url::Url::parse("http://localhost/").unwrap();
    let visit = setup.browser.visit(&url, &site, &quick()).await;
    assert_eq!(
        (visit.outcome.reason().as_ref(), visit.title.as_str()),
        ("ok", "by the worker")
    );
    assert!(
        site.was_asked("/stocked") && site.was_asked("/really"),
        "{:?}",
        site.asked()
    );
    let find = |part: &str| {
        visit
            .requests
            .iter()
            .find(|request| request.url.ends_with(part))
    };
    assert_eq!(find("/made-up").unwrap().source, Source::ServiceWorker);
    let made: Vec<_> = (visit.made.iter())
        .map(|made| (made.url.as_str(), made.body.as_slice()))
        .collect();
    assert_eq!(
        made,
        [("http://localhost/made-up", b"by the worker".as_slice())]
    );
    assert_eq!(
        find("/really").unwrap().target,
        "service_worker",
        "{:#?}",
        visit.requests
    );
}
