//! Wrong tokens, by where they come from: whoever guesses has to wait.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many wrong tokens may come from one place ...
const ALLOWED: usize = 10;
/// ... within this time.
const WITHIN: Duration = Duration::from_secs(60);
/// More places than this are not kept apart.
const PLACES: usize = 1024;

/// The wrong tokens of the last minute.
#[derive(Default)]
pub(super) struct Attempts(Mutex<HashMap<IpAddr, Vec<Instant>>>);

/// What a token is worth.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judged {
    Right,
    Wrong,
    /// It was not looked at: come again after this.
    TooMany(Duration),
}

impl Attempts {
    /// Judges a token, unless too many from the same place were wrong.
    pub(super) fn judge(
        &self,
        from: IpAddr,
        now: Instant,
        is_right: impl FnOnce() -> bool,
    ) -> Judged {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        places.retain(|_, wrong| {
            wrong.retain(|at| now.saturating_duration_since(*at) < WITHIN);
            !wrong.is_empty()
        });
        let mut place = place(from);
        if places.len() >= PLACES && !places.contains_key(&place) {
            // All that are left share one.
            place = Ipv6Addr::UNSPECIFIED.into();
        }
        let wrong = places.get(&place).map_or(&[][..], Vec::as_slice);
        if let [first, ..] = wrong
            && wrong.len() >= ALLOWED
        {
            let waited = now.saturating_duration_since(*first);
            return Judged::TooMany(WITHIN.saturating_sub(waited));
        }
        if is_right() {
            places.remove(&place);
            return Judged::Right;
        }
        places.entry(place).or_default().push(now);
        Judged::Wrong
    }
}

/// Whose address this is: one of IPv6 can be any of its network.
fn place(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn who_guesses_too_often_waits() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        let judge = |from: &str, seconds: u64, is_right: bool| {
            let now = now + Duration::from_secs(seconds);
            attempts.judge(from.parse().unwrap(), now, || is_right)
        };
        for second in 0..10 {
            assert_eq!(judge("10.0.0.1", second, false), Judged::Wrong);
        }
        let wait = Judged::TooMany(Duration::from_secs(50));
        assert_eq!(judge("::ffff:10.0.0.1", 10, true), wait);
        assert_eq!(judge("10.0.0.2", 10, true), Judged::Right);
        assert_eq!(judge("10.0.0.1", 60, false), Judged::Wrong);
        assert!(matches!(judge("10.0.0.1", 60, true), Judged::TooMany(_)));
        assert_eq!(judge("10.0.0.1", 61, true), Judged::Right);
        for _ in 0..10 {
            assert_eq!(judge("2001:db8::1", 70, false), Judged::Wrong);
        }
        assert!(matches!(judge("2001:db8::2", 70, true), Judged::TooMany(_)));
    }

    #[test]
    fn many_places_share_what_is_left() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        let judge =
            |number: u32, is_right| attempts.judge(IpAddr::V4(number.into()), now, || is_right);
        for number in 0..PLACES as u32 {
            assert_eq!(judge(number, false), Judged::Wrong);
        }
        for number in 0..10 {
            assert_eq!(judge(100_000 + number, false), Judged::Wrong);
        }
        assert!(matches!(judge(200_000, true), Judged::TooMany(_)));
        assert_eq!(judge(0, true), Judged::Right);
    }
}
