//! `TrimPolicy`: when two discovered URLs count as one.
//!
//! Scripts add parameters that change with every visit, so the URLs that a browser finds and
//! those that a crawler finds are trimmed before they are compared. The five policies carry the
//! names used by Brunelle et al. in their work on two-tiered crawling. What each takes off is our
//! reading, stated at the policy: it was not checked against the paper, and the lists of names
//! are our own. Trimmed URLs are for comparing: never fetch one.

/// What is taken off a URL before it is compared.
///
/// ```
/// use varve_model::TrimPolicy;
/// let url = "http://a.com/i.gif?id=7&origin=b.com&sid=1a2b&to=http%3A%2F%2Fb.com%2F#top";
/// assert_eq!(TrimPolicy::Base.trim(url), "http://a.com/i.gif");
/// assert_eq!(TrimPolicy::Session.trim("http://a.com/?sid=1a2b"), "http://a.com/");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TrimPolicy {
    /// *No trim*: nothing; URLs must be equal byte for byte.
    #[default]
    No,
    /// *Base trim*: all parameters and the fragment.
    Base,
    /// *Origin trim*: parameters that name the page, site or referrer from which the URL was
    /// asked for. They are known by name (`origin`, `ref`, `referrer`, `domain`, `url`, ...),
    /// since a URL alone does not tell who embeds it.
    Origin,
    /// *Session trim*: parameters that hold a session, known by name (`jsessionid`,
    /// `phpsessid`, `sid`, `cfid`, ...), and the `;jsessionid=` of a path. Campaign parameters
    /// (`utm_source`) are no session and stay.
    Session,
    /// *HTTP trim*: parameters whose value is an `http` or `https` URL, escaped or not.
    Http,
}

const ORIGIN_NAMES: [&str; 14] = [
    "origin", "ref", "refer", "referer", "referrer", "domain", "host", "hostname", "site", "url",
    "page", "pageurl", "page_url", "parent",
];

const SESSION_NAMES: [&str; 11] = [
    "jsessionid",
    "phpsessid",
    "sid",
    "sessid",
    "session",
    "sessionid",
    "session_id",
    "asp.net_sessionid",
    "cfid",
    "cftoken",
    "zenid",
];

impl TrimPolicy {
    /// The URL as this policy compares it. What the policy does not name stays byte for byte.
    pub fn trim(self, url: &str) -> String {
        match self {
            TrimPolicy::No => url.to_owned(),
            TrimPolicy::Base => url.split(['?', '#']).next().unwrap_or(url).to_owned(),
            TrimPolicy::Origin => without(url, |name, _| is_among(&ORIGIN_NAMES, name)),
            TrimPolicy::Session => without(&without_path_session(url), |name, _| is_session(name)),
            TrimPolicy::Http => without(url, |_, value| is_http_url(value)),
        }
    }
}

/// The URL without the parameters that `is_dropped` says, by name and value.
fn without(url: &str, is_dropped: impl Fn(&str, &str) -> bool) -> String {
    let (url_and_query, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
    let Some((base, query)) = url_and_query.split_once('?') else {
        return url.to_owned();
    };
    let is_kept = |parameter: &&str| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        !is_dropped(name, value)
    };
    let kept: Vec<&str> = query.split('&').filter(is_kept).collect();
    match kept.is_empty() {
        true => format!("{base}{fragment}"),
        false => format!("{base}?{}{fragment}", kept.join("&")),
    }
}

/// The URL without `;jsessionid=...` in its path.
fn without_path_session(url: &str) -> String {
    const NAME: &str = ";jsessionid=";
    let path_end = url.find(['?', '#']).unwrap_or(url.len());
    let is_name = |at: &usize| {
        url.as_bytes()[*at..path_end]
            .get(..NAME.len())
            .is_some_and(|n| n.eq_ignore_ascii_case(NAME.as_bytes()))
    };
    let Some(start) = (0..path_end).find(is_name) else {
        return url.to_owned();
    };
    let value = &url[start + NAME.len()..path_end];
    let end = value.find([';', '/']).unwrap_or(value.len());
    format!("{}{}", &url[..start], &url[start + NAME.len() + end..])
}

fn is_among(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn is_session(name: &str) -> bool {
    // ASP adds eight letters of its own to the name.
    let asp = name
        .get(..12)
        .is_some_and(|start| start.eq_ignore_ascii_case("aspsessionid"));
    asp || is_among(&SESSION_NAMES, name)
}

/// Whether a value starts like a URL, with its punctuation plain or escaped once or twice.
fn is_http_url(value: &str) -> bool {
    let start: String = value
        .chars()
        .take(24)
        .collect::<String>()
        .to_ascii_lowercase();
    let plain = start
        .replace("%25", "%")
        .replace("%3a", ":")
        .replace("%2f", "/");
    plain.starts_with("http://") || plain.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(policy: TrimPolicy, table: &[(&str, &str)]) {
        for (url, expected) in table {
            assert_eq!(policy.trim(url), *expected, "{policy:?} {url}");
        }
    }

    #[test]
    fn no_and_base() {
        check(TrimPolicy::No, &[("http://a/?b#c", "http://a/?b#c")]);
        check(
            TrimPolicy::Base,
            &[
                ("http://a/b?c=1&d#e", "http://a/b"),
                ("http://a/b#e?c", "http://a/b"),
                ("http://a/b", "http://a/b"),
                ("", ""),
            ],
        );
    }

    #[test]
    fn origin() {
        check(
            TrimPolicy::Origin,
            &[
                ("http://a/?id=1&origin=b.com", "http://a/?id=1"),
                ("http://a/?Referrer=x&id=1&url=y#z", "http://a/?id=1#z"),
                ("http://a/?ref", "http://a/"),
                ("http://a/?reference=1&a=ref", "http://a/?reference=1&a=ref"),
                ("http://a/?&&b", "http://a/?&&b"),
                ("http://a/?", "http://a/?"),
            ],
        );
    }

    #[test]
    fn session() {
        check(
            TrimPolicy::Session,
            &[
                ("http://a/?PHPSESSID=1&b=2", "http://a/?b=2"),
                ("http://a/?cfid=1&cftoken=2", "http://a/"),
                ("http://a/?ASPSESSIONIDABCDEFGH=X&b", "http://a/?b"),
                ("http://a/b;jsessionid=1A2B?c=1", "http://a/b?c=1"),
                ("http://a/b;JSESSIONID=1A2B/c;d=1", "http://a/b/c;d=1"),
                (
                    "http://a/?utm_source=x&side=1",
                    "http://a/?utm_source=x&side=1",
                ),
                ("http://a/é;jsessionid=é", "http://a/é"),
            ],
        );
    }

    #[test]
    fn http() {
        check(
            TrimPolicy::Http,
            &[
                ("http://a/?u=http://b/&c=1", "http://a/?c=1"),
                ("http://a/?u=HTTPS%3A%2F%2Fb", "http://a/"),
                ("http://a/?u=http%253A%252F%252Fb", "http://a/"),
                ("http://a/?u=httpx&v=b.com", "http://a/?u=httpx&v=b.com"),
                ("http://a/?u=éé", "http://a/?u=éé"),
            ],
        );
    }

    proptest! {
        #[test]
        fn trimming_twice_is_trimming_once(url in "\\PC{0,60}|http://a/[a-z;=]{0,9}\\?((sid|ref|u|v)=(http://x|1)&){0,5}") {
            for policy in [TrimPolicy::No, TrimPolicy::Base, TrimPolicy::Origin, TrimPolicy::Http] {
                let once = policy.trim(&url);
                prop_assert_eq!(policy.trim(&once), once);
            }
            let _ = TrimPolicy::Session.trim(&url);
        }
    }
}
