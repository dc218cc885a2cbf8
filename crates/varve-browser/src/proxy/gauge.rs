//! How busy a port is, counted while it happens.

use crate::Activity;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The numbers of one port.
#[derive(Clone)]
pub(super) struct Gauge(Arc<Mutex<Activity>>);

impl Gauge {
    /// Nothing has happened yet.
    pub(super) fn new() -> Gauge {
        Gauge(Arc::new(Mutex::new(Activity {
            in_flight: 0,
            streams: 0,
            started: 0,
            last_change: Instant::now(),
        })))
    }

    /// What is going on right now.
    pub(super) fn read(&self) -> Activity {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something begins, and ends when the returned value is dropped.
    pub(super) fn begin(&self) -> Flight {
        self.change(|now| now.in_flight += 1);
        Flight {
            gauge: self.clone(),
            stream: false,
        }
    }

    fn change(&self, how: impl FnOnce(&mut Activity)) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        how(&mut now);
        now.last_change = Instant::now();
    }
}

/// Something that is going on: a request, or a tunnel being made.
pub(super) struct Flight {
    gauge: Gauge,
    stream: bool,
}

impl Flight {
    /// It is a request, and counts as one.
    pub(super) fn is_request(&self) {
        self.gauge.change(|now| now.started += 1);
    }

    /// It makes progress. That of a stream is nobody's concern.
    pub(super) fn goes_on(&self) {
        if !self.stream {
            self.gauge.change(|_| {});
        }
    }

    /// From now on it counts as a stream.
    pub(super) fn becomes_stream(&mut self) {
        if !self.stream {
            self.stream = true;
            self.gauge.change(|now| {
                now.in_flight -= 1;
                now.streams += 1;
            });
        }
    }

    /// Whether it counts as a stream.
    pub(super) fn is_stream(&self) -> bool {
        self.stream
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let stream = self.stream;
        self.gauge.change(|now| match stream {
            true => now.streams -= 1,
            false => now.in_flight -= 1,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(gauge: &Gauge) -> (usize, usize, u64) {
        let now = gauge.read();
        (now.in_flight, now.streams, now.started)
    }

    #[test]
    fn requests_become_streams_and_end() {
        let gauge = Gauge::new();
        let mut first = gauge.begin();
        let second = gauge.begin();
        first.is_request();
        second.is_request();
        assert_eq!(numbers(&gauge), (2, 0, 2));
        first.becomes_stream();
        first.becomes_stream();
        assert_eq!(numbers(&gauge), (1, 1, 2));
        drop(second);
        let before = gauge.read().last_change;
        drop(first);
        assert_eq!(numbers(&gauge), (0, 0, 2));
        assert!(gauge.read().last_change >= before);
    }

    #[test]
    fn progress_is_a_change_but_not_that_of_a_stream() {
        let gauge = Gauge::new();
        let mut flight = gauge.begin();
        let begun = gauge.read().last_change;
        flight.goes_on();
        let went_on = gauge.read().last_change;
        assert!(went_on > begun);
        flight.becomes_stream();
        let became = gauge.read().last_change;
        flight.goes_on();
        assert_eq!(gauge.read().last_change, became);
    }

    #[test]
    fn tunnels_are_no_requests() {
        let gauge = Gauge::new();
        let tunnel = gauge.begin();
        assert_eq!(numbers(&gauge), (1, 0, 0));
        drop(tunnel);
        assert_eq!(numbers(&gauge), (0, 0, 0));
    }
}
