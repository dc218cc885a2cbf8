//! What a layer holds, counted: its captures by type, and its log by reason.

use super::lines::LogLine;
use super::opened::Opened;
use std::collections::BTreeMap;
use std::sync::Arc;
use varve_model::{Capture, Timestamp};

/// Reasons that are told apart; others are counted together.
const MAX_REASONS: usize = 200;
/// Letters of a reason.
const MAX_REASON: usize = 80;
/// Lines that cannot be read before a file is given up.
const MAX_FAULTS: usize = 10_000;

/// The types that captures are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Html,
    Style,
    Script,
    Image,
    Font,
    Media,
    Data,
    Document,
    Other,
    Repeated,
    AboutPages,
}

impl Kind {
    /// The type of a capture.
    fn of(capture: &Capture) -> Kind {
        if capture.key.as_str().starts_with("urn:") {
            return Kind::AboutPages;
        }
        let mime = capture.mime.as_deref().unwrap_or("").to_ascii_lowercase();
        match mime.split_once('/').unwrap_or((&mime, "")) {
            ("warc", "revisit") => Kind::Repeated,
            ("text", "html") | ("application", "xhtml+xml") => Kind::Html,
            ("text", "css") => Kind::Style,
            ("image", _) => Kind::Image,
            ("font", _) => Kind::Font,
            ("audio" | "video", _) => Kind::Media,
            (_, sub) if sub.contains("javascript") || sub.contains("ecmascript") => Kind::Script,
            (_, sub) if sub.contains("font") => Kind::Font,
            (_, sub) if sub.contains("mpegurl") || sub.contains("dash+xml") => Kind::Media,
            (_, sub) if sub.contains("json") || sub.contains("xml") || sub == "csv" => Kind::Data,
            (_, "pdf" | "plain" | "msword" | "rtf" | "epub+zip") => Kind::Document,
            _ => Kind::Other,
        }
    }

    /// For people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Html => "HTML",
            Kind::Style => "Style sheets",
            Kind::Script => "Scripts",
            Kind::Image => "Images",
            Kind::Font => "Fonts",
            Kind::Media => "Sound and film",
            Kind::Data => "Data (JSON, XML)",
            Kind::Document => "Texts and PDF",
            Kind::Other => "Other",
            Kind::Repeated => "Repeats of known content",
            Kind::AboutPages => "Pictures and logs of pages",
        }
    }
}

/// Captures and their bytes in archive files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) captures: u64,
    pub(crate) bytes: u64,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) kinds: BTreeMap<Kind, Amount>,
    /// The first and the last capture.
    pub(crate) span: Option<(Timestamp, Timestamp)>,
    /// What became of pages, by reason.
    pub(crate) pages: BTreeMap<String, u64>,
    /// What became of requests, by reason.
    pub(crate) requests: BTreeMap<String, u64>,
}

impl Tally {
    /// Reads the index and the log of a layer.
    pub(super) fn of_layer(opened: &Opened, layer: usize) -> Tally {
        let mut tally = Tally::default();
        tally.read_index(opened, layer);
        tally.read_log(opened, layer);
        tally
    }

    /// Counts another layer with this one.
    pub(crate) fn add(&mut self, other: &Tally) {
        for (kind, amount) in &other.kinds {
            let sum = self.kinds.entry(*kind).or_default();
            sum.captures += amount.captures;
            sum.bytes = sum.bytes.saturating_add(amount.bytes);
        }
        for (own, others) in [
            (&mut self.pages, &other.pages),
            (&mut self.requests, &other.requests),
        ] {
            for (reason, count) in others {
                *own.entry(reason.clone()).or_default() += count;
            }
        }
        self.span = joined(self.span, other.span);
    }

    fn read_index(&mut self, opened: &Opened, layer: usize) {
        // Sums give nothing away of what may not be shown.
        let index = opened.whole_layer(layer);
        let Some(Ok(mut lines)) = index.map(|index| index.start()) else {
            return;
        };
        let mut faults = 0;
        while faults < MAX_FAULTS {
            match lines.next_line() {
                Ok(None) => break,
                Ok(Some((_, line))) => match std::str::from_utf8(line).map(Capture::parse) {
                    Ok(Ok(capture)) => self.count(&capture),
                    _ => faults += 1,
                },
                Err(_) => faults += 1,
            }
        }
    }

    fn count(&mut self, capture: &Capture) {
        let kind = Kind::of(capture);
        let amount = self.kinds.entry(kind).or_default();
        amount.captures += 1;
        amount.bytes = amount.bytes.saturating_add(capture.length);
        if kind != Kind::AboutPages {
            let moment = (capture.timestamp, capture.timestamp);
            self.span = joined(self.span, Some(moment));
        }
    }

    fn read_log(&mut self, opened: &Opened, layer: usize) {
        let Some(mut lines) = opened.log(layer, 0) else {
            return;
        };
        let mut faults = 0;
        while faults < MAX_FAULTS {
            match lines.next_line() {
                Ok(None) => break,
                Ok(Some(line)) => match LogLine::parse(line) {
                    Some(line) => self.count_line(&line),
                    None => faults += 1,
                },
                Err(_) => faults += 1,
            }
        }
    }

    fn count_line(&mut self, line: &LogLine) {
        let reasons = match line.is_page() {
            true => &mut self.pages,
            false => &mut self.requests,
        };
        let mut reason: String = line.reason.chars().take(MAX_REASON).collect();
        if reasons.len() >= MAX_REASONS && !reasons.contains_key(&reason) {
            reason = "other".to_owned();
        }
        *reasons.entry(reason).or_default() += 1;
    }
}

fn joined(
    one: Option<(Timestamp, Timestamp)>,
    other: Option<(Timestamp, Timestamp)>,
) -> Option<(Timestamp, Timestamp)> {
    match (one, other) {
        (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
        (one, other) => one.or(other),
    }
}

/// Counts all layers of a collection that were not counted yet, on a thread of its own.
pub(super) fn count_all(opened: &Arc<Opened>) {
    let opened = opened.clone();
    let counting = std::thread::Builder::new().name("count".into());
    // Without a thread the pages say that they are still counting.
    let _ = counting.spawn(move || {
        for layer in 0..opened.layer_count() {
            opened.tally_now(layer);
        }
    });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn captures_are_of_a_type() {
        for (key, mime, kind) in [
            ("h)/", "text/html", Kind::Html),
            ("h)/", "TEXT/JavaScript", Kind::Script),
            ("h)/", "application/x-javascript", Kind::Script),
            ("h)/", "application/ld+json", Kind::Data),
            ("h)/", "image/svg+xml", Kind::Image),
            ("h)/", "application/font-woff2", Kind::Font),
            ("h)/", "application/vnd.apple.mpegurl", Kind::Media),
            ("h)/", "warc/revisit", Kind::Repeated),
            ("h)/", "x", Kind::Other),
            ("urn:view:https://h/", "image/png", Kind::AboutPages),
        ] {
            let line = format!(
                r#"{key} 20260101000000 {{"url":"u","mime":"{mime}","offset":"0","length":"1","filename":"f"}}"#
            );
            assert_eq!(Kind::of(&Capture::parse(&line).unwrap()), kind, "{mime}");
        }
    }
}
