use super::*;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn response(status: u16, took: Duration) -> Response {
    Response {
        took,
        status: Some(status),
        retry_after: None,
    }
}

fn pace(floor: Duration) -> HostPace {
    HostPace::new(Politeness::new(floor))
}

#[test]
fn the_pause_is_never_below_the_floor_or_the_crawl_delay() {
    let now = Instant::now();
    let mut pace = pace(ms(250));
    assert_eq!(pace.delay(), ms(250));
    pace.observe(response(200, ms(10)), now);
    assert_eq!(pace.delay(), ms(250));
    assert_eq!(pace.next_start(now), now + ms(250));
    pace.set_politeness(Politeness {
        crawl_delay: Some(ms(45_000)),
        ..Politeness::new(ms(250))
    });
    assert_eq!(pace.delay(), ms(45_000));
}

#[test]
fn a_server_that_slows_down_is_asked_less_often() {
    let now = Instant::now();
    let mut pace = pace(ms(100));
    let mut before = pace.delay();
    for _ in 0..20 {
        pace.observe(response(200, ms(2_000)), now);
        assert!(pace.delay() >= before);
        before = pace.delay();
    }
    assert!(before > ms(1_900) && before <= ms(2_000), "{before:?}");
    (0..40).for_each(|_| pace.observe(response(200, ms(5)), now));
    assert_eq!(pace.delay(), ms(100));
    (0..40).for_each(|_| pace.observe(response(200, ms(600_000)), now));
    assert_eq!(pace.delay(), CEILING);
    pace.observe(response(200, Duration::MAX), now);
    assert_eq!(pace.delay(), CEILING);
    assert_eq!(pace.not_before(), None);
}

#[test]
fn too_many_requests_double_the_pause_and_good_answers_shorten_it() {
    let now = Instant::now();
    let mut pace = pace(ms(0));
    let mut pauses = Vec::new();
    for status in [429, 503, 429, 500, 200, 200] {
        pace.observe(response(status, ms(0)), now);
        pauses.push(pace.delay().as_millis());
    }
    assert_eq!(pauses, [1_000, 2_000, 4_000, 4_000, 3_000, 2_250]);
    (0..30).for_each(|_| pace.observe(response(200, ms(0)), now));
    assert_eq!(pace.delay(), ms(0));
    (0..30).for_each(|_| pace.observe(response(429, ms(0)), now));
    assert_eq!(pace.delay(), MAX_PENALTY);
}

#[test]
fn retry_after_is_honoured_for_up_to_an_hour() {
    let now = Instant::now();
    let mut pace = pace(ms(0));
    let asked = |seconds| Response {
        retry_after: Some(Duration::from_secs(seconds)),
        ..response(503, ms(0))
    };
    pace.observe(asked(120), now);
    assert_eq!(pace.not_before(), Some(now + ms(120_000)));
    assert_eq!(pace.next_start(now), now + ms(120_000));
    // A shorter wish does not take back a longer one.
    pace.observe(asked(0), now);
    assert_eq!(pace.not_before(), Some(now + ms(120_000)));
    pace.observe(asked(1_000_000), now);
    assert_eq!(pace.not_before(), Some(now + MAX_RETRY_AFTER));
}

#[test]
fn failures_without_an_answer_count_as_slow_ones() {
    let now = Instant::now();
    let mut pace = pace(ms(0));
    let silence = Response {
        took: ms(10_000),
        status: None,
        retry_after: None,
    };
    pace.observe(silence, now);
    assert_eq!(pace.delay(), ms(10_000));
}

#[test]
fn odd_factors_do_no_harm() {
    for (factor, expected) in [(f64::NAN, ms(0)), (-1.0, ms(0)), (f64::INFINITY, CEILING)] {
        let mut pace = HostPace::new(Politeness {
            factor,
            ..Politeness::new(ms(0))
        });
        pace.observe(response(200, ms(10)), Instant::now());
        assert_eq!(pace.delay(), expected, "{factor}");
    }
}
