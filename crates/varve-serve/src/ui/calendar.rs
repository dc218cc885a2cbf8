//! Days, months and years of captures, as tables and bars.

use super::shell::web_path;
use crate::markup::Markup;
use std::collections::BTreeMap;
use varve_model::Timestamp;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEK: &str = "<thead><tr><th scope=\"col\" abbr=\"Monday\">Mo<th scope=\"col\" abbr=\"Tuesday\">Tu\
    <th scope=\"col\" abbr=\"Wednesday\">We<th scope=\"col\" abbr=\"Thursday\">Th\
    <th scope=\"col\" abbr=\"Friday\">Fr<th scope=\"col\" abbr=\"Saturday\">Sa\
    <th scope=\"col\" abbr=\"Sunday\">Su</thead><tbody><tr>";
/// The height of the highest bar.
const BAR: usize = 40;
const DAY_MILLIS: i64 = 86_400_000;

/// How many captures there are in each year.
pub(super) fn years(times: &[Timestamp], chosen: &str, url: &str) -> Markup {
    let mut counts = BTreeMap::<String, usize>::new();
    for time in times {
        *counts.entry(time.digits14()[..4].to_owned()).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or(1);
    let mut out = Markup::new("<nav aria-label=\"Years\"><ol class=\"years\">");
    for (year, count) in &counts {
        let height = (count * BAR).div_ceil(most);
        out = out
            .html("<li><a href=\"")
            .text(web_path(&format!("{year}*"), url));
        out = match year == chosen {
            true => out.html("\" aria-current=\"true\">"),
            false => out.html("\">"),
        };
        out = out
            .html("<svg width=\"28\" height=\"40\" aria-hidden=\"true\"><rect width=\"28\" y=\"")
            .text(BAR - height)
            .html("\" height=\"")
            .text(height)
            .html("\"/></svg><span>")
            .text(year)
            .html("</span> <small>")
            .text(count)
            .html("<span class=\"unseen\"> captures</span></small></a>");
    }
    out.html("</ol></nav>")
}

/// The months of a year in which there are captures, day by day.
pub(super) fn months(times: &[Timestamp], year: &str, url: &str) -> Markup {
    let mut days = BTreeMap::<String, Vec<Timestamp>>::new();
    for time in times {
        let digits = time.digits14();
        if digits.starts_with(year) {
            days.entry(digits[..8].to_owned()).or_default().push(*time);
        }
    }
    let mut out = Markup::new("<div class=\"months\">");
    for number in 1..=12 {
        let month = format!("{year}{number:02}");
        if days.keys().any(|day| day.starts_with(&month)) {
            out = out.markup(&table(&month, MONTHS[number - 1], &days, url));
        }
    }
    out.html("</div>")
}

fn table(month: &str, name: &str, days: &BTreeMap<String, Vec<Timestamp>>, url: &str) -> Markup {
    let mut out = Markup::new("<table class=\"month\"><caption>")
        .text(name)
        .html(" ")
        .text(&month[..4])
        .html("</caption>")
        .html(WEEK);
    let first = weekday(&format!("{month}01"));
    for _ in 0..first {
        out = out.html("<td>");
    }
    for (number, day) in days_of(month).enumerate() {
        if number > 0 && (first + number).is_multiple_of(7) {
            out = out.html("<tr>");
        }
        out = cell(
            out,
            number + 1,
            days.get(&day).map(Vec::as_slice),
            &day,
            url,
        );
    }
    out.html("</table>")
}

/// One day: it leads to its capture, or to the list of them.
fn cell(out: Markup, number: usize, times: Option<&[Timestamp]>, day: &str, url: &str) -> Markup {
    let (path, count) = match times {
        None => return out.html("<td>").text(number),
        Some([time]) => (web_path(&time.digits14(), url), 1),
        Some(several) => (web_path(&format!("{day}*"), url), several.len()),
    };
    out.html("<td><a href=\"")
        .text(path)
        .html("\" title=\"")
        .text(count)
        .html(if count == 1 { " capture" } else { " captures" })
        .html("\">")
        .text(number)
        .html("</a>")
}

/// The days of a month, as eight digits.
fn days_of(month: &str) -> impl Iterator<Item = String> {
    let possible = (1..=31).map(move |day| format!("{month}{day:02}"));
    possible.take_while(|day| midnight(day).is_some())
}

/// How many days after a Monday a day is.
fn weekday(day: &str) -> usize {
    let days = midnight(day).map_or(0, |time| time.unix_millis().div_euclid(DAY_MILLIS));
    // The first day of 1970 was a Thursday.
    usize::try_from((days + 3).rem_euclid(7)).unwrap_or(0)
}

fn midnight(day: &str) -> Option<Timestamp> {
    Timestamp::parse(&format!("{day}000000")).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn days_have_their_places() {
        for (day, after_monday) in [
            ("19700101", 3),
            ("20240229", 3),
            ("20261116", 0),
            ("19000101", 0),
        ] {
            assert_eq!(weekday(day), after_monday, "{day}");
        }
        assert_eq!(days_of("202402").count(), 29);
        assert_eq!(days_of("202302").last().unwrap(), "20230228");
        assert_eq!(days_of("202312").count(), 31);
    }

    #[test]
    fn a_day_leads_to_its_capture_or_to_the_list() {
        let times: Vec<Timestamp> = ["20240105000000", "20240106000000", "20240106120000"]
            .map(|time| Timestamp::parse(time).unwrap())
            .to_vec();
        let html = months(&times, "2024", "http://h/").into_string();
        assert!(html.contains("href=\"/web/20240105000000/http://h/\" title=\"1 capture\">5<"));
        assert!(html.contains("href=\"/web/20240106*/http://h/\" title=\"2 captures\">6<"));
        assert!(html.contains("January 2024") && !html.contains("February"));
        let html = years(&times, "2024", "http://h/").into_string();
        assert!(
            html.contains("/web/2024*/http://h/\" aria-current"),
            "{html}"
        );
    }
}
