#![allow(clippy::unwrap_used)]

use super::*;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

fn control() -> Control {
    Control::new(Arc::default())
}

fn is_ready(future: impl Future<Output = ()>) -> bool {
    pin!(future).poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(())
}

#[test]
fn every_change_is_a_new_generation() {
    let control = control();
    let mut seen = vec![control.generation()];
    control.pause();
    seen.push(control.generation());
    control.exclude("/private/").unwrap();
    seen.push(control.generation());
    control.set_delay(Duration::from_secs(1));
    seen.push(control.generation());
    control.set_limits(CrawlLimits::default());
    seen.push(control.generation());
    assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
}

#[test]
fn what_is_refused_changes_nothing() {
    let control = control();
    let before = control.settings();
    assert!(control.exclude("(").is_err());
    assert_eq!(control.settings(), before);
}

#[test]
fn patterns_come_and_go() {
    let control = control();
    let url = Url::parse("https://a.example/private/").unwrap();
    assert!(!control.excluded(&url));
    control.exclude("/private/").unwrap();
    assert!(control.excluded(&url));
    control.include_again("/private/");
    assert!(!control.excluded(&url));
}

#[tokio::test]
async fn one_waits_only_while_paused() {
    let control = control();
    assert!(is_ready(control.unpaused()));
    control.pause();
    assert!(!is_ready(control.unpaused()));
    let resumed = async { control.resume() };
    tokio::join!(control.unpaused(), resumed);
}

#[tokio::test]
async fn a_stop_by_signal_ends_all_waiting() {
    let stop = Arc::new(AtomicBool::new(false));
    let control = Control::new(stop.clone());
    control.pause();
    let signal = async { stop.store(true, Ordering::Relaxed) };
    tokio::join!(
        control.unpaused(),
        control.changed(control.generation()),
        signal
    );
    assert!(control.is_stopping());
}

#[test]
fn orders_are_seen_before_the_crawl_follows_them() {
    let (live, control) = (Live::new(), control());
    let state = || control.snapshot(&live).state;
    assert_eq!(state(), State::Running);
    control.pause();
    assert_eq!(state(), State::Pausing);
    live.state(State::Paused);
    assert_eq!(state(), State::Paused);
    control.stop();
    assert_eq!(state(), State::Finishing);
    live.state(State::Done);
    assert_eq!(state(), State::Done);
}

#[test]
fn a_limit_is_reached_by_what_came() {
    let live = Live::new();
    let bytes = CrawlLimits {
        bytes: Some(500),
        ..CrawlLimits::default()
    };
    live.request_recorded(499);
    assert_eq!(bytes.reached(&live), None);
    live.request_recorded(1);
    assert_eq!(bytes.reached(&live), Some("limit.bytes"));
    assert_eq!(CrawlLimits::default().reached(&live), None);
}
