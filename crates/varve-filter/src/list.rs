//! Lists of rules, and the rules in them.

use std::fmt;
use std::sync::Arc;

const OWN: &str = include_str!("../lists/varve.txt");
const OWN_NAME: &str = "varve";

/// A list of rules in the syntax of EasyList.
#[derive(Clone, Debug)]
pub struct List {
    /// What it is called where its rules are told.
    pub name: String,
    /// Its lines.
    pub text: String,
}

/// A rule that decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The list that has it.
    pub list: Arc<str>,
    /// Its line there, from 1.
    pub line: usize,
    /// As it is written.
    pub text: String,
    /// What the list says about it, if it is our own.
    pub why: Option<String>,
}

impl List {
    /// Our own list. Each of its rules says why it is there.
    pub fn own() -> List {
        List {
            name: OWN_NAME.to_owned(),
            text: OWN.to_owned(),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {} of {})", self.text, self.line, self.list)
    }
}

/// What our own list says about the rule on a line, from 1: the comment above it and the rules
/// that share it, and that of the section.
pub(crate) fn why(list: &str, line: usize) -> Option<String> {
    if list != OWN_NAME {
        return None;
    }
    let before: Vec<&str> = OWN.lines().take(line.checked_sub(1)?).collect();
    let section = before.iter().rev().find_map(|line| section(line));
    let is_comment = |line: &&&str| line.starts_with('!') && self::section(line).is_none();
    let above = before.iter().rev().skip_while(|line| !is_comment(line));
    let mut words: Vec<&str> = above
        .take_while(is_comment)
        .map(|line| line.trim_start_matches('!').trim())
        .collect();
    words.reverse();
    Some(format!("{} {}", words.join(" "), section?))
}

/// The words that begin a section, if a line does.
fn section(line: &str) -> Option<String> {
    let words = line.strip_prefix("! === ")?.strip_suffix(" ===")?;
    Some(format!("{words}."))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn rules() -> impl Iterator<Item = (usize, &'static str)> {
        let lines = OWN.lines().enumerate().map(|(at, line)| (at + 1, line));
        lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('!'))
    }

    #[test]
    fn each_of_our_rules_says_why_it_is_there() {
        for (line, rule) in rules() {
            let why = why(OWN_NAME, line).unwrap();
            let (service, section) = why.split_once(". ").expect(rule);
            assert!(
                service.contains(": ") && section.contains(": "),
                "{rule}: {why}"
            );
        }
    }

    #[test]
    fn our_rules_are_for_scripts_of_third_parties_and_name_a_host_or_a_file() {
        for (_, rule) in rules() {
            let pattern = rule.strip_suffix("$script,third-party").expect(rule);
            let host = pattern.strip_prefix("||").is_some_and(|rest| {
                let end = rest.find(['^', '/']).expect(rule);
                rest[..end].contains('.')
            });
            // Such as /prebid.js: with its whole name, so that no word hits anything else.
            let file = pattern.starts_with('/')
                && [".js", ".js?", ".php"]
                    .iter()
                    .any(|end| pattern.ends_with(end));
            assert!(host || file, "{rule}");
        }
    }

    #[test]
    fn none_of_our_rules_stands_twice() {
        let mut seen = std::collections::HashSet::new();
        for (line, rule) in rules() {
            assert!(seen.insert(rule), "{line}: {rule}");
        }
    }

    #[test]
    fn rules_that_share_a_comment_share_what_it_says() {
        let (line, _) = rules()
            .find(|(_, rule)| rule.contains("/piwik.js"))
            .unwrap();
        let expected = "Matomo on a server of one's own: the file that counts visits always has \
                        this name. Counting visitors: what they report is for their servers, and \
                        changes nothing in a page.";
        assert_eq!(why(OWN_NAME, line).as_deref(), Some(expected));
        assert_eq!(why("other", line), None);
    }
}
