//! A web that is arithmetic: URL `n` is always the same, on one of so many hosts.

use varve_crawl::Url;
use varve_crawl::frontier::{Found, Target, UrlKey};

/// A number that looks like chance (SplitMix64).
fn scatter(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// URL `number`, as a page of the same host would link to it.
pub(crate) fn target(number: u64, hosts: u64) -> Target {
    let host = scatter(number) % hosts;
    let year = 1990 + number % 36;
    let text =
        format!("https://www.site-{host}.example/archive/{year}/section/article-{number}.html");
    let via = format!("https://www.site-{host}.example/archive/{year}/");
    Target {
        key: UrlKey::of(&text),
        url: Url::parse(&text).unwrap(),
        depth: 3,
        hops: 0,
        priority: 2,
        via: Some(Url::parse(&via).unwrap()),
        found: Found::Link,
        tries: 0,
    }
}
