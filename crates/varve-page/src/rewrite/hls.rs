//! HLS playlists: lines of URLs between lines of tags. Of the variants of a stream those stay
//! that were captured, so that the player chooses among them.

use std::ops::Range;

use super::Use;
use super::edits::Edits;
use super::mapping::Mapping;

const SIGN: &[u8] = b"#EXTM3U";

/// The tag before a variant, and tags that are one by themselves.
const VARIANT: &str = "#EXT-X-STREAM-INF:";
const RENDITIONS: &[&str] = &["#EXT-X-MEDIA:", "#EXT-X-I-FRAME-STREAM-INF:"];

pub(super) fn is_playlist(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(SIGN)
}

/// A line with its place.
struct Line<'t> {
    text: &'t str,
    /// With its line break.
    range: Range<usize>,
}

pub(super) fn edits(text: &str, mapping: &mut Mapping<'_>) -> Edits {
    let lines = lines(text);
    let pinned = pinned(&lines, mapping);
    let mut edits = Edits::default();
    // Where a variant begins whose URL has not come yet.
    let mut variant: Option<usize> = None;
    for line in &lines {
        let trimmed = line.text.trim();
        if trimmed.starts_with(VARIANT) {
            variant = Some(line.range.start);
        } else if trimmed.starts_with('#') {
            let drops = pinned
                && RENDITIONS.iter().any(|tag| trimmed.starts_with(tag))
                && attribute(line.text).is_some_and(|uri| !captured(&line.text[uri], mapping));
            match (drops, attribute(line.text)) {
                (true, _) => edits.replace(line.range.clone(), String::new()),
                (false, Some(uri)) => replace(line, uri, mapping, &mut edits),
                (false, None) => {}
            }
        } else if !trimmed.is_empty() {
            let start = variant.take();
            match start {
                Some(start) if pinned && !captured(trimmed, mapping) => {
                    edits.replace(start..line.range.end, String::new());
                }
                _ => {
                    let at = line.text.len() - line.text.trim_start().len();
                    replace(line, at..at + trimmed.len(), mapping, &mut edits);
                }
            }
        }
    }
    edits
}

fn replace(line: &Line<'_>, part: Range<usize>, mapping: &mut Mapping<'_>, edits: &mut Edits) {
    if let Some(url) = mapping.url(&line.text[part.clone()], Use::Media) {
        let at = line.range.start;
        edits.replace(at + part.start..at + part.end, url.replace('"', "%22"));
    }
}

/// Whether any variant was captured: if none was, the choice is as good as any.
fn pinned(lines: &[Line<'_>], mapping: &Mapping<'_>) -> bool {
    let mut after_variant = false;
    for line in lines.iter().map(|line| line.text.trim()) {
        if line.starts_with(VARIANT) {
            after_variant = true;
        } else if !line.is_empty() && !line.starts_with('#') {
            if after_variant && captured(line, mapping) {
                return true;
            }
            after_variant = false;
        }
    }
    false
}

fn captured(written: &str, mapping: &Mapping<'_>) -> bool {
    let resolved = mapping.resolve(written.trim());
    resolved.is_none_or(|url| mapping.how.map.is_captured(&url))
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let range = at..at + line.len();
        at = range.end;
        let text = line.trim_end_matches(['\r', '\n']);
        Line { text, range }
    });
    lines.collect()
}

/// Where the value of the attribute `URI` stands in a tag.
fn attribute(line: &str) -> Option<Range<usize>> {
    let mut at = line.find(':')? + 1;
    loop {
        let rest = &line[at..];
        let equals = rest.find('=')?;
        let name = rest[..equals].trim();
        let value = at + equals + 1;
        let quoted = line[value..].strip_prefix('"');
        let (range, after) = match quoted {
            Some(inside) => {
                let end = value + 1 + inside.find('"')?;
                (value + 1..end, end + 1)
            }
            None => {
                let end = line[value..].find(',').map_or(line.len(), |n| value + n);
                (value..end, end)
            }
        };
        if name.eq_ignore_ascii_case("URI") {
            return Some(range);
        }
        at = after + line[after..].find(',')? + 1;
    }
}
