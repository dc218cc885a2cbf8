//! The six traps.

use super::super::words::{mix, name, number_of, paragraph};
use super::super::{Generated, list, url_set};
use crate::hosts::MAZE;
use crate::log::Scheme;
use crate::pages::escape;

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

/// The pages of the walk.
const WALK: usize = 20;

/// Sitemaps that a sitemap names, and URLs.
const FILES: usize = 40;

/// What seeds can be narrowed down by.
const FACETS: [(&str, &[&str]); 5] = [
    ("colour", &["red", "white", "blue", "yellow", "pink"]),
    ("season", &["spring", "summer", "autumn", "winter"]),
    ("height", &["low", "middling", "tall"]),
    ("light", &["sun", "half-shade", "shade"]),
    ("soil", &["clay", "sand", "chalk"]),
];

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

/// Pages that give every visitor a new ticket with every link.
pub(super) fn walk(path: &str, query: &str) -> Generated {
    let stop = super::number_in(path, "/walk/", "/").filter(|stop| (1..=WALK).contains(stop));
    let Some(stop) = stop else {
        return Generated::not_found();
    };
    let ticket = mix(number_of(&format!("{path}?{query}")));
    let links = (1..=WALK).map(|to| {
        let ticket = mix(ticket ^ to as u64);
        (
            format!("/walk/{to}/?ticket={ticket:016x}"),
            format!("Stop {to}"),
        )
    });
    let text = paragraph(10_000 + stop, 30);
    Generated::page(
        &format!("Stop {stop}"),
        "",
        &format!("<p>{text}</p>\n{}", list(links)),
    )
}

/// A page that is not there but says it is, with links relative to where it is not.
pub(super) fn lost(path: &str) -> Generated {
    let links = ["hedge", "gap", "turn", "stile"].map(|to| (format!("{to}/"), to.to_owned()));
    let content = format!(
        "<p>We looked for {} behind every hedge of the garden, but could not find it.</p>\n{}",
        escape(path),
        list(links)
    );
    Generated::page("Lost?", "", &content)
}

/// Seed packets, narrowed down by what was chosen, in the order in which it was chosen.
pub(super) fn seeds(query: &str) -> Generated {
    let chosen: Vec<(&str, &str)> = query
        .split('&')
        .filter_map(|parameter| parameter.split_once('='))
        .collect();
    let value_of = |facet: &str| {
        chosen
            .iter()
            .find(|(name, _)| *name == facet)
            .map(|(_, value)| *value)
    };
    let packets: String = (0..60usize)
        .filter(|packet| {
            let has = |(at, (facet, values)): (usize, &(&str, &[&str]))| {
                let own = values[(mix((packet * 8 + at) as u64) % values.len() as u64) as usize];
                value_of(facet).is_none_or(|wanted| wanted == own)
            };
            FACETS.iter().enumerate().all(has)
        })
        .map(|packet| format!("<li>A packet of {}, organic</li>\n", name(20_000 + packet)))
        .collect();
    let content = format!(
        "<p>Choose what you like.</p>\n<ul>\n{packets}</ul>\n{}",
        list(choices(&chosen))
    );
    Generated::page("Seeds", "", &content)
}

/// One more choice, or one less.
fn choices(chosen: &[(&str, &str)]) -> Vec<(String, String)> {
    let query = |choices: &[(&str, &str)]| -> String {
        let parameters: Vec<String> = choices
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("/seeds?{}", parameters.join("&"))
    };
    let mut links = Vec::new();
    for (facet, values) in FACETS {
        if let Some(at) = chosen.iter().position(|(name, _)| *name == facet) {
            let mut fewer = chosen.to_vec();
            fewer.remove(at);
            links.push((query(&fewer), format!("Any {facet}")));
            continue;
        }
        for value in values {
            let mut more = chosen.to_vec();
            more.push((facet, value));
            links.push((query(&more), (*value).to_owned()));
        }
    }
    links
}

/// Sitemaps in turn of pages that say nothing and of sitemaps.
pub(super) fn sitemap(scheme: Scheme, number: usize) -> Generated {
    let first = number.saturating_mul(FILES).saturating_add(1);
    let numbers = (0..FILES).map(|at| first.saturating_add(at));
    if number % 2 == 1 {
        return url_set(numbers.map(|lot| format!("{scheme}://{MAZE}/lots/{lot}/")));
    }
    let files: String = numbers
        .map(|file| {
            format!("<sitemap><loc>{scheme}://{MAZE}/sitemaps/{file}.xml</loc></sitemap>\n")
        })
        .collect();
    let bomb = format!("<sitemap><loc>{scheme}://{MAZE}/sitemaps/bomb.xml</loc></sitemap>\n");
    Generated::xml(format!("<sitemapindex>\n{bomb}{files}</sitemapindex>\n"))
}

/// Ten entities that would be a gigabyte.
pub(super) fn bomb() -> Generated {
    let entities: String = (1..10)
        .map(|n| {
            format!(
                "<!ENTITY e{n} \"{}\">\n",
                format!("&e{};", n - 1).repeat(10)
            )
        })
        .collect();
    Generated::xml(format!(
        "<!DOCTYPE urlset [\n<!ENTITY e0 \"/bed/1/\">\n{entities}]>\n<urlset><url><loc>&e9;</loc></url></urlset>\n"
    ))
}

/// A page that a sitemap promises.
pub(super) fn lot(lot: usize) -> Generated {
    Generated::page(&format!("Lot {lot}"), "", "<p>This lot is empty.</p>\n")
}

/// A redirect to the next one, which is another for each.
pub(super) fn way(path: &str) -> Generated {
    Generated::redirect(format!("/way/{:016x}/", mix(number_of(path))))
}
