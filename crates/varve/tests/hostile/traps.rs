//! Traps for a crawl that follows links: sites without end. Each is left after a while, and does
//! not keep the crawl from ending.

use crate::serving::{asked, drip, head, listen, page, send};
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What treats one connection.
type Serve = fn(TcpStream);

/// Each trap and its server.
pub(crate) const TRAPS: [(&str, Serve); 6] = [
    ("calendar", calendar),
    ("session-ids", session_ids),
    ("soft-404", soft_404),
    ("facets", facets),
    ("sitemap-bomb", sitemap_bomb),
    ("endless-robots", endless_robots),
];

/// Every month links to the next, for ever.
fn calendar(mut stream: TcpStream) {
    if let Some(path) = asked(&mut stream) {
        let month: u64 = path
            .rsplit('=')
            .next()
            .and_then(|number| number.parse().ok())
            .unwrap_or(0);
        let links = format!(
            "<a href='/calendar?month={}'>next</a><a href='/calendar?month={month}&view=week'>week</a>",
            month + 1
        );
        page(
            &mut stream,
            "text/html",
            format!("<title>Month {month}</title>{links}"),
        );
    }
}

/// Every link carries a new session.
fn session_ids(mut stream: TcpStream) {
    if asked(&mut stream).is_some() {
        let session = std::time::UNIX_EPOCH
            .elapsed()
            .unwrap_or_default()
            .as_nanos();
        let link = |name: &str| {
            format!("<a href='/{name};jsessionid={session:032x}?PHPSESSID={session:x}'>{name}</a>")
        };
        page(
            &mut stream,
            "text/html",
            format!("<title>Shop</title>{}{}", link("about"), link("contact")),
        );
    }
}

/// Whatever is asked for exists, and links to more below itself.
fn soft_404(mut stream: TcpStream) {
    if asked(&mut stream).is_some() {
        page(
            &mut stream,
            "text/html",
            "<title>Not found</title><p>There is no such page.<a href=a/>a</a><a href=b/>b</a>",
        );
    }
}

/// Filters that can be combined in any order.
fn facets(mut stream: TcpStream) {
    const FACETS: [&str; 8] = [
        "colour", "size", "brand", "price", "sort", "view", "page", "rating",
    ];
    if let Some(path) = asked(&mut stream) {
        let glue = if path.contains('?') { '&' } else { '?' };
        let links = FACETS
            .iter()
            .flat_map(|facet| (1..6).map(move |value| (facet, value)));
        let links: String = links
            .map(|(facet, value)| format!("<a href='{path}{glue}{facet}={value}'>{facet}</a>"))
            .collect();
        page(
            &mut stream,
            "text/html",
            format!("<title>All products</title>{links}"),
        );
    }
}

/// Sitemaps of sitemaps, and entities that are a billion times as long as they look.
fn sitemap_bomb(mut stream: TcpStream) {
    const ENTITIES: &str = "<!DOCTYPE x [<!ENTITY a 'lol'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>\
        <!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;'>]>";
    match asked(&mut stream).as_deref() {
        None => {}
        Some("/") => page(
            &mut stream,
            "text/html",
            "<title>Home</title><a href=/real>real</a>",
        ),
        Some("/real") => page(&mut stream, "text/html", "<title>Real</title>"),
        Some(path) => {
            let maps: String = (0..1000).map(|number| format!("<sitemap><loc>http://sitemap-bomb.hostile.test{path}/{number}</loc></sitemap>")).collect();
            page(
                &mut stream,
                "application/xml",
                format!(
                    "<?xml version='1.0'?>{ENTITIES}<sitemapindex><!--&d;-->{maps}</sitemapindex>"
                ),
            );
        }
    }
}

/// `robots.txt` comes slowly and never ends; everything else is well.
fn endless_robots(mut stream: TcpStream) {
    match head(&mut stream) {
        Some(request) if request.starts_with("GET /robots.txt ") => {
            send(
                &mut stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\n",
            );
            drip(
                &mut stream,
                "Disallow: /private\n".repeat(1000),
                Duration::from_millis(100),
            );
        }
        Some(_) => page(
            &mut stream,
            "text/html",
            "<title>Home</title><a href=/a>a</a>",
        ),
        None => {}
    }
}

/// So many requests may a trap cost.
const MOST: usize = 2_000;

#[test]
fn a_crawl_finds_its_way_out_of_traps() {
    let _busy = crate::harness::busy();
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_varve"));
    command.args(["crawl", "--scope", "host", "--tier", "http"]);
    command.args(["--delay", "0", "--retries", "0", "--page-timeout", "5"]);
    command.args(["--allow-net", "127.0.0.0/8"]);
    command.arg("-c").arg(dir.path().join("archive"));
    let mut counts = Vec::new();
    for (name, serve) in TRAPS {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = count.clone();
        let address = listen("127.0.0.1:0", move |stream| {
            counted.fetch_add(1, Ordering::Relaxed);
            serve(stream);
        });
        let host = format!("{name}.hostile.test");
        command.args(["--map-host", &format!("{host}={address}")]);
        command.arg(format!("http://{host}/"));
        counts.push((name, count));
    }
    let output = command.output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 4)), "{words}");
    for (name, count) in counts {
        let count = count.load(Ordering::Relaxed);
        assert!((2..=MOST).contains(&count), "{name}: {count} requests");
    }
}
