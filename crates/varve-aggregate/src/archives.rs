//! The archives that are asked: what `archives.json` says of each.

use serde::Deserialize;
use std::collections::HashSet;
use url::Url;

/// More archives than this are not asked.
const MOST: usize = 1_000;

/// One archive, as its line in `archives.json` describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Archive {
    /// A short name, for programs.
    pub id: String,
    /// A name for people.
    pub name: String,
    /// What stands before a URL in the address of its TimeMap.
    pub timemap: Option<String>,
    /// What stands before a URL in the address of its TimeGate.
    pub timegate: Option<String>,
    /// How likely it has something, compared with others.
    pub probability: Option<f64>,
    /// Where its MementoMap is, if it says so: a URL, or the path of a file.
    pub mementomap: Option<String>,
}

/// Why a list of archives cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ArchivesError {
    /// It is not JSON, or not a list of archives.
    #[error("it is no list of archives: {0}")]
    Shape(#[from] serde_json::Error),
    /// One entry makes no sense.
    #[error("entry {number} (\"{id}\"): {reason}")]
    Entry {
        /// Which, from 1.
        number: usize,
        /// What it calls itself.
        id: String,
        /// What is wrong.
        reason: String,
    },
    /// There is nobody to ask.
    #[error("it names no archive that is not ignored")]
    Empty,
    /// There are too many.
    #[error("it names more than {MOST} archives")]
    TooMany,
}

/// An entry as it is written.
#[derive(Deserialize)]
struct Written {
    id: String,
    name: Option<String>,
    timemap: Option<String>,
    timegate: Option<String>,
    probability: Option<f64>,
    #[serde(default)]
    ignore: bool,
    mementomap: Option<String>,
}

/// Reads `archives.json`: the archives that are not to be ignored, the most probable ones first.
pub fn read_archives(json: &str) -> Result<Vec<Archive>, ArchivesError> {
    let written: Vec<Written> = serde_json::from_str(json)?;
    let mut known = HashSet::new();
    let mut archives = Vec::new();
    for (at, entry) in written.into_iter().enumerate() {
        let id = entry.id.clone();
        let wrong = |reason: String| ArchivesError::Entry {
            number: at + 1,
            id: id.chars().take(40).collect(),
            reason,
        };
        if !known.insert(id.clone()) {
            return Err(wrong("another entry has this id".into()));
        }
        if !entry.ignore {
            archives.push(archive(entry).map_err(wrong)?);
        }
    }
    if archives.len() > MOST {
        return Err(ArchivesError::TooMany);
    }
    if archives.is_empty() {
        return Err(ArchivesError::Empty);
    }
    // Stable: among equals the order of the file counts.
    archives.sort_by(|a, b| probability(b).total_cmp(&probability(a)));
    Ok(archives)
}

fn probability(archive: &Archive) -> f64 {
    archive.probability.unwrap_or(0.0)
}

fn archive(entry: Written) -> Result<Archive, String> {
    // It stands in headers, in metrics and in the names of files.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let named = entry.id.bytes().all(plain) && !entry.id.starts_with('.');
    if !named || entry.id.is_empty() || entry.id.len() > 64 {
        return Err("an id is 1 to 64 letters, digits, dots, dashes and underscores".into());
    }
    if entry.probability.is_some_and(|it| !it.is_finite()) {
        return Err("its probability is no number".into());
    }
    let place = |name: &str, written: Option<String>| match written.filter(|url| !url.is_empty()) {
        Some(url) => prefix(url)
            .map(Some)
            .map_err(|why| format!("{name}: {why}")),
        None => Ok(None),
    };
    let timemap = place("timemap", entry.timemap)?;
    let timegate = place("timegate", entry.timegate)?;
    if timemap.is_none() && timegate.is_none() {
        return Err("it has neither a timemap nor a timegate".into());
    }
    Ok(Archive {
        name: entry.name.unwrap_or_else(|| entry.id.clone()),
        id: entry.id,
        timemap,
        timegate,
        probability: entry.probability,
        mementomap: entry.mementomap,
    })
}

/// What a URL is appended to: a URL itself, with a slash at its end if it wants one.
fn prefix(mut written: String) -> Result<String, String> {
    let url = Url::parse(&written).map_err(|error| format!("\"{written}\": {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("\"{written}\" is no address of http or https"));
    }
    if !written.ends_with(['/', '=']) {
        written.push('/');
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_list_of_memgator_is_read() {
        let json = r#"[
            {"id": "b", "name": "B", "timemap": "https://b.example/timemap/link", "timegate": "https://b.example/"},
            {"id": "off", "name": "Off", "timemap": "nonsense", "ignore": true},
            {"id": "a", "timemap": "http://a.example/?url=", "probability": 0.9, "mementomap": "a.ukvs", "more": 1}
        ]"#;
        let archives = read_archives(json).unwrap();
        let ids: Vec<&str> = archives.iter().map(|archive| archive.id.as_str()).collect();
        assert_eq!(
            ids,
            ["a", "b"],
            "the most probable first, without the ignored"
        );
        assert_eq!(
            archives[0].timemap.as_deref(),
            Some("http://a.example/?url=")
        );
        assert_eq!(
            (archives[0].name.as_str(), archives[0].timegate.as_deref()),
            ("a", None)
        );
        assert_eq!(
            archives[1].timemap.as_deref(),
            Some("https://b.example/timemap/link/")
        );
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let check = |json: &str, expected: &str| {
            let words = read_archives(json).unwrap_err().to_string();
            assert!(words.contains(expected), "{words}");
        };
        let entry = |more: &str| format!(r#"[{{"id": "x", "timemap": "http://x/"}}, {more}]"#);
        check("{}", "no list");
        check("[]", "names no archive");
        check(
            &entry(r#"{"id": "x", "timemap": "http://x/"}"#),
            "entry 2 (\"x\"): another",
        );
        check(&entry(r#"{"id": "y"}"#), "neither");
        check(
            &entry(r#"{"id": "../y", "timemap": "http://x/"}"#),
            "letters, digits",
        );
        check(
            &entry(r#"{"id": "y", "timemap": "ftp://x/"}"#),
            "timemap: \"ftp://x/\"",
        );
        check(&entry(r#"{"id": "y", "timegate": "/x"}"#), "timegate: ");
    }
}
