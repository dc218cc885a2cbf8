//! A crawl as metrics, in the text form that Prometheus reads (OpenMetrics).
//!
//! Labels are words of ours (outcomes, reasons, tiers, states), never URLs, hosts or titles: those
//! are without number, and may hold secrets.

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};
use std::collections::BTreeMap;
use std::fmt;
use varve_crawl::live::{BOUNDS, Snapshot, Spread, State};

/// The type of the text.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The metrics of this moment.
pub(crate) fn text(now: Snapshot) -> Result<String, fmt::Error> {
    let mut registry = Registry::with_prefix("varve_crawl");
    registry.register_collector(Box::new(Moment(now)));
    let mut text = String::new();
    prometheus_client::encoding::text::encode(&mut text, &registry)?;
    Ok(text)
}

#[derive(Debug)]
struct Moment(Snapshot);

impl Collector for Moment {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let now = &self.0;
        pages(now, &mut encoder)?;
        requests(now, &mut encoder)?;
        amounts(now, &mut encoder)?;
        queue(now, &mut encoder)?;
        browser(now, &mut encoder)?;
        state(now, &mut encoder)?;
        durations(&now.durations, &mut encoder)
    }
}

fn pages(now: &Snapshot, encoder: &mut DescriptorEncoder) -> fmt::Result {
    let pages = [
        ("saved", now.pages.saved),
        ("failed", now.pages.failed),
        ("skipped", now.pages.skipped),
    ];
    counters(encoder, "pages", "Pages by outcome", "outcome", pages)?;
    let reasons = by_reason(&now.page_failures);
    let help = "Pages that could not be saved, by reason";
    counters(encoder, "page_failures", help, "reason", reasons)?;
    let reasons = by_reason(&now.skips);
    let help = "Pages that were not visited, by reason";
    counters(encoder, "page_skips", help, "reason", reasons)?;
    let in_flight = now.in_flight.len() as u64;
    gauge(
        encoder,
        "pages_in_flight",
        "Pages being visited",
        None,
        in_flight,
    )
}

fn requests(now: &Snapshot, encoder: &mut DescriptorEncoder) -> fmt::Result {
    let requests = [
        ("recorded", now.requests.recorded),
        ("reused", now.requests.reused),
        ("failed", now.requests.failed),
    ];
    counters(
        encoder,
        "requests",
        "Requests by outcome",
        "outcome",
        requests,
    )?;
    let reasons = by_reason(&now.request_failures);
    let help = "Requests without a response, by reason";
    counters(encoder, "request_failures", help, "reason", reasons)
}

fn amounts(now: &Snapshot, encoder: &mut DescriptorEncoder) -> fmt::Result {
    let received = now.received_bytes;
    counter(encoder, "received", "Bytes of bodies received", received)?;
    let stored = now.stored_bytes;
    counter(encoder, "stored", "Bytes written to the archive", stored)
}

fn queue(now: &Snapshot, encoder: &mut DescriptorEncoder) -> fmt::Result {
    let queue = now.queue;
    gauge(
        encoder,
        "queued_pages",
        "Pages that wait",
        None,
        queue.queued,
    )?;
    let help = "Hosts with pages that wait";
    gauge(encoder, "queued_hosts", help, None, queue.hosts)?;
    gauge(encoder, "seen_urls", "URLs met so far", None, queue.seen)
}

fn browser(now: &Snapshot, encoder: &mut DescriptorEncoder) -> fmt::Result {
    let memory = now.browser.bytes;
    let help = "Memory that Chromium uses";
    gauge(encoder, "browser_memory", help, Some(Unit::Bytes), memory)?;
    let processes = now.browser.processes;
    gauge(
        encoder,
        "browser_processes",
        "Processes of Chromium",
        None,
        processes,
    )
}

/// One gauge per state, as OpenMetrics has it: 1 for the state that holds, 0 for the others.
fn state(now: &Snapshot, encoder: &mut DescriptorEncoder) -> fmt::Result {
    let help = "What the crawl is doing";
    let mut family = encoder.encode_descriptor("state", help, None, MetricType::Gauge)?;
    for state in State::ALL {
        let value = ConstGauge::new(u64::from(state == now.state));
        value.encode(family.encode_family(&[("state", state.name())])?)?;
    }
    let help = "Time since the crawl began";
    let age = ConstGauge::new(now.seconds);
    let encoder =
        encoder.encode_descriptor("age", help, Some(&Unit::Seconds), MetricType::Gauge)?;
    age.encode(encoder)
}

fn durations(
    tiers: &BTreeMap<&'static str, Spread>,
    encoder: &mut DescriptorEncoder,
) -> fmt::Result {
    let (name, help) = ("page_duration", "How long pages took, by tier");
    let unit = Some(&Unit::Seconds);
    let mut family = encoder.encode_descriptor(name, help, unit, MetricType::Histogram)?;
    for (tier, spread) in tiers {
        let bounds = BOUNDS.into_iter().chain([f64::MAX]);
        let buckets: Vec<(f64, u64)> = bounds.zip(spread.counts).collect();
        let labels = [("tier", *tier)];
        let mut encoder = family.encode_family(&labels)?;
        encoder.encode_histogram::<NoLabelSet>(spread.sum, spread.count(), &buckets, None)?;
    }
    Ok(())
}

fn by_reason(reasons: &BTreeMap<String, u64>) -> impl Iterator<Item = (&str, u64)> {
    reasons.iter().map(|(name, count)| (name.as_str(), *count))
}

fn counters<'a>(
    encoder: &mut DescriptorEncoder,
    name: &str,
    help: &str,
    label: &str,
    values: impl IntoIterator<Item = (&'a str, u64)>,
) -> fmt::Result {
    let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
    for (value, count) in values {
        ConstCounter::new(count).encode(family.encode_family(&[(label, value)])?)?;
    }
    Ok(())
}

fn counter(encoder: &mut DescriptorEncoder, name: &str, help: &str, bytes: u64) -> fmt::Result {
    let unit = Some(&Unit::Bytes);
    let encoder = encoder.encode_descriptor(name, help, unit, MetricType::Counter)?;
    ConstCounter::new(bytes).encode(encoder)
}

fn gauge(
    encoder: &mut DescriptorEncoder,
    name: &str,
    help: &str,
    unit: Option<Unit>,
    value: u64,
) -> fmt::Result {
    let encoder: MetricEncoder =
        encoder.encode_descriptor(name, help, unit.as_ref(), MetricType::Gauge)?;
    ConstGauge::new(value).encode(encoder)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
