//! A calendar that goes on for ever, in both directions.

use super::super::{Generated, list};

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

const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// Days of every month, to keep it simple.
const DAYS_OF_MONTH: u64 = 28;

/// A month with its days, or a day. There is always a next one.
pub(super) fn calendar(path: &str) -> Generated {
    let numbers: Vec<u64> = path
        .split('/')
        .filter_map(|segment| segment.parse::<u32>().ok())
        .map(u64::from)
        .collect();
    match numbers.as_slice() {
        [year, month @ 1..=12] => month_page(*year, *month),
        [year, month @ 1..=12, day @ 1..=DAYS_OF_MONTH] => day_page(*year, *month, *day),
        _ => Generated::redirect("/calendar/2026/11/".to_owned()),
    }
}

fn month_page(year: u64, month: u64) -> Generated {
    let index = year * 12 + month - 1;
    let to = |index: u64| format!("/calendar/{}/{}/", index / 12, index % 12 + 1);
    let mut links = vec![
        (to(index.saturating_sub(1)), "Previous month".to_owned()),
        (to(index + 1), "Next month".to_owned()),
    ];
    links.extend((1..=DAYS_OF_MONTH).map(|day| {
        let weekday = DAYS[((index + day) % 7) as usize];
        (format!("{}{day}/", to(index)), format!("{weekday} {day}"))
    }));
    let title = format!("{} {year}", MONTHS[(month - 1) as usize]);
    Generated::page(&title, "", &list(links))
}

fn day_page(year: u64, month: u64, day: u64) -> Generated {
    let weekday = DAYS[((year * 12 + month - 1 + day) % 7) as usize];
    let title = format!("{weekday} {day} {} {year}", MONTHS[(month - 1) as usize]);
    let links = [day - 1, day + 1]
        .into_iter()
        .filter(|day| (1..=DAYS_OF_MONTH).contains(day))
        .map(|day| (format!("../{day}/"), format!("Day {day}")))
        .chain([("../".to_owned(), "The month".to_owned())]);
    Generated::page(
        &title,
        "",
        &format!("<p>Nothing is planned.</p>\n{}", list(links)),
    )
}
