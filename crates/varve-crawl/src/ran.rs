//! What ran of scripts, written down once in a crawl: the pages of a site run mostly the same.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, PoisonError};
use varve_browser::{FunctionRun, Idle, ScriptRun, When};

/// Functions, and ranges in them, that are remembered. When there are more, all are forgotten, and
/// written once more.
const REMEMBERED: usize = 1 << 20;

/// A page tells something if at least this share of what it ran is new: pages run a little of their own
/// all the time.
const TELLING_SHARE: u64 = 50;

/// The functions that a crawl saw running.
#[derive(Default)]
pub(crate) struct Ran(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// By their names: what of them never ran, if that was looked at.
    functions: HashMap<u64, Option<Idle>>,
    /// How many ranges these are.
    ranges: usize,
}

/// What a page ran that no page had.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct News {
    /// As it is stored; nothing if all of it is known.
    pub(crate) record: Option<Value>,
    /// Whether it says something about the site.
    pub(crate) is_telling: bool,
}

impl Ran {
    /// What nobody knew yet.
    pub(crate) fn news(&self, runs: &[ScriptRun], is_lesson: bool) -> News {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scripts = Vec::new();
        let (mut all_code, mut new_code) = (0, 0);
        for run in runs {
            let script = name(&run.digest);
            // A script in which nothing ran is one that could not.
            let mut new = Vec::new();
            for (number, function) in run.ran.iter().enumerate() {
                let name = name_of(script, function);
                let news = known.news(name, function);
                if news.is_some() {
                    new.push(written(function, known.idle(name)));
                }
                // Scripts without functions are data of a page, and those of our own come from nowhere.
                if number > 0 && !run.url.is_empty() {
                    let length = u64::from(function.end.saturating_sub(function.start));
                    all_code += length;
                    // Which branches are taken differs from page to page.
                    let counts = !is_lesson || function.when == When::Handling;
                    let is_new = counts && news == Some(What::Function);
                    new_code += if is_new { length } else { 0 };
                }
            }
            if !new.is_empty() {
                scripts.push(json!({
                    "sha256": run.digest,
                    "url": run.url,
                    "module": run.is_module,
                    "ran": new,
                }));
            }
        }
        if known.functions.len() + known.ranges >= REMEMBERED {
            *known = Known::default();
        }
        News {
            record: (!scripts.is_empty()).then(|| json!({ "scripts": scripts })),
            is_telling: new_code > 0 && new_code * TELLING_SHARE >= all_code,
        }
    }
}

/// What is new of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// That it ran.
    Function,
    /// That some of it ran, or did not.
    Branch,
}

impl Known {
    fn idle(&self, name: u64) -> Option<&Idle> {
        self.functions.get(&name).and_then(Option::as_ref)
    }

    /// What a function's run tells that was not known. It is from then on.
    fn news(&mut self, name: u64, function: &FunctionRun) -> Option<What> {
        let ranges = |idle: &Option<Idle>| idle.as_ref().map_or(0, |idle| idle.ranges().len());
        let mut entry = match self.functions.entry(name) {
            Entry::Vacant(vacant) => {
                self.ranges += ranges(&function.idle);
                vacant.insert(function.idle.clone());
                return Some(What::Function);
            }
            Entry::Occupied(occupied) => occupied,
        };
        let (before, seen) = (entry.get(), function.idle.as_ref()?);
        let now = match before {
            Some(before) => before.and(seen),
            None => seen.clone(),
        };
        let is_new = before.as_ref() != Some(&now);
        self.ranges -= ranges(before);
        self.ranges += now.ranges().len();
        entry.insert(Some(now));
        is_new.then_some(What::Branch)
    }
}

/// A function as it is stored: where it is, and then what of it never ran, if that is known.
fn written(function: &FunctionRun, idle: Option<&Idle>) -> Value {
    match idle {
        Some(idle) => json!([function.start, function.end, idle]),
        None => json!([function.start, function.end]),
    }
}

/// A number for a script: a piece of its digest.
fn name(digest: &str) -> u64 {
    let digits = digest.get(..16).unwrap_or_default();
    u64::from_str_radix(digits, 16).unwrap_or(0)
}

/// A number for a function. Two with the same would cost a restored body, and nothing else.
fn name_of(script: u64, function: &FunctionRun) -> u64 {
    let place = (u64::from(function.start) << 32) | u64::from(function.end);
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
            ran: ran.iter().map(|place| function(*place, None)).collect(),
        }
    }

    fn function((start, end): (u32, u32), idle: Option<&[(u32, u32)]>) -> FunctionRun {
        FunctionRun {
            start,
            end,
            idle: idle.map(|idle| Idle::from(idle.to_vec())),
            when: When::Loading,
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
        let first = ran.news(&[run("01234567", &[(0, 100), (10, 20)])], false);
        assert_eq!(written(first), [json!([[0, 100], [10, 20]])]);
        let again = ran.news(&[run("01234567", &[(0, 100), (10, 20)])], false);
        assert_eq!(again, News::default());
        let more = ran.news(&[run("01234567", &[(0, 100), (30, 40)])], false);
        assert_eq!(written(more), [json!([[30, 40]])]);
        let another = ran.news(&[run("89abcdef", &[(0, 100)])], false);
        assert_eq!(written(another), [json!([[0, 100]])]);
    }

    #[test]
    fn branches_are_written_when_they_turn_out_to_run() {
        let ran = Ran::default();
        let news = |idle: Option<&[(u32, u32)]>| {
            let mut run = run("01234567", &[(0, 100)]);
            run.ran.push(function((10, 90), idle));
            ran.news(&[run], false)
        };
        let functions = [json!([[0, 100], [10, 90]])];
        assert_eq!(written(news(None)), functions);
        let first = news(Some(&[(20, 40), (50, 60)]));
        // Nothing that never ran of the site's functions was seen: others need not be asked for it.
        assert!(!first.is_telling);
        assert_eq!(written(first), [json!([[10, 90, [[20, 40], [50, 60]]]])]);
        assert_eq!(news(Some(&[(20, 40), (50, 60), (70, 80)])), News::default());
        assert_eq!(news(None), News::default());
        let less = news(Some(&[(30, 45)]));
        assert_eq!(written(less), [json!([[10, 90, [[30, 40]]]])]);
        let nothing = news(Some(&[]));
        assert_eq!(written(nothing), [json!([[10, 90, []]])]);
    }

    #[test]
    fn data_of_a_page_tell_nothing_about_others() {
        let ran = Ran::default();
        let is_telling = |run: ScriptRun| ran.news(&[run], false).is_telling;
        assert!(is_telling(run("01234567", &[(0, 100), (10, 20)])));
        assert!(is_telling(run("01234567", &[(0, 100), (30, 40)])));
        assert!(!is_telling(run("01234567", &[(0, 100), (30, 40)])));
        // One small function more is nothing to go by.
        let most = run("01234567", &[(0, 9000), (1000, 9000), (20, 40)]);
        assert!(is_telling(most));
        let little = run("01234567", &[(0, 9000), (1000, 9000), (20, 40), (50, 60)]);
        assert!(!is_telling(little));
        assert!(!is_telling(run("89abcdef", &[(0, 100)])));
        let ours = ScriptRun {
            url: String::new(),
            ..run("fedcba98", &[(0, 100), (10, 20)])
        };
        assert!(!is_telling(ours));
    }
}
