//! Which pages' event handlers are run to learn what can run.
//!
//! The pages of a site run mostly the same, and running all handlers of a page takes as long as
//! loading it. So a site's pages are lessons until some of them in a row bring nothing new; from
//! then on fewer and fewer are, and all again as soon as there is news.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use url::Url;

/// So many lessons in a row without news are enough.
const ENOUGH: u32 = 3;
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

    /// What a page brought: whether it was a lesson, and whether anything ran that never had.
    pub(crate) fn learned(&self, page: &Url, was_lesson: bool, is_news: bool) {
        self.of(page, |site| match (is_news, was_lesson) {
            (true, _) => *site = Site::default(),
            (false, true) => {
                site.quiet += 1;
                let doublings = site.quiet.saturating_sub(ENOUGH).min(RAREST.ilog2());
                site.pause = (1 << doublings) - 1;
            }
            (false, false) => {}
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
            lessons.learned(&page, is_one, false);
            ones.extend(is_one.then_some(number));
        }
        ones
    }

    #[test]
    fn pages_that_bring_nothing_new_are_asked_less_and_less() {
        let ones = dull(&Lessons::default(), 300);
        assert_eq!(ones, [0, 1, 2, 3, 5, 9, 17, 33, 65, 129, 193, 257]);
    }

    #[test]
    fn news_begin_a_site_anew() {
        let lessons = Lessons::default();
        dull(&lessons, 40);
        assert!(!lessons.is_one(&page("dull")));
        // It was only loaded; so its handlers have not been run yet.
        lessons.learned(&page("dull"), false, true);
        assert_eq!(dull(&lessons, 6), [0, 1, 2, 3, 5]);
    }

    #[test]
    fn sites_do_not_speak_for_others() {
        let lessons = Lessons::default();
        dull(&lessons, 40);
        let other = Url::parse("https://weather.example/").unwrap();
        assert!(lessons.is_one(&other));
    }
}
