//! What is known about the peers, for Prometheus.

use crate::aggregator::PeerFacts;
use crate::tally::{Counts, STEPS};
use std::fmt::Write;

/// A name, what it means, and where its value is.
type Counter = (&'static str, &'static str, fn(&Counts) -> u64);

/// All counts, in the text form of Prometheus. Labels are ids of archives and words of ours.
pub(super) fn text(peers: &[PeerFacts]) -> String {
    let mut out = String::new();
    let counters: [Counter; 10] = [
        ("asked", "Look-ups in which it was asked.", |it| it.asked),
        ("skipped_by_map", "Look-ups that its map excluded.", |it| {
            it.skipped_by_map
        }),
        (
            "skipped_dormant",
            "Look-ups in which it was dormant.",
            |it| it.skipped_dormant,
        ),
        (
            "left_out",
            "Look-ups in which others promised more.",
            |it| it.left_out,
        ),
        ("hits", "Look-ups in which it had something.", |it| it.hits),
        ("misses", "Look-ups in which it had nothing.", |it| {
            it.misses
        }),
        (
            "map_misses",
            "Look-ups in which it had nothing although its map allowed it.",
            |it| it.map_misses,
        ),
        ("mementos", "Mementos that it told of.", |it| it.mementos),
        ("lies", "Mementos that it cannot have.", |it| it.lies),
        ("hedged", "Requests that were sent a second time.", |it| {
            it.hedged
        }),
    ];
    for (name, help, value) in counters {
        head(&mut out, &format!("{name}_total"), help, "counter");
        for peer in peers {
            let (id, value) = (&peer.id, value(&peer.counts));
            line(
                &mut out,
                &format!("{name}_total{{archive=\"{id}\"}} {value}"),
            );
        }
    }
    head(
        &mut out,
        "errors_total",
        "Look-ups that failed or were not whole, by reason.",
        "counter",
    );
    for peer in peers {
        for (reason, count) in &peer.counts.errors {
            let id = &peer.id;
            line(
                &mut out,
                &format!("errors_total{{archive=\"{id}\",reason=\"{reason}\"}} {count}"),
            );
        }
    }
    head(
        &mut out,
        "dormant",
        "Whether it is left alone now.",
        "gauge",
    );
    for peer in peers {
        line(
            &mut out,
            &format!(
                "dormant{{archive=\"{}\"}} {}",
                peer.id,
                u8::from(peer.dormant)
            ),
        );
    }
    head(&mut out, "map_lines", "Lines of its map.", "gauge");
    for (id, lines) in peers
        .iter()
        .filter_map(|peer| Some((&peer.id, peer.map_lines?)))
    {
        line(&mut out, &format!("map_lines{{archive=\"{id}\"}} {lines}"));
    }
    head(
        &mut out,
        "answer_seconds",
        "How long its answers took.",
        "histogram",
    );
    for peer in peers {
        histogram(&mut out, peer);
    }
    out
}

fn histogram(out: &mut String, peer: &PeerFacts) {
    let (id, counts) = (&peer.id, &peer.counts);
    let mut all = 0;
    let ends = STEPS.iter().map(|end| (*end as f64 / 1_000.0).to_string());
    for (end, count) in ends.chain(["+Inf".to_owned()]).zip(counts.steps) {
        all += count;
        line(
            out,
            &format!("answer_seconds_bucket{{archive=\"{id}\",le=\"{end}\"}} {all}"),
        );
    }
    let time = counts.time.as_secs_f64();
    line(
        out,
        &format!("answer_seconds_sum{{archive=\"{id}\"}} {time}"),
    );
    line(
        out,
        &format!("answer_seconds_count{{archive=\"{id}\"}} {all}"),
    );
}

fn head(out: &mut String, name: &str, help: &str, kind: &str) {
    // Writing to memory does not fail.
    let _ = writeln!(out, "# HELP varve_aggregate_{name} {help}");
    let _ = writeln!(out, "# TYPE varve_aggregate_{name} {kind}");
}

fn line(out: &mut String, line: &str) {
    let _ = writeln!(out, "varve_aggregate_{line}");
}
