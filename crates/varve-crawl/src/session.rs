//! A session of the user's own: cookies and fields that open what is closed to strangers.
//!
//! They are secrets. What is written down of a request has them taken out and says so; they never
//! stand in an index, a log, a metric or an export.

use cookie_store::CookieStore;
use std::sync::Arc;
use url::Url;
use varve_browser::{Cookie, LocalStorage, Profile, ProfileError};

/// What stands in the place of a secret.
pub(crate) const REDACTED: &[u8] = b"[redacted]";
/// Fields that are secrets whenever there is a session.
const ALWAYS: [&str; 4] = [
    "cookie",
    "set-cookie",
    "authorization",
    "proxy-authorization",
];
/// What other tools put before the domain of a cookie that scripts cannot see.
const HTTP_ONLY: &str = "#HttpOnly_";

/// Cookies and fields that the user gave.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// Cookies that every page finds.
    pub cookies: Arc<[Cookie]>,
    /// Local storage that every page finds in Chromium.
    pub storage: LocalStorage,
    /// Fields that are said to the crawl's own hosts.
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
}

/// A line of a cookies file that cannot be understood.
#[derive(Debug, thiserror::Error)]
#[error(
    "line {line}: expected seven fields between tabs (domain, subdomains, path, secure, expires, name, value)"
)]
pub struct CookieLineError {
    /// Which line, from 1.
    pub line: usize,
}

impl Session {
    /// Whether there are no secrets to keep.
    pub fn is_empty(&self) -> bool {
        self.cookies.is_empty() && self.storage.is_empty() && self.fields.is_empty()
    }

    /// Adds what a profile holds; cookies that are there already count more. Gives what pages will
    /// not get of it, in words.
    pub async fn add_profile(
        &mut self,
        profile: &Profile,
        seeds: &[Url],
    ) -> Result<Vec<String>, ProfileError> {
        let held = profile.read(seeds).await?;
        // Of cookies with the same name, host and path the last one counts.
        let cookies = held.cookies.iter().chain(self.cookies.iter());
        self.cookies = cookies.cloned().collect();
        self.storage = held.storage;
        Ok(held.left_out)
    }

    /// Whether a visit shows that the user is not logged in any more: it was refused, or it led to
    /// where one logs in.
    pub(crate) fn is_lost(&self, asked: &Url, arrived: &Url, status: Option<u16>) -> bool {
        let led_away = asked.path() != arrived.path() && is_login(arrived) && !is_login(asked);
        !self.is_empty() && (status == Some(401) || led_away)
    }

    /// The cookies of a page that is fetched without a browser.
    pub(crate) fn jar(&self) -> CookieStore {
        let mut jar = CookieStore::default();
        for cookie in self.cookies.iter() {
            let (set, url) = as_set_by_a_server(cookie);
            if let Ok(url) = Url::parse(&url) {
                let _ = jar.parse(&set, &url);
            }
        }
        jar
    }

    /// A head without secrets, and the names of what was taken out.
    pub(crate) fn redact(&self, head: &[u8]) -> Option<(Vec<u8>, Vec<String>)> {
        if self.is_empty() {
            return None;
        }
        let mut names = Vec::new();
        let mut redacted = Vec::with_capacity(head.len());
        let mut inside = false;
        for line in head.split_inclusive(|byte| *byte == b'\n') {
            let folded = inside
                && line
                    .first()
                    .is_some_and(|byte| matches!(byte, b' ' | b'\t'));
            if folded {
                continue;
            }
            inside = self.is_secret(line);
            match inside {
                true => names.push(hide(line, &mut redacted)),
                false => redacted.extend_from_slice(line),
            }
        }
        (!names.is_empty()).then_some((redacted, names))
    }

    fn is_secret(&self, line: &[u8]) -> bool {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            return false;
        };
        let name = line[..colon].trim_ascii();
        let own = self.fields.iter().map(|(own, _)| own.as_slice());
        let mut secrets = ALWAYS.iter().map(|name| name.as_bytes()).chain(own);
        secrets.any(|secret| name.eq_ignore_ascii_case(secret))
    }
}

/// Whether a URL is, by its name, where one logs in.
fn is_login(url: &Url) -> bool {
    const NAMES: [&str; 10] = [
        "login", "log-in", "log_in", "logon", "signin", "sign-in", "sign_in", "sso", "auth", "cas",
    ];
    let path = url.path().to_ascii_lowercase();
    let words = path.split(['/', '.']);
    words.into_iter().any(|word| NAMES.contains(&word))
}

/// Writes a field without its value; gives its name.
fn hide(line: &[u8], to: &mut Vec<u8>) -> String {
    let colon = line.iter().position(|byte| *byte == b':').unwrap_or(0);
    to.extend_from_slice(&line[..=colon]);
    to.push(b' ');
    to.extend_from_slice(REDACTED);
    let end = if line.ends_with(b"\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    to.extend_from_slice(end.as_bytes());
    String::from_utf8_lossy(&line[..colon]).trim().to_owned()
}

fn as_set_by_a_server(cookie: &Cookie) -> (String, String) {
    let host = cookie.domain.trim_start_matches('.');
    let scheme = if cookie.secure { "https" } else { "http" };
    let mut set = format!("{}={}; Path={}", cookie.name, cookie.value, cookie.path);
    if cookie.domain.starts_with('.') {
        set.push_str(&format!("; Domain={host}"));
    }
    if cookie.secure {
        set.push_str("; Secure");
    }
    (set, format!("{scheme}://{host}{}", cookie.path))
}

/// Reads a cookies file in the form that browsers' extensions, curl and wget write.
pub fn read_cookies(text: &str) -> Result<Vec<Cookie>, CookieLineError> {
    let mut cookies = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let (line, http_only) = match line.strip_prefix(HTTP_ONLY) {
            Some(line) => (line, true),
            None => (line, false),
        };
        if line.trim().is_empty() || (line.starts_with('#') && !http_only) {
            continue;
        }
        let cookie = read_cookie(line, http_only);
        cookies.push(cookie.ok_or(CookieLineError { line: number + 1 })?);
    }
    Ok(cookies)
}

fn read_cookie(line: &str, http_only: bool) -> Option<Cookie> {
    let fields: Vec<&str> = line.trim_end_matches('\r').split('\t').collect();
    let [domain, subdomains, path, secure, expires, name, value] = fields[..] else {
        return None;
    };
    let yes = |word: &str| word.eq_ignore_ascii_case("TRUE");
    let host = domain.trim_start_matches('.');
    let expires: f64 = expires.trim().parse().ok()?;
    Some(Cookie {
        name: name.to_owned(),
        value: value.to_owned(),
        domain: match yes(subdomains) {
            true => format!(".{host}"),
            false => host.to_owned(),
        },
        path: path.to_owned(),
        secure: yes(secure),
        http_only,
        same_site: None,
        expires: Some(expires).filter(|at| *at > 0.0),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const FILE: &str = "# Netscape HTTP Cookie File\n\n\
        .own.example\tTRUE\t/\tTRUE\t1999999999\tsid\ts3cr3t\n\
        #HttpOnly_own.example\tFALSE\t/a\tFALSE\t0\ttoken\tt=x\n";

    fn session() -> Session {
        Session {
            cookies: read_cookies(FILE).unwrap().into(),
            storage: LocalStorage::default(),
            fields: vec![(b"X-Key".to_vec(), b"k".to_vec())],
        }
    }

    #[test]
    fn cookies_are_read_as_other_tools_write_them() {
        let cookies = read_cookies(FILE).unwrap();
        assert_eq!(cookies[0].domain, ".own.example");
        assert!(cookies[0].secure && !cookies[0].http_only);
        assert_eq!(cookies[0].expires, Some(1_999_999_999.0));
        assert_eq!((&cookies[1].value[..], cookies[1].http_only), ("t=x", true));
        assert_eq!(cookies[1].expires, None);
        let error = read_cookies("\nsid=s3cr3t\n").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(!error.to_string().contains("s3cr3t"));
    }

    #[test]
    fn requests_without_a_browser_carry_them_too() {
        let jar = session().jar();
        let check = |url: &str, expected: &[&str]| {
            let url = Url::parse(url).unwrap();
            let mut names: Vec<_> = jar.get_request_values(&url).map(|(name, _)| name).collect();
            names.sort_unstable();
            assert_eq!(names, expected, "{url}");
        };
        check("https://own.example/", &["sid"]);
        check("https://www.own.example/a", &["sid"]);
        check("http://own.example/a/b", &["token"]);
        check("http://www.own.example/a", &[]);
        check("https://other.example/", &[]);
    }

    #[test]
    fn a_lost_login_is_noticed() {
        let check = |asked: &str, arrived: &str, status: u16, expected: bool| {
            let [asked, arrived] = [asked, arrived].map(|url| Url::parse(url).unwrap());
            let lost = session().is_lost(&asked, &arrived, Some(status));
            assert_eq!(lost, expected, "{asked} to {arrived}");
            assert!(!Session::default().is_lost(&asked, &arrived, Some(status)));
        };
        check(
            "https://a.example/x",
            "https://a.example/login?next=/x",
            200,
            true,
        );
        check(
            "https://a.example/x",
            "https://id.example/SSO/start",
            200,
            true,
        );
        check("https://a.example/x", "https://a.example/x", 401, true);
        check("https://a.example/x", "https://a.example/y", 200, false);
        check(
            "https://a.example/login",
            "https://a.example/login.php",
            200,
            false,
        );
        check(
            "https://a.example/x",
            "https://a.example/blog/author",
            200,
            false,
        );
    }

    #[test]
    fn what_is_written_down_has_no_secrets() {
        let head = b"GET / HTTP/1.1\r\nHost: own.example\r\nCOOKIE: sid=s3cr3t;\r\n\tmore=s3cr3t\r\nx-key: k\r\nAccept: */*\r\n\r\n";
        let (redacted, names) = session().redact(head).unwrap();
        let expected = b"GET / HTTP/1.1\r\nHost: own.example\r\nCOOKIE: [redacted]\r\nx-key: [redacted]\r\nAccept: */*\r\n\r\n";
        assert_eq!(redacted, expected);
        assert_eq!(names, ["COOKIE", "x-key"]);
        assert_eq!(Session::default().redact(head), None);
        assert_eq!(session().redact(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"), None);
    }
}
