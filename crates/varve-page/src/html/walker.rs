//! The walker: understands tags in the order in which they come.

use std::borrow::Cow;
use std::ops::Range;

use super::table::{Reader, lazy, rules};
use super::text::is_block;
use super::{Attribute, Attributes, Value, VisibleText};
use crate::collector::{Collector, Offer, Surroundings};
use crate::css::{self, Sheet};
use crate::{Destination, Need, Role, data_url, srcset, xml};

/// A text to walk over.
#[derive(Clone, Copy)]
pub(crate) struct Source<'t> {
    pub(crate) text: &'t str,
    /// Where it begins in the document, if it is spelt there as it is.
    pub(crate) at: Option<usize>,
}

impl Source<'_> {
    /// A range of the text as a range of the document.
    pub(super) fn span(&self, range: Range<usize>) -> Option<Range<usize>> {
        self.at.map(|at| at + range.start..at + range.end)
    }
}

/// A start tag.
pub(crate) struct Tag<'t> {
    /// Its name in lower case, without a prefix.
    pub(crate) name: Cow<'t, str>,
    pub(crate) attributes: Attributes<'t>,
    /// Whether it belongs to SVG.
    pub(crate) svg: bool,
    range: Range<usize>,
}

impl<'t> Tag<'t> {
    /// Reads the tag in `text[range]`, from `<` to `>`.
    pub(crate) fn new(text: &'t str, range: Range<usize>, svg: bool) -> Option<Tag<'t>> {
        let inside = text.get(..range.end)?;
        inside.get(range.start..)?.strip_prefix('<')?;
        let (name, after) = name_at(inside, range.start + 1);
        Some(Tag {
            name: in_lower_case(name.strip_prefix("svg:").unwrap_or(name)),
            attributes: Attributes::new(text, after, range.end),
            svg,
            range,
        })
    }

    /// Reads the start tag that begins at `from`, if it ends.
    pub(super) fn read(text: &'t str, from: usize) -> Option<Tag<'t>> {
        let (name, after) = name_at(text, from + 1);
        let (attributes, end) = Attributes::read(text, after)?;
        Some(Tag {
            name: in_lower_case(name),
            attributes,
            svg: false,
            range: from..end,
        })
    }

    /// Whether it is written as the whole element: `<a/>`, but not `<a href=/>`.
    pub(super) fn is_closed(&self, text: &str) -> bool {
        let slash = self.range.end - 2;
        let value_end = self.attributes.iter().last().map_or(0, |last| last.end());
        text.as_bytes()[slash] == b'/' && value_end <= slash
    }

    /// Where the tag ends and its content begins.
    pub(crate) fn end(&self) -> usize {
        self.range.end
    }
}

/// The name of a tag at `from`, and where it ends.
pub(super) fn name_at(text: &str, from: usize) -> (&str, usize) {
    let inside = text.get(from..).unwrap_or_default();
    let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
    let length = inside.bytes().position(ends).unwrap_or(inside.len());
    (&inside[..length], from + length)
}

fn in_lower_case(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|b| b.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}

/// An element whose end the walker wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Script,
    Style,
    Title,
    Noscript,
    Template,
    Picture,
    Media,
    /// Its text is not shown.
    Hidden,
}

/// What the walker wants to know about the rest of an element.
pub(crate) enum Follow {
    /// Nothing.
    No,
    /// Where it ends.
    UntilEnd(Container),
}

/// An element that was entered.
pub(super) struct Entered {
    pub(super) container: Container,
    /// Where its content begins.
    pub(super) start: usize,
    pub(super) state: State,
}

/// What was learned from the start tag of an element for later.
pub(super) enum State {
    Nothing,
    Script(super::scripts::Inline),
    Style(Need),
    /// What to return to.
    Template(Surroundings),
    /// Whether one of the sources was chosen already.
    Sources {
        chosen: bool,
    },
}

/// One who is told of the tags of a document.
pub(crate) trait Visitor<'t> {
    /// A start tag.
    fn start(&mut self, tag: &Tag<'t>) -> Follow;
    /// The end of an element, at `at`.
    fn end(&mut self, container: Container, at: usize);
    /// A processing instruction; its inside.
    fn instruction(&mut self, inside: Range<usize>);
}

impl<'t> Visitor<'t> for Walker<'_, 't, '_> {
    fn start(&mut self, tag: &Tag<'t>) -> Follow {
        self.tag(tag)
    }

    fn end(&mut self, container: Container, at: usize) {
        self.close(container, at);
    }

    fn instruction(&mut self, inside: Range<usize>) {
        let inside = self.source.text.get(inside).unwrap_or_default();
        xml::stylesheet(inside, self.collector);
    }
}

/// Most elements that are remembered as open.
pub(crate) const MAX_OPEN: usize = 10_000;

/// Walks over the tags of one document.
pub(crate) struct Walker<'w, 't, 'a> {
    pub(super) source: Source<'t>,
    pub(super) collector: &'w mut Collector<'a>,
    pub(super) open: Vec<Entered>,
    pub(super) base_seen: bool,
    text: VisibleText,
    /// Up to where the text was looked at.
    text_end: usize,
}

impl<'w, 't, 'a> Walker<'w, 't, 'a> {
    pub(crate) fn new(source: Source<'t>, collector: &'w mut Collector<'a>) -> Walker<'w, 't, 'a> {
        Walker {
            source,
            collector,
            open: Vec::new(),
            base_seen: false,
            text: VisibleText::default(),
            text_end: 0,
        }
    }

    fn tag(&mut self, tag: &Tag<'t>) -> Follow {
        self.text_until(tag.range.start);
        self.text_end = tag.range.end;
        if is_block(&tag.name) {
            self.text.block();
        }
        self.any_attribute(tag);
        for rule in rules(&tag.name) {
            if rule.reader == Reader::Table
                && let Some(value) = tag.attributes.get(rule.attribute)
            {
                // The new spelling counts, the old one is for old browsers.
                let replaced = rule.attribute == "xlink:href" && tag.attributes.has("href");
                let need = if replaced { Need::Variant } else { rule.need };
                self.offer(&value, rule.role, need, rule.context);
            }
        }
        match self.special(tag) {
            Some((container, state)) if self.open.len() < MAX_OPEN => {
                self.open.push(Entered {
                    container,
                    start: tag.end(),
                    state,
                });
                Follow::UntilEnd(container)
            }
            _ => Follow::No,
        }
    }

    /// Elements that need more than the table.
    fn special(&mut self, tag: &Tag<'t>) -> Option<(Container, State)> {
        match tag.name.as_ref() {
            "img" => self.img(tag),
            "image" if !tag.svg => self.img(tag),
            "source" => self.source(tag),
            "track" => self.track(tag),
            "input" => self.input(tag),
            "link" => self.link(tag),
            "meta" => self.meta(tag),
            "base" => self.base(tag),
            "object" | "applet" => self.object(tag),
            "param" => self.param(tag),
            "picture" => return Some((Container::Picture, State::Sources { chosen: false })),
            "video" | "audio" => {
                let chosen = tag.attributes.has("src");
                return Some((Container::Media, State::Sources { chosen }));
            }
            "script" => return self.script(tag),
            "style" => return Some((Container::Style, State::Style(self.style_need(tag)))),
            "title" if !tag.svg => return Some((Container::Title, State::Nothing)),
            "title" | "desc" if tag.svg => return Some((Container::Hidden, State::Nothing)),
            "iframe" => {
                self.iframe(tag);
                return Some((Container::Hidden, State::Nothing));
            }
            "textarea" | "noembed" | "noframes" | "xmp" => {
                return Some((Container::Hidden, State::Nothing));
            }
            "noscript" => return Some((Container::Noscript, State::Nothing)),
            "template" => return self.template(tag),
            _ => {}
        }
        None
    }

    /// Attributes that any element may have.
    fn any_attribute(&mut self, tag: &Tag<'t>) {
        for attribute in tag.attributes.iter() {
            let name = attribute.name;
            match name.as_bytes().first().map(u8::to_ascii_lowercase) {
                Some(b's') if name.eq_ignore_ascii_case("style") => {
                    let value = attribute.value();
                    if let Some(styles) = self.collector.styles() {
                        styles.attribute(&value.text);
                    }
                    self.declarations(&value);
                }
                Some(b'o') if is_handler(name) => self.collector.has_scripts = true,
                Some(b'd') if name.len() > 5 => self.data_attribute(attribute),
                _ if may_hold_css(tag, name) => {
                    let value = attribute.value();
                    if value.text.contains("url(") {
                        if let Some(styles) = self.collector.styles() {
                            styles.attribute(&format!("{name}:{}", value.text));
                        }
                        self.declarations(&value);
                    }
                }
                _ => {}
            }
        }
    }

    fn declarations(&mut self, value: &Value<'_>) {
        let sheet = Sheet {
            text: &value.text,
            at: value
                .verbatim()
                .and_then(|at| self.source.at.map(|from| from + at)),
            need: Need::Needed,
        };
        css::find(&sheet, self.collector);
    }

    fn data_attribute(&mut self, attribute: Attribute<'t>) {
        let name = attribute.name;
        if let Some(rule) = lazy(name) {
            self.offer(&attribute.value(), rule.role, rule.need, rule.context);
        } else if name.eq_ignore_ascii_case("data-srcset")
            || name.eq_ignore_ascii_case("data-lazy-srcset")
        {
            let value = attribute.value();
            for candidate in srcset::parse_srcset(&value.text) {
                let image = Role::Embed(Destination::Image);
                self.offer_part(&value, candidate.span, image, Need::Weak, "@data-srcset");
            }
        }
    }

    /// Offers the URL that an attribute consists of.
    pub(super) fn offer(
        &mut self,
        value: &Value<'_>,
        role: Role,
        need: Need,
        context: &'static str,
    ) {
        if data_url::is_data(&value.text) {
            if let Some(destination) = destination(role) {
                data_url::find(&value.text, destination, self.collector);
            }
            return;
        }
        self.collector.offer(Offer {
            url: &value.text,
            role,
            need,
            context,
            span: self.source.span(value.raw.clone()),
        });
    }

    /// Offers a URL that is a part of an attribute.
    pub(super) fn offer_part(
        &mut self,
        value: &Value<'_>,
        part: Range<usize>,
        role: Role,
        need: Need,
        context: &'static str,
    ) {
        let span = value
            .verbatim()
            .and_then(|at| self.source.span(at + part.start..at + part.end));
        self.collector.offer(Offer {
            url: &value.text[part],
            role,
            need,
            context,
            span,
        });
    }

    /// Takes the text up to `end`, where something begins or ends.
    fn text_until(&mut self, end: usize) {
        let between = self.text_end..end;
        if between.is_empty() {
            return;
        }
        let shown = self.open.last().is_none_or(|entered| {
            matches!(entered.container, Container::Picture | Container::Media)
        });
        if shown && let Some(markup) = self.source.text.get(between) {
            self.text.push_between_tags(markup);
        }
        self.text_end = end;
    }

    fn close(&mut self, container: Container, at: usize) {
        let near = self.open.len().saturating_sub(64);
        let Some(index) = self.open[near..]
            .iter()
            .rposition(|e| e.container == container)
        else {
            return;
        };
        self.text_until(at);
        // What was left open inside ends here as well.
        while self.open.len() > near + index
            && let Some(entered) = self.open.pop()
        {
            self.leave(&entered, at);
        }
    }

    /// The end of the document: gives the visible text.
    pub(crate) fn finish(mut self) -> String {
        let end = self.source.text.len();
        self.text_until(end);
        while let Some(entered) = self.open.pop() {
            // A script that is cut off does not run.
            if entered.container != Container::Script {
                self.leave(&entered, end);
            }
        }
        if let Some(note) = self.text.note() {
            self.collector.note(note);
        }
        self.text.into_string()
    }
}

/// Whether an attribute of an SVG element is a property of CSS that can hold a URL, or animates
/// one.
pub(crate) fn may_hold_css(tag: &Tag<'_>, name: &str) -> bool {
    const PROPERTIES: &[&str] = &[
        "by",
        "clip-path",
        "cursor",
        "fill",
        "filter",
        "from",
        "marker",
        "marker-end",
        "marker-mid",
        "marker-start",
        "mask",
        "stroke",
        "to",
        "values",
    ];
    tag.svg && PROPERTIES.contains(&name)
}

/// `onclick` and the like, but not `one`.
pub(crate) fn is_handler(name: &str) -> bool {
    name.len() > 3
        && name.as_bytes()[..2].eq_ignore_ascii_case(b"on")
        && name.as_bytes()[2..].iter().all(u8::is_ascii_alphabetic)
}

fn destination(role: Role) -> Option<Destination> {
    match role {
        Role::Embed(destination) => Some(destination),
        Role::Frame => Some(Destination::Document),
        Role::Link | Role::Hint => None,
    }
}
