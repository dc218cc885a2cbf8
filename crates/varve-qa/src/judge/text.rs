//! What the page says, line by line.
//!
//! The order of lines is not compared: the texts of frames follow that of the page in no
//! particular order, and what is at another place looks different. Lines that differ between
//! visits depend on the moment and are left out.

use crate::capture::VisitLog;
use crate::finding::{Finding, Kind};
use crate::names::Names;
use crate::report::{Comparison, TextReport};
use crate::stage::Replayed;
use std::collections::BTreeMap;

/// Lines that are told, and letters of each.
const EXAMPLES: usize = 20;
const LETTERS: usize = 200;
/// What visits note if the text is not whole.
const UNREAD: &str = "frames could not be read";

/// How often each line is there.
type Lines = BTreeMap<String, i64>;

pub(super) fn judge(log: Option<&VisitLog>, visits: &[Replayed], names: &Names) -> TextReport {
    let Some(then) = log.and_then(|log| log.text.as_deref()) else {
        return TextReport::not_compared(Comparison::NotRecorded);
    };
    let is_whole = |replayed: &Replayed| {
        let mut notes = replayed.visit.notes.iter();
        !notes.any(|note| note.contains(UNREAD))
    };
    if log.is_some_and(|log| log.lacks(UNREAD)) || !visits.iter().all(is_whole) {
        return TextReport::not_compared(Comparison::NotComparable);
    }
    let texts = visits.iter().map(|it| names.archived_text(&it.visit.text));
    compare(then, &texts.collect::<Vec<_>>())
}

/// What is wrong.
pub(super) fn finding(report: &TextReport) -> Option<Finding> {
    let differs = !report.gone.is_empty() || !report.new.is_empty();
    let example = |lines: &[String]| lines.first().map_or("nothing".to_owned(), |it| quoted(it));
    differs.then(|| {
        let (gone, new) = (example(&report.gone), example(&report.new));
        let share = report.differing_percent;
        let what = format!("{share:.2} % of the text differs: {gone} is now {new}");
        Finding::new(Kind::Text, what)
    })
}

fn quoted(line: &str) -> String {
    format!("\"{line}\"")
}

fn compare(then: &str, now: &[String]) -> TextReport {
    let then = lines(then);
    let now: Vec<Lines> = now.iter().map(|text| lines(text)).collect();
    let counts = |line: &str| -> (i64, i64) {
        let counts = now.iter().map(|it| it.get(line).copied().unwrap_or(0));
        let counts: Vec<i64> = counts.collect();
        let (least, most) = (counts.iter().min(), counts.iter().max());
        (least.copied().unwrap_or(0), most.copied().unwrap_or(0))
    };
    // A line is gone or new as often as it is so in every visit.
    let gone = then
        .iter()
        .map(|(line, count)| (line, count - counts(line).1));
    let mut gone: Vec<(&String, i64)> = gone.filter(|(_, count)| *count > 0).collect();
    let first = now.first().into_iter().flatten();
    let new = first.map(|(line, _)| (line, counts(line).0 - then.get(line).copied().unwrap_or(0)));
    let new: Vec<(&String, i64)> = new.filter(|(_, count)| *count > 0).collect();
    // Lines that every visit has anew, such as the time of day, were others at capture, too.
    let first = now.first().into_iter().flatten();
    let fleeting = first.filter(|(line, count)| counts(line).0 < **count);
    if gone.len() <= fleeting.count() {
        gone.clear();
    }
    let all: i64 = then
        .iter()
        .map(|(line, count)| length((line, *count)))
        .sum();
    let added: i64 = new.iter().copied().map(length).sum();
    let differing = added + gone.iter().copied().map(length).sum::<i64>();
    TextReport {
        compared: Comparison::Compared,
        differing_percent: 100.0 * differing as f64 / (all + added).max(1) as f64,
        gone: examples(&gone),
        new: examples(&new),
    }
}

/// The letters of a line that is there so often.
fn length((line, count): (&String, i64)) -> i64 {
    line.len() as i64 * count
}

fn examples(lines: &[(&String, i64)]) -> Vec<String> {
    let lines = lines.iter().take(EXAMPLES).map(|(line, _)| line);
    lines
        .map(|line| line.chars().take(LETTERS).collect())
        .collect()
}

/// The lines of a text without what does not show.
fn lines(text: &str) -> Lines {
    let mut lines = Lines::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if !words.is_empty() {
            *lines.entry(words.join(" ")).or_default() += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(then: &str, now: &[&str], gone: &[&str], new: &[&str]) {
        let now: Vec<String> = now.iter().map(|text| (*text).to_owned()).collect();
        let report = compare(then, &now);
        assert_eq!(
            (&*report.gone, &*report.new),
            (&to_owned(gone)[..], &to_owned(new)[..])
        );
        assert_eq!(
            finding(&report).is_some(),
            !gone.is_empty() || !new.is_empty()
        );
    }

    fn to_owned(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn texts_are_compared_line_by_line() {
        check("a\nb", &["b\n  a "], &[], &[]);
        check("a\nb", &["a"], &["b"], &[]);
        check("a\nb", &["a\nB"], &["b"], &["B"]);
        check("a\na", &["a"], &["a"], &[]);
        check("", &["a"], &[], &["a"]);
    }

    #[test]
    fn what_differs_between_visits_does_not_count() {
        check("a\n12:00", &["a\n13:00", "a\n13:01"], &[], &[]);
        check(
            "a\nb\n12:00",
            &["13:00", "13:01"],
            &["12:00", "a", "b"],
            &[],
        );
        check("a\n12:00", &["a\n13:00", "a\n12:00"], &[], &[]);
        check("a", &["a\nnew", "a\nnew"], &[], &["new"]);
    }

    #[test]
    fn the_share_is_that_of_the_letters() {
        let report = compare("12345\n12345", &["12345".to_owned()]);
        assert_eq!(report.differing_percent, 50.0);
    }
}
