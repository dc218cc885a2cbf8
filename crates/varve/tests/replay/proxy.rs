//! Proxy mode in a real browser: pages at their own addresses, with nothing changed.

use crate::open_browser::OpenBrowser;
use crate::served::{Saved, Served};
use serde_json::json;

const PAGE: &str = "<!doctype html><title>Shop</title>\
    <link rel=stylesheet href=https://cdn.test/style.css>\
    <body><p id=words>nothing</p><img id=picture src=/picture.svg>\
    <iframe src=https://frame.test/></iframe>\
    <script src=https://cdn.test/app.js></script>";
const SCRIPT: &str = "
addEventListener('load', async () => {
  const answer = await fetch('/data.json?_=' + Date.now());
  document.querySelector('#words').textContent = (await answer.json()).word;
  const sent = await fetch('https://api.test/send', {
    method: 'POST', body: JSON.stringify({a: 1}), headers: {'Content-Type': 'application/json'},
  });
  window.sent = await sent.text();
  window.missing = (await fetch('/missing')).status;
  window.worker = await navigator.serviceWorker.register('/worker.js').then(() => 'runs', () => 'refused');
  window.done = true;
});";

fn archive() -> Served {
    let picture = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='5'/>";
    Served::with_proxy(&[&[
        Saved::page("https://shop.test/", PAGE)
            .field("Set-Cookie", "visitor=1; Path=/")
            .field("Strict-Transport-Security", "max-age=31536000")
            .titled("Shop"),
        Saved::new("https://shop.test/picture.svg", "image/svg+xml", picture),
        Saved::new(
            "https://shop.test/worker.js",
            "text/javascript",
            "// nothing",
        ),
        Saved::new(
            "https://shop.test/data.json?_=1700000000000",
            "application/json",
            "{\"word\": \"fetched\"}",
        ),
        Saved::new(
            "https://cdn.test/style.css",
            "text/css",
            "p { color: rgb(1, 2, 3) }",
        ),
        Saved::new("https://cdn.test/app.js", "text/javascript", SCRIPT),
        Saved::page("https://frame.test/", "<p>in a frame"),
        Saved::new("https://api.test/send", "text/plain", "received")
            .field("Access-Control-Allow-Origin", "https://shop.test")
            .posted("application/json", "{\"a\": 1}"),
        Saved::page(
            "http://plain.test/a",
            "<title>Plain</title><img src=/i.svg>",
        ),
        Saved::new("http://plain.test/i.svg", "image/svg+xml", picture),
    ]])
}

fn browser(served: &Served) -> OpenBrowser {
    let proxy = served.proxy();
    OpenBrowser::start(&[
        &format!("--proxy-server={}", proxy.address),
        "--proxy-bypass-list=<-loopback>",
        &format!("--ignore-certificate-errors-spki-list={}", proxy.key_pin),
    ])
}

#[test]
fn a_secure_page_is_what_it_was_with_all_that_it_asks_for() {
    let served = archive();
    let mut browser = browser(&served);
    let tab = browser.visit("https://shop.test/");
    browser.wait(&tab, "window.done === true");
    for (expression, expected) in [
        ("location.href", json!("https://shop.test/")),
        ("isSecureContext", json!(true)),
        ("document.title", json!("Shop")),
        ("words.textContent", json!("fetched")),
        ("getComputedStyle(words).color", json!("rgb(1, 2, 3)")),
        (
            "[picture.naturalWidth, picture.naturalHeight]",
            json!([7, 5]),
        ),
        ("frames.length", json!(1)),
        ("sent", json!("received")),
        ("missing", json!(404)),
        ("worker", json!("refused")),
        ("document.cookie", json!("")),
        ("typeof __varve", json!("undefined")),
        ("fetch('/').then((it) => it.text())", json!(PAGE)),
    ] {
        assert_eq!(browser.evaluate(&tab, expression), expected, "{expression}");
    }
    assert!(browser.cookies().is_empty());
}

#[test]
fn pages_in_the_open_and_what_is_not_there() {
    let served = archive();
    let mut browser = browser(&served);
    let tab = browser.visit("http://plain.test/a");
    let told = "[document.title, document.images[0].naturalWidth, location.href]";
    assert_eq!(
        browser.evaluate(&tab, told),
        json!(["Plain", 7, "http://plain.test/a"])
    );
    let tab = browser.visit("https://elsewhere.test/");
    let words = browser.evaluate(&tab, "document.body.innerText");
    assert!(
        words.as_str().unwrap().contains("Not in the archive"),
        "{words}"
    );
}
