//! What the server did so far, for Prometheus.

use crate::serving::Serving;
use axum::http::StatusCode;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What a request was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Archived content.
    Replay,
    /// The archive's own pages and interfaces.
    Own,
    /// Archived content, through the proxy.
    Proxy,
}

const ASKED: [(Asked, &str); 3] = [
    (Asked::Replay, "replay"),
    (Asked::Own, "own"),
    (Asked::Proxy, "proxy"),
];

/// Counts since the start.
pub(crate) struct Metrics {
    began: Instant,
    /// Answers, by what was asked and by the first digit of the status.
    answers: [[AtomicU64; 6]; 3],
    /// Bodies of functions that stubs asked for: those that were there, and those that were not.
    restored: AtomicU64,
    not_restored: AtomicU64,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        Metrics {
            began: Instant::now(),
            answers: Default::default(),
            restored: AtomicU64::new(0),
            not_restored: AtomicU64::new(0),
        }
    }

    /// Counts a call of a stub.
    pub(crate) fn count_restored(&self, is_there: bool) {
        let count = match is_there {
            true => &self.restored,
            false => &self.not_restored,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts an answer.
    pub(crate) fn count(&self, asked: Asked, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100).min(5);
        self.answers[asked as usize][class].fetch_add(1, Ordering::Relaxed);
    }

    /// All counts, in the text form of Prometheus.
    pub(crate) fn text(&self, serving: &Serving) -> String {
        let mut out = String::from(
            "# HELP varve_answers_total Answers since the start.\n\
             # TYPE varve_answers_total counter\n",
        );
        for (asked, name) in ASKED {
            for (class, count) in self.answers[asked as usize].iter().enumerate().skip(1) {
                let count = count.load(Ordering::Relaxed);
                // Writing to memory does not fail.
                let _ = writeln!(
                    out,
                    "varve_answers_total{{for=\"{name}\",status=\"{class}xx\"}} {count}"
                );
            }
        }
        out.push_str(
            "# HELP varve_restores_total Functions that were taken out of scripts and asked for.\n\
             # TYPE varve_restores_total counter\n",
        );
        for (found, count) in [("yes", &self.restored), ("no", &self.not_restored)] {
            let count = count.load(Ordering::Relaxed);
            let _ = writeln!(out, "varve_restores_total{{found=\"{found}\"}} {count}");
        }
        let opened = serving.archive.now();
        let layers: usize = opened
            .iter()
            .map(|one| one.collection().layers().len())
            .sum();
        for (name, help, value) in [
            (
                "varve_collections",
                "Collections that are served.",
                opened.len(),
            ),
            ("varve_layers", "Layers of all collections.", layers),
        ] {
            let _ = writeln!(
                out,
                "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}"
            );
        }
        let seconds = self.began.elapsed().as_secs_f64();
        let _ = writeln!(
            out,
            "# HELP varve_uptime_seconds Seconds since the start.\n\
             # TYPE varve_uptime_seconds gauge\nvarve_uptime_seconds {seconds:.3}"
        );
        out
    }
}
