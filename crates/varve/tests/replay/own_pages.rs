//! The archive's own pages in a browser: nothing that others wrote runs in them.

use crate::open_browser::OpenBrowser;
use crate::served::{Saved, Served, TIME, save_crawl};
use crate::stage::In;
use serde_json::{Value, json};

/// When everything was captured again.
const LATER: &str = "20260601000000";

/// What is run.
const CODES: [&str; 5] = [
    "window.hurt=1",
    "top.hurt=1",
    "self['hu'+'rt']=1",
    "document.title='hurt'",
    "alert('hurt')",
];

/// Ways to have it run, where `@` is the code.
const WAYS: [&str; 40] = [
    "<script>@</script>",
    "\"><script>@</script>",
    "'><script>@</script>",
    "</title><script>@</script>",
    "</textarea><script>@</script>",
    "</style><script>@</script>",
    "--><script>@</script>",
    "]]><script>@</script>",
    "<ScRiPt>@</sCrIpT>",
    "<script/x>@</script>",
    "<script\n>@</script>",
    "<<script>@//<</script>",
    "<img src=x onerror=@>",
    "\"><img src=x onerror=@>",
    "<img src=x onerror=\"@\"",
    "<svg onload=@>",
    "<svg/onload=@>",
    "<svg><script>@</script></svg>",
    "<svg><animate onbegin=@ attributeName=x></svg>",
    "<math><mtext><script>@</script></mtext></math>",
    "<body onload=@>",
    "<input autofocus onfocus=@>",
    "\" autofocus onfocus=\"@",
    "' autofocus onfocus='@",
    "<details open ontoggle=@>",
    "<video><source onerror=@></video>",
    "<iframe srcdoc=\"<script>@</script>\"></iframe>",
    "<iframe src=\"javascript:@\"></iframe>",
    "<object data=\"javascript:@\"></object>",
    "<embed src=\"javascript:@\">",
    "<meta http-equiv=refresh content=\"0;url=javascript:@\">",
    "<base href=\"javascript:@//\">",
    "<link rel=stylesheet href=\"data:text/css,*{}\" onload=@>",
    "<form action=\"javascript:@\"><button autofocus>",
    "<template shadowrootmode=open><script>@</script></template>",
    "javascript:@",
    "&lt;script&gt;@&lt;/script&gt;",
    "&#60;script&#62;@&#60;/script&#62;",
    "%3Cscript%3E@%3C/script%3E",
    "{{constructor.constructor('@')()}}",
];

fn payloads() -> Vec<String> {
    let all = WAYS
        .iter()
        .flat_map(|way| CODES.map(|code| way.replace('@', code)));
    all.collect()
}

/// A URL with a payload in it, as a browser would ask for it.
fn url_with(payload: &str) -> String {
    let mut url = url::Url::parse("https://h.test/").unwrap();
    url.set_query(Some(payload));
    url.to_string()
}

/// Nothing of the archive's own pages was hurt.
fn check(browser: &mut OpenBrowser, address: &str) {
    let tab = browser.visit(address);
    let told = "[typeof window.hurt, document.title === 'hurt', document.querySelectorAll('script:not([src]), iframe[srcdoc]').length]";
    assert_eq!(
        browser.evaluate(&tab, told),
        json!(["undefined", false, 0]),
        "{address}"
    );
    browser.close_all();
}

/// The page of a collection's first crawl.
fn crawl_of(browser: &mut OpenBrowser, collection: &str) -> String {
    let tab = browser.visit(collection);
    let href = "[...document.querySelectorAll('.list a')].at(-1).href";
    let crawl = browser.evaluate(&tab, href);
    browser.close_all();
    crawl.as_str().unwrap().to_owned()
}

/// Checks a page and those that follow it.
fn check_portions(browser: &mut OpenBrowser, first: &str, portions: usize) {
    let mut address = first.to_owned();
    for _ in 0..portions {
        check(browser, &address);
        let tab = browser.visit(&address);
        let next = browser.evaluate(&tab, "document.querySelector('[rel=next]')?.href");
        browser.close_all();
        let Some(next) = next.as_str() else {
            panic!("{address} has no next");
        };
        address = next.to_owned();
    }
    check(browser, &address);
}

#[test]
fn nothing_that_others_wrote_runs_in_our_pages() {
    let payloads = payloads();
    assert_eq!(payloads.len(), 200);
    let page = |payload: &String| {
        let kind = format!("text/{}", payload.replace(['\n', '\r'], " "));
        Saved::new(&url_with(payload), &kind, "x")
            .field("X-Note", &payload.replace(['\n', '\r'], " "))
            .titled(payload)
    };
    let saved: Vec<Saved> = payloads.iter().map(page).collect();
    let line = |payload: &String| {
        json!({"ts": payload, "url": url_with(payload), "reason": payload, "page": payload,
            "message": payload, "mime": payload, "title": payload})
    };
    let log: Vec<Value> = payloads.iter().map(line).collect();
    let dir = tempfile::tempdir().unwrap();
    save_crawl(dir.path(), &saved, &log, &[]);
    // Two captures of everything, to be compared.
    let later: Vec<Saved> = saved.iter().map(|one| one.clone().at(LATER)).collect();
    save_crawl(dir.path(), &later, &[], &[]);
    let served = Served::over(dir, In::Host);
    let ui = served.ui();
    let mut browser = OpenBrowser::start(&[]);
    // All titles, all URLs, all types.
    check(&mut browser, &format!("{ui}/"));
    check(&mut browser, &format!("{ui}/web/*/https://h.test/*"));
    // All reasons and what else a log says, and all titles.
    check_portions(&mut browser, &served.collection(), 8);
    let crawl = crawl_of(&mut browser, &served.collection());
    check_portions(&mut browser, &crawl, 1);
    for payload in payloads.iter().step_by(8) {
        let url = url_with(payload);
        let words: String = url::form_urlencoded::byte_serialize(payload.as_bytes()).collect();
        for path in [
            format!("/web/*/{url}"),
            format!("/web/{TIME}/{url}"),
            format!("/web/{TIME}/https://none.test/?{words}"),
            format!("/go?url={words}"),
            format!("/record-view/{TIME}/{url}"),
        ] {
            check(&mut browser, &format!("{ui}{path}"));
        }
    }
    for payload in payloads.iter().step_by(24) {
        let url = url_with(payload);
        let words: String = url::form_urlencoded::byte_serialize(payload.as_bytes()).collect();
        for path in [
            format!("/beside/{TIME}/{url}"),
            format!("/compare/{TIME}/{LATER}/{url}"),
            format!("/compare/{words}/{words}/{words}"),
            format!("/compare?from={words}&to={words}&url={words}"),
            format!("/given/{words}"),
            format!("/{words}"),
        ] {
            check(&mut browser, &format!("{ui}{path}"));
        }
        for query in ["from", "q", "newer"] {
            let page = format!("{}?{query}={words}", served.collection());
            check(&mut browser, &page);
        }
        for query in ["outcome", "reason", "host", "q", "at"] {
            check(&mut browser, &format!("{crawl}?{query}={words}"));
        }
    }
}
