//! The picture of a crawl as lines of a terminal.

use super::text::{Line, Style, clock};
use crate::output::{count, human_bytes};
use std::collections::BTreeMap;
use varve_crawl::live::{Snapshot, State};

/// So many pages in flight are shown.
const IN_FLIGHT: usize = 8;
/// So many reasons are shown.
const REASONS: usize = 6;

/// The lines, most important first, at most as many as the terminal has rows for.
pub(super) fn frame(now: &Snapshot, rows: usize) -> Vec<Line> {
    let mut lines = vec![headline(now), pages(now), queue(now), amounts(now)];
    lines.extend(browser(now));
    lines.extend(reasons("failed", &now.page_failures));
    lines.extend(reasons("missing", &now.request_failures));
    lines.extend(now.in_flight.iter().take(IN_FLIGHT).map(|page| {
        Line::default()
            .and(Style::Faint, format!("{:>8} ", clock(page.seconds)))
            .and(Style::Faint, format!("{:<8}", page.tier))
            .and(Style::Plain, &page.url)
    }));
    // The row below the last line is the cursor's.
    lines.truncate(rows.saturating_sub(1));
    lines
}

fn label(name: &str) -> Line {
    Line::default().and(Style::Faint, format!("{name:>8} "))
}

fn headline(now: &Snapshot) -> Line {
    let style = match now.state {
        State::Running => Style::Good,
        State::Finishing | State::Done => Style::Strong,
        _ => Style::Odd,
    };
    let in_flight = now.in_flight.len() as u64;
    label("crawl")
        .and(style, now.state.name())
        .and(Style::Plain, format!(" for {}", clock(now.seconds)))
        .and(
            Style::Plain,
            format!(", {} in flight", count(in_flight, "page")),
        )
}

fn pages(now: &Snapshot) -> Line {
    let or_faint = |number: u64, style| if number > 0 { style } else { Style::Faint };
    let pages = now.pages;
    label("pages")
        .and(Style::Strong, format!("{} saved", number(pages.saved)))
        .and(Style::Plain, "  ")
        .and(
            or_faint(pages.failed, Style::Bad),
            format!("{} failed", number(pages.failed)),
        )
        .and(Style::Plain, "  ")
        .and(
            or_faint(pages.skipped, Style::Odd),
            format!("{} skipped", number(pages.skipped)),
        )
        .and(Style::Plain, format!("  {:.1}/s", now.pages_per_second))
}

fn queue(now: &Snapshot) -> Line {
    let queue = now.queue;
    label("queue").and(
        Style::Plain,
        format!(
            "{} on {}, {} seen",
            count(queue.queued, "page"),
            count(queue.hosts, "host"),
            number(queue.seen)
        ),
    )
}

fn amounts(now: &Snapshot) -> Line {
    let requests = now.requests;
    let rate = now.bytes_per_second.max(0.0) as u64;
    let made = requests.recorded + requests.reused + requests.failed;
    label("data")
        .and(
            Style::Plain,
            format!("{} received", human_bytes(now.received_bytes)),
        )
        .and(Style::Faint, format!(" ({}/s)", human_bytes(rate)))
        .and(
            Style::Plain,
            format!(", {} on disk", human_bytes(now.stored_bytes)),
        )
        .and(
            Style::Faint,
            format!(
                ", {}, {} reused",
                count(made, "request"),
                number(requests.reused)
            ),
        )
}

fn browser(now: &Snapshot) -> Option<Line> {
    let browser = now.browser;
    let text = format!(
        "{} in {}",
        human_bytes(browser.bytes),
        match browser.processes {
            1 => "1 process".to_owned(),
            many => format!("{many} processes"),
        }
    );
    (browser.processes > 0).then(|| label("browser").and(Style::Plain, text))
}

/// Reasons and how often, the most frequent first.
fn reasons(name: &str, reasons: &BTreeMap<String, u64>) -> Option<Line> {
    let mut sorted: Vec<(&String, &u64)> = reasons.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let more = sorted.len().saturating_sub(REASONS);
    let shown = sorted.iter().take(REASONS);
    let mut words: Vec<String> = shown
        .map(|(reason, count)| format!("{} {reason}", number(**count)))
        .collect();
    if more > 0 {
        words.push(format!("and {more} more reasons"));
    }
    (!words.is_empty()).then(|| label(name).and(Style::Odd, words.join(", ")))
}

fn number(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

#[cfg(test)]
mod tests;
