//! What the page complains about, and did not when it was captured.

use super::Said;
use crate::capture::VisitLog;
use crate::finding::{Finding, Kind};
use crate::names::Names;
use crate::stage::Replayed;
use std::collections::BTreeSet;

/// Whose messages are no complaints of the page: requests are judged as such, and what the browser
/// thinks of a page's style is nothing that replay could change.
const NOT_THE_PAGE: [&str; 5] = [
    "network",
    "violation",
    "deprecation",
    "intervention",
    "recommendation",
];

/// Replay puts a script of its own into every document; in frames that may have none, the browser
/// says so.
const OUR_SCRIPT: &str = "Blocked script execution in ";

/// What is said of requests that the walls of replay stopped.
const STOPPED: &str = "asked for outside of the archive, and stopped";

pub(super) fn judge(log: Option<&VisitLog>, replayed: &Replayed, names: &Names) -> Said {
    let mut said = Said::default();
    let known = log.map(|log| -> BTreeSet<String> {
        let texts = log.console_errors.iter().map(|error| error.text.as_str());
        texts.map(gist).collect()
    });
    // If not all was written down, nothing can be called new.
    let is_complete = log.is_some_and(|log| !log.lacks("more errors"));
    for complaint in &replayed.visit.console_errors {
        let is_ours = complaint.text.starts_with(OUR_SCRIPT);
        if is_ours || NOT_THE_PAGE.contains(&complaint.source.as_str()) {
            continue;
        }
        let text = names.archived_text(&complaint.text);
        let gist = gist(&text);
        match &known {
            Some(known) if known.contains(&gist) => {}
            Some(_) if is_complete => {
                let leaked = stopped(&complaint.text).filter(|url| names.is_outside(url));
                said.findings.push(match leaked {
                    Some(url) => Finding::about(Kind::Leaked, url, STOPPED),
                    None => Finding::new(Kind::Console, gist),
                });
            }
            _ => said.notes.push(format!("console, not compared: {gist}")),
        }
    }
    said
}

/// The URL that the browser did not go to, if it complains of that: it stands in quotes, before the
/// policy that forbids it.
fn stopped(text: &str) -> Option<&str> {
    let (before, _) = text.split_once("Content Security Policy")?;
    before.split('\'').nth(1)
}

/// What a complaint is about: without the places in scripts, which rewriting moves, without the
/// reasons that browsers give for one and the same refusal, and without numbers, which count or
/// measure.
fn gist(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let line = line.split("CORS policy").next().unwrap_or("");
    let mut gist = String::with_capacity(line.len());
    for letter in line.chars() {
        match letter.is_ascii_digit() {
            true if gist.ends_with('#') => {}
            true => gist.push('#'),
            false => gist.push(letter),
        }
    }
    gist
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stopped_is_named() {
        let check = |text: &str, url: Option<&str>| assert_eq!(stopped(text), url);
        check(
            "Framing 'http://a.test/' violates the following Content Security Policy directive: \
             \"frame-src 'self'\".",
            Some("http://a.test/"),
        );
        check("no 'quotes' of a policy", None);
        check("Content Security Policy 'x'", None);
    }

    #[test]
    fn complaints_are_known_again_by_what_they_are_about() {
        let check = |text: &str, expected: &str| assert_eq!(gist(text), expected);
        check(
            "TypeError: a is not b\n    at x.js:1:2",
            "TypeError: a is not b",
        );
        check("took 1234 ms, 5 times", "took # ms, # times");
        check(
            "Access to fetch at 'u' from origin 'o' has been blocked by CORS policy: No ...",
            "Access to fetch at 'u' from origin 'o' has been blocked by ",
        );
    }
}
