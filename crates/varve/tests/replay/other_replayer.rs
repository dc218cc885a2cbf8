//! A collection that Varve serves as a WACZ opens in ReplayWeb.page, which reads it from another
//! site and in parts.

use crate::open_browser::OpenBrowser;
use crate::served::{Saved, Served};
use crate::site::{Answer, Asked, answering};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

/// The texts of all documents in a window, those in frames and shadows included.
const TEXTS: &str = "
(() => {
  const texts = [];
  const look = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) look(element.shadowRoot);
      if (element.tagName !== 'IFRAME') continue;
      try {
        texts.push(element.contentDocument.body.innerText);
        look(element.contentDocument);
      } catch {}
    }
  };
  look(document);
  return texts.join('\\n');
})()";

fn package() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let package = root.join(".judges/replaywebpage");
    assert!(
        package.exists(),
        "{} is missing: run `make test`, which installs the judges",
        package.display()
    );
    package
}

/// ReplayWeb.page on an origin of its own.
fn replayer() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let package = package();
    answering(listener, move |asked: &Asked| {
        let path = asked.target.split('?').next().unwrap();
        let name = match path.trim_start_matches('/') {
            "" => "index.html",
            name => name,
        };
        let kind = match name.rsplit('.').next().unwrap() {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript",
            _ => "application/octet-stream",
        };
        let body = std::fs::read(package.join(name)).ok();
        Answer {
            status: if body.is_some() {
                "200 OK"
            } else {
                "404 Not Found"
            },
            kind,
            fields: Vec::new(),
            body: body.unwrap_or_default(),
        }
    });
    format!("http://{address}")
}

#[test]
fn replayweb_page_opens_what_varve_serves() {
    let html = |words: &str| {
        format!("<title>t</title><p>{words}</p><p id=x></p><script src=/words.js></script>")
    };
    let script = "fetch('/more.json').then((it) => it.json())\
                  .then((it) => { document.querySelector('#x').textContent = it.word + ' told'; });";
    let served = Served::with_proxy(&[
        &[Saved::page("https://first.test/", &html("the first layer")).titled("First")],
        &[
            Saved::page("https://second.test/", &html("the second layer")).titled("Second"),
            Saved::new("https://second.test/words.js", "text/javascript", script),
            Saved::new(
                "https://second.test/more.json",
                "application/json",
                "{\"word\": \"fetched\"}",
            ),
            // More than is read at once.
            Saved::new("https://second.test/long", "text/plain", &noise(3 << 20)),
        ],
    ]);
    let wacz = served.wacz();
    let replayer = replayer();
    let mut browser = OpenBrowser::start(&[]);
    for (url, words) in [
        ("https://first.test/", vec!["the first layer"]),
        (
            "https://second.test/",
            vec!["the second layer", "fetched told"],
        ),
    ] {
        let tab = browser.open(&format!("{replayer}/?source={wacz}#view=pages&url={url}"));
        for words in words {
            browser.wait(&tab, &format!("{TEXTS}.includes('{words}')"));
        }
    }
    let log = browser.finish().to_lowercase();
    let asked = log.matches("\"range: bytes=").count();
    let answered = log.matches("\"http/1.1 206 partial content").count();
    assert!(
        asked > 3 && answered > 3,
        "{asked} parts asked, {answered} given"
    );
}

/// Letters that do not compress well.
fn noise(length: usize) -> String {
    let mut state = 1u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(35 + (state >> 24) as u8 % 90)
    };
    std::iter::repeat_with(next).take(length).collect()
}
