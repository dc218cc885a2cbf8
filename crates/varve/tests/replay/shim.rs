//! The shim's own tests (`varve-js/shim/tests`), in the browser that it is for.
//!
//! They look at the shim from both sides, so they must not be rewritten themselves: a server in
//! front of the archive answers for the page that they run in, and for whatever they ask of archived
//! hosts, as their README says. The shim, and what it asks of the archive, are the archive's.

use crate::open_browser::OpenBrowser;
use crate::served::{Saved, Served, TIME};
use crate::site::{Answer, Asked, answering};
use crate::stage::{BOTH, In};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use varve_js::shim::worker_shim;
use varve_js::{Form, rewrite};
use varve_serve::Layout;

const PAGE: &str = "https://www.example.org/dir/page?x=1&ws=1";
/// Where the tests are, on every host.
const TESTS: &str = "/__varve/tests/";
/// As many as there are tests for both layouts; some are for one.
const FEWEST: usize = 300;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const WORKER: &str = "postMessage({ href: location.href, ua: navigator.userAgent, now: Date.now(), \
    tz: new Date(0).getHours(), random: Math.random(), loc: self.location.origin });";
const FRAME: &str = "parent.postMessage({ frame: location.href, top: top === parent, \
    parent: parent !== window, secure: isSecureContext, sw: 'serviceWorker' in navigator }, '*'); \
    addEventListener('message', (event) => \
    event.source.postMessage({ echo: event.data, origin: event.origin }, '*'))";

/// What answers in place of the archive.
#[derive(Clone)]
struct Front {
    layout: Layout,
    ui: String,
    archive: SocketAddr,
}

impl Front {
    fn answer(&self, asked: &Asked) -> Answer {
        let path = asked.target.split('?').next().unwrap_or("");
        if let Some(name) = path.strip_prefix(TESTS) {
            return self.said(asked, SCRIPT, std::fs::read(tests().join(name)).unwrap());
        }
        match path {
            "/__varve/ws" => self.said(asked, "application/json", socket().to_string()),
            _ if path.starts_with("/__varve/") => self.passed_on(asked),
            _ if asked.method == "OPTIONS" => self.said(asked, HTML, ""),
            _ => match self.layout.parse(&asked.host, &asked.target) {
                Some(archived) => self.archived(asked, archived.url.as_str()),
                None => self.said(asked, HTML, "nothing"),
            },
        }
    }

    /// What any archived host has.
    fn archived(&self, asked: &Asked, url: &str) -> Answer {
        let path = url.split('?').next().unwrap_or("");
        let is = |end: &str| path.ends_with(end);
        if is("/worker.js") {
            let config = self.config(url);
            let code = format!("self.__varveConfig={config};{}", worker_shim());
            return self.said(
                asked,
                SCRIPT,
                code + &rewritten(WORKER, Form::ClassicWorker),
            );
        }
        if is("module.js") {
            let code = rewritten("export const url = import.meta.url", Form::Module);
            return self.said(asked, SCRIPT, code);
        }
        if is("/claims/sw.js") {
            return self.said(asked, SCRIPT, "onactivate = () => clients.claim()");
        }
        if is(".js") {
            return self.said(asked, SCRIPT, "self.loaded=(self.loaded||0)+1;");
        }
        if is(".json") {
            let mut answer = self.said(asked, "application/json", json!({"url": url}).to_string());
            let date = "Thu, 01 Jan 2026 00:00:00 GMT".to_owned();
            let told = [("ETag", "\"abc\"".to_owned()), ("Last-Modified", date)];
            let names = ["X-Archive-Orig-ETag", "X-Archive-Orig-Last-Modified"];
            let told = told
                .into_iter()
                .zip(names)
                .map(|((_, value), name)| (name, value));
            answer.fields.extend(told);
            return answer;
        }
        if is(".css") {
            return self.said(asked, "text/css", "body{}");
        }
        if is(".svg") || is(".png") {
            let image = "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>";
            return self.said(asked, "image/svg+xml", image);
        }
        match path.contains("/frame") {
            true => self.said(asked, HTML, self.frame(url)),
            false => self.said(asked, HTML, self.page(url)),
        }
    }

    fn frame(&self, url: &str) -> String {
        let (shim, code) = (self.shim(url), rewritten(FRAME, Form::Classic));
        format!("<!doctype html><head>{shim}</head><body>frame<script>{code}</script></body>")
    }

    fn page(&self, url: &str) -> String {
        let tables = tables()
            .into_iter()
            .map(|name| format!("<script src={TESTS}{name}></script>"));
        format!(
            "<!doctype html><html><head><script src={TESTS}before.js></script>{}<title>T</title></head><body><div id=box></div>\
             <script src={TESTS}runner.js></script>{}<script>varveTests.run()</script></body></html>",
            self.shim(url),
            tables.collect::<String>(),
        )
    }

    fn shim(&self, url: &str) -> String {
        let config = self
            .config(url)
            .to_string()
            .replace('&', "&amp;")
            .replace('\'', "&#39;");
        format!("<script src='/__varve/shim.js?v=1' data-varve='{config}'></script>")
    }

    fn config(&self, url: &str) -> Value {
        json!({
            "layout": self.layout.name(), "time": TIME, "own": TIME, "replay": self.layout.place(),
            "ui": self.ui, "url": url, "top": !url.contains("/frame"),
            "referrer": "https://ref.example/from", "cookies": "a=1; b=2",
            "clock": {"start": 1_767_225_600_000_u64}, "client": client(), "ws": url.contains("ws=1"),
        })
    }

    fn said(&self, asked: &Asked, kind: &'static str, body: impl AsRef<[u8]>) -> Answer {
        let mut fields = vec![
            ("Access-Control-Allow-Headers", "*".to_owned()),
            ("Access-Control-Allow-Methods", "*".to_owned()),
            ("Access-Control-Allow-Credentials", "true".to_owned()),
            (
                "Access-Control-Expose-Headers",
                "X-Archive-Orig-ETag".to_owned(),
            ),
        ];
        let origin = asked.fields.get("origin").cloned();
        fields.extend(origin.map(|origin| ("Access-Control-Allow-Origin", origin)));
        let (status, body) = ("200 OK", body.as_ref().to_vec());
        Answer {
            status,
            kind,
            fields,
            body,
        }
    }

    /// The answer of the archive.
    fn passed_on(&self, asked: &Asked) -> Answer {
        let mut archive = TcpStream::connect(self.archive).unwrap();
        let Asked {
            method,
            target,
            host,
            body,
            ..
        } = asked;
        let length = body.len();
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        archive.write_all(head.as_bytes()).unwrap();
        archive.write_all(body).unwrap();
        let mut answer = Vec::new();
        archive.read_to_end(&mut answer).unwrap();
        let end = answer
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap()
            + 4;
        let kind = match String::from_utf8_lossy(&answer[..end]).contains("javascript") {
            true => SCRIPT,
            false => "text/plain; charset=utf-8",
        };
        self.said(asked, kind, &answer[end..])
    }
}

fn rewritten(code: &str, form: Form) -> String {
    rewrite(code, form, &mut |_| None).text.into_owned()
}

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../varve-js/shim/tests")
}

/// The files with tables of tests.
fn tables() -> Vec<String> {
    let files = std::fs::read_dir(tests()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut tables: Vec<_> = names
        .filter(|name| {
            name.ends_with(".js") && !["before.js", "runner.js"].contains(&name.as_str())
        })
        .collect();
    tables.sort();
    tables
}

fn socket() -> Value {
    json!({"protocol": "chat", "messages": [{"at": 1, "text": "hello"}, {"at": 2, "base64": "AQI="}]})
}

/// The client that the tests expect.
fn client() -> Value {
    json!({
        "userAgent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Test/1.0",
        "platform": "iPhone", "vendor": "Apple Computer, Inc.", "languages": ["fr-FR", "fr"],
        "screen": {"width": 390, "height": 844, "availWidth": 390, "availHeight": 840, "colorDepth": 24},
        "window": {
            "innerWidth": 390, "innerHeight": 664, "outerWidth": 390, "outerHeight": 844,
            "screenX": 0, "screenY": 0,
        },
        "dpr": 3, "touchPoints": 5, "cores": 4, "memory": 4, "timeZone": "Asia/Tokyo",
        "colorScheme": "dark", "pointer": "coarse", "hover": false, "mobile": true,
        "hints": {
            "brands": [{"brand": "Test", "version": "9"}], "mobile": true, "platform": "TestOS",
            "model": "Pixel", "platformVersion": "14",
        },
        "connection": {"effectiveType": "3g", "downlink": 1.5, "rtt": 300, "saveData": false},
    })
}

#[track_caller]
fn check(place: In) {
    let served = Served::new(&[Saved::page("https://www.example.org/", "x")], place);
    let archive = served.replay_address();
    // On the same port, so that all addresses are those that the archive knows.
    let listener = TcpListener::bind(("127.0.0.2", archive.port())).unwrap();
    let front = Front {
        layout: served.layout().clone(),
        ui: served.ui(),
        archive,
    };
    answering(listener, move |asked| front.answer(asked));
    let rules = "--host-resolver-rules=MAP *.localhost 127.0.0.2, MAP 127.0.0.1 127.0.0.2, \
        MAP * ~NOTFOUND, EXCLUDE 127.0.0.2";
    let mut browser = OpenBrowser::start(&[rules, "--window-size=800,600"]);
    let tab = browser.open(&(served.url(PAGE) + "#frag"));
    browser.wait(&tab, "document.getElementById('varve-report') !== null");
    let report = browser.evaluate(&tab, "document.getElementById('varve-report').textContent");
    let report = report.as_str().unwrap();
    let passed = report.rsplit("layout: ").next().unwrap_or("");
    let passed = passed
        .split(' ')
        .next()
        .and_then(|count| count.parse::<usize>().ok());
    assert!(report.ends_with(" passed, 0 failed"), "{place:?}: {report}");
    assert!(passed >= Some(FEWEST), "{place:?}: {report}");
}

#[test]
fn its_own_tests_pass() {
    for place in BOTH {
        check(place);
    }
}
