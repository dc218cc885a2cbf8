//! The archive's own pages in a browser: nothing that others wrote runs in them.

use crate::open_browser::OpenBrowser;
use crate::served::{Saved, Served, TIME};
use crate::stage::In;
use serde_json::json;

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
    let served = Served::new(&saved, In::Host);
    let ui = served.ui();
    let mut browser = OpenBrowser::start(&[]);
    // All titles, all URLs, all types.
    for path in ["/", "/web/*/https://h.test/*"] {
        check(&mut browser, &format!("{ui}{path}"));
    }
    for payload in payloads.iter().step_by(8) {
        let url = url_with(payload);
        let words: String = url::form_urlencoded::byte_serialize(payload.as_bytes()).collect();
        for path in [
            format!("/web/*/{url}"),
            format!("/web/{TIME}/{url}"),
            format!("/web/{TIME}/https://none.test/?{words}"),
            format!("/go?url={words}"),
            format!("/?from={words}"),
        ] {
            check(&mut browser, &format!("{ui}{path}"));
        }
    }
}
