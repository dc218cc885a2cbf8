//! URLs in response headers: `Link` and `Refresh`.

use std::ops::Range;

use encoding_rs::UTF_8;
use url::Url;

use crate::collector::{Collector, Offer};
use crate::html;
use crate::{Reference, Role, Viewport};

/// Longest header value that is looked at.
const MAX_VALUE: usize = 256 << 10;

/// The references in the value of a `Link` header of a response from `base`, understood like
/// `<link>` elements.
pub fn link_header(value: &str, base: &Url, viewport: &Viewport) -> Vec<Reference> {
    let mut collector = Collector::new(viewport, base.clone(), UTF_8);
    if value.len() <= MAX_VALUE {
        for element in link_elements(value) {
            let source = html::Source {
                text: &element,
                at: None,
            };
            html::find(source, &mut collector);
        }
    }
    collector.references
}

/// The reference in the value of a `Refresh` header of a response from `base`.
pub fn refresh_header(value: &str, base: &Url) -> Option<Reference> {
    let viewport = Viewport::default();
    let mut collector = Collector::new(&viewport, base.clone(), UTF_8);
    collector.offer(Offer {
        url: &value[refresh_url(value)?],
        role: Role::Link,
        need: crate::Need::Needed,
        context: "Refresh",
        span: None,
    });
    collector.references.pop()
}

/// One link of a `Link` header.
pub(crate) struct Link<'v> {
    pub(crate) url: &'v str,
    /// Names in lower case, and values without quotes.
    pub(crate) parameters: Vec<(String, &'v str)>,
}

/// The links of a header.
pub(crate) fn links(value: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    let mut rest = value;
    while let Some(start) = rest.find('<') {
        let Some(end) = rest[start..].find('>').map(|end| start + end) else {
            break;
        };
        let url = rest[start + 1..end].trim();
        let (parameters, after) = parameters(&rest[end + 1..]);
        links.push(Link { url, parameters });
        rest = after;
    }
    links
}

/// Each link of a header as the `<link>` element that says the same. Only links from the page
/// itself count.
fn link_elements(value: &str) -> Vec<String> {
    let own = links(value)
        .into_iter()
        .filter(|link| link.parameters.iter().all(|(name, _)| name != "anchor"));
    own.map(|link| {
        let mut element = format!("<link href=\"{}\"", htmlize::escape_attribute(link.url));
        for (name, value) in link.parameters {
            let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
            if plain && name != "href" {
                element.push_str(&format!(" {name}=\"{}\"", htmlize::escape_attribute(value)));
            }
        }
        element.push('>');
        element
    })
    .collect()
}

/// `; name=value; name="value"` up to a comma, and what follows it.
fn parameters(text: &str) -> (Vec<(String, &str)>, &str) {
    let mut list = Vec::new();
    let mut rest = text.trim_start();
    while let Some(after) = rest.strip_prefix(';') {
        let after = after.trim_start();
        let end = after.find([';', ',', '=']).unwrap_or(after.len());
        let name = after[..end].trim().to_ascii_lowercase();
        rest = &after[end..];
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start();
            (value, rest) = match after.strip_prefix('"') {
                Some(quoted) => {
                    let end = quoted.find('"').unwrap_or(quoted.len());
                    (
                        &quoted[..end],
                        quoted[end..].strip_prefix('"').unwrap_or_default(),
                    )
                }
                None => {
                    let end = after.find([';', ',']).unwrap_or(after.len());
                    (after[..end].trim(), &after[end..])
                }
            };
        }
        list.push((name, value));
        rest = rest.trim_start();
    }
    (list, rest)
}

/// Whether a refresh is for at once.
pub(crate) fn is_immediate(value: &str) -> bool {
    let time = value.trim_ascii_start();
    let end = time.find(|c: char| !c.is_ascii_digit() && c != '.');
    let time = &time[..end.unwrap_or(time.len())];
    let whole = time.split('.').next().unwrap_or_default();
    !time.is_empty() && whole.bytes().all(|digit| digit == b'0')
}

/// Where the URL stands in `5; url=x`, in all the spellings that browsers take.
pub(crate) fn refresh_url(value: &str) -> Option<Range<usize>> {
    let is_space = |c: char| c.is_ascii_whitespace();
    let rest = value.trim_start_matches(is_space);
    let after_time = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if after_time.len() == rest.len() {
        return None;
    }
    let rest = after_time.trim_start_matches(is_space);
    let rest = rest.strip_prefix([';', ',']).or_else(|| {
        // Without a separator there must be a space.
        (rest.len() < after_time.len()).then_some(rest)
    })?;
    let mut rest = rest.trim_start_matches(is_space);
    if rest
        .get(..3)
        .is_some_and(|word| word.eq_ignore_ascii_case("url"))
    {
        let after = rest[3..].trim_start_matches(is_space);
        if let Some(after) = after.strip_prefix('=') {
            rest = after.trim_start_matches(is_space);
        }
    }
    let (rest, end) = match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inside = &rest[1..];
            (inside, inside.find(quote).unwrap_or(inside.len()))
        }
        _ => (rest, rest.trim_end_matches(is_space).len()),
    };
    let start = value.len() - rest.len();
    (end > 0).then_some(start..start + end)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use url::Url;

    use super::{is_immediate, link_header, refresh_header, refresh_url};
    use crate::{Destination, Need, Role, Viewport};

    #[test]
    fn refresh_in_all_its_spellings() {
        for (value, expected) in [
            ("0; url=/a", "/a"),
            ("5;URL='/a b'", "/a b"),
            ("0;url=\"x\" y", "x"),
            (" 3 , x", "x"),
            ("3 x", "x"),
            ("1.5;x", "x"),
            ("0;url = x ", "x"),
            ("0; urlx", "urlx"),
            ("0;url='x", "x"),
            ("5", ""),
            ("5;", ""),
            ("x", ""),
            ("; url=x", ""),
            ("5url=x", ""),
            ("", ""),
        ] {
            let found = refresh_url(value).map(|range| &value[range]);
            assert_eq!(found.unwrap_or_default(), expected, "{value}");
        }
        for (value, expected) in [
            ("0; url=x", true),
            (" 00;x", true),
            (".9 x", true),
            ("1; url=x", false),
            ("10; url=x", false),
            ("x", false),
            ("", false),
        ] {
            assert_eq!(is_immediate(value), expected, "{value}");
        }
        let base = Url::parse("https://h/d/").unwrap();
        let reference = refresh_header("0; url=x", &base).unwrap();
        assert_eq!(reference.url.as_str(), "https://h/d/x");
    }

    #[test]
    fn link_headers_are_read_like_link_elements() {
        let base = Url::parse("https://h/d/").unwrap();
        let value = "</a.css>; rel=preload; as=style, <b?x=1,2>;rel=\"next nofollow\" ,<c.js>; rel=modulepreload, \
                     <https://o>; rel=preconnect, <d>; rel=alternate; anchor=\"#x\", <e.png>; rel=preload; as=image; \
                     media=\"print\", <\"f>; rel='x";
        let found: Vec<_> = link_header(value, &base, &Viewport::default())
            .into_iter()
            .map(|r| (r.url.to_string(), r.role, r.need))
            .collect();
        let expected = [
            (
                "https://h/a.css".to_owned(),
                Role::Embed(Destination::Style),
                Need::Needed,
            ),
            ("https://h/d/b?x=1,2".to_owned(), Role::Link, Need::Needed),
            (
                "https://h/d/c.js".to_owned(),
                Role::Embed(Destination::Module),
                Need::Needed,
            ),
            (
                "https://h/d/e.png".to_owned(),
                Role::Embed(Destination::Image),
                Need::Variant,
            ),
        ];
        assert_eq!(found, expected);
    }
}
