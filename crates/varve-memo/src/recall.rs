//! Recall: how much of what browsers ask for do pages have that went without one.

use serde::{Deserialize, Serialize};

/// What pages lacked that went without a browser and were visited all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recall {
    /// Pages that were visited to see.
    pub pages: u64,
    /// Those that lacked nothing.
    pub complete: u64,
    /// Bytes that the browser asked for.
    pub bytes: u64,
    /// Those among them that the pages had not.
    pub missed: u64,
    /// The sum of the pages' recalls, and of their squares.
    sum: f64,
    squares: f64,
}

impl Recall {
    /// Adds a page.
    pub fn add(&mut self, bytes: u64, missed: u64) {
        let recall = share(bytes, missed);
        self.pages += 1;
        self.complete += u64::from(missed == 0);
        self.bytes += bytes;
        self.missed += missed;
        self.sum += recall;
        self.squares += recall * recall;
    }

    /// Adds what was measured elsewhere.
    pub fn merge(&mut self, other: &Recall) {
        self.pages += other.pages;
        self.complete += other.complete;
        self.bytes += other.bytes;
        self.missed += other.missed;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The share of bytes that pages had, all of them together.
    pub fn of_bytes(&self) -> Option<f64> {
        (self.pages > 0).then(|| share(self.bytes, self.missed))
    }

    /// The mean of the pages' shares.
    pub fn mean(&self) -> Option<f64> {
        (self.pages > 0).then(|| self.sum / self.pages as f64)
    }

    /// With 95 % confidence the mean of all pages is not below this. With a few pages, that is not
    /// much: by the bound for means that are nowhere known to vary (Hoeffding's) or by the one that
    /// knows how they vary (Maurer and Pontil's), whichever says more.
    pub fn at_least(&self) -> Option<f64> {
        let mean = self.mean()?;
        let n = self.pages as f64;
        let doubt = (1.0_f64 / 0.05).ln();
        let plain = (doubt / (2.0 * n)).sqrt();
        let empirical = if self.pages < 2 {
            1.0
        } else {
            let variance = ((self.squares - n * mean * mean) / (n - 1.0)).max(0.0);
            let doubt = (2.0_f64 / 0.05).ln();
            (2.0 * variance * doubt / n).sqrt() + 7.0 * doubt / (3.0 * (n - 1.0))
        };
        Some((mean - plain.min(empirical)).max(0.0))
    }
}

fn share(bytes: u64, missed: u64) -> f64 {
    match bytes {
        0 => 1.0,
        _ => 1.0 - missed as f64 / bytes as f64,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn pages_count_alike_and_bytes_count_by_weight() {
        let mut recall = Recall::default();
        recall.add(100, 50);
        recall.add(900, 0);
        assert_eq!(recall.of_bytes(), Some(0.95));
        assert_eq!(recall.mean(), Some(0.75));
        assert_eq!((recall.pages, recall.complete), (2, 1));
    }

    #[test]
    fn more_pages_leave_less_doubt() {
        let (mut few, mut many) = (Recall::default(), Recall::default());
        (0..5).for_each(|_| few.add(10, 0));
        (0..5000).for_each(|_| many.add(10, 0));
        assert!(few.at_least().unwrap() < 0.6);
        assert!(many.at_least().unwrap() > 0.995);
        assert_eq!(Recall::default().at_least(), None);
    }

    #[test]
    fn a_page_without_requests_lacks_nothing() {
        let mut recall = Recall::default();
        recall.add(0, 0);
        assert_eq!(recall.mean(), Some(1.0));
    }
}
