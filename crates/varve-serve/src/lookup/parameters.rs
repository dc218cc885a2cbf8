//! Parameters of URLs: which differences matter, and which come with every visit.

use super::WishRole;
use super::distance::edits;
use serde_json::Value;
use std::collections::BTreeMap;

/// Parameters that are looked at.
const MAX_PARAMETERS: usize = 200;
/// Shorter values are not taken for random tokens.
const MIN_TOKEN: usize = 16;
/// Digits of the milliseconds since 1970, in this century.
const MOMENT: usize = 13;
/// Moments of one visit and of its replay are not further apart.
const NEAR_MILLIS: u64 = 3_600_000;

/// Names whose values change with every visit and mean nothing to the answer.
const PASSING: [&str; 27] = [
    "_",
    "_dc",
    "_t",
    "_ts",
    "cachebust",
    "cachebuster",
    "callback",
    "cb",
    "correlator",
    "dt",
    "jsoncallback",
    "jsonp",
    "nocache",
    "nonce",
    "ord",
    "r",
    "rand",
    "random",
    "rnd",
    "sessionid",
    "sid",
    "t",
    "time",
    "timestamp",
    "ts",
    "uid",
    "z",
];
/// Names, without what separates their words, of who asks and for the how manieth time. Where their
/// values are long, they are made anew with every visit.
const ASKING: [&str; 9] = [
    "anonymousid",
    "clientid",
    "correlationid",
    "deviceid",
    "requestid",
    "sessionid",
    "traceid",
    "userid",
    "visitorid",
];
/// Names whose values say which thing is meant.
const MEANING: [&str; 16] = [
    "cursor", "from", "id", "ids", "lang", "limit", "locale", "name", "offset", "p", "page", "q",
    "query", "search", "start", "v",
];
/// Names that say how large or in which form an image is wanted.
const SIZES: [&str; 16] = [
    "auto", "crop", "dpr", "f", "fit", "fm", "format", "h", "height", "q", "quality", "resize",
    "size", "sz", "w", "width",
];

/// How much two queries differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Judgement {
    /// Not at all, but for their order.
    Same,
    /// In what changes with every visit.
    Passing,
    /// In long values without a recognisable meaning.
    Tokens,
    /// One has parameters more that may mean something.
    Added,
    /// In something that matters.
    Significant,
}

/// The parameters of a query, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameters(BTreeMap<String, Vec<String>>);

impl Parameters {
    pub(super) fn of(query: &str) -> Parameters {
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        for (name, value) in pairs.take(MAX_PARAMETERS) {
            by_name
                .entry(name.to_ascii_lowercase())
                .or_default()
                .push(value.into_owned());
        }
        Parameters(by_name)
    }

    /// The same without some.
    pub(super) fn without(&self, names: &[&str]) -> Parameters {
        let mut kept = self.0.clone();
        kept.retain(|name, _| !names.contains(&name.as_str()));
        Parameters(kept)
    }

    /// How much these differ from others.
    pub(super) fn judge(&self, other: &Parameters, role: WishRole) -> Judgement {
        let names = self.0.keys().chain(other.0.keys());
        let worst = names.map(|name| {
            let (a, b) = (self.0.get(name), other.0.get(name));
            match a == b {
                true => Judgement::Same,
                false => judge(name, a, b, role),
            }
        });
        worst.max().unwrap_or(Judgement::Same)
    }
}

fn judge(
    name: &str,
    a: Option<&Vec<String>>,
    b: Option<&Vec<String>>,
    role: WishRole,
) -> Judgement {
    let all = |test: fn(&str) -> bool| {
        let values = a.into_iter().chain(b).flatten();
        values.into_iter().all(|value| test(value))
    };
    let is_passing = PASSING.contains(&name) || name.starts_with("utm_") || name.contains("cache");
    let is_size = role == WishRole::Image && SIZES.contains(&name);
    let joined = name.replace(['_', '-'], "");
    let is_of_asking = ASKING.contains(&joined.as_str()) && all(is_token);
    if is_passing || is_size || is_of_asking || all(is_moment_or_chance) {
        return Judgement::Passing;
    }
    if made_of_the_moment(a, b) {
        return Judgement::Passing;
    }
    if let (Some(a), Some(b)) = (structures(a), structures(b)) {
        return judge_structures(name, &a, &b, role);
    }
    if name.ends_with("id") && all(is_token) && nearly_same(a, b) {
        return Judgement::Tokens;
    }
    if MEANING.contains(&name) || name.ends_with("id") || all(is_number) {
        return Judgement::Significant;
    }
    if all(is_token) {
        return Judgement::Tokens;
    }
    match (a, b) {
        (Some(_), Some(_)) => Judgement::Significant,
        _ => Judgement::Added,
    }
}

/// Values that are objects or lists in JSON, as those have who count and measure.
fn structures(values: Option<&Vec<String>>) -> Option<Vec<Value>> {
    let read = |value: &String| {
        let looks_so = value.starts_with(['{', '[']);
        looks_so.then(|| serde_json::from_str(value).ok()).flatten()
    };
    values?.iter().map(read).collect()
}

/// Structures differ as much as the worst of their leaves, if they have the same form.
fn judge_structures(name: &str, a: &[Value], b: &[Value], role: WishRole) -> Judgement {
    if a.len() != b.len() {
        return Judgement::Significant;
    }
    let pairs = a.iter().zip(b).map(|(a, b)| match (a, b) {
        _ if a == b => Judgement::Same,
        (Value::Array(a), Value::Array(b)) => judge_structures(name, a, b, role),
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            let members = a.iter().zip(b.values()).map(|((name, a), b)| {
                let (a, b) = (std::slice::from_ref(a), std::slice::from_ref(b));
                judge_structures(&name.to_ascii_lowercase(), a, b, role)
            });
            members.max().unwrap_or(Judgement::Same)
        }
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => {
            Judgement::Significant
        }
        (a, b) => judge(name, Some(&vec![leaf(a)]), Some(&vec![leaf(b)]), role),
    });
    pairs.max().unwrap_or(Judgement::Same)
}

fn leaf(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether long values differ in a few letters only, as those do that have the time in them.
fn nearly_same(a: Option<&Vec<String>>, b: Option<&Vec<String>>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return false;
    };
    let near = |(a, b): (&String, &String)| a.len() == b.len() && edits(a, b) * 4 <= a.len();
    a.len() == b.len() && a.iter().zip(b).all(near)
}

fn is_number(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// Seconds or milliseconds since 1970 in this century, or a fraction as `Math.random` gives it.
fn is_moment_or_chance(value: &str) -> bool {
    let digits = is_number(value);
    let moment = match value.len() {
        10 | 13 => digits && value.starts_with(['1', '2']),
        _ => false,
    };
    let chance = value
        .strip_prefix("0.")
        .is_some_and(|rest| rest.len() >= 8 && is_number(rest));
    moment || chance
}

/// Whether long values end with moments near each other, as names do that scripts make up: replay
/// begins at the moment of the capture.
fn made_of_the_moment(a: Option<&Vec<String>>, b: Option<&Vec<String>>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return false;
    };
    let near = |(a, b): (&String, &String)| match (moment_in(a), moment_in(b)) {
        (Some(a), Some(b)) => a.abs_diff(b) < NEAR_MILLIS,
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(near)
}

/// The milliseconds since 1970 at the end of a long value.
fn moment_in(value: &str) -> Option<u64> {
    let at = value.len().checked_sub(MOMENT)?;
    let digits = value.get(at..)?;
    (value.len() >= MIN_TOKEN && digits.starts_with('1') && is_number(digits))
        .then(|| digits.parse().ok())?
}

/// A long value of letters and digits, such as a hash or a signature.
fn is_token(value: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_=+/.".contains(&byte);
    value.len() >= MIN_TOKEN
        && value.bytes().all(plain)
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_differences_matter() {
        let check = |a: &str, b: &str, expected: Judgement| {
            let judged = Parameters::of(a).judge(&Parameters::of(b), WishRole::Part);
            assert_eq!(judged, expected, "{a} {b}");
            let back = Parameters::of(b).judge(&Parameters::of(a), WishRole::Part);
            assert_eq!(back, expected, "{b} {a}");
        };
        check("a=1&b=2", "b=2&a=1", Judgement::Same);
        check(
            "a=1&_=1700000000000",
            "a=1&_=1600000000001",
            Judgement::Passing,
        );
        check(
            "callback=jQuery123",
            "callback=jQuery456",
            Judgement::Passing,
        );
        check("utm_source=x", "", Judgement::Passing);
        check("x=0.123456789", "x=0.987654321", Judgement::Passing);
        check("when=1700000000", "when=1600000000", Judgement::Passing);
        check(
            "sig=0123456789abcdef",
            "sig=fedcba9876543210",
            Judgement::Tokens,
        );
        check(
            "cid=4uilac2w0drmwid8v1g",
            "cid=4uilac2w0drmwid8vdv",
            Judgement::Tokens,
        );
        check(
            "cid=4uilac2w0drmwid8v1g",
            "cid=i1r4atijzrnmwid8pat",
            Judgement::Significant,
        );
        check(
            "device_id=c591352d-e2cc-4fb8-a2bc-25fc3355a207",
            "device_id=a37f130b-c0aa-4d96-8092-0123456789ab",
            Judgement::Passing,
        );
        check("userId=17", "userId=18", Judgement::Significant);
        check(
            "id=6229860b1794805371341",
            "id=a17f31c01794805469557",
            Judgement::Passing,
        );
        check(
            "id=162502651794806112913",
            "id=6229860b1794806112001",
            Judgement::Passing,
        );
        check(
            "id=1234561794806112913",
            "id=1234561694806112913",
            Judgement::Significant,
        );
        check(
            r#"events=[{"key":"open","timestamp":1794805371340,"id":"6229860b1794805371341"}]"#,
            r#"events=[{"key":"open","timestamp":1794805469557,"id":"a17f31c01794805469557"}]"#,
            Judgement::Passing,
        );
        check(
            r#"events=[{"key":"open","n":{"id":1}}]"#,
            r#"events=[{"key":"open","n":{"id":2}}]"#,
            Judgement::Significant,
        );
        check(r#"f={"a":1}"#, r#"f={"b":1}"#, Judgement::Significant);
        check(r#"f=[1,2]"#, r#"f=[1]"#, Judgement::Significant);
        check("sort=up", "", Judgement::Added);
        check("id=1", "id=2", Judgement::Significant);
        check("postid=1", "postid=2", Judgement::Significant);
        check("v=dQw4w9WgXcQ", "v=abcdefghijk", Judgement::Significant);
        check("page=2", "", Judgement::Significant);
        check("n=17", "n=18", Judgement::Significant);
        check("action=list", "action=delete", Judgement::Significant);
    }

    #[test]
    fn the_size_of_an_image_does_not_matter() {
        let judge = |role| Parameters::of("w=100").judge(&Parameters::of("w=200"), role);
        assert_eq!(judge(WishRole::Image), Judgement::Passing);
        assert_eq!(judge(WishRole::Part), Judgement::Significant);
    }
}
