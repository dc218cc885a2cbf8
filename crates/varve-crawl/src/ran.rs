//! What ran of scripts, written down once in a crawl: the pages of a site run mostly the same.

use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use varve_browser::ScriptRun;

/// Functions that are remembered. When there are more, all are forgotten, and written once more.
const REMEMBERED: usize = 1 << 20;

/// The functions that a crawl saw running.
#[derive(Default)]
pub(crate) struct Ran(Mutex<HashSet<u64>>);

/// What a page ran that no page had.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct News {
    /// As it is stored; nothing if all of it is known.
    pub(crate) record: Option<Value>,
    /// Whether it says something about the site: each page has data of its own in scripts without
    /// functions, and those of our own come from nowhere.
    pub(crate) is_telling: bool,
}

impl Ran {
    /// What nobody knew yet.
    pub(crate) fn news(&self, runs: &[ScriptRun]) -> News {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scripts = Vec::new();
        let mut is_telling = false;
        for run in runs {
            let script = name(&run.digest);
            // A script in which nothing ran is one that could not.
            let is_new = |(start, end): &&(u32, u32)| known.insert(function(script, *start, *end));
            let new: Vec<(u32, u32)> = run.ran.iter().filter(is_new).copied().collect();
            if !new.is_empty() {
                is_telling |= run.ran.len() > 1 && !run.url.is_empty();
                scripts.push(json!({
                    "sha256": run.digest,
                    "url": run.url,
                    "module": run.is_module,
                    "ran": new,
                }));
            }
        }
        if known.len() >= REMEMBERED {
            known.clear();
        }
        News {
            record: (!scripts.is_empty()).then(|| json!({ "scripts": scripts })),
            is_telling,
        }
    }
}

/// A number for a script: a piece of its digest.
fn name(digest: &str) -> u64 {
    let digits = digest.get(..16).unwrap_or_default();
    u64::from_str_radix(digits, 16).unwrap_or(0)
}

/// A number for a function. Two with the same would cost a restored body, and nothing else.
fn function(script: u64, start: u32, end: u32) -> u64 {
    let place = (u64::from(start) << 32) | u64::from(end);
    (script ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)).rotate_left(17)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(digest: &str, ran: &[(u32, u32)]) -> ScriptRun {
        ScriptRun {
            digest: digest.repeat(8),
            url: "https://garden.example/a.js".to_owned(),
            length: 100,
            is_module: false,
            ran: ran.to_vec(),
        }
    }

    fn written(news: News) -> Vec<Value> {
        let scripts = news.record.map(|mut record| record["scripts"].take());
        let scripts = scripts.and_then(|scripts| scripts.as_array().cloned());
        let scripts = scripts.unwrap_or_default();
        scripts
            .into_iter()
            .map(|mut script| script["ran"].take())
            .collect()
    }

    #[test]
    fn each_function_is_written_once() {
        let ran = Ran::default();
        let first = ran.news(&[run("01234567", &[(0, 100), (10, 20)])]);
        assert_eq!(written(first), [json!([[0, 100], [10, 20]])]);
        let again = ran.news(&[run("01234567", &[(0, 100), (10, 20)])]);
        assert_eq!(again, News::default());
        let more = ran.news(&[run("01234567", &[(0, 100), (30, 40)])]);
        assert_eq!(written(more), [json!([[30, 40]])]);
        let another = ran.news(&[run("89abcdef", &[(0, 100)])]);
        assert_eq!(written(another), [json!([[0, 100]])]);
    }

    #[test]
    fn data_of_a_page_tell_nothing_about_others() {
        let ran = Ran::default();
        let is_telling = |run: ScriptRun| ran.news(&[run]).is_telling;
        assert!(is_telling(run("01234567", &[(0, 100), (10, 20)])));
        assert!(is_telling(run("01234567", &[(0, 100), (30, 40)])));
        assert!(!is_telling(run("01234567", &[(0, 100), (30, 40)])));
        assert!(!is_telling(run("89abcdef", &[(0, 100)])));
        let ours = ScriptRun {
            url: String::new(),
            ..run("fedcba98", &[(0, 100), (10, 20)])
        };
        assert!(!is_telling(ours));
    }
}
