//! Every page can be reached, and every link leads somewhere.

use crate::client::{get, start};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::{BTreeMap, BTreeSet};
use url::Url;
use varve_demo::DemoWeb;

/// Where links lead nowhere on purpose.
const LEADS_NOWHERE: [&str; 3] = [
    "garden.example/downloads/lost.pdf",
    "shop.garden.example/staff/",
    "garden.example/everything/ping",
];

/// Follows every link from the home page over plain HTTP. Returns the status of each.
async fn crawl(web: &DemoWeb) -> BTreeMap<String, u16> {
    let mut seen = BTreeMap::new();
    let mut waiting = BTreeSet::from(["garden.example/".to_owned()]);
    while let Some(url) = waiting.pop_first() {
        let (host, path) = url.split_at(url.find('/').unwrap());
        let response = get(web, host, path).await;
        seen.insert(url.clone(), response.status());
        let mut links = Vec::new();
        links.extend(response.field("location"));
        let kind = response.field("content-type").unwrap_or_default();
        if kind.starts_with("text/html") {
            links.extend(attributes(&response.text()));
        }
        if kind.starts_with("text/css") {
            links.extend(between(&response.text(), "url(\"", '"'));
        }
        for link in links.iter().filter_map(|link| resolve(&url, link)) {
            if !seen.contains_key(&link) && !link.ends_with("/redirects/loop") {
                waiting.insert(link);
            }
        }
    }
    seen
}

/// The values of attributes that hold URLs.
fn attributes(html: &str) -> Vec<String> {
    let names = [
        " href=\"",
        " src=\"",
        " HREF=\"",
        " SRC=\"",
        " action=\"",
        " data-src=\"",
        " data-large=\"",
        " poster=\"",
        " data=\"",
        " ping=\"",
        "url(\"",
    ];
    let mut values: Vec<String> = names
        .iter()
        .flat_map(|name| between(html, name, '"'))
        .collect();
    for srcset in between(html, " srcset=\"", '"') {
        values.extend(
            srcset
                .split(',')
                .filter_map(|one| one.split_whitespace().next().map(str::to_owned)),
        );
    }
    values
}

fn between(text: &str, start: &str, end: char) -> Vec<String> {
    let parts = text.split(start).skip(1);
    parts
        .filter_map(|part| {
            part.split(end)
                .next()
                .map(|value| value.replace("&amp;", "&"))
        })
        .collect()
}

/// A link as host and path, if it leads into the example web by GET.
fn resolve(base: &str, link: &str) -> Option<String> {
    // Templates and sums of scripts are no links yet.
    if link.contains("${") || link.contains('+') {
        return None;
    }
    let url = Url::parse(&format!("http://{base}"))
        .ok()?
        .join(link)
        .ok()?;
    let host = url.host_str()?;
    let known = DemoWeb::hosts().iter().any(|(name, _)| *name == host);
    let query = url.query().map(|query| format!("?{query}"));
    known.then(|| format!("{host}{}{}", url.path(), query.unwrap_or_default()))
}

#[tokio::test]
async fn every_link_leads_somewhere() {
    let web = start().await;
    let seen = crawl(&web).await;
    assert!(seen.len() > 180, "only {} links", seen.len());
    for (url, status) in &seen {
        let meant = LEADS_NOWHERE.contains(&url.as_str());
        assert!(*status < 400 || meant, "{url} answers {status}");
    }
    let apart = ["api", "herbarium", "maze"];
    let hosts = DemoWeb::hosts().iter().map(|(host, _)| host);
    for host in hosts.filter(|host| !apart.iter().any(|name| host.starts_with(name))) {
        assert!(
            seen.keys().any(|url| url.starts_with(host)),
            "{host} is not linked"
        );
    }
}

#[tokio::test]
async fn the_sitemap_lists_pages_that_are_there() {
    let web = start().await;
    let sitemap = get(&web, "garden.example", "/sitemap.xml").await.text();
    let urls = between(&sitemap, "<loc>", '<');
    assert!(urls.len() > 30);
    for url in urls {
        let path = url.strip_prefix("https://garden.example").unwrap();
        assert_eq!(
            get(&web, "garden.example", path).await.status(),
            200,
            "{path}"
        );
    }
}

#[tokio::test]
async fn third_party_scripts_have_the_integrity_that_pages_ask_for() {
    let web = start().await;
    let script = get(&web, "cdn.example", "/petal/1.4.2/petal.min.js").await;
    let page = get(&web, "garden.example", "/everything/").await.text();
    let integrity = between(&page, "integrity=\"sha384-", '"').remove(0);
    assert_eq!(STANDARD.encode(sha384(&script.body)), integrity);
}

/// SHA-384 by the TLS library, which is here anyway.
fn sha384(bytes: &[u8]) -> Vec<u8> {
    let suite = rustls::crypto::ring::cipher_suite::TLS13_AES_256_GCM_SHA384;
    let suite = suite.tls13().unwrap();
    suite.common.hash_provider.hash(bytes).as_ref().to_vec()
}
