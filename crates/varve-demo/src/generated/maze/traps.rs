//! The traps that fit in a few lines: tickets, lost pages, sitemaps, redirects.

use super::super::words::{mix, number_of, paragraph};
use super::super::{Generated, list, url_set};
use crate::hosts::MAZE;
use crate::log::Scheme;
use crate::pages::escape;

/// The pages of the walk.
const WALK: usize = 20;

/// Sitemaps that a sitemap names, and URLs.
const FILES: usize = 40;

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
