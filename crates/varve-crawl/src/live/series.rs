//! How a crawl went over time, for charts: every second of the last hour, every minute before.

use serde::Serialize;
use std::collections::VecDeque;

/// So many seconds are kept one by one.
const FINE: usize = 3_600;
/// So many minutes before them: four weeks.
const COARSE: usize = 60 * 24 * 28;
/// Seconds in a coarse point.
const STEP: u64 = 60;
/// "Lately" means so many seconds.
const LATELY: usize = 10;

/// What happened up to a moment since the point before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Point {
    /// The moment, in seconds since the crawl began.
    pub at: u64,
    /// How many seconds it stands for.
    pub span: u64,
    /// Pages that finished.
    pub pages: u64,
    /// Requests that ended.
    pub requests: u64,
    /// Bytes that were received.
    pub bytes: u64,
    /// The most memory that Chromium used, in bytes.
    pub memory: u64,
}

/// Points in order of time.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Series {
    coarse: VecDeque<Point>,
    fine: VecDeque<Point>,
}

impl Series {
    /// Adds a point. What falls out of the last hour is kept by the minute.
    pub(super) fn push(&mut self, point: Point) {
        self.fine.push_back(point);
        while self.fine.len() > FINE {
            let oldest = self.fine.pop_front().unwrap_or_default();
            self.keep_coarse(oldest);
        }
    }

    /// The last point.
    pub(super) fn last(&self) -> Point {
        self.fine.back().copied().unwrap_or_default()
    }

    /// The sum of the last few points: what rates are made of.
    pub(super) fn lately(&self) -> Point {
        let recent = self.fine.iter().rev().take(LATELY);
        recent.fold(Point::default(), |sum, point| sum.and(*point))
    }

    /// All points, oldest first, of whatever span.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.coarse.iter().chain(&self.fine)
    }

    fn keep_coarse(&mut self, point: Point) {
        match self.coarse.back_mut() {
            Some(last) if last.at / STEP == point.at / STEP => *last = last.and(point),
            _ => self.coarse.push_back(point),
        }
        if self.coarse.len() > COARSE {
            self.coarse.pop_front();
        }
    }
}

impl Point {
    fn and(self, later: Point) -> Point {
        Point {
            at: self.at.max(later.at),
            span: self.span + later.span,
            pages: self.pages + later.pages,
            requests: self.requests + later.requests,
            bytes: self.bytes + later.bytes,
            memory: self.memory.max(later.memory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(seconds: u64) -> Series {
        let mut series = Series::default();
        for at in 1..=seconds {
            series.push(Point {
                at,
                span: 1,
                pages: 2,
                requests: 3,
                bytes: 100,
                memory: at,
            });
        }
        series
    }

    #[test]
    fn nothing_is_lost_when_points_become_coarse() {
        let series = series(10_000);
        let sum = |of: fn(&Point) -> u64| series.points().map(of).sum::<u64>();
        assert_eq!(sum(|point| point.pages), 20_000);
        assert_eq!(sum(|point| point.span), 10_000);
        assert_eq!(series.points().count(), 3_600 + 107);
        assert!(series.points().is_sorted_by_key(|point| point.at));
    }

    #[test]
    fn a_crawl_of_years_stays_small() {
        let mut series = series(3_600);
        for minute in 0..100_000 {
            series.push(Point {
                at: 3_600 + minute * STEP,
                span: STEP,
                ..Point::default()
            });
        }
        assert_eq!(series.points().count(), FINE + COARSE);
    }

    #[test]
    fn lately_is_the_last_seconds_only() {
        assert_eq!(series(3).lately().pages, 6);
        assert_eq!(series(100).lately().pages, 20);
    }
}
