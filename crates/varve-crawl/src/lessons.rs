//! Which pages' event handlers are run to learn what can run.
//!
//! The pages of a site run mostly the same, and running all handlers of a page takes as long as
//! loading it. So a site's pages are lessons until handlers bring nothing new; from then on fewer
//! and fewer are, and all again as soon as a lesson brings news. Pages run something of their own
//! when they load, too; after that the next page is a lesson, and tells whether it was more than that.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use url::Url;

/// So many lessons in a row without news are enough.
const ENOUGH: u32 = 1;
/// At least one page in so many remains a lesson.
const RAREST: u32 = 64;
/// Sites that are remembered. When there are more, all are forgotten, and begin anew.
const SITES: usize = 10_000;

/// The sites of a crawl, and how much there is to learn from each.
#[derive(Default)]
pub(crate) struct Lessons(Mutex<HashMap<String, Site>>);

#[derive(Clone, Copy, Default)]
struct Site {
    /// Lessons in a row that brought nothing new.
    quiet: u32,
    /// Pages that pass before the next one.
    pause: u32,
}

impl Lessons {
    /// Whether this page is one.
    pub(crate) fn is_one(&self, page: &Url) -> bool {
        self.of(page, |site| {
            let is_one = site.pause == 0;
            site.pause = site.pause.saturating_sub(1);
            is_one
        })
    }

    /// What a page brought: how many handlers were run if it was a lesson, and whether anything ran
    /// that never had.
    pub(crate) fn learned(&self, page: &Url, handlers: Option<u32>, is_news: bool) {
        self.of(page, |site| match (handlers, is_news) {
            (Some(1..), true) => *site = Site::default(),
            (Some(_), _) => {
                site.quiet += 1;
                let doublings = site.quiet.saturating_sub(ENOUGH).min(RAREST.ilog2());
                site.pause = (1 << doublings) - 1;
            }
            (None, true) => site.pause = 0,
            (None, false) => {}
        });
    }

    fn of<T>(&self, page: &Url, tell: impl FnOnce(&mut Site) -> T) -> T {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sites.len() >= SITES {
            sites.clear();
        }
        let host = page.host_str().unwrap_or_default().to_owned();
        tell(sites.entry(host).or_default())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn page(path: &str) -> Url {
        Url::parse(&format!("https://garden.example/{path}")).unwrap()
    }

    /// Which of so many pages are lessons, if none brings news.
    fn dull(lessons: &Lessons, pages: usize) -> Vec<usize> {
        let mut ones = Vec::new();
        for number in 0..pages {
            let page = page(&number.to_string());
            let is_one = lessons.is_one(&page);
            lessons.learned(&page, is_one.then_some(3), false);
            ones.extend(is_one.then_some(number));
        }
        ones
    }

    #[test]
    fn pages_that_bring_nothing_new_are_asked_less_and_less() {
        let ones = dull(&Lessons::default(), 300);
        assert_eq!(ones, [0, 1, 3, 7, 15, 31, 63, 127, 191, 255]);
    }

    #[test]
    fn news_of_a_lesson_begin_a_site_anew() {
        let lessons = Lessons::default();
        dull(&lessons, 40);
        assert!(!lessons.is_one(&page("dull")));
        // It was only loaded; so its handlers have not been run yet, but the next page's are.
        lessons.learned(&page("dull"), None, true);
        assert!(lessons.is_one(&page("next")));
        lessons.learned(&page("next"), Some(2), true);
        assert_eq!(dull(&lessons, 6), [0, 1, 3]);
    }

    #[test]
    fn news_without_a_handler_are_the_page_itself() {
        let lessons = Lessons::default();
        let mut ones = Vec::new();
        for number in 0..20 {
            let page = page(&number.to_string());
            let is_one = lessons.is_one(&page);
            lessons.learned(&page, is_one.then_some(0), is_one);
            ones.extend(is_one.then_some(number));
        }
        assert_eq!(ones, [0, 1, 3, 7, 15]);
    }

    #[test]
    fn sites_do_not_speak_for_others() {
        let lessons = Lessons::default();
        dull(&lessons, 40);
        let other = Url::parse("https://weather.example/").unwrap();
        assert!(lessons.is_one(&other));
    }
}
