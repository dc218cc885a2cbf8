//! DASH manifests (MPD): absolute URLs are mapped, relative ones work as they are. Of the
//! representations of one thing those stay that were captured.

use std::ops::Range;

use url::Url;

use super::edits::Edits;
use super::mapping::Mapping;
use super::{Reach, Use, reach};
use crate::html::Tag;
use crate::xml::{Event, Lexer};

/// Most elements that are remembered as open.
const MAX_OPEN: usize = 100;

/// How much of a body is looked at to find out what it is.
const LOOK: usize = 4096;

/// Attributes with URLs, or with templates of them.
const ATTRIBUTES: &[&str] = &[
    "index",
    "initialization",
    "media",
    "sourceURL",
    "xlink:href",
];

/// Elements with a URL for content.
const ELEMENTS: &[&str] = &["baseurl", "location", "patchlocation"];

pub(super) fn is_manifest(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(LOOK)]).into_owned();
    let first = Lexer::new(&start).find_map(|event| match event {
        Event::Start { tag, .. } => Some(tag),
        _ => None,
    });
    first.is_some_and(|tag| {
        let name = start[tag].trim_start_matches('<');
        name.strip_prefix("MPD")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '>'))
    })
}

pub(super) fn edits(text: &str, mapping: &mut Mapping<'_>) -> Edits {
    let mut manifest = Manifest {
        text,
        mapping,
        edits: Edits::default(),
        open: Vec::new(),
    };
    for event in Lexer::new(text) {
        match event {
            Event::Start { tag, closed } => {
                let end = tag.end;
                manifest.start(tag);
                if closed {
                    manifest.end(end);
                }
            }
            Event::End { at, .. } => {
                let length = memchr::memchr(b'>', &text.as_bytes()[at..]);
                manifest.end(length.map_or(text.len(), |length| at + length + 1));
            }
            Event::Text(range) => manifest.content(range),
            Event::Cdata(_) | Event::Instruction(_) => {}
        }
    }
    manifest.edits
}

/// An element that is open.
#[derive(Default)]
struct Open {
    name: String,
    start: usize,
    /// What URLs in it are relative to, if it says so.
    base: Option<Url>,
    /// The template of the URL that a representation begins with.
    template: Option<String>,
    id: String,
    bandwidth: String,
    /// Representations in it, and whether they were captured, as far as that can be said.
    members: Vec<(Range<usize>, Option<bool>)>,
}

struct Manifest<'e, 't, 'a> {
    text: &'t str,
    mapping: &'e mut Mapping<'a>,
    edits: Edits,
    open: Vec<Open>,
}

impl Manifest<'_, '_, '_> {
    fn start(&mut self, range: Range<usize>) {
        let Some(tag) = Tag::new(self.text, range.clone(), false) else {
            return;
        };
        for name in ATTRIBUTES {
            if let Some(value) = tag.attributes.get(name)
                && reach(&value.text) != Reach::Path
                && let Some(url) = self.mapping.url(&value.text, Use::Media)
            {
                self.edits.attribute(self.text, &value, url);
            }
        }
        if tag.name == "segmenttemplate"
            && let Some(parent) = self.open.last_mut()
        {
            let template = tag.attributes.get("initialization");
            parent.template = template.map(|value| value.text.into_owned());
        }
        if self.open.len() < MAX_OPEN {
            self.open.push(Open {
                name: tag.name.to_string(),
                start: range.start,
                id: tag.attributes.text("id").into_owned(),
                bandwidth: tag.attributes.text("bandwidth").into_owned(),
                ..Open::default()
            });
        }
    }

    /// The content of an element that holds a URL.
    fn content(&mut self, range: Range<usize>) {
        let Some(element) = self.open.last() else {
            return;
        };
        let raw = &self.text[range.clone()];
        let text = htmlize::unescape(raw.trim());
        if !ELEMENTS.contains(&element.name.as_str()) || text.is_empty() {
            return;
        }
        if element.name == "baseurl" {
            let base = self.base().join(&text).ok();
            let parent = self.open.iter_mut().rev().nth(1);
            if let Some(parent) = parent.filter(|parent| parent.base.is_none()) {
                parent.base = base;
            }
        }
        if reach(&text) != Reach::Path
            && let Some(url) = self.mapping.url(&text, Use::Media)
        {
            let escaped = url.replace('&', "&amp;").replace('<', "&lt;");
            self.edits.replace(range, escaped);
        }
    }

    /// The end of the innermost open element, at `at`.
    fn end(&mut self, at: usize) {
        let Some(element) = self.open.pop() else {
            return;
        };
        if element.name == "representation" {
            let captured = self
                .first_url(&element)
                .map(|url| self.mapping.how.map.is_captured(&url));
            if let Some(set) = self.open.last_mut() {
                set.members.push((element.start..at, captured));
            }
        }
        if element
            .members
            .iter()
            .any(|(_, captured)| *captured == Some(true))
        {
            for (range, captured) in element.members {
                if captured == Some(false) {
                    // What was to be changed inside starts later and so gives way.
                    self.edits.replace(range, String::new());
                }
            }
        }
    }

    fn base(&self) -> &Url {
        let declared = self.open.iter().rev().find_map(|open| open.base.as_ref());
        declared.unwrap_or(&self.mapping.base)
    }

    /// The URL that a representation begins with.
    fn first_url(&self, element: &Open) -> Option<Url> {
        let base = element.base.as_ref().unwrap_or_else(|| self.base());
        let inherited = || {
            self.open
                .iter()
                .rev()
                .find_map(|open| open.template.as_ref())
        };
        match element.template.as_ref().or_else(inherited) {
            Some(template) => {
                let url = template
                    .replace("$RepresentationID$", &element.id)
                    .replace("$Bandwidth$", &element.bandwidth);
                (!url.contains('$')).then(|| base.join(&url).ok())?
            }
            None => element.base.clone(),
        }
    }
}
