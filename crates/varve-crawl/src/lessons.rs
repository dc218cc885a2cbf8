//! Which pages' event handlers are run to learn what can run, and which pages are looked at closely.
//!
//! The pages of a site run mostly the same, and running all handlers of a page takes as long as
//! loading it. So a site's pages are lessons until handlers bring nothing new; from then on fewer
//! and fewer are, and all again as soon as a lesson brings news. Pages run something of their own
//! when they load, too; after that the next page is a lesson, and tells whether it was more than that.
//! While a page of a site is a lesson no other is: it would learn the same. On pages that are none
//! only handlers are run whose code no page has run.
//!
//! Which branches of functions are taken is asked of lessons, of the first pages of a site, and of
//! some of the others: it costs a little more.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use url::Url;
use varve_browser::Detail;

/// After each lesson without news so many times fewer pages are.
const RARER: u32 = 4;
/// So many lessons without a handler count for nothing.
const EMPTY: u32 = 4;
/// At least one page in so many remains a lesson.
const RAREST: u32 = 64;
/// So many pages of a site are looked at closely, and one in so many after that.
const CLOSE: u32 = 4;
const CLOSE_ONE_IN: u32 = 16;
/// Sites that are remembered. When there are more, all are forgotten, and begin anew.
const SITES: usize = 10_000;

/// The sites of a crawl, and how much there is to learn from each.
#[derive(Default)]
pub(crate) struct Lessons(Mutex<HashMap<String, Site>>);

#[derive(Clone, Copy, Default)]
struct Site {
    /// Lessons in a row that brought nothing new.
    quiet: u32,
    /// Lessons without a handler.
    empty: u32,
    /// Pages that pass before the next one.
    pause: u32,
    /// Whether there is one now.
    is_under_way: bool,
    /// Pages that were begun.
    begun: u32,
}

/// How much of a page is to be learned.
pub(crate) struct Curriculum<'a> {
    /// Whether it is a lesson.
    pub(crate) lesson: Option<Lesson<'a>>,
    /// How closely it is looked at.
    pub(crate) detail: Detail,
}

/// A lesson, as long as it is held.
pub(crate) struct Lesson<'a> {
    lessons: &'a Lessons,
    page: Url,
}

impl Drop for Lesson<'_> {
    fn drop(&mut self) {
        self.lessons
            .of(&self.page, |site| site.is_under_way = false);
    }
}

impl Lessons {
    /// Begins with a page; with a lesson, if it is one.
    pub(crate) fn begin(&self, page: &Url) -> Curriculum<'_> {
        let (is_one, number) = self.of(page, |site| {
            let is_one = site.pause == 0 && !site.is_under_way;
            site.is_under_way |= is_one;
            site.pause = site.pause.saturating_sub(1);
            let number = site.begun;
            site.begun = site.begun.saturating_add(1);
            (is_one, number)
        });
        let is_close = is_one || number < CLOSE || number.is_multiple_of(CLOSE_ONE_IN);
        let lesson = is_one.then(|| Lesson {
            lessons: self,
            page: page.clone(),
        });
        Curriculum {
            lesson,
            detail: match is_close {
                true => Detail::Branches,
                false => Detail::Functions,
            },
        }
    }

    /// What a page brought: how many handlers it has that can be run, if it was a lesson, and
    /// whether anything ran that never had.
    pub(crate) fn learned(&self, page: &Url, handlers: Option<u32>, is_news: bool) {
        self.of(page, |site| match (handlers, is_news) {
            (Some(1..), true) => (site.quiet, site.pause) = (0, 0),
            // It says nothing about pages that have some.
            (Some(0), _) if site.empty < EMPTY => (site.empty, site.pause) = (site.empty + 1, 0),
            (Some(_), _) => {
                site.quiet += 1;
                site.pause = RARER.saturating_pow(site.quiet).min(RAREST) - 1;
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

    fn is_lesson(lessons: &Lessons, page: &Url) -> bool {
        lessons.begin(page).lesson.is_some()
    }

    /// Which of so many pages are lessons, if none brings news.
    fn dull(lessons: &Lessons, pages: usize) -> Vec<usize> {
        let mut ones = Vec::new();
        for number in 0..pages {
            let page = page(&number.to_string());
            let is_one = is_lesson(lessons, &page);
            lessons.learned(&page, is_one.then_some(3), false);
            ones.extend(is_one.then_some(number));
        }
        ones
    }

    #[test]
    fn pages_that_bring_nothing_new_are_asked_less_and_less() {
        let ones = dull(&Lessons::default(), 300);
        assert_eq!(ones, [0, 4, 20, 84, 148, 212, 276]);
    }

    #[test]
    fn news_of_a_lesson_begin_a_site_anew() {
        let lessons = Lessons::default();
        dull(&lessons, 40);
        assert!(!is_lesson(&lessons, &page("dull")));
        // It was only loaded; so its handlers have not been run yet, but the next page's are.
        lessons.learned(&page("dull"), None, true);
        assert!(is_lesson(&lessons, &page("next")));
        lessons.learned(&page("next"), Some(2), true);
        assert_eq!(dull(&lessons, 6), [0, 4]);
    }

    #[test]
    fn pages_without_handlers_are_lessons_when_there_are_no_others() {
        let lessons = Lessons::default();
        let mut ones = Vec::new();
        for number in 0..20 {
            let page = page(&number.to_string());
            let is_one = is_lesson(&lessons, &page);
            lessons.learned(&page, is_one.then_some(0), is_one);
            ones.extend(is_one.then_some(number));
        }
        assert_eq!(ones, [0, 1, 2, 3, 4, 8]);
    }

    #[test]
    fn one_lesson_at_a_time_is_enough_for_a_site() {
        let lessons = Lessons::default();
        let first = lessons.begin(&page("first")).lesson;
        assert!(first.is_some());
        assert!(!is_lesson(&lessons, &page("meanwhile")));
        let other = Url::parse("https://weather.example/").unwrap();
        assert!(is_lesson(&lessons, &other));
        // However it ends, the next page may be one.
        drop(first);
        assert!(is_lesson(&lessons, &page("next")));
    }

    #[test]
    fn sites_do_not_speak_for_others() {
        let lessons = Lessons::default();
        dull(&lessons, 40);
        let other = Url::parse("https://weather.example/").unwrap();
        assert!(is_lesson(&lessons, &other));
    }

    #[test]
    fn the_first_pages_are_looked_at_closely_and_some_of_the_others() {
        let lessons = Lessons::default();
        let mut close = Vec::new();
        for number in 0..40 {
            let page = page(&number.to_string());
            let curriculum = lessons.begin(&page);
            close.extend((curriculum.detail == Detail::Branches).then_some(number));
            let is_one = curriculum.lesson.is_some();
            drop(curriculum);
            lessons.learned(&page, is_one.then_some(3), false);
        }
        // 4 and 20 are lessons.
        assert_eq!(close, [0, 1, 2, 3, 4, 16, 20, 32]);
    }
}
