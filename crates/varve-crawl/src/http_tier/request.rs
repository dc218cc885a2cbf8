//! What the HTTP tier asks with: as Chromium would, as far as servers care.

use super::HttpTier;
use url::Url;
use varve_fetch::Request;
use varve_page::Destination;

impl HttpTier {
    /// A request for a page, or for what a page needs.
    pub(super) fn request(
        &self,
        url: &Url,
        destination: Destination,
        referrer: Option<&Url>,
    ) -> Request {
        let mut request = Request::get(url.clone());
        let mut field = |name: &str, value: &str| {
            request
                .fields
                .push((name.as_bytes().to_vec(), value.as_bytes().to_vec()));
        };
        field("User-Agent", &self.user_agent);
        field("Accept", accept(destination));
        field("Accept-Encoding", accept_encoding(url));
        field("Accept-Language", &self.client.accept_language());
        if let Some(referrer) = referrer.and_then(|referrer| referer_value(referrer, url)) {
            field("Referer", &referrer);
        }
        request
    }
}

fn accept(destination: Destination) -> &'static str {
    match destination {
        Destination::Document => {
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
        }
        Destination::Style => "text/css,*/*;q=0.1",
        Destination::Image => "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
        _ => "*/*",
    }
}

/// What Chromium can unpack. It names the newer codings only where nobody in between can be
/// confused by them; to name others would be to ask for something else.
fn accept_encoding(url: &Url) -> &'static str {
    let is_local = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    match url.scheme() == "https" || is_local {
        true => "gzip, deflate, br, zstd",
        false => "gzip, deflate",
    }
}

/// The default policy of browsers: the whole URL within an origin, the origin beyond, nothing
/// from secure pages to insecure ones.
fn referer_value(referrer: &Url, url: &Url) -> Option<String> {
    let mut bare = referrer.clone();
    bare.set_fragment(None);
    let _ = bare.set_username("");
    let _ = bare.set_password(None);
    if referrer.origin() == url.origin() {
        return Some(bare.into());
    }
    if referrer.scheme() == "https" && url.scheme() == "http" {
        return None;
    }
    Some(format!("{}/", referrer.origin().ascii_serialization()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn referrers_tell_as_much_as_a_browser_does() {
        let check = |from: &str, to: &str, expected: Option<&str>| {
            let (from, to) = (Url::parse(from).unwrap(), Url::parse(to).unwrap());
            assert_eq!(referer_value(&from, &to).as_deref(), expected);
        };
        check(
            "https://a.example/x?y#z",
            "https://a.example/i",
            Some("https://a.example/x?y"),
        );
        check(
            "https://a.example/x",
            "https://b.example/i",
            Some("https://a.example/"),
        );
        check("https://a.example/x", "http://a.example/i", None);
        check(
            "http://u:p@a.example/x",
            "http://a.example/i",
            Some("http://a.example/x"),
        );
    }
}
