//! What every backend promises. Each case begins with a backend that nobody has used, and reads like
//! an example of use.

mod dropping;
mod lasting;
mod politeness;
mod queueing;
mod settling;

use crate::setup::{Backend, wait};
use std::pin::Pin;
use varve_crawl::frontier::Added;

/// One case: a name, and what is to be done with a backend nobody has used.
type Case = (&'static str, fn(&dyn Backend) -> Course<'_>);
type Course<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

macro_rules! cases {
    ($($part:ident: $($name:ident),*;)*) => {
        const CASES: &[Case] = &[
            $($((stringify!($name), |backend| Box::pin($part::$name(backend)))),*),*
        ];
    };
}

cases! {
    queueing:
        each_url_is_queued_once,
        known_urls_stay_known_whatever_became_of_them,
        what_cannot_be_visited_is_refused,
        a_target_comes_back_as_it_went_in,
        within_a_host_by_priority_then_arrival,
        the_host_due_longest_comes_first;
    politeness:
        a_host_rests_between_the_starts_of_two_visits,
        a_host_has_bounded_visits_in_flight,
        a_busy_host_does_not_hold_up_others,
        a_backed_off_host_is_left_alone,
        a_blocked_host_keeps_its_queue,
        rules_may_change_while_leases_are_out,
        a_clock_set_back_parks_nobody;
    settling:
        outcomes_are_told,
        links_come_with_the_outcome,
        again_means_later_and_once_more,
        a_released_target_keeps_its_place,
        a_lease_is_settled_once;
    dropping:
        unwanted_targets_are_dropped,
        dropping_spares_leased_targets,
        numbers_add_up,
        the_largest_hosts_are_shown_first;
    lasting:
        notes_are_kept,
        everything_survives_reopening,
        leases_are_queued_again_after_reopening,
        politeness_survives_reopening;
}

/// Runs all cases, each with a fresh backend.
pub(crate) fn conforms<B: Backend>(fresh: impl Fn() -> B) {
    for (name, case) in CASES {
        println!("{name}");
        wait(case(&fresh()));
    }
}

fn added(new: u64, known: u64) -> Added {
    Added {
        new,
        known,
        refused: 0,
    }
}
