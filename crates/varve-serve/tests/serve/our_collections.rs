//! The pages of collections and crawls.

use crate::archive::{Saved, add_crawl, add_layer};
use crate::asking::{Answer, In, Running};
use serde_json::{Value, json};
use tempfile::TempDir;

const JPEG: &[u8] = b"\xff\xd8\xff\xe0 a picture";

/// A crawl of three pages, of which one could not be saved.
fn crawled() -> Running {
    let dir = TempDir::new().unwrap();
    let line = |kind: &str, url: &str, reason: &str| -> Value {
        json!({"ts": "2026-01-01T00:00:00.000Z", "kind": kind, "url": url, "reason": reason})
    };
    add_crawl(
        dir.path(),
        &[
            Saved::page("https://h.test/", "x"),
            Saved::page("https://h.test/garden", "y"),
        ],
        &[
            line("page", "https://h.test/", "ok"),
            line("page", "https://h.test/garden", "ok"),
            line("page", "https://other.test/", "timeout.page"),
            line("request", "https://h.test/a.css", "ok"),
            line("request", "https://h.test/b.css", "dns.nxdomain"),
        ],
        &[
            ("urn:thumbnail:https://h.test/", JPEG),
            (
                "urn:view:https://h.test/garden",
                b"<script>alert(1)</script>",
            ),
        ],
    );
    Running::over(dir, In::Host)
}

fn name(running: &Running) -> String {
    let name = running.dir.path().file_name().unwrap();
    name.to_str().unwrap().to_owned()
}

/// The page of the collection.
fn collection(running: &Running, query: &str) -> Answer {
    running.own(&format!("/collections/{}{query}", name(running)))
}

/// The path of the only crawl.
fn crawl_path(running: &Running) -> String {
    let text = collection(running, "").text();
    let start = text.find("/crawls/").unwrap();
    let end = start + text[start..].find('"').unwrap();
    format!("/collections/{}{}", name(running), &text[start..end])
}

#[test]
fn a_collection_has_crawls_sizes_reasons_and_pages() {
    let running = crawled();
    let text = collection(&running, "").text();
    for part in [
        "2 pages saved, 1 not",
        "<th scope=\"row\">HTML<td class=\"number\">",
        "<th scope=\"row\">Pictures and logs of pages",
        "<th scope=\"row\">timeout.page<td class=\"number\">1 page<td class=\"number\">0 requests",
        "<th scope=\"row\">dns.nxdomain<td class=\"number\">0 pages<td class=\"number\">1 request",
        "A &lt;page&gt;",
        "src=\"/thumbnail/20260101000000/https://h.test/\"",
        "href=\"/web/20260101000000/https://h.test/garden\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("src=\"/thumbnail/20260101000000/https://h.test/garden"));
}

#[test]
fn pages_are_filtered_and_come_in_portions() {
    let dir = TempDir::new().unwrap();
    let page = |n: usize| Saved::page(&format!("https://h.test/{n:03}"), "x");
    let older: Vec<Saved> = (0..60).map(page).collect();
    let newer: Vec<Saved> = (60..70).map(page).collect();
    add_layer(dir.path(), &older);
    add_layer(dir.path(), &newer);
    let running = Running::over(dir, In::Host);
    let listed = |text: &str| -> Vec<usize> {
        let parts = text
            .split("<small class=\"address\">https://h.test/")
            .skip(1);
        parts.map(|part| part[..3].parse().unwrap()).collect()
    };
    let mut all = Vec::new();
    let mut query = String::new();
    loop {
        let text = collection(&running, &query).text();
        all.extend(listed(&text));
        let Some(start) = text.find("rel=\"next\" href=\"") else {
            break;
        };
        let link = &text[start + "rel=\"next\" href=\"".len()..];
        let link = link[..link.find('#').unwrap()].replace("&amp;", "&");
        query = link[link.find('?').unwrap()..].to_owned();
    }
    let expected: Vec<usize> = (60..70).chain(0..60).collect();
    assert_eq!(all, expected);
    assert_eq!(
        listed(&collection(&running, "?q=TEST/06").text()),
        (60..70).collect::<Vec<_>>()
    );
    let none = collection(&running, "?q=nowhere").text();
    assert!(none.contains("No page has this"), "{none}");
}

#[test]
fn a_crawl_has_a_log_that_can_be_filtered() {
    let running = crawled();
    let path = crawl_path(&running);
    let urls = |query: &str| -> Vec<String> {
        let text = running.own(&format!("{path}{query}")).text();
        let log = text
            .split("<table class=\"list log\">")
            .nth(1)
            .unwrap_or("")
            .to_owned();
        let rows = log.split("<a href=\"/web/*/").skip(1);
        rows.map(|row| row[..row.find('"').unwrap()].to_owned())
            .collect()
    };
    assert_eq!(urls("").len(), 5);
    assert_eq!(urls("?outcome=failed"), ["https://h.test/b.css"]);
    assert_eq!(urls("?outcome=partly"), ["https://other.test/"]);
    assert_eq!(urls("?reason=timeout"), ["https://other.test/"]);
    assert_eq!(urls("?host=h.test&q=garden"), ["https://h.test/garden"]);
    assert_eq!(urls("?reason=ok&host=other.test"), [] as [&str; 0]);
}

#[test]
fn a_long_log_comes_in_portions() {
    let dir = TempDir::new().unwrap();
    let line = |n: usize| json!({"url": format!("https://h.test/{n}"), "reason": "ok"});
    let log: Vec<Value> = (0..250).map(line).collect();
    add_crawl(
        dir.path(),
        &[Saved::page("https://h.test/", "x")],
        &log,
        &[],
    );
    let running = Running::over(dir, In::Host);
    let path = crawl_path(&running);
    let (mut query, mut lines) = (String::new(), 0);
    for portion in [100, 100, 50] {
        let text = running.own(&format!("{path}{query}")).text();
        let here = text.matches("<a href=\"/web/*/https://h.test/").count();
        assert_eq!(here, portion, "{query}");
        lines += here;
        if let Some(start) = text.find("?at=").filter(|_| lines < 250) {
            let next = text.rfind("?at=").unwrap_or(start);
            query = text[next..next + text[next..].find('#').unwrap()].to_owned();
        }
    }
    assert_eq!(lines, 250);
}

#[test]
fn only_pictures_are_pictures() {
    let running = crawled();
    let answer = running.own("/thumbnail/20260101000000/https://h.test/");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "image/jpeg");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.body, JPEG);
    for none in [
        // It is HTML.
        "/picture/20260101000000/https://h.test/garden",
        // Of another visit.
        "/thumbnail/20250101000000/https://h.test/",
        "/thumbnail/20260101000000/https://none.test/",
    ] {
        let answer = running.own(none);
        assert_eq!(answer.status, 404, "{none}");
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    }
}

#[test]
fn what_makes_no_sense_is_told() {
    let running = crawled();
    let (collection, crawl) = (
        format!("/collections/{}", name(&running)),
        crawl_path(&running),
    );
    for (target, status, says) in [
        (format!("{collection}?from=x"), 400, "<code>from</code>"),
        (format!("{collection}?newer=-1"), 400, "<code>newer</code>"),
        (format!("{crawl}?outcome=lost"), 400, "<code>outcome</code>"),
        (format!("{crawl}?at=1e9"), 400, "<code>at</code>"),
        (
            "/compare?from=x&to=2026&url=h".to_owned(),
            400,
            "<code>from</code>",
        ),
        (
            "/compare?from=2026&url=h".to_owned(),
            400,
            "<code>to</code>",
        ),
        (
            "/compare?from=2026&to=2027".to_owned(),
            400,
            "<code>url</code>",
        ),
        ("/compare/x/y".to_owned(), 400, "<code>from</code>"),
        ("/compare/2026/2027".to_owned(), 400, "<code>path</code>"),
        ("/record-view/".to_owned(), 400, "<code>path</code>"),
        (
            "/given/2026/https://h.test/".to_owned(),
            400,
            "<code>path</code>",
        ),
        ("/thumbnail/".to_owned(), 400, "<code>path</code>"),
        (
            "/beside/*/https://h.test/".to_owned(),
            400,
            "<code>path</code>",
        ),
        ("/go?url=".to_owned(), 400, "<code>url</code>"),
        ("/collections/none".to_owned(), 404, "no such page"),
        (format!("{collection}/crawls/none"), 404, "no such page"),
        (format!("{collection}/other"), 404, "no such page"),
        ("/none".to_owned(), 404, "no such page"),
    ] {
        let answer = running.own(&target);
        let text = answer.text();
        assert_eq!(answer.status, status, "{target}");
        assert!(text.contains(says), "{target}: {text}");
    }
}

#[test]
fn two_directories_of_one_name_are_two_collections() {
    let dir = TempDir::new().unwrap();
    let roots = ["a/web", "b/web"].map(|path| dir.path().join(path));
    for (root, url) in roots.iter().zip(["https://one.test/", "https://two.test/"]) {
        add_layer(root, &[Saved::page(url, "x")]);
    }
    let running = Running::over_all(dir, &roots);
    let page = |name: &str| running.own(&format!("/collections/{name}")).text();
    assert!(page("web").contains("https://one.test/"));
    assert!(page("web-2").contains("https://two.test/"));
}

#[test]
fn what_may_not_be_shown_is_in_no_list_and_no_log() {
    let dir = TempDir::new().unwrap();
    let line = |url: &str, page: &str| json!({"ts": "2026-01-01T00:00:00.000Z", "url": url, "page": page, "reason": "ok"});
    let (open, secret) = ("https://h.test/open", "https://h.test/secret");
    add_crawl(
        dir.path(),
        &[Saved::page(open, "x"), Saved::page(secret, "y")],
        &[line(open, secret), line(secret, open)],
        &[
            ("urn:thumbnail:https://h.test/secret", JPEG),
            ("urn:thumbnail:https://h.test/open", JPEG),
        ],
    );
    let rules = "test,h)/secret - {\"access\": \"exclude\"}\n";
    let running = Running::over_within(dir, rules);
    let crawl = crawl_path(&running);
    for page in [
        collection(&running, "").text(),
        collection(&running, "?q=test").text(),
        running.own(&crawl).text(),
        running.own(&format!("{crawl}?q=h.test")).text(),
    ] {
        assert!(page.contains("open") && !page.contains("secret"), "{page}");
    }
    for (target, status) in [
        ("/thumbnail/20260101000000/https://h.test/open", 200),
        ("/thumbnail/20260101000000/https://h.test/secret", 404),
        ("/record-view/20260101000000/https://h.test/secret", 404),
        (
            "/compare/20260101000000/20260101000000/https://h.test/secret",
            404,
        ),
    ] {
        assert_eq!(running.own(target).status, status, "{target}");
    }
}
