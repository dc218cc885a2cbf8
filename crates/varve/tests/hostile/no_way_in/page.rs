//! The pages that try to get in, each in its own way: the *vectors*. What only a crawl that follows
//! links would see (links, and the sitemaps that `robots.txt` names) begins at [`LINKS`].

use super::HOSTS;
use crate::serving::{asked, listen, page, send};
use std::net::TcpStream;

/// How the pages are crawled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tier {
    Http,
    Browser,
}

impl Tier {
    pub(super) fn name(self) -> &'static str {
        match self {
            Tier::Http => "http",
            Tier::Browser => "browser",
        }
    }
}

/// What both tiers follow: a URL to crawl, where it redirects to, and what a page is made of.
const STATIC: [&str; 7] = [
    "seed",
    "redirect",
    "image",
    "style",
    "background",
    "script",
    "frame",
];
/// What only a browser does. A page may ask to be left by `meta refresh`, in a frame as well.
const DYNAMIC: [&str; 5] = ["fetch", "beacon", "socket", "refresh", "frame-redirect"];

/// A page that links to all hosts. Beside it, `robots.txt` names a sitemap on each.
pub(super) const LINKS: &str = "http://attack.test/links";

/// WebSockets on one page: after a few that fail, Chromium takes its time.
const SOCKETS: usize = 4;

/// The ways in that exist in a tier.
pub(super) fn vectors(tier: Tier) -> impl Iterator<Item = &'static str> {
    let dynamic: &[&str] = match tier {
        Tier::Http => &[],
        Tier::Browser => &DYNAMIC,
    };
    STATIC.iter().chain(dynamic).copied()
}

/// Pages that are allowed, and hold everything but the seeds and their redirects.
pub(super) fn pages() -> Vec<String> {
    let names = ["static", "dynamic", "frames"].map(str::to_owned);
    let sockets = (0..HOSTS.len())
        .step_by(SOCKETS)
        .map(|from| format!("sockets/{from}"));
    let names = names.into_iter().chain(sockets);
    names
        .map(|name| format!("http://attack.test/{name}"))
        .collect()
}

/// What is crawled.
pub(super) fn seeds() -> Vec<String> {
    let mut seeds = pages();
    for (number, host) in HOSTS.iter().enumerate() {
        seeds.push(format!("http://{host}/seed/{number}"));
        seeds.push(format!("http://attack.test/redirect/{number}"));
    }
    seeds
}

/// Serves the pages.
pub(super) fn start(address: &str) {
    listen(&format!("{address}:80"), serve);
}

fn serve(mut stream: TcpStream) {
    let Some(path) = asked(&mut stream) else {
        return;
    };
    let mut parts = path.trim_start_matches('/').split('/');
    let vector = parts.next().unwrap_or_default();
    let number = parts.next().and_then(|number| number.parse().ok());
    let number = number.filter(|number| *number < HOSTS.len()).unwrap_or(0);
    let target = url("http", vector, number);
    let text = match vector {
        "redirect" | "frame-redirect" => {
            let head = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close";
            send(&mut stream, format!("{head}\r\nLocation: {target}\r\n\r\n"));
            return;
        }
        "robots.txt" => {
            let sitemaps = for_all(|number| format!("Sitemap: {}\n", url("http", "map", number)));
            return page(&mut stream, "text/plain", sitemaps);
        }
        "refresh" => format!("<meta http-equiv=refresh content='0; url={target}'>"),
        "static" => static_page(),
        "dynamic" => dynamic_page(),
        "sockets" => sockets(number),
        "links" => for_all(|number| format!("<a href='{}'>x</a>", url("http", "link", number))),
        _ => frames(),
    };
    page(&mut stream, "text/html", text);
}

fn url(scheme: &str, vector: &str, number: usize) -> String {
    format!("{scheme}://{}/{vector}/{number}", HOSTS[number])
}

/// Something for every host.
fn for_all(make: impl Fn(usize) -> String) -> String {
    (0..HOSTS.len()).map(make).collect()
}

fn static_page() -> String {
    let parts = for_all(|number| {
        let url = |vector| url("http", vector, number);
        format!(
            "<img src='{}'><link rel=stylesheet href='{}'><p style='background: url({})'>x</p>\
             <script src='{}'></script><iframe src='{}'></iframe>\n",
            url("image"),
            url("style"),
            url("background"),
            url("script"),
            url("frame")
        )
    });
    format!("<!doctype html><title>static</title>{parts}")
}

fn dynamic_page() -> String {
    let calls = for_all(|number| {
        let (fetch, beacon) = (url("http", "fetch", number), url("http", "beacon", number));
        format!(
            "fetch('{fetch}', {{mode: 'no-cors'}}).catch(() => 0);\
             navigator.sendBeacon('{beacon}', 'x');\n"
        )
    });
    format!("<!doctype html><title>dynamic</title><script>{calls}</script>")
}

fn sockets(from: usize) -> String {
    let some = from..HOSTS.len().min(from + SOCKETS);
    let sockets = some.map(|number| format!("new WebSocket('{}');\n", url("ws", "socket", number)));
    let sockets: String = sockets.collect();
    format!("<!doctype html><title>sockets</title><script>{sockets}</script>")
}

fn frames() -> String {
    let frames = for_all(|number| {
        format!(
            "<iframe src=/refresh/{number}></iframe><iframe src=/frame-redirect/{number}></iframe>"
        )
    });
    format!("<!doctype html><title>frames</title>{frames}")
}
