//! The template of a URL: what stays when numbers, identifiers and dates go.
//!
//! Pages that one program makes from one pattern share a template: the host, the path with what
//! counts replaced by `#` (and month names by `@`), and the names of the parameters. A section is
//! wider: everything below the same first segment of a host. A site is a host and its port.

use crate::rules::canonical::{escape_at, without_final_dot};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use url::Url;

/// Names of parameters that make a template; more are taken as the same.
const MAX_NAMES: usize = 30;

/// From this length on, hexadecimal with a digit in it is an identifier.
const HEX_ID: usize = 8;

/// From this length on, letters mixed with digits are an identifier.
const MIXED_ID: usize = 16;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Words that calendars have in their URLs.
const CALENDAR: [&str; 9] = [
    "calendar", "cal", "agenda", "date", "year", "month", "week", "day", "events",
];

/// The spaces that a URL belongs to, from the narrowest to the widest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spaces {
    pub(super) template: String,
    pub(super) section: String,
    pub(super) site: String,
}

impl Spaces {
    pub(super) fn of(url: &Url) -> Spaces {
        let site = site(url);
        let path = url.path();
        let mut template = site.clone();
        write_general(path, &mut template);
        let first = path.get(1..).and_then(|path| path.split('/').next());
        let mut section = format!("{site}/");
        write_general(first.unwrap_or_default(), &mut section);
        let names = names(url);
        if !names.is_empty() {
            template.push('?');
            template.push_str(&names.into_iter().collect::<Vec<_>>().join("&"));
        }
        Spaces {
            template,
            section,
            site,
        }
    }

    /// The spaces' hashes, from the narrowest to the widest.
    pub(super) fn keys(&self) -> [u64; 3] {
        [
            hash(&("template", &self.template)),
            hash(&("section", &self.section)),
            hash(&("site", &self.site)),
        ]
    }
}

/// Host and port. http and https are one site.
pub(super) fn site(url: &Url) -> String {
    let host = without_final_dot(url.host_str().unwrap_or_default());
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Whether a URL speaks of dates.
pub(super) fn is_calendar(url: &Url) -> bool {
    let words = url
        .path()
        .split(['/', '-', '_', '.'])
        .chain(parameters(url).map(|(name, _)| name));
    words.into_iter().any(|word| {
        CALENDAR
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
    })
}

/// The parameters of a query as they are written.
pub(super) fn parameters(url: &Url) -> impl Iterator<Item = (&str, &str)> {
    let query = url.query().unwrap_or_default();
    query
        .split('&')
        .filter(|parameter| !parameter.is_empty())
        .map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")))
}

/// The same everywhere and always: `DefaultHasher` begins with fixed keys.
pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn names(url: &Url) -> BTreeSet<String> {
    let general = |(name, _): (&str, &str)| {
        let mut general = String::new();
        write_general(name, &mut general);
        general
    };
    parameters(url).take(MAX_NAMES).map(general).collect()
}

/// Writes text with what counts replaced.
fn write_general(text: &str, to: &mut String) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if escape_at(rest).is_some() {
            to.push('%');
            rest = &rest[3..];
            continue;
        }
        let is_other = |c: char| !c.is_ascii_alphanumeric();
        let (run, after) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
        if run.is_empty() {
            to.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            write_run(run, to);
            rest = after;
        }
    }
}

/// Writes a run of ASCII letters and digits.
fn write_run(run: &str, to: &mut String) {
    let digits = run.bytes().filter(u8::is_ascii_digit).count();
    let is_hex = run.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_id = (is_hex && run.len() >= HEX_ID) || run.len() >= MIXED_ID;
    if digits == 0 {
        let lower = run.to_ascii_lowercase();
        let is_month =
            |month: &&str| lower == **month || (lower.len() == 3 && month.starts_with(&lower));
        match MONTHS.iter().any(is_month) {
            true => to.push('@'),
            false => to.push_str(run),
        }
    } else if is_id {
        to.push('#');
    } else {
        let mut counting = false;
        for character in run.chars() {
            match character.is_ascii_digit() {
                true if counting => {}
                true => to.push('#'),
                false => to.push(character),
            }
            counting = character.is_ascii_digit();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_counts_is_replaced() {
        for (url, expected) in [
            ("http://a.com/", "a.com/"),
            ("https://a.com:8080/x", "a.com:8080/x"),
            ("http://a.com/page/12/", "a.com/page/#/"),
            ("http://a.com/2024-03-17", "a.com/#-#-#"),
            ("http://a.com/2024/March/17.html", "a.com/#/@/#.html"),
            ("http://a.com/mar/maria", "a.com/@/maria"),
            ("http://a.com/p7b2", "a.com/p#b#"),
            ("http://a.com/deadbeef01", "a.com/#"),
            ("http://a.com/facade", "a.com/facade"),
            ("http://a.com/u/a1B2c3D4e5F6g7H8", "a.com/u/#"),
            ("http://a.com/%E3%83%84", "a.com/%%%"),
            ("http://a.com/?b=1&a=2&b=3", "a.com/?a&b"),
            ("http://a.com/?f1=x&f2=y", "a.com/?f#"),
            ("http://a.com/?", "a.com/"),
        ] {
            assert_eq!(
                Spaces::of(&Url::parse(url).unwrap()).template,
                expected,
                "{url}"
            );
        }
    }

    #[test]
    fn sections_are_first_segments() {
        for (url, expected) in [
            ("http://a.com/", "a.com/"),
            ("http://a.com/x", "a.com/x"),
            ("http://a.com/x/y?z", "a.com/x"),
            ("http://a.com/2024/y", "a.com/#"),
        ] {
            assert_eq!(
                Spaces::of(&Url::parse(url).unwrap()).section,
                expected,
                "{url}"
            );
        }
    }

    #[test]
    fn calendars_are_known_by_their_words() {
        for (url, expected) in [
            ("http://a.com/calendar/2024/", true),
            ("http://a.com/x?Month=3", true),
            ("http://a.com/list-day.php", true),
            ("http://a.com/daylight/", false),
        ] {
            assert_eq!(is_calendar(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }

    proptest! {
        #[test]
        fn numbers_make_no_difference(a in 0u32.., b in 0u32.., word in "[a-zé%]{0,8}") {
            let of = |n: u32| Url::parse(&format!("http://a.com/{word}/{n}?x{n}={n}")).ok();
            let (a, b) = (of(a), of(b));
            prop_assert_eq!(a.map(|url| Spaces::of(&url)), b.map(|url| Spaces::of(&url)));
        }
    }
}
