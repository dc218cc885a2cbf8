//! The small site that faults are injected into: a page for each fault, with files of its own, and
//! pages that are left unharmed.

use crate::support::server::{Asked, send, server};
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

/// A page: its name, what is in its head and its body.
type Page = (&'static str, &'static str, &'static str);

const IMAGE: &str = "<img src=own.svg width=60 height=60 alt=''>";
const STYLE: &str = "<link rel=stylesheet href=own.css>";
const SCRIPT: &str = "<p id=said></p><script src=own.js></script>";
const FRAME: &str = "<iframe src=own.html></iframe>";
const ANSWER: &str = "<p id=said></p><script>fetch('own.json').then(a => a.json())\
    .then(a => { said.textContent = a.words })</script>";
const FONT: &str = "<style>@font-face { font-family: own; src: url(own.woff2) }\
    i { font: 60px own }</style>";

/// Pages that something is done to.
pub(crate) const HARMED: &[Page] = &[
    ("image-gone", "", IMAGE),
    ("image-other", "", IMAGE),
    ("image-cut", "", IMAGE),
    ("image-damaged", "", IMAGE),
    ("script-gone", "", SCRIPT),
    ("script-other", "", SCRIPT),
    ("script-throws", "", SCRIPT),
    ("script-asks", "", SCRIPT),
    ("script-leaks", "", SCRIPT),
    ("script-leaves", "", SCRIPT),
    ("style-gone", STYLE, "<p id=shown>shown</p>"),
    ("style-other", STYLE, "<p id=shown>shown</p>"),
    ("style-hides", STYLE, "<p id=shown>shown</p>"),
    ("font-gone", FONT, "<i>ef</i>"),
    ("font-other", FONT, "<i>ef</i>"),
    ("frame-gone", "", FRAME),
    ("frame-other", "", FRAME),
    ("answer-gone", "", ANSWER),
    ("answer-other", "", ANSWER),
    ("answer-refused", "", ANSWER),
    ("text-other", "", "<p>These words change.</p>"),
    ("page-gone", "", "<p>gone</p>"),
    ("page-damaged", "", "<p>damaged</p>"),
];

/// Pages that nothing is done to, though not all is well with them or they never look the same.
pub(crate) const UNHARMED: &[Page] = &[
    ("plain", STYLE, IMAGE),
    (
        "complains",
        "",
        "<script>console.error('as ever'); nothing()</script>",
    ),
    (
        "lacks",
        "",
        "<img src=404.svg><img src=http://dead.test/x.svg><script src=404.js></script>",
    ),
    (
        "clock",
        "",
        "<p id=now></p><script>setInterval(() => { now.textContent = new Date().toISOString() }, 70)\
         </script>",
    ),
    (
        "turns",
        "<style>@keyframes turn { to { transform: rotate(1turn) } }\
         #it { animation: turn 1s linear infinite; height: 50px; width: 90px; background: teal }\
         </style>",
        "<div id=it></div>",
    ),
    (
        "draws",
        "",
        "<canvas id=it width=80 height=60></canvas><script>const pen = it.getContext('2d');\
         let at = 0; const draw = () => { at += 1; pen.fillStyle = `hsl(${at} 80% 50%)`;\
         pen.fillRect(0, 0, 80, 60); requestAnimationFrame(draw) }; draw()</script>",
    ),
    (
        "chance",
        "",
        "<p id=it></p><script>it.textContent = Math.random();\
         fetch('own.json?' + Math.random()); fetch('own.json?_=' + Date.now())</script>",
    ),
    (
        "asks",
        FONT,
        "<i>c</i><p id=said></p><script src=own.js></script><iframe src=own.html></iframe>",
    ),
];

/// Serves the site and captures all of it in Chromium.
pub(crate) fn capture(collection: &Path) {
    let pages = HARMED.iter().chain(UNHARMED);
    let names: Vec<&str> = pages.map(|(name, ..)| *name).collect();
    capture_with(&names, "browser", collection);
}

/// Serves the site and captures these pages in this tier.
pub(crate) fn capture_with(names: &[&str], tier: &str, collection: &Path) {
    let port = server(answer);
    let urls = names.iter().map(|name| page_url(name));
    let output = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["crawl", "--tier", tier, "--scope", "page", "--delay", "0"])
        .args([
            "--retries",
            "0",
            "--ignore-robots",
            "--allow-net",
            "127.0.0.0/8",
        ])
        .args(["--map-host", &format!("site.test=127.0.0.1:{port}")])
        .args(["--map-host", "dead.test=127.0.0.1:9", "-c"])
        .arg(collection)
        .args(urls)
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words}");
}

/// The address of a page.
pub(crate) fn page_url(name: &str) -> String {
    format!("http://site.test/{name}/")
}

/// Another image than all others, of the same size.
pub(crate) fn image(colour: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='60'>\
         <rect width='60' height='60' fill='{colour}'/></svg>"
    )
}

fn answer(asked: &Asked, stream: &mut TcpStream) {
    let path = asked.path.split('?').next().unwrap_or("");
    let mut parts = path.trim_matches('/').split('/');
    let (name, file) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let body = match file {
        "" => page(name),
        "own.svg" => Some(format!("<!--{name}-->{}", image("teal")).into_bytes()),
        "own.css" => Some(format!("/*{name}*/ #shown {{ color: teal; font-size: 40px }}").into()),
        "own.js" => Some(format!("said.textContent = 'said by a script: {name}'").into()),
        "own.html" => Some(format!("<p>said by a frame: {name}</p>").into()),
        "own.json" => Some(format!("{{\"words\": \"said by an answer: {name}\"}}").into()),
        "own.woff2" => Some(font()),
        _ => None,
    };
    let status = if body.is_some() {
        "200 OK"
    } else {
        "404 Not Found"
    };
    let body = body.unwrap_or_default();
    let (kind, length) = (kind(file), body.len());
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n");
    if send(stream, &format!("{head}Connection: close\r\n\r\n")) {
        // Whoever does not wait for it does not want it.
        let _ = stream.write_all(&body);
    }
}

fn page(name: &str) -> Option<Vec<u8>> {
    let mut pages = HARMED.iter().chain(UNHARMED);
    let (_, head, body) = pages.find(|(page, ..)| *page == name)?;
    let html = format!(
        "<!doctype html><meta charset=utf-8><title>{name}</title>{head}<h1>{name}</h1>{body}\
         <p>And this stays.</p>"
    );
    Some(html.into_bytes())
}

/// A font with a few signs.
fn font() -> Vec<u8> {
    let font = "../../examples/site/web/static.garden.example/fonts/orrin-icons.woff2";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(font);
    std::fs::read(path).unwrap()
}

fn kind(file: &str) -> &'static str {
    match file.rsplit('.').next().unwrap_or("") {
        "svg" => "image/svg+xml",
        "css" => "text/css",
        "js" => "text/javascript",
        "json" => "application/json",
        "woff2" => "font/woff2",
        _ => "text/html; charset=utf-8",
    }
}
