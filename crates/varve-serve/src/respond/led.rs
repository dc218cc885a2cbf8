//! What led to a page that is sent on to its own time: the browser tells the page there less than
//! it would have told at capture, because to it the two are of different origins.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::Url;
use varve_model::Timestamp;

/// Pages that are on their way at once.
const MAX_LED: usize = 64;
/// Who has not arrived by then does not come.
const LASTS: Duration = Duration::from_secs(10);

/// The archived referrers of pages that are about to be asked for.
#[derive(Default)]
pub(crate) struct Led(Mutex<VecDeque<Leading>>);

struct Leading {
    to: Url,
    time: Timestamp,
    from: Url,
    since: Instant,
}

impl Led {
    /// Remembers what leads to a page at its own time.
    pub(crate) fn remember(&self, to: &Url, time: Timestamp, from: Url) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if list.len() >= MAX_LED {
            list.pop_front();
        }
        list.push_back(Leading {
            to: to.clone(),
            time,
            from,
            since: Instant::now(),
        });
    }

    /// What led to a page, once.
    pub(crate) fn take(&self, to: &Url, time: Timestamp) -> Option<Url> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|leading| leading.since.elapsed() < LASTS);
        let at = list
            .iter()
            .position(|leading| leading.time == time && leading.to == *to)?;
        list.remove(at).map(|leading| leading.from)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_page_is_told_once_what_led_to_it() {
        let led = Led::default();
        let [to, from] = ["https://h/a", "https://h/b"].map(|url| Url::parse(url).unwrap());
        let time = Timestamp::parse("20260101000000").unwrap();
        led.remember(&to, time, from.clone());
        assert_eq!(led.take(&from, time), None);
        assert_eq!(led.take(&to, time), Some(from));
        assert_eq!(led.take(&to, time), None);
    }

    #[test]
    fn only_so_many_are_remembered() {
        let led = Led::default();
        let time = Timestamp::parse("20260101000000").unwrap();
        let url = |n: usize| Url::parse(&format!("https://h/{n}")).unwrap();
        for n in 0..=MAX_LED {
            led.remember(&url(n), time, url(n));
        }
        assert_eq!(led.take(&url(0), time), None);
        assert_eq!(led.take(&url(MAX_LED), time), Some(url(MAX_LED)));
    }
}
