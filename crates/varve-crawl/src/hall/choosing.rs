//! Who of those who wait is visited next.

use super::State;
use std::collections::BTreeMap;
use tokio::sync::OwnedSemaphorePermit;
use varve_memo::{News, Why};

/// So many first pages of a site are visited at once: one to learn from, the others to see whether
/// what it taught is true of them.
const FIRST_AT_ONCE: usize = 3;

/// Why a page would be visited, and what for.
pub(crate) struct Wish {
    pub(crate) why: Why,
    /// What a visit would show; nothing if that does not matter.
    pub(crate) news: Option<News>,
    /// How many more visits of its site must be foretold before it is trusted.
    pub(crate) proofs: usize,
}

/// Somebody who waits.
pub(super) struct Waiting {
    site: String,
    pub(super) wish: Wish,
    /// Whoever is let in has this.
    pub(super) browser: Option<OwnedSemaphorePermit>,
}

/// How much a visit is worth: more where others wait for what it teaches.
type Worth = (bool, u64);

impl Waiting {
    pub(super) fn new(site: String, wish: Wish) -> Waiting {
        Waiting {
            site,
            wish,
            browser: None,
        }
    }

    /// What a visit is worth while these others of its site are visited; nothing if it can wait for
    /// what they teach.
    fn worth(&self, visiting: Option<&BTreeMap<u64, News>>) -> Option<Worth> {
        let others: Vec<&News> = visiting.iter().flat_map(|others| others.values()).collect();
        let Some(news) = &self.wish.news else {
            return Some((false, 0));
        };
        let left = news.beyond(&others);
        let room = match self.wish.why {
            // Nobody can teach anything about these.
            Why::Varies | Why::Input => return Some((false, left)),
            Why::First => FIRST_AT_ONCE,
            Why::Unproven => self.wish.proofs,
            Why::Script | Why::Value | Why::Element if left > 0 => usize::MAX,
            Why::Script | Why::Value | Why::Element => 1,
        };
        (others.len() < room.max(1)).then_some((true, left))
    }
}

impl State {
    /// Gives a browser to the page whose visit is worth most, and says which, of which site, and what
    /// the visit may show. Of pages that are alike the first one goes first.
    pub(super) fn choose(&mut self, browser: OwnedSemaphorePermit) -> Option<(u64, String, News)> {
        let visiting = &self.visiting;
        let outside = self
            .waiting
            .iter_mut()
            .filter(|(_, it)| it.browser.is_none());
        let worth = outside.filter_map(|(number, waiting)| {
            let worth = waiting.worth(visiting.get(&waiting.site))?;
            Some(((worth, std::cmp::Reverse(*number)), waiting))
        });
        let ((_, number), best) = worth.max_by_key(|(worth, _)| *worth)?;
        best.browser = Some(browser);
        let news = best.wish.news.clone().unwrap_or_default();
        Some((number.0, best.site.clone(), news))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::sync::Arc;
    use tokio::sync::Semaphore;

    fn waits(state: &mut State, number: u64, why: Why, proofs: usize) {
        let news = Some(News::default());
        let waiting = Waiting::new("garden".into(), Wish { why, news, proofs });
        state.waiting.insert(number, waiting);
    }

    /// Who is let in, in turn, as long as anybody is.
    fn chosen(state: &mut State) -> Vec<u64> {
        let browsers = Arc::new(Semaphore::new(20));
        let next = || {
            let browser = browsers.clone().try_acquire_owned().unwrap();
            let (number, site, news) = state.choose(browser)?;
            state.begin(&site, number, news);
            Some(number)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn a_few_first_pages_are_visited_at_once() {
        let mut state = State::default();
        (0..9).for_each(|number| waits(&mut state, number, Why::First, 2));
        assert_eq!(chosen(&mut state), [0, 1, 2]);
        state.end("garden", 1);
        assert_eq!(chosen(&mut state), [3]);
    }

    #[test]
    fn proofs_are_looked_for_as_many_as_are_missing() {
        let mut state = State::default();
        (0..9).for_each(|number| waits(&mut state, number, Why::Unproven, 4));
        assert_eq!(chosen(&mut state).len(), 4);
    }

    #[test]
    fn pages_that_have_nothing_to_add_wait_for_what_the_others_teach() {
        let mut state = State::default();
        (0..9).for_each(|number| waits(&mut state, number, Why::Element, 0));
        assert_eq!(chosen(&mut state), [0]);
        state.end("garden", 0);
        assert_eq!(chosen(&mut state), [1]);
    }

    #[test]
    fn pages_that_nobody_can_teach_about_go_when_there_is_room() {
        let mut state = State::default();
        waits(&mut state, 0, Why::Varies, 0);
        waits(&mut state, 1, Why::Input, 0);
        waits(&mut state, 2, Why::First, 2);
        assert_eq!(chosen(&mut state), [2, 0, 1]);
    }
}
