//! The lines of a robots.txt, and who they speak to.
//!
//! A group begins with one or more `User-agent` lines and goes on with rules. All groups that name
//! this crawler count together; only if there are none, those for `*` do. Lines of other kinds
//! stand between groups without ending them.

use super::pattern::Pattern;
use super::{MAX_CRAWL_DELAY, MAX_FILE, MAX_SITEMAPS, PRODUCT, Rule};
use std::time::Duration;
use url::Url;

/// What is said to somebody.
#[derive(Default)]
pub(super) struct Section {
    pub(super) rules: Vec<Rule>,
    pub(super) crawl_delay: Option<Duration>,
}

/// The section that is for us, and the sitemaps, which are for everybody.
pub(super) fn read(bytes: &[u8]) -> (Section, Vec<Url>) {
    let mut reading = Reading::default();
    for line in lines(bytes) {
        reading.line(line);
    }
    let section = match reading.named {
        true => reading.ours,
        false => reading.everybody,
    };
    (section, reading.sitemaps)
}

/// Lines that end with CR, LF or both. Of a file that is too long, the line that the limit cuts
/// does not count: half a path would mean something else.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let whole = match bytes.get(..MAX_FILE) {
        Some(start) if bytes.len() > MAX_FILE => {
            let end = start.iter().rposition(is_end);
            &start[..end.unwrap_or(0)]
        }
        _ => bytes,
    };
    whole.split(is_end)
}

#[derive(Default)]
struct Reading {
    ours: Section,
    everybody: Section,
    /// Whether any group names us.
    named: bool,
    sitemaps: Vec<Url>,
    /// Whom the open group speaks to.
    to_us: bool,
    to_everybody: bool,
    /// Whether the open group has rules: the next `User-agent` begins another.
    has_rules: bool,
}

impl Reading {
    fn line(&mut self, line: &[u8]) {
        let line = line.split(|byte| *byte == b'#').next().unwrap_or(line);
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            return;
        };
        let (key, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        let is = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
        if is("user-agent") {
            self.user_agent(value);
        } else if is("disallow") {
            self.rule(value, false);
        } else if is("allow") {
            self.rule(value, true);
        } else if is("crawl-delay") {
            self.crawl_delay(value);
        } else if is("sitemap") {
            self.sitemap(value);
        }
    }

    fn user_agent(&mut self, value: &[u8]) {
        if std::mem::take(&mut self.has_rules) {
            self.to_us = false;
            self.to_everybody = false;
        }
        let is_token = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
        let end = value.iter().position(|byte| !is_token(byte));
        let token = &value[..end.unwrap_or(value.len())];
        if value == b"*" || value.starts_with(b"* ") || value.starts_with(b"*\t") {
            self.to_everybody = true;
        } else if token.eq_ignore_ascii_case(PRODUCT.as_bytes()) {
            self.to_us = true;
            self.named = true;
        }
    }

    fn rule(&mut self, value: &[u8], allow: bool) {
        self.has_rules = true;
        if value.is_empty() {
            return;
        }
        for section in self.sections() {
            let pattern = Pattern::new(value);
            section.rules.push(Rule { pattern, allow });
        }
    }

    fn crawl_delay(&mut self, value: &[u8]) {
        let seconds = std::str::from_utf8(value)
            .ok()
            .and_then(|text| text.parse::<f64>().ok())
            .filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
        let Some(seconds) = seconds else { return };
        let delay = Duration::from_secs_f64(seconds.min(MAX_CRAWL_DELAY.as_secs_f64()));
        for section in self.sections() {
            section.crawl_delay = section.crawl_delay.max(Some(delay));
        }
    }

    fn sitemap(&mut self, value: &[u8]) {
        let url = std::str::from_utf8(value).ok().map(Url::parse);
        if let Some(Ok(url)) = url
            && super::is_web(&url)
            && self.sitemaps.len() < MAX_SITEMAPS
            && !self.sitemaps.contains(&url)
        {
            self.sitemaps.push(url);
        }
    }

    /// The sections that the open group adds to.
    fn sections(&mut self) -> impl Iterator<Item = &mut Section> {
        let ours = self.to_us.then_some(&mut self.ours);
        let everybody = self.to_everybody.then_some(&mut self.everybody);
        ours.into_iter().chain(everybody)
    }
}
