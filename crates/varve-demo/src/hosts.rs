//! The hosts that the example web plays.

/// The botanical garden's site.
pub(crate) const GARDEN: &str = "garden.example";
/// Its style sheets, scripts, pictures and fonts.
pub(crate) const STATIC: &str = "static.garden.example";
/// Its JSON.
pub(crate) const API: &str = "api.garden.example";
/// Its films and sounds.
pub(crate) const MEDIA: &str = "media.garden.example";
/// A library that many sites use.
pub(crate) const CDN: &str = "cdn.example";
/// Somebody who counts visitors.
pub(crate) const TRACKER: &str = "tracker.example";
/// Somebody who sells space.
pub(crate) const ADS: &str = "ads.example";
/// What the garden's site was in the last century.
pub(crate) const OLD: &str = "old.garden.example";
/// The garden's shop.
pub(crate) const SHOP: &str = "shop.garden.example";

/// A generated site of many pages.
pub(crate) const HERBARIUM: &str = "herbarium.garden.example";
/// A generated site with traps for crawlers.
pub(crate) const MAZE: &str = "maze.garden.example";

/// Every host, with what it is.
pub(crate) const HOSTS: [(&str, &str); 11] = [
    (GARDEN, "the site of a botanical garden: start here"),
    (STATIC, "its style sheets, scripts, pictures and fonts"),
    (API, "its JSON, for scripts of other origins"),
    (MEDIA, "its films and sounds, in ranges"),
    (SHOP, "its shop: forms, cookies, sign-in"),
    (OLD, "its old site: redirects, frames and old charsets"),
    (HERBARIUM, "its herbarium: hundreds of generated pages"),
    (MAZE, "its maze: 500 pages, and six traps for crawlers"),
    (CDN, "a third party's script library"),
    (TRACKER, "a third party's analytics: beacons and random ids"),
    (ADS, "a third party's advertisements"),
];

/// The host of a `Host` field, SNI or authority: without port, in lower case.
pub(crate) fn normalise(authority: &str) -> String {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    host.trim_end_matches('.').to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn hosts_are_without_port_and_in_lower_case() {
        for (authority, host) in [
            ("garden.example", "garden.example"),
            ("Garden.Example:8080", "garden.example"),
            ("garden.example.", "garden.example"),
            ("garden.example:x", "garden.example:x"),
            ("", ""),
        ] {
            assert_eq!(normalise(authority), host);
        }
    }
}
