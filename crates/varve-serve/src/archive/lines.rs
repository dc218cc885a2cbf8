//! Page lists and logs of layers, read a little at a time, from any place on.

use super::opened::{Opened, PageLine};
use memchr::memchr2_iter;
use serde::Deserialize;
use varve_model::Timestamp;
use varve_store::index::{CdxjFile, Cursor};

/// Bytes of lists and logs that are looked at for one answer.
const LOOKED_AT: u64 = 12 << 20;

/// A line of a crawl's log.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LogLine {
    pub(crate) ts: String,
    pub(crate) kind: Option<String>,
    pub(crate) url: String,
    pub(crate) reason: String,
    pub(crate) page: Option<String>,
    pub(crate) status: Option<u64>,
    pub(crate) mime: Option<String>,
    pub(crate) bytes: Option<u64>,
    pub(crate) ms: Option<u64>,
    pub(crate) message: Option<String>,
    pub(crate) title: Option<String>,
}

impl LogLine {
    pub(super) fn parse(line: &[u8]) -> Option<LogLine> {
        serde_json::from_slice(line).ok()
    }

    /// Whether it tells what became of a page, and not of a request.
    pub(crate) fn is_page(&self) -> bool {
        self.kind.as_deref() == Some("page")
    }
}

/// A place in the page lists of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PagePlace {
    pub(crate) layer: usize,
    pub(crate) at: u64,
}

/// Some lines, and where to go on for more.
pub(crate) struct Part<T, P> {
    pub(crate) lines: Vec<T>,
    pub(crate) next: Option<P>,
}

/// A text that is looked for in lines of JSON, whatever the case of its letters.
#[derive(Clone, Debug)]
pub(crate) struct Text(String);

impl Text {
    pub(crate) fn new(text: &str) -> Text {
        Text(text.to_lowercase())
    }

    /// Whether a value holds it.
    pub(crate) fn is_in(&self, value: &str) -> bool {
        self.0.is_empty() || value.to_lowercase().contains(&self.0)
    }

    /// Whether a line may hold it, at a glance: most do not, and need not be read.
    pub(crate) fn may_be_in(&self, line: &[u8]) -> bool {
        let text = self.0.as_bytes();
        let Some(first) = text.first() else {
            return true;
        };
        // Letters may be written otherwise.
        if !text.is_ascii() || memchr::memchr(b'\\', line).is_some() {
            return true;
        }
        memchr2_iter(*first, first.to_ascii_uppercase(), line).any(|at| {
            let found = line.get(at..at + text.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(text))
        })
    }
}

impl Opened {
    /// The pages of the collection that hold a text in URL or title, from a place on; those of the
    /// newest layer come first.
    pub(crate) fn pages_from(
        &self,
        from: Option<PagePlace>,
        text: &Text,
        limit: usize,
    ) -> Part<(usize, PageLine), PagePlace> {
        let mut found = Vec::new();
        let mut left = LOOKED_AT;
        let newest = self.layer_count().saturating_sub(1);
        let from = from.unwrap_or(PagePlace {
            layer: newest,
            at: 0,
        });
        for layer in (0..=from.layer.min(newest)).rev() {
            let at = if layer == from.layer { from.at } else { 0 };
            let Some(mut lines) = self.page_list(layer, at) else {
                continue;
            };
            while let Some(line) = next_readable(&mut lines, &mut left) {
                let page = text
                    .may_be_in(line)
                    .then(|| serde_json::from_slice::<PageLine>(line).ok());
                let is_wanted = |page: &PageLine| {
                    let title = page.title.as_ref();
                    let holds = text.is_in(&page.url) || title.is_some_and(|it| text.is_in(it));
                    holds && self.may_show(&page.url, page.time())
                };
                if let Some(page) = page.flatten().filter(is_wanted) {
                    if found.len() == limit {
                        let at = lines.offset();
                        let next = Some(PagePlace { layer, at });
                        return Part { lines: found, next };
                    }
                    found.push((layer, page));
                }
            }
            if left == 0 {
                let at = lines.position();
                let next = Some(PagePlace { layer, at });
                return Part { lines: found, next };
            }
        }
        Part {
            lines: found,
            next: None,
        }
    }

    /// The lines of a layer's log that are wanted, from a place on.
    pub(crate) fn log_from(
        &self,
        layer: usize,
        at: u64,
        texts: &[Text],
        is_wanted: impl Fn(&LogLine) -> bool,
        limit: usize,
    ) -> Part<LogLine, u64> {
        let mut found = Vec::new();
        let mut left = LOOKED_AT;
        let Some(mut lines) = self.log(layer, at) else {
            return Part {
                lines: found,
                next: None,
            };
        };
        while let Some(line) = next_readable(&mut lines, &mut left) {
            if !texts.iter().all(|text| text.may_be_in(line)) {
                continue;
            }
            let line = LogLine::parse(line).and_then(|line| self.shown(line));
            if let Some(line) = line.filter(&is_wanted) {
                if found.len() == limit {
                    let next = Some(lines.offset());
                    return Part { lines: found, next };
                }
                found.push(line);
            }
        }
        let next = (left == 0).then(|| lines.position());
        Part { lines: found, next }
    }

    /// What may be shown of a line.
    fn shown(&self, mut line: LogLine) -> Option<LogLine> {
        let time = Timestamp::parse_w3c(&line.ts).ok();
        line.page = line.page.filter(|page| self.may_show(page, time));
        self.may_show(&line.url, time).then_some(line)
    }

    /// The page list of a layer, from a place on.
    fn page_list(&self, layer: usize, at: u64) -> Option<Cursor> {
        self.lines_of(layer, "pages/pages.jsonl", at)
    }

    /// The log of a layer, from a place on.
    pub(super) fn log(&self, layer: usize, at: u64) -> Option<Cursor> {
        self.lines_of(layer, "logs/crawl.jsonl", at)
    }

    fn lines_of(&self, layer: usize, name: &str, at: u64) -> Option<Cursor> {
        let path = self.collection().layer_dir(layer).join(name);
        let fs = self.fs();
        fs.kind(&path).ok()??;
        CdxjFile::open(fs, &path).ok()?.from(at).ok()
    }
}

/// The next line that can be read, as long as not too much was.
fn next_readable<'a>(lines: &'a mut Cursor, left: &mut u64) -> Option<&'a [u8]> {
    while *left > 0 {
        let before = lines.position();
        let there = lines.next_line().map(|line| line.is_some());
        let passed = lines.position() - before;
        *left = left.saturating_sub(passed);
        match there {
            Ok(true) => return Some(lines.line()),
            Ok(false) => return None,
            // Beyond what cannot be read; where nothing can be, it does not move.
            Err(_) if passed == 0 => return None,
            Err(_) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_whatever_its_case_and_writing() {
        for (text, line, may) in [
            ("Garden", r#"{"title":"the GARDEN"}"#, true),
            ("garden", r#"{"title":"the gard"}"#, false),
            ("é", r#"{"title":"caf"}"#, true),
            ("e", r#"{"title":"\u0065"}"#, true),
            ("", "", true),
        ] {
            assert_eq!(Text::new(text).may_be_in(line.as_bytes()), may, "{text}");
        }
        assert!(Text::new("É").is_in("café"));
        assert!(!Text::new("x").is_in("café"));
    }
}
