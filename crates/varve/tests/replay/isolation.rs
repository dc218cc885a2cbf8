//! Archived pages are strangers to each other and to the archive's own pages: what the browser
//! itself keeps apart, tried by pages that mean harm.

use crate::open_browser::{OpenBrowser, Tab};
use crate::served::{Saved, Served, TIME};
use crate::stage::{BOTH, In};
use serde_json::{Value, json};

const VICTIM: &str = "https://victim.test/";
const OTHER: &str = "https://attacker.test/";

/// Two sites: one with a secret, one that frames it and wants to know.
fn sites() -> Vec<Saved> {
    let secret = "<title>victim</title><p id=secret>secret</p><script>
        localStorage.setItem('key', 'secret'); sessionStorage.setItem('key', 'secret');
        document.cookie = 'token=secret'; indexedDB.open('base', 7);
        window.secret = 'secret'; window.name = 'named';
        addEventListener('message', ({data}) => { window.heard = data });
        </script>";
    let attacker = format!("<title>attacker</title><iframe src='{VICTIM}'></iframe>");
    vec![
        Saved::page(VICTIM, secret).field("Set-Cookie", "sent=secret"),
        Saved::page(OTHER, &attacker).field("Set-Cookie", "own=1; Domain=localhost; Path=/"),
        Saved::new(
            "https://attacker.test/sw.js",
            "text/javascript",
            "self.x = 1",
        )
        .field("Service-Worker-Allowed", "/"),
        Saved::new(
            "https://victim.test/data.json",
            "application/json",
            "{\"a\": \"secret\"}",
        ),
    ]
}

/// A page of the attacker, open in a browser that has seen the victim, too.
struct Stage {
    served: Served,
    browser: OpenBrowser,
    attacker: Tab,
}

impl Stage {
    fn new(place: In) -> Stage {
        let served = Served::new(&sites(), place);
        let mut browser = OpenBrowser::start(&[]);
        browser.visit(&served.url(VICTIM));
        let attacker = browser.visit(&served.url(OTHER));
        Stage {
            served,
            browser,
            attacker,
        }
    }

    /// What the attacker gets for an expression: `"denied"` if that throws.
    fn attack(&mut self, expression: &str) -> Value {
        let tried = format!(
            "(async () => {{ try {{ return await ({expression}) }} catch (error) {{ return 'denied' }} }})()"
        );
        self.browser.evaluate(&self.attacker, &tried)
    }

    #[track_caller]
    fn check(&mut self, expression: &str, expected: Value) {
        assert_eq!(self.attack(expression), expected, "{expression}");
    }
}

#[test]
fn a_page_cannot_look_into_the_frame_of_another_site() {
    let mut stage = Stage::new(In::Host);
    for expression in [
        "frames[0].document.body.textContent",
        "frames[0].secret",
        "frames[0].localStorage.key",
        "frames[0].eval('secret')",
        "frames[0].__varve.location.href",
        "document.querySelector('iframe').contentDocument.title",
        "Reflect.get(frames[0], 'document').cookie",
        "frames[0].name",
        "frames[0].history.length",
    ] {
        let got = stage.attack(expression);
        let nothing = got == "denied" || got == Value::Null;
        assert!(nothing, "{expression}: {got}");
    }
    // It may send it messages, as on the live web.
    stage.check("frames[0].postMessage('x', '*')", Value::Null);
}

#[test]
fn storage_and_cookies_belong_to_their_site() {
    for place in BOTH {
        let mut stage = Stage::new(place);
        stage.check("localStorage.getItem('key')", Value::Null);
        stage.check("localStorage.length", json!(0));
        stage.check("sessionStorage.getItem('key')", Value::Null);
        stage.check("document.cookie.includes('secret')", json!(false));
        stage.check("indexedDB.databases().then((all) => all.length)", json!(0));
        stage.check("caches.keys().then((all) => all.length)", json!(0));
    }
}

#[test]
fn natively_too_there_is_no_cookie_of_anybody() {
    for place in BOTH {
        let mut stage = Stage::new(place);
        stage.check("document.cookie", json!("own=1"));
        assert_eq!(stage.browser.cookies(), Vec::<Value>::new(), "{place:?}");
    }
}

#[test]
fn a_site_cannot_read_what_another_answers() {
    let mut stage = Stage::new(In::Host);
    stage.check(
        "fetch('https://victim.test/data.json').then((it) => it.text())",
        json!("denied"),
    );
    let native = stage.served.url("https://victim.test/data.json");
    stage.check(
        &format!("fetch('{native}').then((it) => it.text())"),
        json!("denied"),
    );
}

#[test]
fn archived_service_workers_do_not_register() {
    for place in BOTH {
        let mut stage = Stage::new(place);
        let script = stage.served.url("https://attacker.test/sw.js");
        // The page is left to believe that it has one.
        let register = "navigator.serviceWorker.register('/sw.js').then(() => 'registered')";
        stage.check(register, json!("registered"));
        // Natively, from a place that nobody has changed.
        let register = format!(
            "(() => {{ const frame = document.createElement('iframe'); document.body.append(frame); \
             const native = frame.contentWindow.ServiceWorkerContainer.prototype.register; \
             return native.call(navigator.serviceWorker, '{script}').then(() => 'registered') }})()"
        );
        stage.check(&register, json!("denied"));
        assert_eq!(
            stage.browser.service_workers(&stage.attacker),
            0,
            "{place:?}"
        );
    }
}

#[test]
fn nothing_of_our_own_pages_is_in_reach() {
    for place in BOTH {
        let served = Served::new(&sites(), place);
        let ui = served.ui();
        let mut browser = OpenBrowser::start(&["--disable-site-isolation-trials"]);
        let view = browser.visit(&served.framed_url(OTHER));
        let inside = browser.frame(&view, "attacker.test");
        for (expression, expected) in [
            ("Reflect.get(window, 'parent') && 'x'", json!("x")),
            ("Reflect.get(window, 'top').document.title", json!("denied")),
            ("Reflect.get(window, 'top').location.href", json!("denied")),
            ("window.top === window", json!(false)),
            ("__varve.top === window", json!(true)),
            ("parent === window", json!(true)),
            ("frameElement", Value::Null),
        ] {
            let tried = format!(
                "(() => {{ try {{ return {expression} }} catch {{ return 'denied' }} }})()"
            );
            assert_eq!(
                browser.evaluate_in(&view, &inside, &tried),
                expected,
                "{place:?}: {expression}"
            );
        }
        // Our pages neither answer its questions nor let themselves be framed.
        let asks = format!("fetch('{ui}/').then((it) => it.text()).catch(() => 'denied')");
        let got = browser.evaluate_in(&view, &inside, &asks);
        assert!(!got.to_string().contains("Varve"), "{got}");
        // It does not lead our window elsewhere.
        let leads = "Reflect.set(Reflect.get(window, 'top'), 'location', 'about:blank#gone')";
        let tried = format!("(() => {{ try {{ return {leads} }} catch {{ return 'denied' }} }})()");
        browser.evaluate_in(&view, &inside, &tried);
        std::thread::sleep(std::time::Duration::from_millis(300));
        let here = browser.evaluate(&view, "location.href");
        assert_eq!(here, json!(format!("{ui}/web/{TIME}/{OTHER}")));
    }
}

#[test]
fn our_bar_follows_where_the_page_goes_and_believes_no_other() {
    for place in BOTH {
        let served = Served::new(
            &[
                Saved::page(
                    "https://h.test/",
                    "<title>one</title><a href=/next id=it>x</a>",
                ),
                Saved::page("https://h.test/next", "<title>two</title>"),
            ],
            place,
        );
        let mut browser = OpenBrowser::start(&["--disable-site-isolation-trials"]);
        let view = browser.visit(&served.framed_url("https://h.test/"));
        browser.wait(&view, "document.title === 'one'");
        let inside = browser.frame(&view, "h.test");
        if place == In::Host {
            let lie = format!(
                "Reflect.get(window, 'parent').postMessage({{varve: 'page', url: 'https://bank.test/', \
                 title: 'bank', time: '{TIME}'}}, '*')"
            );
            browser.evaluate_in(&view, &inside, &lie);
        }
        browser.evaluate_in(&view, &inside, "it.click()");
        browser.wait(&view, "document.title === 'two'");
        let told = "[location.pathname, document.getElementById('where').textContent]";
        let expected = json!([
            format!("/web/{TIME}/https://h.test/next"),
            "https://h.test/next"
        ]);
        assert_eq!(browser.evaluate(&view, told), expected, "{place:?}");
    }
}
