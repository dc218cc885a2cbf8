//! What declarations say about pictures, fonts and what is shown at all; nothing else is read.

use std::sync::Arc;

use cssparser::{Parser, Token};
use encoding_rs::Encoding;
use url::Url;

use super::font;
use crate::collector::Collector;
use crate::css::{self, Found};
use crate::length::Result;
use crate::{Destination, Need, Viewport, data_url};

/// Longest value that is read.
const MAX_VALUE: usize = 64 << 10;

/// Something about an element that one declaration decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Display,
    Float,
    Position,
    ContentVisibility,
    Family,
    Weight,
    Slant,
    Content,
    Animation,
    // From here on pictures.
    Background,
    BackdropFilter,
    BorderImage,
    ClipPath,
    Cursor,
    Fill,
    Filter,
    ListStyle,
    Marker,
    Mask,
    MaskBorder,
    Reflect,
    Shape,
    Stroke,
}

impl Slot {
    /// Whether it is about pictures alone.
    pub(crate) fn is_picture(self) -> bool {
        self as usize >= Slot::Background as usize
    }
}

/// How many there are.
pub(crate) const SLOTS: usize = Slot::Stroke as usize + 1;

/// What a declaration says.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// As the element around it has it.
    Inherit,
    /// As if nobody had said anything.
    Initial,
    Display(Display),
    /// Whether it is taken out of the lines.
    Away(bool),
    /// Whether the inside is skipped.
    Skipped(bool),
    /// Names of families in lower case, in order; generic ones are left out.
    Family(Arc<[Box<str>]>),
    Weight(Weight),
    Slant(bool),
    Content(Arc<Content>),
    /// Names of animations.
    Names(Arc<[Box<str>]>),
    Images(Arc<[Url]>),
    /// Depends on custom properties.
    Raw(Arc<Raw>),
}

/// A declaration to be read when custom properties are known.
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) property: Box<str>,
    pub(crate) text: Box<str>,
    /// What its URLs are relative to.
    pub(crate) base: Arc<Url>,
}

/// What kind of box an element has, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Display {
    None,
    /// A part of lines.
    Inline,
    /// A box in a line.
    InlineBlock,
    /// A box in a line; what is in it stands in boxes of its own.
    InlineFlex,
    /// What is in it stands in boxes of its own.
    Flex,
    Block,
}

impl Display {
    /// Whether it stands in a line.
    pub(crate) fn is_in_line(self) -> bool {
        matches!(
            self,
            Display::Inline | Display::InlineBlock | Display::InlineFlex
        )
    }

    /// Whether what is in it stands in boxes of its own.
    pub(crate) fn is_flex(self) -> bool {
        matches!(self, Display::Flex | Display::InlineFlex)
    }

    /// The same, out of the line.
    pub(crate) fn out_of_line(self) -> Display {
        match self {
            Display::Inline | Display::InlineBlock => Display::Block,
            Display::InlineFlex => Display::Flex,
            other => other,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Number(u16),
    Bolder,
    Lighter,
}

/// What a pseudo-element holds.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// Whether there is one at all.
    pub(crate) shows: bool,
    pub(crate) text: String,
    /// Attributes whose values it shows.
    pub(crate) attributes: Vec<Box<str>>,
    pub(crate) images: Vec<Url>,
}

/// Where values stand.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'g> {
    pub(crate) base: &'g Arc<Url>,
    pub(crate) encoding: &'static Encoding,
    pub(crate) viewport: &'g Viewport,
}

impl Ground<'_> {
    /// The pictures that a value asks for, of which those for other screens are left out.
    pub(crate) fn images(&self, text: &str) -> Vec<Url> {
        if !text.contains('(') {
            return Vec::new();
        }
        let mut reader = Pictures {
            viewport: self.viewport,
            found: Vec::new(),
        };
        css::read(text, Need::Needed, &mut reader);
        let mut found = reader.found;
        found.retain(|url| !data_url::is_data(url));
        if found.is_empty() {
            return Vec::new();
        }
        let base = Url::clone(self.base);
        let mut collector = Collector::new(self.viewport, base, self.encoding);
        let written = found.iter().map(|url| url.trim());
        written
            .filter(|url| !url.is_empty() && !url.starts_with('#'))
            .filter_map(|url| collector.resolve(url))
            .collect()
    }
}

struct Pictures<'p> {
    viewport: &'p Viewport,
    found: Vec<String>,
}

impl css::Reader for Pictures<'_> {
    fn viewport(&self) -> &Viewport {
        self.viewport
    }

    fn url(&mut self, found: Found, _: Destination, need: Need, _: &'static str) {
        if need == Need::Needed {
            self.found.push(found.url);
        }
    }

    fn media(&mut self, _: &str, _: usize) {}
}

/// What a property, in lower case, decides.
pub(crate) fn slots(property: &str) -> &'static [Slot] {
    match property {
        "display" => &[Slot::Display],
        "float" => &[Slot::Float],
        "position" => &[Slot::Position],
        "content-visibility" => &[Slot::ContentVisibility],
        "font" => &[Slot::Family, Slot::Weight, Slot::Slant],
        "font-family" => &[Slot::Family],
        "font-weight" => &[Slot::Weight],
        "font-style" => &[Slot::Slant],
        "content" => &[Slot::Content],
        "animation" | "animation-name" | "-webkit-animation" | "-webkit-animation-name" => {
            &[Slot::Animation]
        }
        "background" | "background-image" => &[Slot::Background],
        "backdrop-filter" => &[Slot::BackdropFilter],
        "border" | "border-image" | "border-image-source" | "-webkit-border-image" => {
            &[Slot::BorderImage]
        }
        "clip-path" | "-webkit-clip-path" => &[Slot::ClipPath],
        "cursor" => &[Slot::Cursor],
        "fill" => &[Slot::Fill],
        "filter" | "-webkit-filter" => &[Slot::Filter],
        "list-style" | "list-style-image" => &[Slot::ListStyle],
        "marker" | "marker-start" | "marker-mid" | "marker-end" => &[Slot::Marker],
        "mask" | "mask-image" | "-webkit-mask" | "-webkit-mask-image" => &[Slot::Mask],
        "mask-border" | "-webkit-mask-box-image" | "-webkit-mask-box-image-source" => {
            &[Slot::MaskBorder]
        }
        "-webkit-box-reflect" => &[Slot::Reflect],
        "shape-outside" => &[Slot::Shape],
        "stroke" => &[Slot::Stroke],
        _ => &[],
    }
}

/// Reads a declaration, its `!important` taken off. Nothing if Chromium would not take it.
pub(crate) fn read(property: &str, text: &str, ground: &Ground<'_>) -> Vec<(Slot, Value)> {
    let slots = slots(property);
    if slots.is_empty() || text.len() > MAX_VALUE {
        return Vec::new();
    }
    let all = |value: Value| slots.iter().map(|slot| (*slot, value.clone())).collect();
    if super::custom::has_var(text) {
        let raw = Raw {
            property: property.into(),
            text: text.into(),
            base: ground.base.clone(),
        };
        return all(Value::Raw(Arc::new(raw)));
    }
    let text = text.trim();
    match text.to_ascii_lowercase().as_str() {
        "inherit" => return all(Value::Inherit),
        "initial" | "revert" | "revert-layer" => return all(Value::Initial),
        "unset" => return all(Value::Inherit),
        _ => {}
    }
    match property {
        "font" => font::shorthand(text),
        _ => longhand(slots[0], text, ground)
            .map(|value| (slots[0], value))
            .into_iter()
            .collect(),
    }
}

fn longhand(slot: Slot, text: &str, ground: &Ground<'_>) -> Option<Value> {
    Some(match slot {
        Slot::Display => Value::Display(display(text)?),
        Slot::Float => Value::Away(!text.eq_ignore_ascii_case("none")),
        Slot::Position => {
            let word = text.to_ascii_lowercase();
            Value::Away(matches!(word.as_str(), "absolute" | "fixed"))
        }
        Slot::ContentVisibility => Value::Skipped(text.eq_ignore_ascii_case("hidden")),
        Slot::Family => Value::Family(font::families(text)),
        Slot::Weight => Value::Weight(font::weight(text)?),
        Slot::Slant => Value::Slant(font::is_slanted(text)),
        Slot::Content => Value::Content(Arc::new(content(text, ground))),
        Slot::Animation => Value::Names(names(text)),
        _ if is_foreign(text) => return None,
        _ => Value::Images(ground.images(text).into()),
    })
}

/// Whether a value is for other browsers.
fn is_foreign(text: &str) -> bool {
    ["-moz-", "-ms-", "-o-", "progid:"]
        .iter()
        .any(|prefix| match text.find(prefix) {
            Some(0) => true,
            Some(at) => matches!(text.as_bytes()[at - 1], b' ' | b',' | b'('),
            None => false,
        })
}

fn display(text: &str) -> Option<Display> {
    let words = text.to_ascii_lowercase();
    let mut words = words.split_ascii_whitespace();
    let (first, second) = (words.next()?, words.next());
    Some(match (first, second) {
        ("none", _) => Display::None,
        ("inline", None | Some("flow")) => Display::Inline,
        ("ruby" | "ruby-text" | "contents", _) => Display::Inline,
        ("inline-flex" | "inline-grid" | "-webkit-inline-box" | "-webkit-inline-flex", _)
        | ("inline", Some("flex" | "grid")) => Display::InlineFlex,
        ("flex" | "grid" | "-webkit-box" | "-webkit-flex", _)
        | ("block", Some("flex" | "grid")) => Display::Flex,
        ("inline-block" | "inline-table" | "inline", _) => Display::InlineBlock,
        (
            "block" | "flow-root" | "list-item" | "table" | "table-row-group"
            | "table-header-group" | "table-footer-group" | "table-row" | "table-cell"
            | "table-column-group" | "table-column" | "table-caption" | "math" | "block-ruby"
            | "run-in",
            _,
        ) => Display::Block,
        _ => return None,
    })
}

/// The names among the words of an animation.
fn names(text: &str) -> Arc<[Box<str>]> {
    let mut names: Vec<Box<str>> = Vec::new();
    let mut parser = Parser::new(text);
    while let Ok(token) = parser.next() {
        if let Token::Ident(name) | Token::QuotedString(name) = token {
            names.push(name.as_ref().into());
        }
    }
    names.into()
}

fn content(text: &str, ground: &Ground<'_>) -> Content {
    let word = text.to_ascii_lowercase();
    let mut content = Content {
        shows: !matches!(word.as_str(), "none" | "normal"),
        images: ground.images(text),
        ..Content::default()
    };
    let mut parser = Parser::new(text);
    while let Ok(token) = parser.next().cloned() {
        match token {
            Token::QuotedString(text) => content.text.push_str(&text),
            Token::Ident(name) if name.to_ascii_lowercase().ends_with("-quote") => {
                content.text.push_str("“”‘’");
            }
            // What comes after it is read aloud.
            Token::Delim('/') => break,
            Token::Function(name) => {
                let of: Result<Box<str>> =
                    parser.parse_nested_block(|inner| Ok(inner.expect_ident()?.as_ref().into()));
                match (name.to_ascii_lowercase().as_str(), of) {
                    ("attr", Ok(attribute)) => content.attributes.push(attribute),
                    ("counter" | "counters", _) => content.text.push_str("0123456789."),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    content
}
