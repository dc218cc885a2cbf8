//! `varve filter`: which scripts crawls leave out, and why.

use crate::cli::{FilterArgs, FilterCommand, FilterLists, FilterTestArgs};
use crate::exit::Exit;
use crate::output::{Output, count};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use varve_crawl::Url;
use varve_filter::{Decision, Filter, List, Rule};

/// Where packages of uBlock Origin put the lists that they bring along.
const INSTALLED: &[&str] = &[
    "/usr/share/chromium/extensions/ublock-origin",
    "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/uBlock0@raymondhill.net",
];
/// The lists there that are about requests of third parties.
const USED: &[&str] = &["easylist.txt", "easyprivacy.txt"];

pub(crate) fn run(args: FilterArgs, output: &Output) -> Result<Exit> {
    match args.command {
        FilterCommand::Test(args) => test(&args, output),
        FilterCommand::Lists(args) => tell_lists(&args, output),
    }
}

/// The lists that a crawl goes by: our own, those that are installed, and the given ones.
pub(crate) fn lists(given: &[PathBuf]) -> Result<Vec<List>> {
    let files = installed().into_iter().chain(given.to_vec());
    let mut lists = vec![List::own()];
    for file in files {
        let name = file.display().to_string();
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {name}"))?;
        // Lists are ASCII but for names of people in comments.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        lists.push(List { name, text });
    }
    Ok(lists)
}

/// The lists of the first package that is there.
fn installed() -> Vec<PathBuf> {
    let places = INSTALLED.iter().map(|place| {
        let folder = Path::new(place).join("assets/thirdparties/easylist");
        let files = USED.iter().map(|name| folder.join(name));
        files.filter(|file| file.is_file()).collect::<Vec<_>>()
    });
    let mut found = places.filter(|files| !files.is_empty());
    found.next().unwrap_or_default()
}

fn tell_lists(args: &FilterLists, output: &Output) -> Result<Exit> {
    for List { name, text } in lists(&args.filter)? {
        let is_rule = |line: &&str| !line.is_empty() && !line.starts_with(['!', '[']);
        let rules = text.lines().filter(is_rule).count();
        output.result(&match output.json {
            true => json!({"list": name, "rules": rules}).to_string(),
            false => format!("{name} ({})", count(rules as u64, "rule")),
        })?;
    }
    Ok(Exit::Done)
}

fn test(args: &FilterTestArgs, output: &Output) -> Result<Exit> {
    let url = |text: &str| Url::parse(text).with_context(|| format!("{text} is no URL"));
    let (script, page) = (url(&args.url)?, url(&args.page)?);
    let decision = Filter::new(lists(&args.lists.filter)?).decide(&script, &page);
    output.result(&match output.json {
        true => as_json(&decision).to_string(),
        false => in_words(&decision),
    })?;
    Ok(Exit::Done)
}

fn in_words(decision: &Decision) -> String {
    match decision {
        Decision::Own => "asked for: it belongs to the page's own site".to_owned(),
        Decision::Unknown => "asked for: no rule is against it".to_owned(),
        Decision::Excepted { rule, by } => {
            format!("asked for: {rule} is against it, but {by} excepts it")
        }
        Decision::Blocked(rule) => {
            let why = rule.why.as_ref().map(|why| format!("\n  {why}"));
            format!("not asked for: {rule}{}", why.unwrap_or_default())
        }
    }
}

fn as_json(decision: &Decision) -> Value {
    let rule = |rule: &Rule| json!({"rule": rule.text, "list": *rule.list, "line": rule.line, "why": rule.why});
    match decision {
        Decision::Own => json!({"asked": true, "because": "own"}),
        Decision::Unknown => json!({"asked": true, "because": "no rule"}),
        Decision::Excepted { rule: against, by } => {
            json!({"asked": true, "because": "exception", "rule": rule(against), "exception": rule(by)})
        }
        Decision::Blocked(against) => {
            json!({"asked": false, "because": "rule", "rule": rule(against)})
        }
    }
}
