//! Access lists as text.

use super::{Access, AccessError, AccessList, Period, Prefix, Rule};
use crate::{Timestamp, TimestampError};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What follows a key that is meant whole.
const WHOLE: &str = "###";
/// The key of every URL.
const EVERYTHING: &str = "*,";

/// The JSON of a rule. What else stands there (`url`, as pywb notes it) says nothing to us.
#[derive(Deserialize)]
struct Said {
    access: String,
    before: Option<String>,
    after: Option<String>,
    newer: Option<Period>,
    older: Option<Period>,
    /// Rules for users that a server in front of the archive names.
    user: Option<String>,
}

pub(super) fn list(text: &str) -> Result<AccessList, AccessError> {
    let mut prefixes: BTreeMap<String, Vec<Rule>> = BTreeMap::new();
    let mut exact: BTreeMap<String, Vec<Rule>> = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        // Headers of the format begin with an exclamation mark.
        if line.is_empty() || line.starts_with(['!', '#']) {
            continue;
        }
        let wrong = |reason| AccessError {
            line: at + 1,
            reason,
        };
        let (key, rule) = rule(line).map_err(wrong)?;
        let Some(rule) = rule else { continue };
        let (rules, key) = match key.strip_suffix(WHOLE) {
            Some(key) => (&mut exact, key),
            None if key == EVERYTHING => (&mut prefixes, ""),
            None => (&mut prefixes, key),
        };
        rules.entry(key.to_owned()).or_default().push(rule);
    }
    Ok(AccessList {
        prefixes: nested(prefixes),
        exact: exact.into_iter().collect(),
    })
}

/// The key of a line and its rule, unless that is for a named user only.
fn rule(line: &str) -> Result<(&str, Option<Rule>), String> {
    let mut words = line.splitn(3, ' ');
    let (Some(key), Some(when), Some(json)) = (words.next(), words.next(), words.next()) else {
        return Err("a rule is written: KEY - {\"access\": \"block\"}".to_owned());
    };
    if key.contains("://") {
        return Err(format!("{key} is a URL: a rule begins with its SURT key"));
    }
    let said: Said = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let access = match said.access.as_str() {
        "allow" | "allow_ignore_embargo" => Access::Allow,
        "block" => Access::Block,
        "exclude" => Access::Exclude,
        other => {
            return Err(format!(
                "access is allow, block or exclude, and not {other:?}"
            ));
        }
    };
    let (mut from, mut to) = span(when)?;
    // As in pywb, the moments themselves are outside.
    if let Some(after) = &said.after {
        let after = moment(after, Timestamp::earliest_of)?;
        from = from.max(Timestamp::from_unix_millis(after.unix_millis() + 1));
    }
    if let Some(before) = &said.before {
        let before = moment(before, Timestamp::earliest_of)?;
        let before = Timestamp::from_unix_millis(before.unix_millis() - 1);
        to = to.into_iter().chain(before).min();
    }
    let rule = Rule {
        access,
        from,
        to,
        newer: said.newer,
        older: said.older,
    };
    Ok((key, said.user.is_none().then_some(rule)))
}

/// The captures that a rule is about: of all times, of one, or between two.
fn span(when: &str) -> Result<(Option<Timestamp>, Option<Timestamp>), String> {
    if when == "-" {
        return Ok((None, None));
    }
    let (from, to) = when.split_once(':').unwrap_or((when, when));
    let end = |text: &str, read| match text {
        "" => Ok(None),
        text => moment(text, read).map(Some),
    };
    Ok((
        end(from, Timestamp::earliest_of)?,
        end(to, Timestamp::latest_of)?,
    ))
}

fn moment(
    text: &str,
    read: fn(&str) -> Result<Timestamp, TimestampError>,
) -> Result<Timestamp, String> {
    read(text).map_err(|error| format!("{text:?}: {error}"))
}

/// Beginnings in order, each with the next shorter one.
fn nested(sorted: BTreeMap<String, Vec<Rule>>) -> Vec<Prefix> {
    let mut prefixes: Vec<Prefix> = Vec::with_capacity(sorted.len());
    // Where those are that the last one begins with, shortest first, and itself.
    let mut open: Vec<usize> = Vec::new();
    for (key, rules) in sorted {
        while let Some(&at) = open.last()
            && !key.starts_with(&prefixes[at].key)
        {
            open.pop();
        }
        let shorter = open.last().copied();
        open.push(prefixes.len());
        prefixes.push(Prefix {
            key,
            rules,
            shorter,
        });
    }
    prefixes
}
