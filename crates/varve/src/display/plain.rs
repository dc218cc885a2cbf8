//! The crawl in lines, for logs and other places that are no terminal.

use super::text::{clean, clock};
use crate::output::{count, human_bytes};
use varve_crawl::live::{Finished, Snapshot};

/// A page that is done with.
pub(super) fn page(page: &Finished) -> String {
    format!(
        "{:<12} {:<7} {} ({} recorded, {}, {} failed)\n",
        page.reason,
        page.tier,
        clean(&page.url),
        page.recorded,
        human_bytes(page.bytes),
        page.failed
    )
}

/// Pages that finished faster than they could be told.
pub(super) fn left_out(pages: u64) -> String {
    format!("... {} not shown\n", count(pages, "page"))
}

/// All of it.
pub(super) fn summary(now: &Snapshot) -> String {
    let pages = now.pages;
    format!(
        "{} {}: {} saved, {} failed, {} skipped, {} in flight, {} queued on {}; {:.1} pages/s; \
         {} received, {} on disk; browser {}\n",
        clock(now.seconds),
        now.state.name(),
        count(pages.saved, "page"),
        pages.failed,
        pages.skipped,
        now.in_flight.len(),
        now.queue.queued,
        count(now.queue.hosts, "host"),
        now.pages_per_second,
        human_bytes(now.received_bytes),
        human_bytes(now.stored_bytes),
        human_bytes(now.browser.bytes),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_page_is_one_line_whatever_its_url() {
        let line = page(&Finished {
            id: 1,
            url: "https://a.example/\r\nok browser https://b.example/\x1b[2J".into(),
            title: None,
            status: Some(200),
            reason: "timeout.page".into(),
            saved: false,
            tier: "browser",
            recorded: 3,
            failed: 1,
            bytes: 2_048,
            took: Duration::from_secs(90),
            thumbnail: false,
        });
        assert_eq!(
            line,
            "timeout.page browser https://a.example/  ok browser https://b.example/ [2J \
             (3 recorded, 2.00 KiB, 1 failed)\n"
        );
    }

    #[test]
    fn a_summary_is_one_line() {
        assert_eq!(
            summary(&Snapshot::default()),
            "0:00 running: 0 pages saved, 0 failed, 0 skipped, 0 in flight, 0 queued on 0 hosts; \
             0.0 pages/s; 0 B received, 0 B on disk; browser 0 B\n"
        );
    }
}
